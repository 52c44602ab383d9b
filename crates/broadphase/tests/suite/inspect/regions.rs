//! Leaves and cells, with their objects.

use crate::inspect::frames::{Now, Seen};
use broadphase::Aabb;
use broadphase::inspect::{NO_REGION, RegionMark, for_each_region, region_by_object};

/// Regions are numbered, and list the objects that are in their bounds.
pub(crate) fn check_lists(now: &Now<'_>) {
    let Now { entry, name, algorithm, boxes, .. } = *now;
    // Others list an object in one of several cells about it.
    let lists_all = !matches!(entry.family, "octree-loose" | "grid-hierarchical" | "kd-sap");
    let (mut number, mut first) = (0, vec![NO_REGION; boxes.len()]);
    let mut unlisted = Vec::new();
    for_each_region(algorithm.inspect(), &mut |RegionMark { region, objects, .. }| {
        assert_eq!((region.index, region.objects), (number, objects.len() as u32), "{name}");
        number += 1;
        let mut is_listed = vec![false; boxes.len()];
        for object in objects {
            is_listed[*object as usize] = true;
            let first = &mut first[*object as usize];
            *first = region.index.min(*first);
        }
        for (object, (b, is_listed)) in boxes.iter().zip(is_listed).enumerate() {
            assert!(!is_listed || !b.is_empty(), "{name}: absent object {object} is listed");
            // Drawn corners are rounded.
            let (center, margin) = (b.center(), 1e-3 * region.bounds.size());
            let is_inside = (region.bounds.min + margin).cmplt(center).all()
                && center.cmplt(region.bounds.max - margin).all();
            if lists_all && is_inside && !is_listed {
                unlisted.push((object, region));
            }
        }
    });
    let mut by_object = vec![7; boxes.len()];
    region_by_object(algorithm.inspect(), &mut by_object);
    assert_eq!(by_object, first, "{name}: first region of each object");
    // A grid has large objects in no cell.
    let wrong = unlisted.into_iter().find(|(object, _)| first[*object] != NO_REGION);
    assert_eq!(wrong, None, "{name}: it is not listed there");
}

/// Loose bounds contain the cell, and reach its objects.
pub(crate) fn check_loose_bounds(now: &Now<'_>, seen: &mut Seen) {
    let Now { entry, name, algorithm, boxes, .. } = *now;
    for_each_region(algorithm.inspect(), &mut |mark| {
        assert_eq!(mark.loose.is_some(), entry.family == "octree-loose", "{name}");
        let Some(loose) = mark.loose else { return };
        assert!(loose.union(&mark.region.bounds) == loose, "{name}: {:?}", mark.region);
        // Drawn corners are rounded.
        let margin = 1e-3 * loose.size();
        let around = Aabb::new(loose.min - margin, loose.max + margin);
        let reaches = |object: &u32| around.overlaps(&boxes[*object as usize]);
        assert!(mark.objects.iter().all(reaches), "{name}: {:?}", mark.region);
        seen.add("objects in loose bounds", mark.objects.len());
    });
}

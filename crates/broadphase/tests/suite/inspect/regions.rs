//! Leaves and cells, with their objects.

use crate::inspect::frames::{for_each_frame, for_each_frame_with};
use broadphase::inspect::{NO_REGION, Overlay, RegionMark, for_each_region, region_by_object};

#[test]
fn regions_list_the_objects_in_their_bounds() {
    let mut largest = 0;
    for_each_frame(&[1, 10, 260], |entry, name, algorithm, boxes| {
        // Others list an object in one of several cells about it.
        let lists_all = !matches!(entry.family, "octree-loose" | "grid-hierarchical" | "kd-sap");
        let (mut number, mut first) = (0, vec![NO_REGION; boxes.len()]);
        let mut unlisted = Vec::new();
        for_each_region(algorithm.inspect(), &mut |mark| {
            let RegionMark { region, objects, .. } = mark;
            let listed = objects.len() as u32;
            assert_eq!((region.index, region.objects), (number, listed), "{name}: {region:?}");
            number += 1;
            for (object, b) in (0..).zip(boxes) {
                let is_listed = objects.contains(&object);
                if is_listed {
                    let first = &mut first[object as usize];
                    *first = region.index.min(*first);
                    assert!(!b.is_empty(), "{name}: absent object {object} is listed");
                    largest = largest.max(region.objects);
                }
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
        let is_wrong = |(object, _): &(u32, _)| first[*object as usize] != NO_REGION;
        assert_eq!(unlisted.into_iter().find(is_wrong), None, "{name}: it is not listed there");
    });
    assert!(largest > 9, "{largest}");
}

#[test]
fn loose_bounds_contain_the_cell_and_reach_its_objects() {
    let mut larger = 0;
    for_each_frame_with(Overlay::Regions, &[10, 200], |row, name, algorithm, boxes| {
        for_each_region(algorithm.inspect(), &mut |mark| {
            assert_eq!(mark.loose.is_some(), row.family == "octree-loose", "{name}");
            let Some(loose) = mark.loose else { return };
            assert!(loose.union(&mark.region.bounds) == loose, "{name}: {:?}", mark.region);
            let reaches = |object: &u32| loose.overlaps(&boxes[*object as usize]);
            assert!(mark.objects.iter().all(reaches), "{name}: {:?}", mark.region);
            larger += mark.objects.len();
        });
    });
    assert!(larger > 1000, "{larger}");
}

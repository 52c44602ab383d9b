//! Leaves and cells, with their objects.

use crate::inspect::frames::{for_each_frame, for_each_frame_with, regions, regions_of};
use broadphase::inspect::{
    NO_REGION, Overlay, Region, SplitPlane, for_each_region, planes_of, region_by_object,
};
use broadphase::{Aabb, BroadPhase};
use glam::Vec3;

const EVERYWHERE: Aabb = Aabb { min: Vec3::NEG_INFINITY, max: Vec3::INFINITY };

/// A leaf between drawn planes: its half-open cell, and the finite part of it.
type Leaf = (Aabb, Aabb);

/// The leaves between planes, from low to high; none before the planes are placed.
fn leaves(algorithm: &dyn BroadPhase, depth: u32) -> Vec<Leaf> {
    let planes = planes_of(algorithm.inspect());
    let mut leaves = Vec::new();
    if let Some(root) = planes.first() {
        cut(&mut planes.iter(), depth, (EVERYWHERE, root.cell), &mut leaves);
    }
    leaves
}

fn cut<'a>(
    planes: &mut impl Iterator<Item = &'a SplitPlane>,
    depth: u32,
    cell: Leaf,
    leaves: &mut Vec<Leaf>,
) {
    if depth == 0 {
        leaves.push(cell);
        return;
    }
    let plane = planes.next().expect("the tree is not full");
    let (mut low, mut high) = (cell, cell);
    for (low, high) in [(&mut low.0, &mut high.0), (&mut low.1, &mut high.1)] {
        low.max[plane.axis.index()] = plane.position;
        high.min[plane.axis.index()] = plane.position;
    }
    cut(planes, depth - 1, low, leaves);
    cut(planes, depth - 1, high, leaves);
}

fn touches(b: &Aabb, cell: &Aabb) -> bool {
    !b.is_empty() && b.min.cmplt(cell.max).all() && cell.min.cmple(b.max).all()
}

#[test]
fn regions_of_plane_trees_are_their_cells_and_list_objects() {
    let mut straddlers = 0;
    for_each_frame(&[0, 1, 9, 10, 50, 260], |row, name, algorithm, boxes| {
        if !matches!(row.family, "bsp" | "kd-tree") {
            return;
        }
        let counters = algorithm.counters();
        let leaves = leaves(algorithm, counters.depth);
        let regions = regions(algorithm);
        assert_eq!(regions.len(), leaves.len(), "{name}: number of regions");
        let mut objects = vec![0; regions.len()];
        let mut first = vec![7; boxes.len()];
        region_by_object(algorithm.inspect(), &mut first);
        for (object, b) in boxes.iter().enumerate() {
            let touched = (0..).zip(&leaves).filter(|(_, leaf)| touches(b, &leaf.0));
            let touched: Vec<u32> = touched.map(|(leaf, _)| leaf).collect();
            let found = regions_of(algorithm, object);
            let indices: Vec<u32> = found.iter().map(|region| region.index).collect();
            assert_eq!(indices, touched, "{name}: regions of object {object}");
            assert!(found.iter().all(|region| *region == regions[region.index as usize]), "{name}");
            let expected = touched.first().copied().unwrap_or(NO_REGION);
            assert_eq!(first[object], expected, "{name}: first region of object {object}");
            let is_covered = leaves.is_empty() || b.is_empty() || !found.is_empty();
            assert!(is_covered, "{name}: object {object} is in no region");
            indices.iter().for_each(|region| objects[*region as usize] += 1);
            straddlers += usize::from(found.len() > 1);
        }
        for (index, (region, (_, bounds))) in (0..).zip(regions.iter().zip(&leaves)) {
            let objects = objects[index as usize];
            let expected = Region { index, bounds: *bounds, depth: counters.depth, objects };
            assert_eq!(*region, expected, "{name}");
        }
        if !regions.is_empty() {
            let listed: u32 = regions.iter().map(|region| region.objects).sum();
            assert_eq!(u64::from(listed), counters.listings, "{name}: listings");
        }
    });
    assert!(straddlers > 1000, "few objects are in two regions: {straddlers}");
}

#[test]
fn object_counts_of_regions_agree_with_regions_of() {
    for_each_frame(&[1, 10, 260], |_, name, algorithm, boxes| {
        let regions = regions(algorithm);
        assert!((0..).zip(&regions).all(|(index, region)| region.index == index), "{name}: order");
        let mut objects = vec![0; regions.len()];
        let mut first = vec![7; boxes.len()];
        region_by_object(algorithm.inspect(), &mut first);
        for (object, b) in boxes.iter().enumerate() {
            let found = regions_of(algorithm, object);
            assert!(found.is_sorted_by_key(|region| region.index), "{name}: object {object}");
            assert!(found.iter().all(|region| *region == regions[region.index as usize]), "{name}");
            let expected = found.first().map_or(NO_REGION, |region| region.index);
            assert_eq!(first[object], expected, "{name}: first region of object {object}");
            assert!(found.is_empty() || !b.is_empty(), "{name}: absent object {object} is listed");
            found.iter().for_each(|region| objects[region.index as usize] += 1);
        }
        let listed: Vec<_> = regions.iter().map(|region| region.objects).collect();
        assert_eq!(objects, listed, "{name}: objects of the regions");
    });
}

#[test]
fn loose_bounds_contain_the_object_and_its_cell() {
    let mut larger = 0;
    for_each_frame_with(Overlay::Regions, &[10, 200], |row, name, algorithm, boxes| {
        for_each_region(algorithm.inspect(), &mut |mark| {
            let Some(loose) = mark.loose else {
                return assert_ne!(row.family, "octree-loose", "{name}");
            };
            assert_eq!(row.family, "octree-loose", "{name}");
            assert!(loose.union(&mark.region.bounds) == loose, "{name}: {:?}", mark.region);
            for object in mark.objects {
                assert!(loose.overlaps(&boxes[*object as usize]), "{name}: object {object}");
                larger += usize::from(loose != mark.region.bounds);
            }
        });
    });
    assert!(larger > 1000, "{larger}");
}

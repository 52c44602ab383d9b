//! Through the C interface every algorithm gives the pairs of the library, with layers too.

use crate::support::{Instance, cube_at, string};
use broadphase_c::{
    BpAabb, BpLayer, BpPair, BpSettings, bp_algorithm_count, bp_algorithm_id, bp_version,
};

fn ids() -> Vec<String> {
    (0..bp_algorithm_count()).map(|index| string(bp_algorithm_id(index)).unwrap()).collect()
}

/// Cubes that move, with objects that are absent in some frames.
fn boxes(frame: usize) -> Vec<BpAabb> {
    let corner = |object: usize, axis: usize| {
        ((object * [7, 5, 3][axis] + frame * (object % (axis + 2))) % 10) as f32
    };
    let of = |object: usize| {
        let min = [0, 1, 2].map(|axis| corner(object, axis));
        let side = if (object + frame).is_multiple_of(9) { -1.0 } else { 2.5 };
        BpAabb { min, max: min.map(|low| low + side) }
    };
    (0..60 + 5 * frame).map(of).collect()
}

fn expected(boxes: &[BpAabb], may_meet: impl Fn(usize, usize) -> bool) -> Vec<BpPair> {
    let is_present = |b: &BpAabb| (0..3).all(|axis| b.min[axis] <= b.max[axis]);
    let overlap = |p: &BpAabb, q: &BpAabb| {
        (0..3).all(|axis| p.min[axis] <= q.max[axis] && q.min[axis] <= p.max[axis])
    };
    let mut pairs = Vec::new();
    for (a, p) in boxes.iter().enumerate() {
        for (b, q) in boxes.iter().enumerate().skip(a + 1) {
            if is_present(p) && is_present(q) && overlap(p, q) && may_meet(a, b) {
                pairs.push(BpPair { a: a as u32, b: b as u32 });
            }
        }
    }
    pairs
}

#[test]
fn every_algorithm_gives_the_overlapping_pairs_of_every_frame() {
    let world = BpAabb { min: [0.0; 3], max: [13.0; 3] };
    let inverted = BpAabb { min: [5.0; 3], max: [-5.0; 3] };
    for world in [BpAabb::default(), world, inverted] {
        let settings = BpSettings { objects: 60, world, memory_limit: 0 };
        for id in ids() {
            let instance = Instance::with(&id, &settings).unwrap();
            for frame in 0..6 {
                let boxes = boxes(frame);
                let expected = expected(&boxes, |_, _| true);
                assert!(expected.len() > 50);
                let found = instance.find_pairs(&boxes).unwrap();
                assert_eq!(found, expected, "{id}, frame {frame}");
            }
            assert_eq!(instance.find_pairs(&[]), Ok(Vec::new()), "{id}");
        }
    }
}

#[test]
fn layers_filter_pairs_until_they_are_set_again() {
    let instance = Instance::create("auto");
    let boxes = boxes(0);
    let layer = |object: usize| BpLayer {
        mask: if object.is_multiple_of(3) { 1 << 31 } else { u32::MAX },
        group: if object.is_multiple_of(2) { 31 } else { 4 },
        is_static: u8::from(object.is_multiple_of(5)),
    };
    // The last ten objects have no layer.
    let layers: Vec<_> = (0..boxes.len() - 10).map(layer).collect();
    let all = BpLayer { mask: u32::MAX, group: 0, is_static: 0 };
    let may_meet = |a: usize, b: usize| {
        let [p, q] = [a, b].map(|object| *layers.get(object).unwrap_or(&all));
        p.mask >> q.group & q.mask >> p.group & 1 == 1 && p.is_static + q.is_static < 2
    };
    let (filtered, unfiltered) = (expected(&boxes, may_meet), expected(&boxes, |_, _| true));
    assert!(filtered.len() > 20 && filtered.len() < unfiltered.len());

    assert_eq!(instance.find_pairs(&boxes).unwrap(), unfiltered);
    instance.set_layers(&layers).unwrap();
    assert_eq!(instance.find_pairs(&boxes).unwrap(), filtered);
    assert_eq!(instance.find_pairs(&boxes).unwrap(), filtered, "they hold in later frames");
    instance.set_layers(&[]).unwrap();
    assert_eq!(instance.find_pairs(&boxes).unwrap(), unfiltered);
}

#[test]
fn instance_moves_between_threads() {
    let instance = Instance::create("auto");
    // Pointers are not `Send`; C has no such rule.
    let address = instance.0 as usize;
    let find = move || {
        let instance = std::mem::ManuallyDrop::new(Instance(address as *mut _));
        instance.find_pairs(&[cube_at(0.0), cube_at(0.5)]).unwrap()
    };
    assert_eq!(std::thread::spawn(find).join().unwrap(), [BpPair { a: 0, b: 1 }]);
    assert_eq!(instance.find_pairs(&[cube_at(0.0), cube_at(2.0)]), Ok(Vec::new()));
}

#[test]
fn ids_are_those_of_the_library_and_end_with_null() {
    let registered: Vec<_> =
        broadphase::registry::ALGORITHMS.iter().map(|entry| entry.id).collect();
    assert_eq!(ids(), registered);
    assert_eq!(string(bp_algorithm_id(registered.len())), None);
    assert_eq!(string(bp_algorithm_id(usize::MAX)), None);
}

#[test]
fn version_is_the_package_version() {
    assert_eq!(string(bp_version()).unwrap(), env!("CARGO_PKG_VERSION"));
}

//! Penetration depths against the expanding polytopes of parry3d-f64.

use super::{pairs_of_each, random_numbers, shapes};
use crate::random_pairs::{Placing, random_poses};
use crate::{Body, Reference, narrow, oracle};

/// The library's polytope sometimes stops inside of the difference of both bodies, which gives less
/// than the depth. The oracle confirms ours then.
#[test]
fn penetration_depths_agree_with_expanding_polytopes() {
    let shapes = shapes::convex_shapes();
    let sharp: Vec<_> = shapes.iter().filter(|(_, s)| s.parts()[0].radius() == 0.0).collect();
    let mut random = random_numbers(6);
    let (mut compared, mut stopped, mut largest) = (0, 0, 0.0f64);
    for (name_a, a) in &sharp {
        for (name_b, b) in &sharp {
            for placing in [Placing::Uniform, Placing::Deep, Placing::Near] {
                for _ in 0..pairs_of_each() {
                    let [first, second] = random_poses(a, b, placing, &mut random);
                    let (one, other) = (Body::new(a, first), Body::new(b, second));
                    let gap = Reference::new().examine(&one, &other).gap;
                    if gap > 0.0 {
                        continue;
                    }
                    let depth = narrow::expanding_polytope_depth(&one, &other);
                    let size = oracle::size_of_pair(&one, &other);
                    compared += 1;
                    if depth < -gap - 1e-6 * size {
                        stopped += 1;
                        let exact = oracle::signed_gap(&one, &other);
                        assert!((exact - gap).abs() < 1e-9 * size, "{name_a} {name_b} {exact}");
                    } else {
                        largest = largest.max((depth + gap).abs() / size);
                    }
                    let describe = || format!("{name_a} {name_b} {gap} {depth} {one:?} {other:?}");
                    assert!(depth + gap < 1e-6 * size, "{}", describe());
                }
            }
        }
    }
    println!("{compared} depths, {stopped} short, else at most {largest:e} of the size apart");
    assert!(compared > 100 && stopped * 50 <= compared, "{stopped} of {compared}");
}

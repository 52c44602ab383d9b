//! How often two bodies at random poses touch, counted and by formula.

use glam::DVec3;

use super::{random_numbers, shapes};
use crate::answer::{Answer, NarrowPhase, PairCache};
use crate::body::Body;
use crate::narrow::Gjk;
use crate::pose::Pose;
use crate::random_pairs::{Placing, random_poses};

/// The probability is (Va + Vb + (Sa bb + Sb ba) / 2) / V for a random orientation and a random
/// position in a volume V that contains all positions at which they touch.
#[test]
fn hit_rates_agree_with_the_kinematic_formula() {
    let shapes = shapes::convex_shapes();
    let count = std::env::var("NARROW_HITS").map_or(2000, |count| count.parse().unwrap());
    let mut random = random_numbers(8);
    let mut gjk = Gjk::new();
    let mut checked = 0;
    for (i, (name_a, a)) in shapes.iter().enumerate() {
        for (name_b, b) in shapes[i..].iter().step_by(4) {
            let (one, other) = (a.mass(), b.mass());
            let side = 2.0 * (a.bounding_radius() + b.bounding_radius());
            let widths = [one, other].map(|mass| mass.mean_width.unwrap());
            let mixed = one.surface * widths[1] + other.surface * widths[0];
            let expected = (one.volume + other.volume + mixed / 2.0) / side.powi(3);
            let mut hits = 0;
            for _ in 0..count {
                let [first, second] = random_poses(a, b, Placing::Deep, &mut random);
                let at = DVec3::new(random(), random(), random()) - 0.5;
                let second = Pose { position: at * side, ..second };
                let (one, other) = (Body::new(a, first), Body::new(b, second));
                let answer = gjk.test(&one, &other, &mut PairCache::default());
                hits += u64::from(matches!(answer, Answer::Touching { .. }));
            }
            let deviation = (count as f64 * expected * (1.0 - expected)).sqrt();
            let sigmas = (hits as f64 - count as f64 * expected) / deviation;
            println!(
                "{name_a}, {name_b}: {hits} of {count}, expected {expected:.4}, {sigmas:+.2} sigma"
            );
            assert!(sigmas.abs() < 3.0, "{name_a}, {name_b}: {sigmas} sigma");
            checked += 1;
        }
    }
    assert!(checked >= 20, "{checked} pairs of shapes");
}

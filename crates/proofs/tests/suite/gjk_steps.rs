//! The recorded steps of GJK: bounds that close in on the gap.

use super::random_numbers;
use glam::DVec3;
use narrowphase::narrow::Gjk;
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{Answer, Body, NarrowPhase, PairCache, Shape};
use proofs::oracle;

#[test]
fn steps_close_in_on_the_answer() {
    let (a, b) = (Shape::hull(16, 3).unwrap(), Shape::cuboid(DVec3::new(1.0, 2.0, 0.5)).unwrap());
    let mut random = random_numbers(9);
    let mut most = 0;
    for _ in 0..200 {
        let [first, second] = random_poses(&a, &b, Placing::Uniform, &mut random);
        let (one, other) = (Body::new(&a, first), Body::new(&b, second));
        let steps = Gjk::steps(&one, 0, &other, 0);
        let mut gjk = Gjk::new();
        let answer = gjk.test(&one, &other, &mut PairCache::default());
        assert_eq!(steps.len() as u64, gjk.counters().steps);
        most = most.max(steps.len());
        let gap = oracle::signed_gap(&one, &other);
        for (step, next) in steps.iter().zip(&steps[1..]) {
            assert!(
                step.lower <= next.lower && step.lower <= gap.max(0.0) + 1e-12,
                "{gap} {step:?}"
            );
        }
        for step in &steps {
            assert!(step.upper >= gap - 1e-12 && (1..=4).contains(&step.simplex.len()));
            let along = oracle::gap_along(&one, 0, &other, 0, step.axis);
            assert!(along <= step.lower + 1e-12, "{along} {step:?}");
        }
        let last = steps.last().unwrap();
        match answer {
            Answer::Separated { axis } => assert_eq!(Some(last.axis), axis),
            _ => assert!(last.upper <= 1e-10, "{last:?}"),
        }
    }
    assert!(most > 4, "{most} steps");
}

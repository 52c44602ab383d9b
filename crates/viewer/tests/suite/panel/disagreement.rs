//! Algorithms that find different pairs.

use super::*;
use crate::panel::compare::comparing;
use broadphase::benchmark::PairFault;

#[test]
fn a_wrong_algorithm_stops_the_motion_and_is_named() {
    // The right pairs of the step.
    let mut other = Bench::of("kd-tree");
    other.steps(4);
    let right = other.session().pairs().to_vec();
    assert!(right.len() > 2);
    for (wrong, fault) in [
        (&FORGETFUL, PairFault::Missing(right[2])),
        (&INVENTIVE, PairFault::Extra(first_apart(other.session().motion().boxes()).unwrap())),
        (&REPETITIVE, PairFault::Duplicate(*right.last().unwrap())),
    ] {
        for wrong_runs in [false, true] {
            let mut bench = comparing("kd-tree");
            bench.steps(3);
            if wrong_runs {
                bench.obey(Order::Algorithm(wrong));
                bench.obey(Order::Compare(vec![row("kd-tree")]));
            } else {
                bench.obey(Order::Compare(vec![row("brute-force"), wrong]));
            }
            bench.obey(Order::Run(true));
            bench.steps(1);
            let disagreement = bench.stage().snapshot.engine.disagreement.unwrap();
            assert_eq!((disagreement.wrong.id, disagreement.fault), (wrong.id, fault));
            assert_eq!((disagreement.other.id, disagreement.step), ("kd-tree", 4));
            let (state, pair) = (bench.harness.state(), disagreement.pair());
            assert!(!state.snapshot.engine.running, "the motion has stopped");
            assert_eq!(state.snapshot.agreed_steps, 0);
            assert_eq!(state.panel.view.picked, Some(pair.a));
            // In the comparison and in the notices.
            let text = disagreement.to_string();
            assert_eq!(bench.harness.query_all_by_label(&text).count(), 2, "{text}");

            // Both objects and the line between them are drawn, even if the pair is not listed.
            let view = bench.stage().view();
            let [a, b] = [pair.a, pair.b].map(|object| view.spheres[object as usize]);
            assert_eq!((a.color, b.color), (Theme::DARK.picked, Theme::DARK.hit));
            let ends = [a.center, b.center];
            assert!(view.segments.iter().any(|s| [s.a, s.b] == ends && s.color == Theme::DARK.hit));
            let is_marked = |end: [f32; 3]| {
                let is_at = |at: &WireBox| at.bounds.center().distance(Vec3::from(end)) < 1e-5;
                view.boxes.iter().any(|at| at.color == Theme::DARK.hit && is_at(at))
            };
            assert!(ends.into_iter().all(is_marked), "{}", wrong.id);

            // Each of the two can be picked; the other one stays marked.
            bench.click(Role::Link, &format!("Sphere {}", pair.b));
            assert_eq!(bench.harness.state().panel.view.picked, Some(pair.b));
            let view = bench.stage().view();
            let [a, b] = [pair.a, pair.b].map(|object| view.spheres[object as usize].color);
            assert_eq!((a, b), (Theme::DARK.hit, Theme::DARK.picked));
            // The report goes with the wrong algorithm.
            bench.obey(Order::Compare(Vec::new()));
            assert!(bench.stage().snapshot.engine.disagreement.is_none());
        }
    }
}

#[test]
fn a_disagreement_ends_with_a_right_or_undone_step() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![&FORGETFUL]));
    let disagrees = |bench: &mut Bench| bench.stage().snapshot.engine.disagreement.is_some();
    bench.steps(1);
    assert!(disagrees(&mut bench));
    bench.obey(Order::StepBack);
    assert!(!disagrees(&mut bench));
    bench.steps(1);
    assert!(disagrees(&mut bench));
    // The object is picked only once, so that another may be picked.
    bench.pick(None);
    assert_eq!(bench.harness.state().panel.view.picked, None);
}

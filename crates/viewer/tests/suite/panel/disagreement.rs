//! Algorithms that find different pairs.

use crate::common::bench::Bench;
use crate::common::row;
use crate::panel::compare::comparing;
use crate::panel::planted::{FORGETFUL, INVENTIVE, REPETITIVE, first_apart};
use broadphase::benchmark::PairFault;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use viewer::scene_renderer::{Theme, WireBox};
use viewer::simulation::Order;

#[test]
fn a_wrong_algorithm_stops_the_motion_and_is_named() {
    for wrong in [&FORGETFUL, &INVENTIVE, &REPETITIVE] {
        for wrong_runs in [false, true] {
            let mut bench = comparing("kd-tree");
            // The right pairs of the step.
            let mut other = Bench::of("kd-tree");
            other.steps(4);
            let right = other.session().pairs().to_vec();
            let boxes = other.session().motion().boxes().to_vec();
            assert!(right.len() > 2);
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
            let fault = match wrong.id {
                "forgetful" => PairFault::Missing(right[2]),
                "inventive" => PairFault::Extra(first_apart(&boxes).unwrap()),
                _ => PairFault::Duplicate(*right.last().unwrap()),
            };
            assert_eq!((disagreement.wrong.id, disagreement.fault), (wrong.id, fault));
            assert_eq!((disagreement.other.id, disagreement.step), ("kd-tree", 4));
            let state = bench.harness.state();
            assert!(!state.snapshot.engine.running, "the motion has stopped");
            assert_eq!(state.snapshot.agreed_steps, 0);
            let pair = disagreement.pair();
            assert_eq!(state.panel.view.picked, Some(pair.a));
            // In the comparison and in the notices.
            let text = disagreement.to_string();
            assert_eq!(bench.harness.query_all_by_label(&text).count(), 2, "{text}");

            // Both objects and the line between them are drawn, even if the pair is not listed.
            let view = bench.stage().view();
            assert_eq!(view.spheres[pair.a as usize].color, Theme::DARK.picked);
            assert_eq!(view.spheres[pair.b as usize].color, Theme::DARK.hit);
            let ends = [pair.a, pair.b].map(|object| view.spheres[object as usize].center);
            assert!(view.segments.iter().any(|s| [s.a, s.b] == ends && s.color == Theme::DARK.hit));
            for end in ends {
                let center = |at: &WireBox| at.bounds.center().distance(Vec3::from(end)) < 1e-5;
                let marked = |at: &&WireBox| at.color == Theme::DARK.hit && center(at);
                assert!(view.boxes.iter().any(|at| marked(&at)), "{}", wrong.id);
            }

            // Each of the two can be picked; the other one stays marked.
            bench.click(Role::Link, &format!("Sphere {}", pair.b));
            assert_eq!(bench.harness.state().panel.view.picked, Some(pair.b));
            let view = bench.stage().view();
            assert_eq!(view.spheres[pair.a as usize].color, Theme::DARK.hit);
            assert_eq!(view.spheres[pair.b as usize].color, Theme::DARK.picked);

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
    bench.steps(1);
    assert!(bench.stage().snapshot.engine.disagreement.is_some());
    bench.obey(Order::StepBack);
    assert!(bench.stage().snapshot.engine.disagreement.is_none());
    bench.steps(1);
    assert!(bench.stage().snapshot.engine.disagreement.is_some());
    // The object is picked only once, so that another may be picked.
    bench.stage().panel.view.picked = None;
    bench.stage().look();
    bench.harness.run();
    assert_eq!(bench.harness.state().panel.view.picked, None);
}

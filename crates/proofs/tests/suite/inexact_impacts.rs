//! Methods that are not exact against the reference of times.

use super::impacts::{Kind, Trial};
use super::{pairs_of_each, random_numbers, shapes};
use narrowphase::impact::{Impact, find};
use narrowphase::random_pairs::Placing;

/// Calls `check` with random trials of convex shapes that do not graze.
fn each_sharp_trial(kind: Kind, seed: u64, mut check: impl FnMut(&Trial, Impact)) {
    let shapes = shapes::convex_shapes();
    let mut random = random_numbers(seed);
    for (_, a) in &shapes {
        for (_, b) in &shapes {
            for placing in [Placing::Uniform, Placing::Near] {
                for _ in 0..pairs_of_each().div_ceil(4) {
                    let trial = Trial::random(a, b, placing, kind, &mut random);
                    let known = trial.known();
                    if !known.is_grazing {
                        check(&trial, known.impact);
                    }
                }
            }
        }
    }
}

#[test]
fn enlarged_bodies_and_bisection_miss_no_contact() {
    for id in ["substeps+enlarged@k=8", "bisection"] {
        let mut method = find(id).unwrap().build();
        let (mut contacts, mut alarms) = (0, 0);
        for kind in [Kind::Translation, Kind::Spin] {
            each_sharp_trial(kind, 27, |trial, right| {
                let found = trial.find(&mut *method);
                assert_ne!(found, Impact::Failed, "{id}: {trial:?}");
                let is_contact = |impact: Impact| !matches!(impact, Impact::Never);
                contacts += u64::from(is_contact(right));
                alarms += u64::from(is_contact(found) && !is_contact(right));
                assert!(is_contact(found) || !is_contact(right), "{id}: {right:?} {trial:?}");
            });
        }
        println!("{id}: {contacts} contacts, {alarms} false alarms");
        assert!(contacts > 100, "{contacts}");
    }
}

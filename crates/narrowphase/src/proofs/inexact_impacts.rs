//! Methods that are not exact, and those of the library, against the reference of times.

use super::impacts::{Kind, Trial};
use super::{pairs_of_each, random_numbers, shapes};
use crate::impact::{Impact, find};
use crate::random_pairs::Placing;

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

/// The library's tolerance is relative to its unit, and its witnesses are its own: times agree to 1e-6 of the step.
#[test]
fn casts_of_parry_agree_with_the_reference_in_most_pairs() {
    let mut method = find("parry").unwrap().build();
    // It has no shape for a flat polygon that rotates, and its bisection may find a later contact.
    for (kind, allowed) in [(Kind::Translation, 0.01), (Kind::Spin, 0.15)] {
        let (mut agreed, mut differ) = (0, 0);
        each_sharp_trial(kind, 28, |trial, right| {
            let is_right = match (trial.find(&mut *method), right) {
                (Impact::At { first, .. }, Impact::At { first: right, .. }) => {
                    (first - right).abs() < 1e-6
                }
                (found, right) => found == right,
            };
            agreed += u64::from(is_right);
            differ += u64::from(!is_right);
        });
        println!("{kind:?}: {agreed} agree, {differ} differ");
        assert!((differ as f64) <= allowed * (agreed + differ) as f64, "{kind:?}: {differ}");
    }
}

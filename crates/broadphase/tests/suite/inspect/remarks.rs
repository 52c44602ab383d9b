//! Decisions of algorithms, in sentences.

use crate::common::{plain, run_frame};
use crate::inspect::frames::{for_each_frame_with, lattice};
use broadphase::BroadPhase;
use broadphase::inspect::{Alternative, Overlay};
use broadphase::registry::{Settings, find};
use std::collections::HashSet;

fn remarks(algorithm: &dyn BroadPhase) -> Vec<String> {
    let mut remarks = Vec::new();
    algorithm.inspect().remarks(&mut |remark| remarks.push(remark));
    remarks
}

fn alternatives(algorithm: &dyn BroadPhase) -> Vec<Alternative> {
    let mut alternatives = Vec::new();
    algorithm.inspect().alternatives(&mut |alternative| alternatives.push(alternative));
    alternatives
}

#[test]
fn automatic_choice_states_its_reason_in_numbers() {
    let mut chosen = HashSet::new();
    // It has regions in some frames.
    for_each_frame_with(Overlay::Regions, &[60, 600], |row, name, algorithm, _| {
        for remark in remarks(algorithm) {
            assert!(remark.len() > 20 && remark.ends_with('.'), "{name}: {remark}");
        }
        if row.id != "auto" {
            return;
        }
        let remarks = remarks(algorithm);
        let remark = &remarks[0];
        let choice = remark.strip_prefix("Chosen: ").and_then(|rest| rest.split_once(". "));
        let (choice, motion) = choice.unwrap_or_else(|| panic!("{name}: {remark}"));
        assert!(motion.ends_with(" sampled objects move."), "{name}: {remark}");
        // The alternatives, by the names in the list of algorithms.
        let ways = alternatives(algorithm);
        let names: Vec<&str> = ways.iter().map(|way| way.name).collect();
        assert_eq!(names, ["Rest grid", "Neighbour list", "Grid of sweeps"]);
        assert_eq!(ways[2].cost, Some(1.0), "{name}: costs are in full searches by the grid");
        let moving = motion.split_once(" of ").unwrap().0;
        assert!(ways[0].why.ends_with(&format!("moves: {moving}")), "{name}: {ways:?}, {remark}");
        assert!(ways.iter().all(|way| way.why.starts_with("searches ")), "{name}: {ways:?}");
        let costs = ways.iter().filter_map(|way| way.cost);
        assert!(costs.clone().all(|cost| cost > 0.0 && cost.is_finite()), "{name}: {ways:?}");
        let taken: Vec<&str> = ways.iter().filter(|w| w.is_chosen).map(|w| w.name).collect();
        assert_eq!(taken, [choice], "{name}");
        chosen.insert(choice.to_owned());
    });
    assert!(chosen.len() >= 2, "{chosen:?}");
}

#[test]
fn single_leaf_of_few_objects_is_explained() {
    let boxes = lattice();
    let mut tree = find("bsp-semi-adjusting").unwrap().create(&Settings::new(60)).unwrap();
    run_frame(&mut *tree, &plain(&boxes));
    let expected = "One leaf: a leaf is divided from 65 objects on, and there are 60.";
    assert_eq!(remarks(&*tree), [expected]);
}

//! Decisions of algorithms, in sentences.

use crate::common::{plain, run_frame};
use crate::frames::{for_each_frame_with, lattice};
use crate::overlays::shown;
use broadphase::BroadPhase;
use broadphase::inspect::Overlay;
use broadphase::registry::{Settings, families, find};
use std::collections::HashSet;

fn remarks(algorithm: &dyn BroadPhase) -> Vec<String> {
    let mut remarks = Vec::new();
    algorithm.inspect().remarks(&mut |remark| remarks.push(remark));
    remarks
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
        let [remark, costs, ..] = &remarks[..] else { panic!("{name}: {remarks:?}") };
        let choice = remark.strip_prefix("Chosen: ").and_then(|rest| rest.split_once(". "));
        let (choice, motion) = choice.unwrap_or_else(|| panic!("{name}: {remark}"));
        assert!(motion.ends_with(" sampled objects move."), "{name}: {remark}");
        // The alternatives, by the names in the list of algorithms.
        let caches =
            ["neighbour list", "rest grid"].map(|cache| format!("Predicted costs: {cache} "));
        assert!(caches.iter().any(|cache| costs.starts_with(cache)), "{name}: {costs}");
        assert!(costs.contains(" %, grid of sweeps 100 %"), "{name}: {costs}");
        let choice = families().find(|entry| entry.name == choice);
        let choice = choice.unwrap_or_else(|| panic!("{name}: {remark}")).id;
        chosen.insert(choice);
        // What it chose is what it shows.
        let shown = shown(algorithm);
        let is_cached = matches!(choice, "neighbour-list" | "rest-grid");
        assert_eq!(shown.contains_key(&Overlay::FatBoxes), is_cached, "{name}: {remark}");
        assert_eq!(shown.contains_key(&Overlay::Blocks), !is_cached, "{name}: {remark}");
        let has_columns = matches!(choice, "sweep-grid" | "rest-grid");
        assert_eq!(shown.contains_key(&Overlay::Regions), has_columns, "{name}: {remark}");
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

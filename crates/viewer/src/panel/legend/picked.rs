//! The tests of the picked object.

use super::marks::{hint, line, part, swatch};
use crate::composer::drawn_tests;
use crate::panel::format::{capitalised, compact, counted};
use crate::scene_renderer::Theme;
use crate::simulation::{Picked, Snapshot, TestCounts};
use broadphase::inspect::Overlay;
use egui::Ui;

/// All pairs: there is no structure.
pub(super) fn all_pairs(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(picked) = &snapshot.picked else {
        return hint(ui, "Click an object: each line is a test.");
    };
    let others = picked.tested.len();
    swatch(
        ui,
        theme.rail,
        &format!(
            "line: {} without an overlap",
            counted(others - picked.candidates.len().min(others), "test")
        ),
    );
    swatch(
        ui,
        theme.candidate,
        &format!("line: {}", counted(picked.candidates.len(), "candidate")),
    );
    part(ui, drawn_tests(&picked.tested).len(), others, "tests");
}

/// The outcomes for the other objects, each in its colour.
pub(super) fn tested(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(picked) = &snapshot.picked else { return };
    let name = capitalised(snapshot.kind());
    swatch(ui, theme.picked, &format!("{name} {}, which is picked", picked.object));
    let counts = picked.tests(&snapshot.objects);
    outcomes(ui, picked, &counts, theme);
    repeated(ui, picked, snapshot);
    if counts.untested > 0 {
        let others = counted(counts.untested, "other object");
        line(ui, format!("{others} not tested against it."));
    }
}

fn outcomes(ui: &mut Ui, picked: &Picked, counts: &TestCounts, theme: &Theme) {
    let TestCounts { apart, candidates, refused, known, .. } = *counts;
    if apart > 0 {
        let text = format!("{} tested against its box: apart", counted_boxes(apart));
        swatch(ui, theme.tested, &text);
    }
    if candidates > 0 {
        let text = match candidates {
            1 => "1 tested and overlapping: a candidate".to_owned(),
            number => format!("{number} tested and overlapping: candidates"),
        };
        swatch(ui, theme.candidate, &text);
    }
    if refused > 0 {
        let boxes = counted_boxes(refused);
        let text = format!("{boxes} tested and overlapping: their layers admit no pair");
        swatch(ui, theme.tested, &text);
    }
    if known > 0 {
        let known = counted(known, "candidate");
        swatch(ui, theme.candidate, &format!("{known} known from earlier steps: not tested"));
    }
    if !picked.hits.is_empty() {
        let number = picked.hits.len();
        let [noun, touch] = match number {
            1 => ["a candidate", "touches"],
            _ => ["candidates", "touch"],
        };
        swatch(ui, theme.hit, &format!("{number} overlapping, {noun}, and {touch} it: hit"));
    }
}

/// How many of the tests are of cached pairs, and how many are repeated.
fn repeated(ui: &mut Ui, picked: &Picked, snapshot: &Snapshot) {
    let cached = snapshot.structure.layer(Overlay::CachedPairs);
    let of_cached =
        cached.partners_of(picked.object).filter(|other| picked.is_tested_with(*other)).count();
    if cached.number > 0 && !picked.tested.is_empty() {
        let of_searches = picked.tested.len() - of_cached;
        line(ui, format!("Of these tests {of_cached} of cached pairs, {of_searches} of searches."));
    }
    // A pair may be tested in several cells.
    if picked.tests as usize > picked.tested.len() {
        let tests = counted(picked.tests as usize, "test");
        let repeated = if picked.regions.len() > 1 {
            let several = snapshot.algorithm.regions().noun(2);
            format!("an object that shares several {several} with it is tested in each")
        } else {
            "some repeat another".to_owned()
        };
        line(ui, format!("{tests} in all: {repeated}."));
    }
}

fn counted_boxes(number: usize) -> String {
    if number == 1 { "1 box".to_owned() } else { format!("{} boxes", compact(number as f64)) }
}

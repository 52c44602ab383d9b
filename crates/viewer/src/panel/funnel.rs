//! The funnel from all pairs to those that are tested, overlap, pass the bounding volume and touch.

use super::figures::{DRAWING, MOTION, PAIRS_COLOR, RESPONSE, UPDATE_COLOR};
use super::format::compact;
use super::state::PanelState;
use super::widgets::{MIN_TEXT, small_figure};
use crate::picture::volume_words;
use crate::simulation::Snapshot;
use egui::{Align2, Color32, FontId, Grid, Rect, RichText, Sense, Ui, vec2};

/// Width of names, figures and factors in points.
const NAMES_WIDTH: f32 = 206.0;

/// Height of a bar in points.
const BAR_HEIGHT: f32 = 12.0;

/// Names of all pairs, of those that are tested, and of those that touch.
const ALL: &str = "All pairs";
const TESTS: &str = "Tests";
const HITS: &str = "Hits";

/// A stage of the funnel.
struct Stage {
    name: &'static str,
    /// `None` while it is not known.
    pairs: Option<u64>,
    /// How many of them the stage before let pass, where that is not all.
    passed: Option<u64>,
    color: Color32,
    meaning: String,
}

/// Shows the funnel. A click on the hits opens the list of touching pairs, or closes it; one on the contacts, that of their
/// events.
pub(super) fn show(ui: &mut Ui, state: &mut PanelState, snapshot: &Snapshot) {
    let stages = stages(snapshot);
    let all = stages[0].pairs.unwrap_or(0);
    let size = vec2((ui.available_width() - NAMES_WIDTH).max(20.0), BAR_HEIGHT);
    ui.scope(|ui| {
        Grid::new("funnel").num_columns(4).spacing([6.0, 0.0]).show(ui, |ui| {
            for Stage { name, pairs, passed, color, meaning } in &stages {
                if *name == HITS {
                    let link = ui.link(RichText::new(HITS).small()).on_hover_text(meaning);
                    state.view.touching ^= link.clicked();
                    figure(ui, *pairs, *passed, meaning);
                } else {
                    row(ui, name, *pairs, *passed, meaning);
                }
                let factor = pairs.map(|pairs| factor(all, pairs)).unwrap_or_default();
                ui.label(small_figure(format!("{factor:>7}")).weak());
                let (full, bar) = ui.allocate_exact_size(size, Sense::hover());
                let full = full.shrink2(vec2(0.0, 1.5));
                let length = full.width() * share(pairs.unwrap_or(0), all);
                let filled = Rect::from_min_size(full.min, vec2(length, full.height()));
                ui.painter().rect_filled(full, 1.0, ui.visuals().faint_bg_color);
                ui.painter().rect_filled(filled, 1.0, *color);
                if *name == ALL {
                    let (middle, font) = (full.center(), FontId::proportional(MIN_TEXT));
                    let painter = ui.painter();
                    painter.text(middle, Align2::CENTER_CENTER, "log scale", font, Color32::BLACK);
                }
                bar.on_hover_text(meaning);
                ui.end_row();
                let work = snapshot.search.work.iter();
                for work in work.filter(|_| *name == TESTS && snapshot.search.searched) {
                    row(ui, work.name, Some(work.count), None, work.meaning);
                    ui.end_row();
                }
            }
            if snapshot.objects.bodies.is_some() {
                contacts(ui, &mut state.view.contact_events, snapshot);
                impacts(ui, snapshot);
            }
        });
    });
}

/// The points where bodies touch. They are no pairs, and have no bar.
fn contacts(ui: &mut Ui, is_open: &mut bool, snapshot: &Snapshot) {
    let contacts =
        snapshot.search.found.and_then(|found| found.stages).map(|stages| stages.contacts);
    let meaning = "Points of the contact sets of the hits, of all pairs of parts that touch: one, two, or the \
                   corners of a polygon";
    row(ui, "Contacts", contacts.map(|contacts| contacts.points), None, meaning);
    ui.end_row();
    let meaning = "Contact points between features that met in the step before too";
    row(ui, "kept", contacts.map(|contacts| contacts.kept), None, meaning);
    let link = ui.link(RichText::new("events").small());
    if link.clicked() {
        *is_open = !*is_open;
    }
    ui.end_row();
}

/// First contacts within the step. They are no pairs of the present boxes alone, and have no bar.
fn impacts(ui: &mut Ui, snapshot: &Snapshot) {
    if !snapshot.is_continuous() {
        return;
    }
    let figures = snapshot.search.found.and_then(|found| found.stages?.impact);
    let meaning = "Contacts within the step that the world answered, each at its time. A pair that meets twice counts twice";
    row(ui, "First contacts", figures.map(|of| of.responded), None, meaning);
    ui.end_row();
    let meaning =
        "Bodies that had too many contacts in the step, and waited where they were free last";
    row(ui, "waiting", figures.map(|of| of.waiting), None, meaning);
    ui.end_row();
}

/// A name and its number; `5 of 8` where 5 of them `passed`.
fn row(ui: &mut Ui, name: &str, number: Option<u64>, passed: Option<u64>, meaning: &str) {
    ui.label(RichText::new(name).small()).on_hover_text(meaning);
    figure(ui, number, passed, meaning);
}

fn figure(ui: &mut Ui, number: Option<u64>, passed: Option<u64>, meaning: &str) {
    let figure = number.map_or("–".to_owned(), |number| compact(number as f64));
    let figure = match passed {
        Some(passed) => format!("{} of {figure}", compact(passed as f64)),
        None => figure,
    };
    ui.label(small_figure(format!("{figure:>7}")).strong()).on_hover_text(meaning);
}

/// A number as a part of all pairs, as 1/28; empty if it is no part.
fn factor(all: u64, pairs: u64) -> String {
    let factor = all as f64 / pairs as f64;
    match factor {
        _ if pairs == 0 => String::new(),
        ..1.05 => String::new(),
        ..9.95 => format!("1/{factor:.1}"),
        ..9999.5 => format!("1/{}", compact(factor)),
        // In at most seven characters.
        ..999_500.0 => format!("1/{:.0}k", factor / 1e3),
        _ => format!("1/{:.0}M", factor / 1e6),
    }
}

/// From all pairs to those that touch, of the present boxes.
fn stages(snapshot: &Snapshot) -> Vec<Stage> {
    let n = snapshot.objects.present as u64;
    let all = n * n.saturating_sub(1) / 2;
    let found = snapshot.search.found.unwrap_or_default();
    let (tests, candidates, hits) = (found.tests, found.pairs, found.hits);
    let stage = |name, pairs, color, meaning| Stage { name, pairs, passed: None, color, meaning };
    let known = |pairs| snapshot.search.found.map(|_| pairs);
    let objects = compact(n as f64);
    let of_all = format!(
        "All pairs of {objects} objects, n(n-1)/2: the tests of brute force. The bars are logarithmic"
    );
    let number = match tests {
        _ if tests < candidates => {
            ". Fewer than candidates: the other overlaps follow from the structure, without a test"
        }
        _ if tests > all => ". More than all pairs: some are counted repeatedly",
        _ => "",
    };
    let tested = format!("Pairs that the algorithm tested in the last step{number}");
    let swept =
        if snapshot.is_continuous() { " at some time of the step (swept boxes)" } else { "" };
    let overlapping = format!(
        "Pairs whose boxes overlap{swept}: the result of the broad phase, the same for every algorithm"
    );
    let mut stages = vec![
        stage(ALL, Some(all), DRAWING.1, of_all),
        stage(TESTS, known(tests), UPDATE_COLOR, tested),
        stage("Candidates", known(candidates), PAIRS_COLOR, overlapping),
    ];
    if let Some(bodies) = &snapshot.objects.bodies {
        let volume = found.stages.map(|stages| stages.volume);
        let mut meaning =
            "Candidates that the bounding volume lets pass to the narrow phase".to_owned();
        if let Some(tally) = &volume {
            meaning += &format!(": {}. {}", bodies.methods.volume.name, volume_words(tally));
        }
        stages.push(stage("Volume", volume.map(|tally| tally.passed), MOTION.1, meaning));
    }
    // A recording has no narrow phase.
    if snapshot.motion.recording.is_none() {
        let missed = found.stages.map_or(0, |stages| stages.volume.missed);
        let passed = Some(hits.saturating_sub(missed)).filter(|_| missed > 0);
        let words =
            passed.map(|passed| format!(". The bounding volume lets {passed} of them pass"));
        let meaning = format!(
            "Pairs of objects that touch, found among the candidates by the narrow phase{}. A click on the name lists them",
            words.unwrap_or_default()
        );
        stages.push(Stage { passed, ..stage(HITS, known(hits), RESPONSE.1, meaning) });
    }
    stages
}

/// The length of a bar on a logarithmic scale from no pairs to all pairs.
fn share(pairs: u64, all: u64) -> f32 {
    let logarithm = |number: u64| (number as f32 + 1.0).log10();
    if all == 0 { 0.0 } else { (logarithm(pairs) / logarithm(all)).min(1.0) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_are_parts_of_all_pairs() {
        for (pairs, text) in [
            (159_297, "1/28"),
            (2_000_000, "1/2.2"),
            (1000, "1/4,498"),
            (20, "1/225k"),
            (3, "1/1M"),
            (0, ""),
            (4_498_500, ""),
            (9_000_000, ""),
        ] {
            assert_eq!(factor(4_498_500, pairs), text);
        }
    }

    #[test]
    fn bars_never_exceed_the_full_length() {
        assert_eq!([share(0, 1225), share(1225, 1225), share(9999, 1225)], [0.0, 1.0, 1.0]);
        assert_eq!([share(0, 0), share(5, 0)], [0.0, 0.0]);
        assert!(share(10, 1225) < share(100, 1225));
    }
}

//! The funnel from all pairs to those that are tested, overlap, pass the bounding volume and touch.

use super::figures::{DRAWING, MOTION, PAIRS_COLOR, RESPONSE, UPDATE_COLOR};
use super::format::compact;
use super::state::PanelState;
use super::widgets::{MIN_TEXT, small_figure};
use crate::picture::volume_words;
use crate::session::Methods;
use crate::simulation::Snapshot;
use egui::{Align2, Color32, FontId, Grid, Rect, RichText, Sense, Ui, vec2};
use sim::stages::Tally;

/// Width of names, figures and factors in points.
const NAMES_WIDTH: f32 = 206.0;

/// Height of a bar in points.
const BAR_HEIGHT: f32 = 12.0;

/// Name of the pairs that touch.
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
    /// Work that is no test is listed after this stage.
    precedes_work: bool,
}

/// Shows the funnel. A click on the hits opens the list of touching pairs, or closes it; one on the contacts, that of their
/// events.
pub(super) fn show(ui: &mut Ui, state: &mut PanelState, snapshot: &Snapshot) {
    let stages = stages(snapshot);
    let all = stages[0].pairs.unwrap_or(0);
    let width = (ui.available_width() - NAMES_WIDTH).max(20.0);
    ui.scope(|ui| {
        Grid::new("funnel").num_columns(4).spacing([6.0, 0.0]).show(ui, |ui| {
            for (place, stage) in stages.iter().enumerate() {
                if stage.name == HITS {
                    let link = ui.link(RichText::new(HITS).small());
                    if link.on_hover_text(&stage.meaning).clicked() {
                        state.view.touching = !state.view.touching;
                    }
                    figure(ui, stage.pairs, stage.passed, &stage.meaning);
                } else {
                    row(ui, stage.name, stage.pairs, stage.passed, &stage.meaning);
                }
                let factor = stage.pairs.filter(|_| place > 0).and_then(|pairs| factor(all, pairs));
                let (text, words) = factor.unwrap_or_default();
                let label = ui.label(small_figure(format!("{text:>7}")).weak());
                if !words.is_empty() {
                    label.on_hover_text(words);
                }
                let size = vec2(width, BAR_HEIGHT);
                let (full, bar) = ui.allocate_exact_size(size, Sense::hover());
                let length = full.width() * share(stage.pairs.unwrap_or(0), all);
                let filled = Rect::from_min_size(full.min, vec2(length, full.height()))
                    .shrink2(vec2(0.0, 1.5));
                ui.painter().rect_filled(
                    full.shrink2(vec2(0.0, 1.5)),
                    1.0,
                    ui.visuals().faint_bg_color,
                );
                ui.painter().rect_filled(filled, 1.0, stage.color);
                if place == 0 {
                    let font = FontId::proportional(MIN_TEXT);
                    let text = "log scale";
                    ui.painter().text(
                        full.center(),
                        Align2::CENTER_CENTER,
                        text,
                        font,
                        Color32::BLACK,
                    );
                }
                bar.on_hover_text(&stage.meaning);
                ui.end_row();
                if stage.precedes_work && snapshot.search.searched {
                    for work in &snapshot.search.work {
                        row(ui, work.name, Some(work.count), None, work.meaning);
                        ui.end_row();
                    }
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

/// A number as a part of all pairs, as 1/28 and in words; `None` if it is no part.
fn factor(all: u64, pairs: u64) -> Option<(String, String)> {
    let factor = all as f64 / pairs as f64;
    let part = pairs > 0 && factor >= 1.05;
    part.then(|| {
        let text = match factor {
            ..9.95 => format!("1/{factor:.1}"),
            ..9999.5 => format!("1/{}", compact(factor)),
            // In at most seven characters.
            ..999_500.0 => format!("1/{:.0}k", factor / 1e3),
            _ => format!("1/{:.0}M", factor / 1e6),
        };
        let number = if factor < 9.95 { format!("{factor:.1}") } else { compact(factor) };
        (text, format!("One in {number} pairs"))
    })
}

fn stage(name: &'static str, pairs: Option<u64>, color: Color32, meaning: String) -> Stage {
    Stage { name, pairs, passed: None, color, meaning, precedes_work: false }
}

/// The candidates that a bounding volume let pass, in words.
fn passed(methods: Methods, candidates: u64, volume: Option<&Tally>) -> String {
    let meaning = "Candidates that the bounding volume lets pass to the narrow phase";
    volume.map_or(format!("{meaning}."), |tally| {
        let compared = compared(candidates, tally.passed, "candidates");
        format!("{meaning}: {}. {compared}. {}", methods.volume.name, volume_words(tally))
    })
}

/// The tests of an algorithm compared with all pairs, in words.
fn tested(all: u64, tests: u64, candidates: u64) -> String {
    if tests < candidates {
        return "Fewer than candidates: the other overlaps follow from the structure, without a test"
            .to_owned();
    }
    compared(all, tests, "all pairs")
}

/// From all pairs to those that touch, of the present boxes.
fn stages(snapshot: &Snapshot) -> Vec<Stage> {
    let n = snapshot.objects.present as u64;
    let all = n * n.saturating_sub(1) / 2;
    let found = snapshot.search.found.unwrap_or_default();
    let (tests, candidates, hits) = (found.tests, found.pairs, found.hits);
    let known = |pairs| snapshot.search.found.map(|_| pairs);
    let tested = tested(all, tests, candidates);
    let mut stages = vec![
        stage(
            "All pairs",
            Some(all),
            DRAWING.1,
            format!(
                "All pairs of {} objects, n(n-1)/2: the tests of brute force. The bars are \
                 logarithmic",
                compact(n as f64)
            ),
        ),
        Stage {
            precedes_work: true,
            ..stage(
                "Tests",
                known(tests),
                UPDATE_COLOR,
                format!("Pairs that the algorithm tested in the last step. {tested}"),
            )
        },
        stage(
            "Candidates",
            known(candidates),
            PAIRS_COLOR,
            format!(
                "Pairs whose boxes overlap{}: the result of the broad phase, the same for every \
                 algorithm. {}",
                if snapshot.is_continuous() {
                    " at some time of the step (swept boxes)"
                } else {
                    ""
                },
                compared(tests, candidates, "tests")
            ),
        ),
    ];
    if let Some(bodies) = &snapshot.objects.bodies {
        let volume = found.stages.map(|stages| stages.volume);
        let meaning = passed(bodies.methods, candidates, volume.as_ref());
        stages.push(stage("Volume", volume.map(|tally| tally.passed), MOTION.1, meaning));
    }
    // A recording has no narrow phase.
    if snapshot.motion.recording.is_none() {
        let missed = found.stages.map_or(0, |stages| stages.volume.missed);
        let passed = Some(hits.saturating_sub(missed)).filter(|_| missed > 0);
        let words =
            passed.map(|passed| format!(" The bounding volume lets {passed} of them pass."));
        let meaning = format!(
            "Pairs of objects that touch, found among the candidates by the narrow phase. {}{}. A click on the \
             name lists them",
            compared(candidates, hits, "candidates"),
            words.unwrap_or_default()
        );
        stages.push(Stage { passed, ..stage(HITS, known(hits), RESPONSE.1, meaning) });
    }
    stages
}

/// The factor between two numbers in words.
fn compared(from: u64, to: u64, name: &str) -> String {
    if from == 0 || to == 0 {
        return format!("{} of {} {name}", compact(to as f64), compact(from as f64));
    }
    let factor = from as f64 / to as f64;
    match factor {
        0.995..=1.005 => format!("As many as {name}"),
        ..1.0 => {
            format!("{:.2} times as many as {name}: some are counted repeatedly", 1.0 / factor)
        }
        ..10.0 => format!("{factor:.1} times fewer than {name}"),
        _ => format!("{} times fewer than {name}", compact(factor)),
    }
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
    fn factors_are_worded_as_fewer_or_more() {
        assert_eq!(compared(1225, 122, "all pairs"), "10 times fewer than all pairs");
        assert_eq!(compared(30, 10, "tests"), "3.0 times fewer than tests");
        assert_eq!(compared(30, 30, "tests"), "As many as tests");
        let more = "1.50 times as many as all pairs: some are counted repeatedly";
        assert_eq!(compared(20, 30, "all pairs"), more);
        assert_eq!(compared(20, 0, "tests"), "0 of 20 tests");
        assert_eq!(compared(0, 0, "tests"), "0 of 0 tests");
    }

    #[test]
    fn factors_are_parts_of_all_pairs() {
        for (pairs, text, words) in [
            (159_297, "1/28", "One in 28 pairs"),
            (2_000_000, "1/2.2", "One in 2.2 pairs"),
            (1000, "1/4,498", "One in 4,498 pairs"),
            (20, "1/225k", "One in 224,925 pairs"),
            (3, "1/1M", "One in 1.50 M pairs"),
        ] {
            assert_eq!(factor(4_498_500, pairs), Some((text.to_owned(), words.to_owned())));
        }
        for pairs in [0, 4_498_500, 9_000_000] {
            assert_eq!(factor(4_498_500, pairs), None);
        }
    }

    #[test]
    fn bars_never_exceed_the_full_length() {
        assert_eq!([share(0, 1225), share(1225, 1225), share(9999, 1225)], [0.0, 1.0, 1.0]);
        assert_eq!([share(0, 0), share(5, 0)], [0.0, 0.0]);
        assert!(share(10, 1225) < share(100, 1225));
    }
}

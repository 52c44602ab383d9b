//! The funnel from all pairs to those that are tested, overlap, pass the bounding volume and touch.

use super::figures::{MOTION_COLOR, PAIRS_COLOR, RESPONSE_COLOR, UPDATE_COLOR};
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

/// Names of lines: the pairs that touch, and the contact points that were there before.
const HITS: &str = "Hits";
const KEPT: &str = "kept";

/// The colour of all pairs.
const ALL_COLOR: Color32 = Color32::from_rgb(0x8a, 0x8f, 0x98);

/// A line of the funnel.
struct Line {
    name: &'static str,
    /// `None` while it is not known.
    number: Option<u64>,
    /// The colour of its bar; `None` if it is no number of pairs.
    bar: Option<Color32>,
    meaning: String,
}

/// Shows the funnel. A click on the hits opens the list of touching pairs, or closes it; one beside the contacts, that of
/// their events.
pub(super) fn show(ui: &mut Ui, state: &mut PanelState, snapshot: &Snapshot) {
    let lines = lines(snapshot);
    let all = lines[0].number.unwrap_or(0);
    let size = vec2((ui.available_width() - NAMES_WIDTH).max(20.0), BAR_HEIGHT);
    Grid::new("funnel").num_columns(4).spacing([6.0, 0.0]).show(ui, |ui| {
        for Line { name, number, bar, meaning } in &lines {
            let text = RichText::new(*name).small();
            if *name == HITS {
                state.view.touching ^= ui.link(text).on_hover_text(meaning).clicked();
            } else {
                ui.label(text).on_hover_text(meaning);
            }
            let figure = number.map_or("–".to_owned(), |number| compact(number as f64));
            ui.label(small_figure(format!("{figure:>7}")).strong()).on_hover_text(meaning);
            if let Some(color) = bar {
                let factor = number.map(|number| factor(all, number)).unwrap_or_default();
                ui.label(small_figure(format!("{factor:>7}")).weak());
                let (full, bar) = ui.allocate_exact_size(size, Sense::hover());
                let full = full.shrink2(vec2(0.0, 1.5));
                let length = full.width() * share(number.unwrap_or(0), all);
                let filled = Rect::from_min_size(full.min, vec2(length, full.height()));
                ui.painter().rect_filled(full, 1.0, ui.visuals().faint_bg_color);
                ui.painter().rect_filled(filled, 1.0, *color);
                if *color == ALL_COLOR {
                    let (middle, font) = (full.center(), FontId::proportional(MIN_TEXT));
                    let painter = ui.painter();
                    painter.text(middle, Align2::CENTER_CENTER, "log scale", font, Color32::BLACK);
                }
                bar.on_hover_text(meaning);
            } else if *name == KEPT {
                state.view.contact_events ^= ui.link(RichText::new("events").small()).clicked();
            }
            ui.end_row();
        }
    });
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

/// The stages from all pairs to those that touch, with the work of the algorithm, then the contacts of bodies.
fn lines(snapshot: &Snapshot) -> Vec<Line> {
    let n = snapshot.objects.present as u64;
    let all = n * n.saturating_sub(1) / 2;
    let found = snapshot.search.found;
    let stage = |name, number, color, meaning: &str| Line {
        name,
        number,
        bar: Some(color),
        meaning: meaning.to_owned(),
    };
    let tests = found.map(|found| found.tests);
    let number = match found {
        Some(of) if of.tests < of.pairs => {
            ". Fewer than candidates: the other overlaps follow from the structure, without a test"
        }
        Some(of) if of.tests > all => ". More than all pairs: some are counted repeatedly",
        _ => "",
    };
    let swept =
        if snapshot.is_continuous() { " at some time of the step (swept boxes)" } else { "" };
    let mut lines = vec![
        stage(
            "All pairs",
            Some(all),
            ALL_COLOR,
            &format!(
                "All pairs of {} objects, n(n-1)/2: the tests of brute force. The bars are logarithmic",
                compact(n as f64)
            ),
        ),
        stage(
            "Tests",
            tests,
            UPDATE_COLOR,
            &format!("Pairs that the algorithm tested in the last step{number}"),
        ),
    ];
    let plain =
        |name, number, meaning: &str| Line { bar: None, ..stage(name, number, ALL_COLOR, meaning) };
    let work = snapshot.search.work.iter().filter(|_| snapshot.search.searched);
    lines.extend(work.map(|work| plain(work.name, Some(work.count), work.meaning)));
    lines.push(stage("Candidates", found.map(|found| found.pairs), PAIRS_COLOR, &format!(
        "Pairs whose boxes overlap{swept}: the result of the broad phase, the same for every algorithm"
    )));
    let stages = found.and_then(|found| found.stages);
    if let Some(bodies) = &snapshot.objects.bodies {
        let volume = stages.map(|stages| stages.volume);
        let mut meaning =
            "Candidates that the bounding volume lets pass to the narrow phase".to_owned();
        if let Some(tally) = &volume {
            meaning += &format!(": {}. {}", bodies.methods.volume.name, volume_words(tally));
        }
        lines.push(stage("Volume", volume.map(|tally| tally.passed), MOTION_COLOR, &meaning));
    }
    // A recording has no narrow phase.
    if snapshot.motion.recording.is_none() {
        let hits = found.map(|found| found.hits);
        let meaning = "Pairs of objects that touch, found among the candidates by the narrow phase. A click on the name lists \
                       them";
        lines.push(stage(HITS, hits, RESPONSE_COLOR, meaning));
    }
    if snapshot.objects.bodies.is_some() {
        let contacts = stages.map(|stages| stages.contacts);
        lines.push(plain(
            "Contacts",
            contacts.map(|of| of.points),
            "Points of the contact sets of the hits, of all pairs of parts that touch: one, two, or the corners of a polygon",
        ));
        let meaning = "Contact points between features that met in the step before too";
        lines.push(plain(KEPT, contacts.map(|of| of.kept), meaning));
    }
    if snapshot.objects.bodies.is_some() && snapshot.is_continuous() {
        let impact = stages.and_then(|stages| stages.impact);
        lines.push(plain(
            "First contacts",
            impact.map(|of| of.responded),
            "Contacts within the step that the world answered, each at its time. A pair that meets twice counts twice",
        ));
        lines.push(plain(
            "waiting",
            impact.map(|of| of.waiting),
            "Bodies that had too many contacts in the step, and waited where they were free last",
        ));
    }
    lines
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

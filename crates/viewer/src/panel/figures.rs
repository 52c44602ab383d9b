//! Group *Figures*: shares of time, and rates.

use super::format::{compact, megabytes, milliseconds, seconds};
use super::status::Status;
use crate::session::Rates;
use crate::simulation::Snapshot;
use egui::{Color32, Grid, Rect, RichText, Sense, Ui, Vec2, vec2};
use measure::SearchPhase;
use std::time::Duration;

/// The searches of compared algorithms, beside the phases.
const COMPARED: (&str, Color32) = ("compared", Color32::from_rgb(0xb0, 0x7a, 0xc9));

/// Height of a bar of shares, in points.
const BAR_HEIGHT: f32 = 7.0;

/// Phases of a search, in their order, with their colours here and in the charts.
pub(crate) const SEARCH: [(SearchPhase, Color32); SearchPhase::ALL.len()] =
    [(SearchPhase::Update, UPDATE_COLOR), (SearchPhase::Pairs, PAIRS_COLOR)];

/// The colours of what a step does differ in grey, too.
pub(crate) const UPDATE_COLOR: Color32 = Color32::from_rgb(0x33, 0x66, 0xb0);
pub(crate) const PAIRS_COLOR: Color32 = Color32::from_rgb(0x5d, 0xa9, 0xe9);

/// What a step does besides the search, and drawing, with their colours.
pub(crate) const RESPONSE: (&str, Color32) = ("response", Color32::from_rgb(0xf2, 0xb1, 0x34));
pub(super) const DRAWING: (&str, Color32) = ("drawing", Color32::from_rgb(0x8a, 0x8f, 0x98));
pub(crate) const MOTION: (&str, Color32) = ("motion", Color32::from_rgb(0x4f, 0xb2, 0x86));

/// Stages after the search of bodies, and the checks of their answers, in the order of [`Rates::stages`].
pub(crate) const STAGES: [(&str, Color32); 4] = [
    ("volumes", Color32::from_rgb(0x1f, 0x8a, 0x8a)),
    ("narrow phase", Color32::from_rgb(0xd0, 0x6f, 0x3a)),
    ("contacts", Color32::from_rgb(0xe0, 0x8c, 0xb4)),
    ("checks", Color32::from_rgb(0x6e, 0x62, 0x5a)),
];

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, status: &Status<'_>) {
    let rates = snapshot.history.rates;
    let counters = snapshot.search.counters;
    // Before the first search there is no structure.
    let known = |figure: String| match snapshot.search.found {
        Some(_) => figure,
        None => "–".to_owned(),
    };
    let count = |number: u64| known(compact(number as f64));
    Grid::new("figures").num_columns(4).min_col_width(58.0).spacing([6.0, 2.0]).show(ui, |ui| {
        let fps = status.fps.map_or("–".into(), |fps| format!("{fps:.1}"));
        pair(ui, "FPS", &fps, "Pictures drawn per second");
        let steps = rates.map_or("–".into(), |r| format!("{:.1}", r.steps));
        pair(ui, "Steps/s", &steps, "Steps simulated per second");
        ui.end_row();
        pair(ui, "Tests/s", &rate(rates.as_ref(), |r| r.tests), "Pairs tested per second");
        if snapshot.motion.recording.is_none() {
            pair(ui, "Hits/s", &rate(rates.as_ref(), |r| r.hits), "Real collisions per second");
        }
        ui.end_row();
        if snapshot.algorithm.shows(broadphase::inspect::Overlay::Planes) {
            pair(ui, "Leaves", &count(counters.nodes.div_ceil(2)), "Leaves of the tree");
            let straddlers = count(counters.straddlers);
            match snapshot.algorithm.regions().keeps_straddlers {
                true => pair(ui, "at planes", &straddlers, "Objects kept in inner nodes"),
                false => {
                    let [one, more] = snapshot.algorithm.regions().noun;
                    let meaning = format!("Objects in several {more}");
                    pair(ui, &format!("in >1 {one}"), &straddlers, &meaning);
                }
            }
            ui.end_row();
        }
        let bytes = snapshot.search.found.and_then(|found| found.heap_bytes);
        pair(ui, "Memory", &memory(bytes), MEMORY);
        if snapshot.algorithm.shows(broadphase::inspect::Overlay::Planes) {
            pair(ui, "planes moved", &count(counters.rebuilds), "Planes moved in the last step");
        }
        ui.end_row();
    });
    shares(ui, rates.as_ref(), snapshot.objects.bodies.is_some());
}

/// Meaning of the memory of an algorithm.
pub(super) const MEMORY: &str = "Heap memory of the algorithm after this step. A dash: it is not known, since the structure \
    did not search all steps before. Replay the motion to see it";

/// Megabytes, or a dash where they are not known.
pub(super) fn memory(bytes: Option<u64>) -> String {
    bytes.map_or_else(|| "–".to_owned(), |bytes| megabytes(bytes as f64))
}

/// One of the rates, or a dash before there are any.
pub(super) fn rate(rates: Option<&Rates>, of: fn(&Rates) -> f64) -> String {
    rates.map_or_else(|| "–".to_owned(), |rates| compact(of(rates)))
}

/// A figure after its name.
pub(super) fn pair(ui: &mut Ui, name: &str, figure: &str, meaning: &str) {
    ui.label(name).on_hover_text(meaning);
    ui.label(RichText::new(figure).monospace().strong()).on_hover_text(meaning);
}

/// Shares of wall time as two bars, one for each thread, and the legend of their colours.
fn shares(ui: &mut Ui, rates: Option<&Rates>, has_bodies: bool) {
    let meaning = "Shares of wall time over the last second of motion. Steps and drawing have a thread each, \
                   so that both together may exceed 100 %";
    let parts = match has_bodies {
        true => "Collisions: update, pairs, volumes, narrow phase, contacts and response",
        false => "Collisions: update, pairs and response",
    };
    ui.horizontal(|ui| {
        let known = |share: Option<f64>| share.map_or("–".to_owned(), percent);
        ui.label(format!("Time: collisions {}", known(rates.map(Rates::collisions))))
            .on_hover_text(format!("{parts}. {meaning}"));
        ui.label(format!("drawing {}", known(rates.and_then(|rates| rates.drawing))))
            .on_hover_text(format!("{meaning}. Pictures count while the scene moves"));
        if let Some(picture_ns) = rates.and_then(|rates| rates.picture_ns) {
            ui.weak(format!("of {}", short_time(picture_ns)))
                .on_hover_text("Wall time from one presented picture to the next");
        }
    });
    let part = |(name, color): (&'static str, Color32), share| Part { name, color, share };
    let search = SEARCH.iter().enumerate().map(|(place, (phase, color))| {
        part((phase.name(), *color), rates.map(|rates| rates.search[place]))
    });
    let response = part(RESPONSE, rates.map(|rates| rates.response));
    let phases: Vec<Part> = search.chain([response]).collect();
    let motion = part(MOTION, rates.map(|rates| rates.motion));
    let drawing = part(DRAWING, rates.and_then(|rates| rates.drawing));
    let compared = part(COMPARED, rates.map(|rates| rates.compared).filter(|share| *share > 0.0));
    let stages = STAGES.into_iter().enumerate();
    let stages = stages.map(|(place, of)| part(of, rates.map(|rates| rates.stages[place])));
    let stages: Vec<Part> = stages.collect();
    bar(ui, &[&phases[..], &[motion, compared], &stages].concat(), "The thread that takes steps");
    bar(ui, &[drawing], "The thread that draws");
    legend(ui, &[&phases[..], &[drawing, motion]].concat());
    if has_bodies {
        // In a row of its own: a longer one would widen the panel.
        legend(ui, &stages);
    }
    if compared.share.is_some() {
        legend(ui, &[compared]);
    }
}

/// A part of wall time.
#[derive(Clone, Copy)]
struct Part {
    name: &'static str,
    color: Color32,
    /// `None` while it is not known.
    share: Option<f64>,
}

/// A row of colours with the names of their parts.
fn legend(ui: &mut Ui, parts: &[Part]) {
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        for Part { name, color, share } in parts {
            let (mark, _) = ui.allocate_exact_size(Vec2::splat(8.0), Sense::hover());
            ui.painter().rect_filled(mark, 1.0, *color);
            ui.label(RichText::new(*name).small()).on_hover_text(match share {
                Some(share) => format!("{:.1} % of wall time", 100.0 * share),
                None => "– of wall time".to_owned(),
            });
        }
    });
}

/// A bar of shares side by side. The rest of it is waiting, and work that has no share.
fn bar(ui: &mut Ui, parts: &[Part], thread: &str) {
    let size = vec2(ui.available_width(), BAR_HEIGHT);
    let (bar, response) = ui.allocate_exact_size(size, Sense::hover());
    ui.painter().rect_filled(bar, 0.0, ui.visuals().extreme_bg_color);
    let mut left = bar.left();
    for Part { color, share, .. } in parts {
        let right = (left + bar.width() * share.unwrap_or(0.0) as f32).min(bar.right());
        let part = Rect::from_x_y_ranges(left..=right, bar.y_range());
        ui.painter().rect_filled(part, 0.0, *color);
        left = right;
    }
    response.on_hover_text(format!("{thread}; the rest: waiting, validation, snapshots"));
}

/// A share as a whole percentage of at most 100.
fn percent(share: f64) -> String {
    format!("{:.0} %", (100.0 * share).min(100.0))
}

/// A time in milliseconds, or from a second on in seconds.
fn short_time(ns: f64) -> String {
    if ns < 1e9 {
        format!("{} ms", milliseconds(ns))
    } else {
        seconds(Duration::from_secs_f64(ns / 1e9))
    }
}

//! Group *Figures*: shares of time, and rates.

use super::format::{compact, megabytes, milliseconds_from};
use super::status::Status;
use crate::session::{FrameFigures, History, Rates};
use crate::simulation::Snapshot;
use egui::{Color32, Grid, Label, Rect, RichText, Sense, TextStyle, Ui, Vec2, vec2};
use measure::SearchPhase;

/// Phases of a search, in their order, with their colours here and in the charts.
const SEARCH: [(SearchPhase, Color32); SearchPhase::ALL.len()] =
    [(SearchPhase::Update, UPDATE_COLOR), (SearchPhase::Pairs, PAIRS_COLOR)];

/// The colours of what a step does differ in grey, too.
pub(super) const UPDATE_COLOR: Color32 = Color32::from_rgb(0x33, 0x66, 0xb0);
pub(super) const PAIRS_COLOR: Color32 = Color32::from_rgb(0x5d, 0xa9, 0xe9);
pub(super) const RESPONSE_COLOR: Color32 = Color32::from_rgb(0xf2, 0xb1, 0x34);
pub(super) const MOTION_COLOR: Color32 = Color32::from_rgb(0x4f, 0xb2, 0x86);

/// Stages after the search of bodies, in their order, and the checks of their answers.
const STAGES: [(&str, Color32); 4] = [
    ("volumes", Color32::from_rgb(0x1f, 0x8a, 0x8a)),
    ("narrow", Color32::from_rgb(0xd0, 0x6f, 0x3a)),
    ("contacts", Color32::from_rgb(0xe0, 0x8c, 0xb4)),
    (CHECKS, Color32::from_rgb(0x6e, 0x62, 0x5a)),
];

/// The checks are a part of no step.
pub(super) const CHECKS: &str = "checks";

/// A part of a step: its name, its colour, and nanoseconds in each of the last steps.
pub(super) type StepPart = (&'static str, Color32, Vec<u64>);

/// The parts of the last steps, in their order.
pub(super) fn parts(history: &History, has_bodies: bool) -> Vec<StepPart> {
    let part = |name, color, of: &dyn Fn(&FrameFigures) -> u64| -> StepPart {
        (name, color, history.frames.iter().map(of).collect())
    };
    let search = SEARCH.into_iter();
    let search = search.map(|(phase, color)| part(phase.name(), color, &|of| of.search[phase]));
    let stages = STAGES.into_iter().enumerate().filter(|_| has_bodies);
    let stages = stages.map(|(place, (name, color))| {
        part(name, color, &|frame: &FrameFigures| frame.stages[place])
    });
    let response = part("response", RESPONSE_COLOR, &|frame| frame.response_ns);
    let motion = part("motion", MOTION_COLOR, &|frame| frame.motion_ns);
    search.chain(stages).chain([response, motion]).collect()
}

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, status: &Status<'_>) {
    let rates = snapshot.history.rates;
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
        let bytes = snapshot.search.found.and_then(|found| found.heap_bytes);
        let memory = bytes.map_or_else(|| "–".to_owned(), |bytes| megabytes(bytes as f64));
        pair(ui, "Memory", &memory, MEMORY);
    });
    let shortest_ns = snapshot.engine.shortest_ns;
    shares(ui, rates.as_ref(), shortest_ns);
    times(ui, parts(&snapshot.history, snapshot.objects.bodies.is_some()), shortest_ns);
}

/// Meaning of the memory of an algorithm.
const MEMORY: &str = "Heap memory of the algorithm after this step. A dash: it is not known, since the structure \
    did not search all steps before. Replay the motion to see it";

/// One of the rates, or a dash before there are any.
pub(super) fn rate(rates: Option<&Rates>, of: fn(&Rates) -> f64) -> String {
    rates.map_or_else(|| "–".to_owned(), |rates| compact(of(rates)))
}

/// Says that a page measures on one thread, and the shortest time that it shows.
pub(super) fn in_browser(ui: &mut Ui, snapshot: &Snapshot) {
    let shortest_ns = snapshot.engine.shortest_ns;
    if shortest_ns > 0 {
        let shortest = shortest_ns as f64 / 1e6;
        let text = format!("one thread, in a browser: times from {shortest} ms");
        ui.add(Label::new(RichText::new(text).small().weak()).truncate()).on_hover_text(
            "The clock of a browser has steps. Times shorter than twenty of them are not shown",
        );
    }
}

/// A figure after its name.
pub(super) fn pair(ui: &mut Ui, name: &str, figure: &str, meaning: &str) {
    ui.label(name).on_hover_text(meaning);
    ui.label(RichText::new(figure).monospace().strong()).on_hover_text(meaning);
}

/// Shares of wall time of both threads.
fn shares(ui: &mut Ui, rates: Option<&Rates>, shortest_ns: u64) {
    let meaning = "Shares of wall time over the last second of motion. Steps and drawing have a thread each, \
                   so that both together may exceed 100 %";
    let parts = "Collisions: the search, what follows it for bodies, and the response";
    ui.horizontal(|ui| {
        let known = |share: Option<f64>| {
            share.map_or("–".to_owned(), |share| format!("{:.0} %", (100.0 * share).min(100.0)))
        };
        ui.label(format!("Time: collisions {}", known(rates.map(Rates::collisions))))
            .on_hover_text(format!("{parts}. {meaning}"));
        ui.label(format!("drawing {}", known(rates.and_then(|rates| rates.drawing))))
            .on_hover_text(format!("{meaning}. Pictures count while the scene moves"));
        if let Some(picture_ns) = rates.and_then(|rates| rates.picture_ns) {
            ui.weak(format!("of {} ms", milliseconds_from(shortest_ns, picture_ns)))
                .on_hover_text("Wall time from one presented picture to the next");
        }
    });
}

/// The medians of the parts of a step, each with its colour.
fn times(ui: &mut Ui, mut parts: Vec<StepPart>, shortest_ns: u64) {
    ui.spacing_mut().item_spacing.x = 4.0;
    for line in parts.chunks_mut(3) {
        ui.horizontal(|ui| {
            for (name, color, times) in line {
                let median = measure::median(times);
                let median =
                    median.map_or("–".to_owned(), |ns| milliseconds_from(shortest_ns, ns as f64));
                let meaning = match *name == CHECKS {
                    true => "Comparing every answer with the reference, in none of the other times",
                    false => "Milliseconds",
                };
                let height = ui.text_style_height(&TextStyle::Small);
                let (place, _) = ui.allocate_exact_size(vec2(8.0, height), Sense::hover());
                let mark = Rect::from_center_size(place.center(), Vec2::splat(8.0));
                ui.painter().rect_filled(mark, 1.0, *color);
                ui.label(RichText::new(format!("{name} {median}")).small())
                    .on_hover_text(format!("{meaning}: median over at most the last 300 steps"));
            }
        });
    }
}

//! The present step with its figures, above the graph.

use super::{colors, events};
use crate::panel::figures::MOTION;
use crate::panel::format::{compact, counted, milliseconds};
use crate::simulation::Snapshot;
use egui::{Label, RichText, Ui};

/// The number of events is shown where this many points are left for it.
const EVENTS_WIDTH: f32 = 60.0;

/// The present step in words.
fn place(snapshot: &Snapshot) -> String {
    let step = compact(snapshot.motion.steps as f64);
    match snapshot.motion.recording {
        None => match snapshot.motion.frame {
            None => format!("Step {step}"),
            Some(frame) => format!("Step {step}, frame {}", compact(f64::from(frame))),
        },
        Some(recording) => match recording.frames {
            None => format!("Frame {step}"),
            Some(frames) => {
                format!("Frame {step} of 0 to {}", compact(f64::from(frames.saturating_sub(1))))
            }
        },
    }
}

/// The present step, and the colours of both graphs with its figures.
pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot) {
    ui.add(Label::new(RichText::new(place(snapshot)).strong()).truncate()).on_hover_text(
        "Frames are counted from 0, in exported rows, recordings and `harness run`. The start of a scene is no frame: its \
         step 1 is frame 0",
    );
    let (pairs, time_ns) = snapshot.timeline.figures(snapshot.motion.steps);
    let found = snapshot.search.found.filter(|_| snapshot.search.searched);
    let pairs = pairs.or(found.map(|found| found.pairs));
    // A bin of many steps keeps the time of one.
    let taken = snapshot.history.frames.iter().find(|frame| frame.step == snapshot.motion.steps);
    let time_ns = time_ns.or(taken.map(|frame| frame.search.total_ns()));
    // A step with a wrong answer is not recorded.
    let is_wrong = snapshot.engine.disagreement.is_some() || snapshot.engine.fault.is_some();
    let repeated = found.filter(|_| !is_wrong);
    let dash = || "–".to_owned();
    let pairs = pairs.map_or_else(
        || format!("{} candidates", dash()),
        |pairs| counted(pairs as usize, "candidate"),
    );
    let (name, ns, meaning) = match (time_ns, repeated) {
        (None, Some(found)) if found.since == Some(snapshot.motion.steps) => (
            "first search",
            Some(found.times.total_ns()),
            "Update and pairs of one search of this step's boxes, which are new to the algorithm. It is not the time of \
             a step, and not in the graph",
        ),
        (None, Some(found)) => (
            "repeated search",
            Some(found.times.total_ns()),
            "Update and pairs of this step, searched again to show it. It is not the time of a step in the course of the \
             motion, and not in the graph",
        ),
        _ => (
            "search",
            time_ns,
            "Update and pairs of the algorithm in this step: the line of the graph",
        ),
    };
    let time = ns.map_or_else(dash, |ns| milliseconds(ns as f64));
    let [pairs_color, time_color] = colors(ui);
    ui.add(Label::new(RichText::new(pairs).color(pairs_color)).truncate())
        .on_hover_text("Pairs of overlapping boxes in this step: the area of the graph");
    let time = RichText::new(format!("{name} {time} ms")).color(time_color);
    ui.add(Label::new(time).truncate()).on_hover_text(meaning);
    let events = events(snapshot).count();
    if events > 0 && ui.available_width() >= EVENTS_WIDTH {
        ui.colored_label(MOTION.1, counted(events, "event"))
            .on_hover_text("Timed events of the scene within the kept steps: the ticks");
    }
    if let Some(unseen) = unseen(snapshot) {
        ui.add(Label::new(RichText::new(unseen).weak()).truncate()).on_hover_text(
            "The algorithm did not search earlier steps: they are not all kept, or it was too slow to search them again. \
             Its structure, tests and memory are not those of a run from the start",
        );
    }
}

/// Says since when the structure exists, unless it has searched all steps.
fn unseen(snapshot: &Snapshot) -> Option<String> {
    let found = snapshot.search.found.filter(|_| snapshot.search.searched);
    let since = found.and_then(|found| found.since)?;
    Some(format!("structure new in {}", compact(since as f64)))
}

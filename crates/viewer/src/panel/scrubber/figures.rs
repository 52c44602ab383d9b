//! The present step with its figures, above the graph.

use super::colors;
use crate::panel::format::{compact, counted, milliseconds_from};
use crate::simulation::Snapshot;
use egui::{Label, RichText, Ui};

/// The present step in words.
fn place(snapshot: &Snapshot) -> String {
    let step = compact(snapshot.motion.steps as f64);
    let frames = snapshot.motion.recording.map(|recording| recording.frames);
    match (frames, snapshot.motion.frame) {
        (None, None) => format!("Step {step}"),
        (None, Some(frame)) => format!("Step {step}, frame {}", compact(f64::from(frame))),
        (Some(None), _) => format!("Frame {step}"),
        (Some(Some(frames)), _) => {
            format!("Frame {step} of 0 to {}", compact(f64::from(frames.saturating_sub(1))))
        }
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
    let (name, ns, meaning) = match (time_ns, found.filter(|_| !is_wrong)) {
        (None, Some(found)) => (
            "one search",
            Some(found.times.total_ns()),
            "Update and pairs of this step, searched to show it. It is not the time of a step in the course of the motion, \
             and not in the graph",
        ),
        _ => (
            "search",
            time_ns,
            "Update and pairs of the algorithm in this step: the line of the graph",
        ),
    };
    let pairs = pairs
        .map_or_else(|| "– candidates".to_owned(), |pairs| counted(pairs as usize, "candidate"));
    let in_words = |ns| milliseconds_from(snapshot.engine.shortest_ns, ns as f64);
    let time = ns.map_or_else(|| "–".to_owned(), in_words);
    let [pairs_color, time_color] = colors(ui);
    ui.add(Label::new(RichText::new(pairs).color(pairs_color)).truncate())
        .on_hover_text("Pairs of overlapping boxes in this step: the area of the graph");
    let time = RichText::new(format!("{name} {time} ms")).color(time_color);
    ui.add(Label::new(time).truncate()).on_hover_text(meaning);
    if let Some(since) = found.and_then(|found| found.since) {
        let unseen = format!("did not search before {}", compact(since as f64));
        ui.add(Label::new(RichText::new(unseen).weak()).truncate()).on_hover_text(
            "The algorithm did not search earlier steps: they are not all kept, or it was too slow to search them again. \
             Its structure, tests and memory are not those of a run from the start",
        );
    }
}

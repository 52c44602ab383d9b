//! The measurement of all algorithms over the whole input.

use crate::format::{counted, seconds};
use crate::measuring::{MeasuringState, Progress, Ranking};
use crate::panel::command::Command;
use crate::simulation::Snapshot;
use egui::{Button, Label, ProgressBar, RichText, Ui};
use std::time::Duration;

/// Time between two pictures of the progress. Each takes time from the algorithms: a quarter of a second on all cores
/// if there is no GPU.
const REPAINT_AFTER: Duration = Duration::from_secs(1);

/// Width of the bar of progress in points.
const BAR_WIDTH: f32 = 420.0;

/// The buttons that measure, stop and report, and the switch between the whole input and the last steps.
pub(super) fn buttons(
    ui: &mut Ui,
    ranked: &mut bool,
    measuring: Option<&MeasuringState>,
    commands: &mut Vec<Command>,
) {
    if let Some(MeasuringState::Running(progress)) = measuring {
        let stop = ui.add_enabled(!progress.is_stopping, Button::new("Stop measuring"));
        if stop.on_hover_text("Nothing of the measurement is kept").clicked() {
            commands.push(Command::StopMeasuring);
        }
        return;
    }
    let measure = ui.button("Measure all").on_hover_text(
        "Stops the motion. Measures one algorithm of each family and all compared ones, once, for at most a minute each. \
         A recording is measured whole, a scene for 600 frames, as `harness run` does",
    );
    if measure.clicked() {
        *ranked = true;
        commands.push(Command::MeasureAll);
    }
    if let Some(MeasuringState::Done(_)) = measuring {
        let report = ui.button("Report").on_hover_text(
            "Writes one page with tables and charts, that of `harness report`, and keeps the tables, in results/",
        );
        if report.clicked() {
            commands.push(Command::ExportReport);
        }
        ui.toggle_value(ranked, "Ranking")
            .on_hover_text("Figures of the whole input, or of the last steps");
    }
}

pub(super) fn progress(ui: &mut Ui, progress: &Progress, snapshot: &Snapshot) {
    let Progress { algorithm, begun, of, frames: [frame, frames], elapsed, is_stopping } = progress;
    ui.ctx().request_repaint_after(REPAINT_AFTER);
    let doing = match algorithm {
        _ if *is_stopping => "Stopping".to_owned(),
        Some(id) => {
            let name = snapshot.offered.find(id).map_or(id.as_str(), |entry| entry.name);
            format!("{name}: {begun} of {of}, frame {frame} of {frames}")
        }
        None if *begun == 0 => "Waiting for the motion to stop".to_owned(),
        None => format!("{begun} of {of} measured; comparing their pairs"),
    };
    // An algorithm that is measured counts by its frames.
    let done = begun.saturating_sub(usize::from(algorithm.is_some())) as f32;
    let share = algorithm.as_ref().map_or(0.0, |_| *frame as f32 / (*frames).max(1) as f32);
    ui.label(format!("{doing}; {} so far", seconds(*elapsed)));
    let bar = ProgressBar::new((done + share) / (*of).max(1) as f32);
    ui.add(bar.desired_width(BAR_WIDTH.min(ui.available_width())));
    ui.weak("The window is drawn once a second meanwhile: drawing takes time from the algorithms.");
    // The panel keeps its height.
    ui.take_available_space();
}

/// The input and its frames, and doubts about the figures in a line.
pub(super) fn heading(ui: &mut Ui, ranking: &Ranking) {
    let case = &ranking.case;
    let warmup = match case.warmup {
        0 => String::new(),
        frames => format!(" after {frames} of warm-up"),
    };
    let text = format!(
        "{}: {}, {}{warmup}, once, on {}. Milliseconds a frame. A row has figures only if its pairs were right in every \
         frame.",
        case.input,
        counted(case.n, "object"),
        counted(case.frames as usize, "frame"),
        counted(ranking.threads as usize, "thread"),
    );
    ui.add(Label::new(text).truncate());
    if !ranking.warnings.is_empty() {
        let text = ranking.warnings.join("; ");
        ui.add(Label::new(RichText::new(text).weak()).truncate());
    }
    ui.add_space(2.0);
}

//! All algorithms over the whole input, ranked.

use super::columns;
use crate::measuring::{MeasuringState, Progress, RankedAlgorithm, Ranking};
use crate::panel::command::Command;
use crate::panel::format::{counted, megabytes, milliseconds, seconds};
use crate::panel::widgets::small_figure;
use crate::simulation::Snapshot;
use egui::{Button, Grid, Label, ProgressBar, RichText, ScrollArea, Ui};
use measure::Status;
use std::time::Duration;

/// Time between two pictures of the progress. Each takes time from the algorithms: a quarter of a second on all cores
/// if there is no GPU.
const REPAINT_AFTER: Duration = Duration::from_secs(1);

/// The same while nothing is measured, and the user waits for the begin or the end.
const REPAINT_SOON: Duration = Duration::from_millis(100);

/// Width of the figures in characters.
const WIDTH: usize = 9;

/// Width of the bar of progress in points.
const BAR_WIDTH: f32 = 420.0;

/// A column of figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Column {
    #[default]
    Median,
    Mean,
    Percentile,
    Worst,
    Memory,
}

impl Column {
    const ALL: [Self; 5] = [Self::Median, Self::Mean, Self::Percentile, Self::Worst, Self::Memory];

    fn name(self) -> &'static str {
        match self {
            Self::Median => "median",
            Self::Mean => "mean",
            Self::Percentile => "p95",
            Self::Worst => "slowest",
            Self::Memory => "memory",
        }
    }

    fn meaning(self) -> &'static str {
        match self {
            Self::Median => "Milliseconds of update and pairs: half of the frames take longer",
            Self::Mean => {
                "Mean milliseconds of update and pairs: rare slow frames count by their whole time"
            }
            Self::Percentile => "Milliseconds that one frame in twenty exceeds",
            Self::Worst => "Milliseconds of the slowest frame",
            Self::Memory => "The most heap memory that the algorithm held after a frame",
        }
    }

    fn of(self, algorithm: &RankedAlgorithm) -> Option<u64> {
        let RankedAlgorithm { row, worst_ns } = algorithm;
        match self {
            Self::Median => row.median_ns,
            Self::Mean => row.mean_ns,
            Self::Percentile => row.p95_ns,
            Self::Worst => *worst_ns,
            Self::Memory => row.heap_bytes,
        }
    }

    fn text(self, value: u64) -> String {
        match self {
            Self::Memory => megabytes(value as f64),
            _ => milliseconds(value as f64),
        }
    }
}

/// How the ranking is sorted: at first by the median, the lowest first.
type Sorting = columns::Sorting<Column>;

/// The algorithms in this order. Those without figures are last.
fn sorted(sorting: Sorting, algorithms: &[RankedAlgorithm]) -> Vec<&RankedAlgorithm> {
    let mut sorted: Vec<&RankedAlgorithm> = algorithms.iter().collect();
    let figure = |algorithm| sorting.column.of(algorithm);
    sorted.sort_by(|a, b| sorting.by_figure(figure(a), figure(b), u64::cmp));
    sorted
}

/// The buttons that measure, stop and report, and the switch between ranking and comparison.
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
            "Writes one page with tables and charts, that of `harness report`, and keeps the tables in results/",
        );
        if report.clicked() {
            commands.push(Command::AskWhereToReport);
        }
        ui.toggle_value(ranked, "Ranking")
            .on_hover_text("Switches between the ranking and the comparison of the last steps");
    }
}

/// The ranking, or the progress towards it.
pub(super) fn show(
    ui: &mut Ui,
    sorting: &mut Sorting,
    measuring: &MeasuringState,
    snapshot: &Snapshot,
) {
    match measuring {
        MeasuringState::Running(progress) => running(ui, progress, snapshot),
        MeasuringState::Done(ranking) => {
            ui.label(heading(ranking));
            doubts(ui, ranking);
            ui.add_space(2.0);
            table(ui, sorting, ranking, snapshot);
        }
        MeasuringState::Failed(_) | MeasuringState::Stopped => {}
    }
}

fn running(ui: &mut Ui, progress: &Progress, snapshot: &Snapshot) {
    let Progress { algorithm, begun, of, frames: [frame, frames], elapsed, is_stopping } = progress;
    let is_measured = *begun > 0 && !is_stopping;
    ui.ctx().request_repaint_after(if is_measured { REPAINT_AFTER } else { REPAINT_SOON });
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

/// The input and its frames: `a.bpt: 180 boxes, 54 frames after 6 of warm-up, once, on 1 thread`.
fn heading(ranking: &Ranking) -> String {
    let case = ranking.case();
    let warmup = match case.warmup {
        0 => String::new(),
        frames => format!(" after {frames} of warm-up"),
    };
    format!(
        "{}: {}, {}{warmup}, once, on {}. Milliseconds a frame. A row has figures only if its pairs were right in every \
         frame.",
        case.input,
        counted(case.n, "object"),
        counted(case.frames as usize, "frame"),
        counted(ranking.threads() as usize, "thread"),
    )
}

/// Doubts about the figures, in one line.
fn doubts(ui: &mut Ui, ranking: &Ranking) {
    if !ranking.warnings().is_empty() {
        let text = ranking.warnings().join("; ");
        // The whole text is shown under the pointer.
        ui.add(Label::new(RichText::new(text).weak()).truncate());
    }
}

fn table(ui: &mut Ui, sorting: &mut Sorting, ranking: &Ranking, snapshot: &Snapshot) {
    let algorithms = ranking.algorithms();
    let lowest = Column::ALL.map(|column| algorithms.iter().filter_map(|a| column.of(a)).min());
    ScrollArea::both().id_salt("ranking").auto_shrink([false, false]).show(ui, |ui| {
        Grid::new("ranking").num_columns(7).striped(true).spacing([6.0, 2.0]).show(ui, |ui| {
            head(ui, sorting);
            for ranked in sorted(*sorting, algorithms) {
                let id = &*ranked.row.algorithm;
                let entry = snapshot.offered.find(id);
                // A variant has the name of its family.
                let family = entry.filter(|entry| entry.variant.is_none());
                let name = ui.label(family.map_or(id, |entry| entry.name));
                name.on_hover_text(entry.map_or(id, |entry| entry.summary));
                for (column, lowest) in Column::ALL.into_iter().zip(lowest) {
                    figure(ui, column, column.of(ranked), lowest);
                }
                reason(ui, ranked);
                ui.end_row();
            }
        });
    });
}

/// The names of the columns: a click sorts.
fn head(ui: &mut Ui, sorting: &mut Sorting) {
    ui.label(small_figure("algorithm").weak());
    for column in Column::ALL {
        sorting.head(ui, column, ["Rank by", column.name()], WIDTH, column.meaning());
    }
    ui.end_row();
}

/// A figure; the lowest of its column stands out.
fn figure(ui: &mut Ui, column: Column, value: Option<u64>, lowest: Option<u64>) {
    let text = value.map_or_else(|| "–".to_owned(), |value| column.text(value));
    let text = small_figure(format!("{text:>WIDTH$}"));
    // Figures that look equal are equally good.
    let is_lowest = |value| lowest.is_some_and(|lowest| column.text(lowest) == column.text(value));
    if !value.is_some_and(is_lowest) {
        ui.label(text);
        return;
    }
    let text = text.strong().background_color(ui.visuals().selection.bg_fill);
    ui.label(text).on_hover_text(format!("The lowest {}", column.name()));
}

/// Why there are no figures.
fn reason(ui: &mut Ui, ranked: &RankedAlgorithm) {
    let reason = ranked.row.reason_text();
    let text = match ranked.row.status {
        Status::Ok => return,
        Status::Skipped => RichText::new(format!("skipped: {reason}")).weak(),
        Status::Error => {
            RichText::new(format!("error: {reason}")).color(ui.visuals().warn_fg_color)
        }
    };
    ui.add(Label::new(text).extend());
}

//! Reads the rows of `summary.csv` and `frames.csv`, by the names of their columns.

use super::cells::{Cell, Counts, Key};
use super::frame_times::FrameTimes;
use measure::{
    Labels, MEMORY_OF_FRAMES, MEMORY_OF_ROWS, Phase, RowError, RowPlace, RowReader, StageRow,
    StagesFile, Status, SummaryFile, SummaryRow, check_memory_left, seed_form,
};
use serde::Deserialize;
use std::collections::HashMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// Columns of `summary.csv` without which there is no figure.
const SUMMARY_COLUMNS: [&str; 10] = [
    "run_id",
    "input",
    "n",
    "algorithm",
    "threads",
    "median_ns",
    "update_median_ns",
    "pairs_median_ns",
    "fps",
    "status",
];
/// Columns of `frames.csv` without which there is no figure.
const FRAME_COLUMNS: [&str; 8] =
    ["run_id", "input", "n", "algorithm", "threads", "phase", "update_ns", "pairs_ns"];

/// The content of the files.
#[derive(Debug, Default)]
pub struct Cells {
    /// The cells that were measured, in the order of the files.
    pub cells: Vec<Cell>,
    /// Rows of `stages.csv`, also those without figures.
    pub stages: Vec<StageRow>,
    /// A line for each row that is no result, with its reason.
    pub left_out: Vec<String>,
}

/// Reads files of any kind. Frames complete the summary of the same run; the same cell of two
/// runs is an error, since it would be two points where a figure has room for one.
///
/// # Errors
///
/// If a file cannot be read, or is wrong.
pub fn read_cells(paths: &[PathBuf]) -> Result<Cells, RowError> {
    let mut gathered = Gathered::default();
    for path in paths {
        gathered.read(path)?;
    }
    Ok(gathered.finish())
}

/// Reads the `summary.csv` of each folder, and its `frames.csv` if it is there; or its `stages.csv`.
///
/// # Errors
///
/// If a table cannot be read, or is wrong.
pub fn read_folders(folders: &[PathBuf]) -> Result<Cells, RowError> {
    let mut gathered = Gathered::default();
    for folder in folders {
        let stages = Some(folder.join(StagesFile::NAME)).filter(|path| path.is_file());
        // `bodies` writes stages alone.
        let summary = Some(folder.join(SummaryFile::NAME));
        let summary = summary.filter(|path| path.is_file() || stages.is_none());
        summary.iter().chain(&stages).try_for_each(|path| gathered.read(path))?;
    }
    if !gathered.entries.is_empty() {
        let mut frames = folders.iter().map(|folder| folder.join("frames.csv"));
        frames.try_for_each(|path| if path.is_file() { gathered.read(&path) } else { Ok(()) })?;
    }
    // Frames of a cell whose summary was never written are those of a run that was killed.
    gathered.entries.retain(|entry| entry.summarised);
    Ok(gathered.finish())
}

/// A cell while files are read.
struct GatheredCell {
    cell: Cell,
    run_id: String,
    place: RowPlace,
    summarised: bool,
    frames: FrameTimes,
    /// The file whose frames these are.
    frames_path: Option<PathBuf>,
}

/// Memory of a cell in bytes. Measured with `plot` on 1,500,000 cells of a row each: 1,430.
const MEMORY_OF_CELL: u64 = 1500;

/// Cells between two looks at the memory that is left.
const LOOK_EVERY: usize = 4096;

/// The columns of a `frames.csv` that figures use. Others may hold what an earlier version or a spreadsheet made of them.
#[derive(Deserialize)]
struct TimesRow {
    run_id: String,
    input: String,
    n: u64,
    #[serde(default, with = "seed_form")]
    seed: Option<u64>,
    algorithm: String,
    threads: u32,
    #[serde(default)]
    repeat: u32,
    phase: Phase,
    update_ns: u64,
    pairs_ns: u64,
    response_ns: Option<u64>,
    render_ns: Option<u64>,
}

#[derive(Default)]
struct Gathered {
    entries: Vec<GatheredCell>,
    places: HashMap<Key, usize>,
    stages: Vec<StageRow>,
    left_out: Vec<String>,
}

impl Gathered {
    fn read(&mut self, path: &Path) -> Result<(), RowError> {
        let reader = RowReader::open(path)?;
        if reader.missing(&["stage", "method"]).is_empty() {
            return self.read_stages(path);
        }
        let (summary, frames) = (reader.missing(&SUMMARY_COLUMNS), reader.missing(&FRAME_COLUMNS));
        let before = self.rows();
        let end = if summary.is_empty() {
            reader.each(MEMORY_OF_ROWS, |place, row| self.take_summary(&place, row))?
        } else if frames.is_empty() {
            reader.each(MEMORY_OF_FRAMES, |place, row| self.take_frame(&place, row))?
        } else {
            let problem = wrong_header(reader.header(), &summary, &frames);
            return Err(reader.header_error(problem));
        };
        if self.rows() == before {
            return Err(end.error("expected a row of measurements, found the end of the file"));
        }
        Ok(())
    }

    fn read_stages(&mut self, path: &Path) -> Result<(), RowError> {
        let rows = StagesFile::read(path)?.rows;
        if rows.is_empty() {
            let problem = "expected a row of measurements, found the end of the file".to_owned();
            return Err(RowError::Line { path: path.to_owned(), line: 2, problem });
        }
        // Several runs have a figure each, but no run has two.
        let is_known = |run: &str| self.stages.iter().any(|known| known.run_id == run);
        if let Some(StageRow { run_id, .. }) = rows.iter().find(|row| is_known(&row.run_id)) {
            let problem = format!("the rows of run {run_id} are in another of the files already");
            return Err(RowError::Line { path: path.to_owned(), line: 2, problem });
        }
        for row in rows.iter().filter(|row| row.status != Status::Ok) {
            self.left_out.push(format!("{}: {}", row.name(), row.reason_text()));
        }
        self.stages.extend(rows);
        Ok(())
    }

    /// Rows that were taken in or left out so far.
    fn rows(&self) -> usize {
        let frames: usize = self.entries.iter().map(|e| e.frames.count()).sum();
        self.entries.len() + frames + self.left_out.len()
    }

    fn take_summary(&mut self, place: &RowPlace, row: SummaryRow) -> Result<(), RowError> {
        let Labels { run_id, input, n, seed, algorithm, threads } = row.labels();
        let key = Key { input, n, seed, algorithm, threads };
        if row.status != Status::Ok {
            let status = if row.status == Status::Skipped { "skipped" } else { "error" };
            let reason = row.reason_text();
            let Key { input, n, algorithm, .. } = &key;
            self.left_out.push(format!("{algorithm} on {input}, n = {n}: {status}: {reason}"));
            return Ok(());
        }
        let entry = self.entry(place, key, &run_id, false)?;
        entry.summarised = true;
        let float = |ns: Option<u64>| ns.map(|ns| ns as f64);
        let cell = &mut entry.cell;
        cell.effort = (row.repeats > 0).then_some([row.frames, row.repeats]);
        cell.median_ns = float(row.median_ns);
        cell.interval_ns = float(row.ci_low_ns).zip(float(row.ci_high_ns)).map(|(l, h)| [l, h]);
        cell.mean_ns = float(row.mean_ns);
        cell.fps = row.fps;
        cell.collision_share = row.collision_share;
        let SummaryRow { tests, listings, axis_overlaps, .. } = row;
        cell.counts = Counts { tests, listings, axis_overlaps };
        let medians = [row.update_median_ns, row.pairs_median_ns, row.response_median_ns, None];
        cell.phases = medians.map(float);
        Ok(())
    }

    fn take_frame(&mut self, place: &RowPlace, row: TimesRow) -> Result<(), RowError> {
        let TimesRow { phase, repeat, response_ns, render_ns, .. } = row;
        let times = [Some(row.update_ns), Some(row.pairs_ns), response_ns, render_ns];
        let TimesRow { run_id, input, n, seed, algorithm, threads, .. } = row;
        let key = Key { input, n, seed, algorithm, threads };
        let entry = self.entry(place, key, &run_id, true)?;
        if phase == Phase::Measure {
            entry.frames.add(repeat, times);
        }
        Ok(())
    }

    fn entry(
        &mut self,
        place: &RowPlace,
        key: Key,
        run_id: &str,
        of_frames: bool,
    ) -> Result<&mut GatheredCell, RowError> {
        let count = self.entries.len();
        if count > 0 && count.is_multiple_of(LOOK_EVERY) && !self.places.contains_key(&key) {
            // When it grows, the table of cells needs as much again for a moment.
            check_memory_left(count as u64 * MEMORY_OF_CELL)
                .map_err(|lack| place.error(format!("the {count} cells up to here {lack}")))?;
        }
        let at = *self.places.entry(key.clone()).or_insert_with(|| {
            self.entries.push(GatheredCell {
                cell: Cell::new(key),
                run_id: run_id.to_owned(),
                place: place.clone(),
                summarised: false,
                frames: FrameTimes::default(),
                frames_path: None,
            });
            self.entries.len() - 1
        });
        let entry = &mut self.entries[at];
        let twice = if of_frames {
            entry.frames_path.get_or_insert_with(|| place.path().to_owned()) != place.path()
        } else {
            entry.summarised
        };
        if twice || entry.run_id != run_id {
            let Cell { input, n, algorithm, threads, .. } = &entry.cell;
            return Err(place.error(format!(
                "{algorithm} on {input}, n = {n}, {threads} thread(s) is in {}, line {} already; \
                 a figure shows one measurement of each",
                entry.place.path().display(),
                entry.place.line()
            )));
        }
        Ok(entry)
    }

    fn finish(self) -> Cells {
        let cells = self.entries.into_iter().filter_map(|entry| {
            let GatheredCell { mut cell, frames, summarised, .. } = entry;
            if frames.count() > 0 {
                frames.complete(&mut cell, summarised);
            }
            cell.median_ns.is_some().then_some(cell)
        });
        Cells { cells: cells.collect(), stages: self.stages, left_out: self.left_out }
    }
}

fn wrong_header(header: &csv::StringRecord, summary: &[&str], frames: &[&str]) -> String {
    if header.iter().all(str::is_empty) {
        return "expected the header of summary.csv or frames.csv, found nothing".to_owned();
    }
    // The kind with fewer missing columns.
    let summary_like = summary.len() * FRAME_COLUMNS.len() <= frames.len() * SUMMARY_COLUMNS.len();
    let (name, columns, missing) = if summary_like {
        ("summary.csv", &SUMMARY_COLUMNS[..], summary)
    } else {
        ("frames.csv", &FRAME_COLUMNS[..], frames)
    };
    let mut text = String::from("expected the columns of summary.csv or frames.csv");
    // Writing to a string cannot fail.
    let _ = write!(text, "; of {name} ({}) there is no {}", columns.join(", "), missing.join(", "));
    text
}

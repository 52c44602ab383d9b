//! Reads the rows of `summary.csv` and `frames.csv`, by the names of their columns.

use super::cells::{Cell, Key, Phases};
use measure::{Phase, Status, median, median_interval};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::fs::File;
use std::io::{BufReader, Read};
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
/// Seed of the resampling behind the intervals of frames.
const INTERVAL_SEED: u64 = 1739;

/// What was read.
#[derive(Debug, Default)]
pub(crate) struct Cells {
    /// The cells that were measured, in the order of the files.
    pub(crate) cells: Vec<Cell>,
    /// A line for each row that is no result, with its reason.
    pub(crate) left_out: Vec<String>,
}

/// A file that is not what it should be.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    #[error("cannot read {}: {reason}", path.display())]
    Io { path: PathBuf, reason: String },
    #[error("{}, line {line}: {reason}", path.display())]
    Row { path: PathBuf, line: u64, reason: String },
}

/// Reads files of either kind. Frames complete the summary of the same run; the same cell of two
/// runs is an error, since it would be two points where a figure has room for one.
pub(crate) fn read_cells(paths: &[PathBuf]) -> Result<Cells, ReadError> {
    let mut gathered = Gathered::default();
    for path in paths {
        gathered.read(path)?;
    }
    Ok(gathered.finish())
}

/// What is known of a cell while files are read.
struct Entry {
    cell: Cell,
    run_id: String,
    path: PathBuf,
    byte: u64,
    summarised: bool,
    frames: FrameTimes,
    /// The file whose frames these are.
    frames_path: Option<PathBuf>,
}

#[derive(Default)]
struct FrameTimes {
    /// Of each repetition.
    detection_ns: BTreeMap<u32, Vec<u64>>,
    whole_ns: Vec<u64>,
    sums: [u64; 4],
    has_response: bool,
    has_render: bool,
}

#[derive(Default)]
struct Gathered {
    entries: Vec<Entry>,
    places: HashMap<Key, usize>,
    left_out: Vec<String>,
}

/// Where a row stands.
#[derive(Clone, Copy)]
struct Place<'a> {
    path: &'a Path,
    /// Bytes before it, up to the line feed that ends the row before.
    byte: u64,
}

impl Place<'_> {
    fn error(self, reason: impl Into<String>) -> ReadError {
        let (path, line) = (self.path.to_owned(), line_at(self.path, self.byte));
        ReadError::Row { path, line, reason: reason.into() }
    }
}

/// The line, from 1, of the row that begins at or just behind `byte`.
///
/// The CSV reader counts lines too, but is one behind where they end with CR LF: it sees a row begin
/// between the two.
fn line_at(path: &Path, byte: u64) -> u64 {
    let Ok(file) = File::open(path) else { return 1 };
    let feeds = BufReader::new(file)
        .bytes()
        .map_while(Result::ok)
        .enumerate()
        .take_while(|&(at, value)| (at as u64) < byte || value == b'\n')
        .filter(|&(_, value)| value == b'\n');
    1 + feeds.count() as u64
}

/// The columns of a `summary.csv` that figures use. Others may stand there.
#[derive(Deserialize)]
struct SummaryRecord {
    run_id: String,
    input: String,
    n: u64,
    #[serde(default)]
    seed: Option<u64>,
    algorithm: String,
    threads: u32,
    #[serde(default)]
    frames: Option<u32>,
    #[serde(default)]
    repeats: Option<u32>,
    median_ns: Option<u64>,
    #[serde(default)]
    ci_low_ns: Option<u64>,
    #[serde(default)]
    ci_high_ns: Option<u64>,
    update_median_ns: Option<u64>,
    pairs_median_ns: Option<u64>,
    #[serde(default)]
    response_median_ns: Option<u64>,
    fps: Option<f64>,
    #[serde(default)]
    collision_share: Option<f64>,
    status: Status,
    #[serde(default)]
    reason: Option<String>,
}

/// The columns of a `frames.csv` that figures use.
#[derive(Deserialize)]
struct FrameRecord {
    run_id: String,
    input: String,
    n: u64,
    #[serde(default)]
    seed: Option<u64>,
    algorithm: String,
    threads: u32,
    #[serde(default)]
    repeat: u32,
    phase: Phase,
    update_ns: u64,
    pairs_ns: u64,
    #[serde(default)]
    response_ns: Option<u64>,
    #[serde(default)]
    render_ns: Option<u64>,
}

impl Gathered {
    fn read(&mut self, path: &Path) -> Result<(), ReadError> {
        let io = |reason: String| ReadError::Io { path: path.to_owned(), reason };
        let file = File::open(path).map_err(|e| io(e.to_string()))?;
        let mut reader = csv::Reader::from_reader(BufReader::new(file));
        let at_header = Place { path, byte: 0 };
        let header = reader.headers().map_err(|e| told(at_header, &e))?.clone();
        let missing = |columns: &[&'static str]| -> Vec<&'static str> {
            columns.iter().copied().filter(|c| !header.iter().any(|h| h == *c)).collect()
        };
        let (summary, frames) = (missing(&SUMMARY_COLUMNS), missing(&FRAME_COLUMNS));
        let before = self.rows();
        if summary.is_empty() {
            each(path, reader, |place, row| self.take_summary(place, row))?;
        } else if frames.is_empty() {
            each(path, reader, |place, row| self.take_frame(place, row))?;
        } else {
            return Err(at_header.error(wrong_header(&header, &summary, &frames)));
        }
        if self.rows() == before {
            let place = Place { path, byte: u64::MAX };
            return Err(place.error("expected a row of measurements, found the end of the file"));
        }
        Ok(())
    }

    /// Rows that were taken in or left out so far.
    fn rows(&self) -> usize {
        let frames: usize = self.entries.iter().map(|e| e.frames.count()).sum();
        self.entries.len() + frames + self.left_out.len()
    }

    fn take_summary(&mut self, place: Place<'_>, row: SummaryRecord) -> Result<(), ReadError> {
        let SummaryRecord { input, n, seed, algorithm, threads, .. } = row;
        let key = Key { input, n, seed, algorithm, threads };
        if row.status != Status::Ok {
            let status = if row.status == Status::Skipped { "skipped" } else { "error" };
            let reason = row.reason.unwrap_or_default();
            let Key { input, n, algorithm, .. } = &key;
            self.left_out.push(format!("{algorithm} on {input}, n = {n}: {status}: {reason}"));
            return Ok(());
        }
        let entry = self.entry(place, key, &row.run_id, false)?;
        entry.summarised = true;
        let float = |ns: Option<u64>| ns.map(|ns| ns as f64);
        let cell = &mut entry.cell;
        cell.effort = row.frames.zip(row.repeats).map(|(frames, repeats)| [frames, repeats]);
        cell.median_ns = float(row.median_ns);
        cell.interval_ns = float(row.ci_low_ns).zip(float(row.ci_high_ns)).map(|(l, h)| [l, h]);
        cell.fps = row.fps;
        cell.collision_share = row.collision_share;
        cell.phases = Phases {
            update: float(row.update_median_ns),
            pairs: float(row.pairs_median_ns),
            response: float(row.response_median_ns),
            render: None,
        };
        Ok(())
    }

    fn take_frame(&mut self, place: Place<'_>, row: FrameRecord) -> Result<(), ReadError> {
        let FrameRecord { input, n, seed, algorithm, threads, .. } = row;
        let key = Key { input, n, seed, algorithm, threads };
        let entry = self.entry(place, key, &row.run_id, true)?;
        if row.phase == Phase::Measure {
            let times = [
                row.update_ns,
                row.pairs_ns,
                row.response_ns.unwrap_or(0),
                row.render_ns.unwrap_or(0),
            ];
            let frames = &mut entry.frames;
            let detection_ns = row.update_ns.saturating_add(row.pairs_ns);
            frames.detection_ns.entry(row.repeat).or_default().push(detection_ns);
            frames.whole_ns.push(times.iter().fold(0, |sum, &ns| u64::saturating_add(sum, ns)));
            for (sum, ns) in frames.sums.iter_mut().zip(times) {
                *sum = sum.saturating_add(ns);
            }
            frames.has_response |= row.response_ns.is_some();
            frames.has_render |= row.render_ns.is_some();
        }
        Ok(())
    }

    fn entry(
        &mut self,
        place: Place<'_>,
        key: Key,
        run_id: &str,
        of_frames: bool,
    ) -> Result<&mut Entry, ReadError> {
        let at = *self.places.entry(key.clone()).or_insert_with(|| {
            self.entries.push(Entry {
                cell: Cell::new(key),
                run_id: run_id.to_owned(),
                path: place.path.to_owned(),
                byte: place.byte,
                summarised: false,
                frames: FrameTimes::default(),
                frames_path: None,
            });
            self.entries.len() - 1
        });
        let entry = &mut self.entries[at];
        let twice = if of_frames {
            entry.frames_path.get_or_insert_with(|| place.path.to_owned()) != place.path
        } else {
            entry.summarised
        };
        if twice || entry.run_id != run_id {
            let Cell { input, n, algorithm, threads, .. } = &entry.cell;
            return Err(place.error(format!(
                "{algorithm} on {input}, n = {n}, {threads} thread(s) is in {}, line {} already; \
                 a figure shows one measurement of each",
                entry.path.display(),
                line_at(&entry.path, entry.byte)
            )));
        }
        Ok(entry)
    }

    fn finish(self) -> Cells {
        let cells = self.entries.into_iter().filter_map(|entry| {
            let Entry { mut cell, mut frames, summarised, .. } = entry;
            if !frames.detection_ns.is_empty() {
                frames.complete(&mut cell, summarised);
            }
            cell.median_ns.is_some().then_some(cell)
        });
        Cells { cells: cells.collect(), left_out: self.left_out }
    }
}

impl FrameTimes {
    fn count(&self) -> usize {
        self.detection_ns.values().map(Vec::len).sum()
    }

    /// Means of the phases; and the medians, unless a summary has told them.
    fn complete(&mut self, cell: &mut Cell, summarised: bool) {
        let count = self.count() as f64;
        let [update, pairs, response, render] = self.sums.map(|sum| sum as f64 / count);
        cell.phases = Phases {
            update: Some(update),
            pairs: Some(pairs),
            response: self.has_response.then_some(response),
            render: self.has_render.then_some(render),
        };
        if !summarised {
            let repetitions: Vec<Vec<u64>> =
                std::mem::take(&mut self.detection_ns).into_values().collect();
            let interval = median_interval(&repetitions, INTERVAL_SEED);
            cell.interval_ns = interval.map(|i| [i.low as f64, i.high as f64]);
            cell.median_ns = median(&mut repetitions.concat()).map(|ns| ns as f64);
            let whole = median(&mut self.whole_ns).filter(|&ns| ns > 0);
            cell.fps = whole.map(|ns| 1e9 / ns as f64);
        }
    }
}

fn each<R: DeserializeOwned>(
    path: &Path,
    mut reader: csv::Reader<impl Read>,
    mut take: impl FnMut(Place<'_>, R) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let header = reader.headers().map_err(|e| told(Place { path, byte: 0 }, &e))?.clone();
    let mut record = csv::StringRecord::new();
    loop {
        let byte = reader.position().byte();
        match reader.read_record(&mut record) {
            Ok(false) => return Ok(()),
            Ok(true) => {}
            Err(error) => return Err(told(Place { path, byte }, &error)),
        }
        let place = Place { path, byte: record.position().map_or(byte, csv::Position::byte) };
        let row = record.deserialize(Some(&header)).map_err(|e| told(place, &e))?;
        take(place, row)?;
    }
}

/// What the CSV reader says, without its own idea of where: the column's name says more.
fn told(place: Place<'_>, error: &csv::Error) -> ReadError {
    match error.kind() {
        csv::ErrorKind::Deserialize { err, .. } => {
            let column = err.field().map(|field| format!("column {}: ", field + 1));
            place.error(format!("{}{}", column.unwrap_or_default(), err.kind()))
        }
        csv::ErrorKind::UnequalLengths { expected_len, len, .. } => {
            place.error(format!("expected {expected_len} columns, found {len}"))
        }
        csv::ErrorKind::Io(error) => {
            ReadError::Io { path: place.path.to_owned(), reason: error.to_string() }
        }
        csv::ErrorKind::Utf8 { .. } => place.error("expected UTF-8 text"),
        _ => place.error(error.to_string()),
    }
}

fn wrong_header(header: &csv::StringRecord, summary: &[&str], frames: &[&str]) -> String {
    if header.iter().all(str::is_empty) {
        return "expected the header of summary.csv or frames.csv, found nothing".to_owned();
    }
    // The kind that it is more likely meant to be.
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

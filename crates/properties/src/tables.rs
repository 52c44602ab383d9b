//! The readers of CSV tables, of `machine.json`, and the charts of what they read.

use crate::files;
use crate::messages::message;
use harness::reading::{READERS, draw_figures};
use measure::{
    FrameRow, FrameTime, FramesFile, RowError, RowReader, StageRow, StagesFile, SummaryFile,
    SummaryRow, columns, paired_ratio,
};
use std::fmt::Debug;
use std::path::Path;

/// Rows that are read read back as they are written. Errors name a line of the file.
pub(crate) fn check(bytes: &[u8]) {
    let Some((choice, bytes)) = decode(bytes) else { return };
    let path = files::write("table.csv", &bytes);
    // One reader for each input: all of them would take many times as long.
    match choice % (READERS.len() + 3) {
        0 => check_summary(&path, &bytes),
        1 => check_stages(&path, &bytes),
        2 => check_frames(&path, &bytes),
        other => {
            let reader = &READERS[other - 3];
            // Errors of the system have no place.
            if let Err(error) = (reader.read)(&path) {
                assert!(message(&error).contains("table.csv"), "{}: {error}", reader.command);
            }
        }
    }
}

fn check_summary(path: &Path, bytes: &[u8]) {
    match SummaryFile::read(path).map(|file| file.rows) {
        Ok(rows) => {
            assert_eq!(text(&written_again::<SummaryRow>(&rows)), text(&rows));
        }
        Err(error) => assert_place(&error, bytes),
    }
}

fn check_stages(path: &Path, bytes: &[u8]) {
    match StagesFile::read(path).map(|file| file.rows) {
        Ok(rows) => {
            assert_eq!(text(&written_again::<StageRow>(&rows)), text(&rows));
            let shares = |row: &StageRow| [row.passed_share(), row.false_share()];
            let mut shares = rows.iter().flat_map(shares).flatten();
            assert!(shares.all(|share| share >= 0.0), "{rows:?}");
        }
        Err(error) => assert_place(&error, bytes),
    }
}

fn check_frames(path: &Path, bytes: &[u8]) {
    match RowReader::open(path).and_then(RowReader::rows::<FrameRow>) {
        Ok(rows) => {
            assert_eq!(text(&written_again::<FrameRow>(&rows)), text(&rows));
            let times = || rows.iter().filter_map(FrameTime::of_row);
            if let Some(paired) = paired_ratio(times(), times()) {
                assert_eq!(paired.ratio.ratio, 1.0, "of times over themselves");
            }
        }
        Err(error) => assert_place(&error, bytes),
    }
}

/// Every figure of a table is drawn or refused.
pub(crate) fn check_charts(bytes: &[u8]) {
    let Some((_, bytes)) = decode(bytes) else { return };
    let path = files::write("drawn.csv", &bytes);
    for svg in draw_figures(&path).unwrap_or_default() {
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n"), "{svg}");
        let control = svg.chars().find(|c| c.is_control() && !"\n\t".contains(*c));
        assert_eq!(control, None, "no XML: {svg}");
    }
}

/// A choice, and the bytes of a file. Both follow from the first byte: the file is the others, below one of our
/// headers or alone.
fn decode(bytes: &[u8]) -> Option<(usize, Vec<u8>)> {
    let (&first, rows) = bytes.split_first()?;
    let choice = usize::from(first / 4);
    let columns = match first % 4 {
        0 => return Some((choice, rows.to_vec())),
        1 => columns::<FrameRow>(),
        2 => columns::<StageRow>(),
        _ => columns::<SummaryRow>(),
    };
    Some((choice, [columns.join(",").as_bytes(), b"\r\n", rows].concat()))
}

/// The rows after they were written to a file and read from it.
fn written_again<R>(rows: &[R]) -> Vec<R>
where
    R: Clone + Default + serde::Serialize + serde::de::DeserializeOwned,
{
    let path = files::path("written.csv");
    let file = FramesFile::create(&path).expect("the folder can be written");
    file.write(rows.iter().cloned()).expect("the file can be written");
    let read = RowReader::open(&path).and_then(RowReader::rows);
    read.unwrap_or_else(|error| panic!("what was written is not read: {error}"))
}

/// Rows as text: a NaN equals itself.
fn text(rows: &[impl Debug]) -> String {
    format!("{rows:?}")
}

fn assert_place(error: &RowError, text: &[u8]) {
    let lines = 1 + text.iter().filter(|&&byte| byte == b'\n').count() as u64;
    assert!(message(error).contains("table.csv"), "{error}");
    if let RowError::Line { line, .. } = error {
        assert!((1..=lines).contains(line), "{error}");
    }
}

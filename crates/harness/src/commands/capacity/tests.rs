//! Known figures of small inputs, counted by hand.

use super::*;
use crate::commands::Command;
use crate::commands::tests::{command, process};
use broadphase::Aabb;
use glam::Vec3;
use sim::TraceWriter;
use std::fs;
use std::path::Path;

/// A trace of five unit boxes on the x axis. Frame 0: boxes 0 to 3 overlap each other, 6 pairs; frame 1: only 0-1 and 2-3;
/// frame 2: 0-1 and 1-4.
fn write_trace(path: &Path) {
    let far = 100.0;
    let frames =
        [[0.0, 0.2, 0.4, 0.6, far], [0.0, 0.5, 10.0, 10.5, far], [0.0, 0.9, 10.0, 20.0, 1.8]];
    let mut writer = TraceWriter::create(path, 5, 0.1).unwrap();
    for frame in frames {
        let cube = |x: f32| Aabb::new(Vec3::X * x, Vec3::X * x + Vec3::ONE);
        writer.write_frame(&frame.map(cube)).unwrap();
    }
    writer.finish().unwrap();
}

/// Runs `harness capacity` on that trace, or redraws it, and returns the page.
fn run(folder: &Path, more: &str) -> String {
    let out = folder.join("out");
    let words = format!("capacity --quiet --out '{}' {more}", out.display());
    let Command::Capacity(options) = command(&words) else { panic!() };
    capacity(&options, &process()).unwrap();
    fs::read_to_string(out.join("capacity.md")).unwrap()
}

/// Frame, capacity, pairs and lost pairs of a buffer.
fn counts(rows: &[CapacityRow], buffer: Buffer) -> Vec<[u64; 4]> {
    let rows = rows.iter().filter(|row| row.buffer == buffer);
    rows.map(|row| [row.frame.into(), row.capacity, row.pairs, row.lost]).collect()
}

#[test]
fn losses_of_each_frame_are_those_counted_by_hand() {
    let folder = tempfile::tempdir().unwrap();
    let trace = folder.path().join("five.bpt");
    write_trace(&trace);
    let page = run(folder.path(), &format!("'{}' --per-object 2,1,2", trace.display()));
    let rows = read(&folder.path().join("out/capacity/capacity.csv")).unwrap();
    // Room for 5 pairs holds all but one of frame 0.
    let frame = [[0, 1, 6, 1], [0, 2, 6, 0], [1, 1, 2, 0], [2, 1, 2, 0]];
    assert_eq!(counts(&rows, Buffer::Frame), frame);
    // In frame 1 nothing begins; in frame 2 only 1-4.
    let began = [[0, 1, 6, 1], [0, 2, 6, 0], [1, 1, 0, 0], [2, 1, 1, 0]];
    assert_eq!(counts(&rows, Buffer::Began), began);
    // The lists of frame 0 have 3, 2 and 1 pairs: those of length 1 lose 2 + 1, those of length 2 lose 1.
    let object = [[0, 1, 6, 3], [0, 2, 6, 1], [1, 1, 2, 0], [2, 1, 2, 0]];
    assert_eq!(counts(&rows, Buffer::Object), object);
    // In per cent of the 7 pairs that began.
    assert!(page.contains("five.bpt | 5 | 3 | 2.3 | 14.3 (16.7) | 0 | 0 |"), "{page}");
    assert_eq!(run(folder.path(), "--redraw"), page);
}

#[test]
fn columns_are_those_of_the_page_of_output_files() {
    let page = include_str!("../../../../../docs/output-files.md");
    assert!(page.contains(&format!("`{}`", measure::columns::<CapacityRow>().join(", "))));
}

#[test]
fn published_page_is_that_of_its_rows() {
    crate::study::assert_published("capacity", report);
}

#[test]
fn repetition_that_is_played_once_more_is_counted_once() {
    let bar = &mut ();
    let mut counter = Counter::new(CapacityRow { n: 9, ..CapacityRow::default() }, &[1], bar);
    let frames = [&[Pair::new(0, 1), Pair::new(0, 2)][..], &[Pair::new(0, 1)]];
    let mut play = || {
        (0..).zip(frames).for_each(|(frame, pairs)| counter.pairs_found(frame, pairs));
        counter.rows.clone()
    };
    let once = play();
    assert_eq!(once.len(), 4, "two buffers in two frames");
    assert_eq!(play(), once);
}

#[test]
fn pairs_that_nothing_has_checked_are_an_error() {
    let case = &Case::of_generated("gas:9".parse().unwrap(), 2, 0);
    let measured = |proven| {
        let (cells, warnings, calibration_ns) = (Vec::new(), Vec::new(), Vec::new());
        MeasuredCase { cells, warnings, proven, calibration_ns }
    };
    let error = check(case, &measured(false), false).unwrap_err().to_string();
    assert!(error.starts_with("auto on gas, n = 9: nothing has checked its pairs"), "{error}");
    check(case, &measured(true), false).unwrap();
    check(case, &measured(false), true).unwrap();
}

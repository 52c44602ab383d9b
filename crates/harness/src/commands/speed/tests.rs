//! The command with planted peers and planted rows.

use super::inputs::SpeedEffort;
use super::*;
use crate::commands::Command;
use crate::commands::tests::{assert_has, assert_refused, command, process};
use crate::study::{By, StudyRow, assert_published, write_rows};
use broadphase::registry::ALGORITHMS;
use measure::{Exit, Ratio, Status};
use std::fs;
use std::path::Path;

fn options(folder: &Path, more: &str) -> SpeedOptions {
    let words = format!("speed --quiet --out '{}' {more}", folder.display());
    let Command::Speed(options) = command(&words) else { panic!() };
    options
}

/// The command on few and small inputs, compared with a peer that is right, and slower than ours.
fn speed(folder: &Path, more: &str) -> Result<(), Failure> {
    let slow_peer = Algorithm { id: "slow-peer", peer: true, ..ALGORITHMS[0] };
    let options = options(folder, more);
    let mut effort = SpeedEffort::new(&options)?;
    effort.inputs = ["gas:200", "gas:300", "rest-gas-rest:300", "gas:300"];
    effort.threads = vec![1, 2];
    speed_with(&[slow_peer], &effort, &process())
}

fn rows(folder: &Path) -> Vec<StudyRow> {
    rows::read(&folder.join("speed.csv")).unwrap()
}

fn text(folder: &Path) -> String {
    fs::read_to_string(folder.join("speed.md")).unwrap()
}

#[test]
fn every_part_is_measured_and_redrawn_from_its_rows() {
    const SHORT: &str = "--quick --frames 3 --repeat 2";
    let folder = tempfile::tempdir().unwrap();
    let (folder, path) = (folder.path(), |name: &str| folder.path().join(name));
    speed(folder, SHORT).unwrap();
    assert_rows_of_every_part(&rows(folder));
    let before = text(folder);
    assert_has(
        &before,
        &["| gas 200 |", "| gas 300 |", "(speed/small/machine.json)", "Doubtful: "],
    );
    assert_has(&before, &["Only a first look: with so few rounds, the intervals hold with 50 %."]);

    // The page comes from the rows alone.
    fs::remove_file(path("speed.svg")).unwrap();
    speed(folder, "--redraw").unwrap();
    assert!(text(folder) == before && path("speed.svg").is_file());
    let csv = fs::read_to_string(path("speed.csv")).unwrap();
    fs::write(path("speed.csv"), &csv[..csv.trim_end().rfind('\n').unwrap() + 1]).unwrap();
    let changed = "speed.csv is not as it was written";
    assert_refused(speed(folder, "--redraw"), Exit::BadInput, changed);

    // Existing results are replaced only by --force.
    assert_refused(speed(folder, SHORT), Exit::Running, "exists already");
    speed(folder, "--quick --only gas:200 --frames 2 --repeat 1 --force").unwrap();
    assert!(!path("speed/inputs/frames.csv").exists(), "old frames are removed");
}

fn assert_rows_of_every_part(rows: &[StudyRow]) {
    let of = |part: SpeedPart| rows.iter().filter(|row| SpeedPart::of(row) == Some(part)).count();
    assert_eq!(of(SpeedPart::Small), ALGORITHMS.families().count() + 1);
    assert_eq!([SpeedPart::Inputs, SpeedPart::Threads, SpeedPart::Changes].map(of), [6, 10, 5]);
    for row in rows {
        let part = SpeedPart::of(row).unwrap();
        let is_change = part == SpeedPart::Changes;
        let has_figures = row.mean_ns.is_some() && row.p95_ns.is_some() && row.over.is_some();
        assert!(row.status == Status::Ok && has_figures, "{row:?}");
        let over = (row.over_mean.is_some(), row.over_best.is_some());
        assert_eq!(
            (over, row.peer),
            ((!is_change, part.has_peers()), row.algorithm == "slow-peer")
        );
        let baseline = match part {
            SpeedPart::Changes => "sweep-grid",
            SpeedPart::Threads => "1 thread",
            _ => "auto",
        };
        assert_eq!(row.baseline, baseline, "{row:?}");
        let is_itself = !is_change && row.algorithm == baseline
            || (part == SpeedPart::Threads && row.threads == 1);
        assert!(!is_itself || [row.over, row.over_mean] == [Some(1.0); 2], "{row:?}");
    }
}

/// A row on the gas, of which only the algorithm and its time over `auto` matter: the same of medians and means.
fn row(n: u64, algorithm: &str, over: f64) -> StudyRow {
    let row = StudyRow {
        part: SpeedPart::Inputs.folder().to_owned(),
        input: "gas".to_owned(),
        n,
        algorithm: algorithm.to_owned(),
        peer: broadphase::registry::find(algorithm).is_none(),
        threads: 1,
        median_ns: Some((1e6 * over) as u64),
        mean_ns: Some(1e6 * over),
        pairs: Some(25_000.0),
        bytes_per_object: Some(40.0),
        allocations: Some(0.0),
        confidence: Some(0.96875),
        status: Status::Ok,
        ..StudyRow::default()
    };
    let over = Some(Ratio { ratio: over, low: 0.95 * over, high: 1.05 * over });
    [By::Median, By::Mean, By::Best].into_iter().fold(row, |row, by| row.with_over(by, over))
}

/// A row without figures.
fn faulty(n: u64, algorithm: &str, status: Status, reason: &str) -> StudyRow {
    let StudyRow { part, input, peer, threads, .. } = row(n, algorithm, 1.0);
    let (algorithm, reason) = (algorithm.to_owned(), Some(reason.to_owned()));
    StudyRow { part, input, n, algorithm, peer, threads, status, reason, ..StudyRow::default() }
}

#[test]
fn goals_are_met_missed_or_undecided() {
    let peers = vec![
        row(20_000, "auto", 1.0),
        row(20_000, "box-pruning", 0.98),
        row(20_000, "peer-a", 12.0),
        row(20_000, "peer-b", 20.0),
        row(100_000, "auto", 1.0),
        row(100_000, "sweep-grid", 0.5),
        row(100_000, "peer-a", 1.2),
        faulty(100_000, "peer-b", Status::Error, "frame 3 of repetition 0: its pairs differ"),
        row(1_000_000, "auto", 1.0),
        row(1_000_000, "peer-a", 1.53),
        faulty(1_000_000, "peer-b", Status::Skipped, "over the time budget at repetition 0"),
        row(2_000_000, "auto", 1.0),
        // Of an earlier version.
        StudyRow { mean_ns: None, ..row(2_000_000, "peer-a", 12.0) }.with_over(By::Mean, None),
    ];
    // Rows of ours and of two programs on one input, by the program's time over the best of ours.
    let programs = |n, [a, slow]: [[f64; 3]; 2]| {
        let row =
            |algorithm, over| StudyRow { part: "programs".to_owned(), ..row(n, algorithm, over) };
        let of = |name, [low, ratio, high]: [f64; 3]| {
            row(name, ratio).with_over(By::Best, Some(Ratio { ratio, low, high }))
        };
        vec![row("sweep-grid", 1.0), of("a|b", a), of("slow", slow)]
    };
    let programs = [
        programs(200, [[0.7, 0.8, 0.9], [2.5, 3.0, 3.5]]),
        programs(1_000, [[3.5, 4.0, 4.5], [0.97, 1.02, 1.07]]),
        programs(20_000, [[1.9, 2.0, 2.1], [4.9, 5.0, 5.1]]),
    ]
    .concat();
    let folder = tempfile::tempdir().unwrap();
    write_rows(&folder.path().join("speed.csv"), &programs).unwrap();
    speed(folder.path(), "--redraw").unwrap();
    assert_has(&text(folder.path()), &["- 3 goals: 1 met, 1 missed, 1 undecided."]);
    let rows = [peers, programs].concat();
    write_rows(&folder.path().join("speed.csv"), &rows).unwrap();
    assert_eq!(self::rows(folder.path()), rows);
    speed(folder.path(), "--redraw").unwrap();
    let page = text(folder.path());
    assert_has(
        &page,
        &[
            "| gas 20k | 25,000 | peer-a | 12.0 | 1.00 | 12.0 (11.4 to 12.6) | 12.0 (11.4 to 12.6) | at least 1.5 | met |",
            "| gas 100k | 25,000 | peer-a | 1.20 | 1.00 | 1.20 (1.14 to 1.26) | 1.20 (1.14 to 1.26) | at least 1.5 | **missed** |",
            "| 1.53 (1.45 to 1.61) | 1.53 (1.45 to 1.61) | at least 1.5 | undecided |",
            "- **missed**: auto over the best fixed choice (sweep-grid), gas 100k, means: 2.00 (1.90 to 2.11), the goal is at most 1.25\n\
             - **missed**: a|b over the fastest of ours, gas 200, means: 0.800",
            "- undecided: peer-a over auto, gas 1M, means: 1.53",
            "- undecided: slow over the fastest of ours, gas 1k, means: 1.02",
            "- **error**: peer-b on gas 100k: `frame 3 of repetition 0: its pairs differ",
            "- skipped: peer-b on gas 1M: `over the time budget",
            "Errors, which are no results: 1.",
            "| - | at least 1.5 | **no result** |",
            "On 3 of 3 inputs `auto` is faster than the fastest of the Rust crates measured, on one thread",
            "On 1 of 3 inputs the fastest of ours is faster than each program that completed, of a|b, slow, on one thread, by \
             means. On 1 a program is faster.",
            "| input | pairs | best of ours | its ms | a\\|b | slow |",
            "| gas 200 | 25,000 | sweep-grid | 1.00 | 0.800 (0.700 to 0.900) | 3.00 (2.50 to 3.50) |",
            "- 16 goals: 11 met, 3 missed, 2 undecided.",
        ],
    );
    assert!(!page.contains("Only a first look"), "{page}");
    let svg = fs::read_to_string(folder.path().join("speed.svg")).unwrap();
    assert_has(&svg, &["1.20 peer-a", "gas 1M"]);
}

#[test]
fn published_page_is_that_of_its_rows() {
    assert_published("speed", page::report);
}

//! Pages of planted rows.

use super::*;
use crate::study::{Verdict, write_rows};
use measure::Checksum;

/// A row on the gas, of which only the algorithm and its time over `auto` matter: the same of medians and means.
pub(super) fn row(n: u64, algorithm: &str, over: f64) -> StudyRow {
    let median = (1e6 * over) as u64;
    StudyRow {
        part: SpeedPart::Inputs.folder().to_owned(),
        input: "gas".to_owned(),
        n,
        algorithm: algorithm.to_owned(),
        peer: broadphase::registry::find(algorithm).is_none(),
        threads: 1,
        frames: 30,
        repeats: 6,
        median_ns: Some(median),
        ci_low_ns: Some(median - 1),
        ci_high_ns: Some(median + 1),
        mean_ns: Some(median as f64),
        p95_ns: Some(2 * median),
        pairs: Some(25_000.0),
        bytes_per_object: Some(40.0),
        allocations: Some(0.0),
        checksum: Some(Checksum(7)),
        baseline: "auto".to_owned(),
        over: Some(over),
        over_low: Some(0.95 * over),
        over_high: Some(1.05 * over),
        over_mean: Some(over),
        over_mean_low: Some(0.95 * over),
        over_mean_high: Some(1.05 * over),
        over_best: Some(over),
        over_best_low: Some(0.95 * over),
        over_best_high: Some(1.05 * over),
        confidence: Some(0.96875),
        status: Status::Ok,
        ..StudyRow::default()
    }
}

/// A row without figures.
fn faulty(n: u64, algorithm: &str, status: Status, reason: &str) -> StudyRow {
    StudyRow {
        median_ns: None,
        mean_ns: None,
        over: None,
        over_mean: None,
        over_best: None,
        status,
        reason: Some(reason.into()),
        ..row(n, algorithm, 1.0)
    }
}

#[test]
fn goals_are_met_missed_or_undecided() {
    let rows = vec![
        row(20_000, "auto", 1.0),
        row(20_000, "box-pruning", 0.98),
        row(20_000, "peer-a", 12.0),
        row(20_000, "peer-b", 20.0),
        row(100_000, "auto", 1.0),
        row(100_000, "sweep-grid", 0.5),
        row(100_000, "peer-a", 5.0),
        faulty(100_000, "peer-b", Status::Error, "frame 3 of repetition 0: its pairs differ"),
        row(1_000_000, "auto", 1.0),
        row(1_000_000, "peer-a", 9.1),
        faulty(1_000_000, "peer-b", Status::Skipped, "over the time budget at repetition 0"),
    ];
    let folder = tempfile::tempdir().unwrap();
    let csv = folder.path().join("speed.csv");
    write_rows(&csv, &rows).unwrap();
    assert_eq!(rows::read(&csv).unwrap(), rows);

    speed_tiny(&[], &options(folder.path(), "--redraw"), &process()).unwrap();
    let page = fs::read_to_string(folder.path().join("speed.md")).unwrap();
    for line in [
        "| gas 20k | 25,000 | peer-a | 12.0 | 1.00 | 12.0 (11.4 to 12.6) | 12.0 (11.4 to 12.6) | at least 9 | met |",
        "| gas 100k | 25,000 | peer-a | 5.00 | 1.00 | 5.00 (4.75 to 5.25) | 5.00 (4.75 to 5.25) | at least 9 | **missed** |",
        "| gas 1M | 25,000 | peer-a | 9.10 | 1.00 | 9.10 (8.64 to 9.55) | 9.10 (8.64 to 9.55) | at least 9 | undecided |",
        "- **missed**: peer-a over auto, gas 100k, means: 5.00",
        "- **missed**: auto over the best fixed choice (sweep-grid), gas 100k, means: 2.00 (1.90 to 2.11), the goal is at most 1.1",
        "- undecided: peer-a over auto, gas 1M, means: 9.10",
        "- **error**: peer-b on gas 100k: `frame 3 of repetition 0: its pairs differ",
        "- skipped: peer-b on gas 1M: `over the time budget",
        "Errors, which are no results: 1.",
        "On 3 of 3 inputs `auto` is faster than the fastest of the Rust crates measured, on one thread",
        "- 12 goals: 9 met, 2 missed, 1 undecided.",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
    assert!(!page.contains("- **missed**: peer-a over auto, gas 20k"), "{page}");
    assert!(!page.contains("Only a first look"), "{page}");
    let svg = fs::read_to_string(folder.path().join("speed.svg")).unwrap();
    assert!(svg.contains("5.00 peer-a") && svg.contains("gas 1M"), "{svg}");
}

/// The page of planted rows.
pub(super) fn page_of(rows: &[StudyRow]) -> String {
    let folder = tempfile::tempdir().unwrap();
    write_rows(&folder.path().join("speed.csv"), rows).unwrap();
    speed_tiny(&[], &options(folder.path(), "--redraw"), &process()).unwrap();
    fs::read_to_string(folder.path().join("speed.md")).unwrap()
}

/// A row that takes another multiple of `auto`'s mean than of its median.
fn by_means(row: StudyRow, over: f64) -> StudyRow {
    StudyRow {
        mean_ns: Some(1e6 * over),
        over_mean: Some(over),
        over_mean_low: Some(0.95 * over),
        over_mean_high: Some(1.05 * over),
        ..row
    }
}

#[test]
fn worse_of_medians_and_means_is_judged() {
    let rows = [
        row(20_000, "auto", 1.0),
        by_means(row(20_000, "neighbour-list", 1.0), 0.5),
        by_means(row(20_000, "peer-a", 12.0), 8.0),
        by_means(row(20_000, "peer-b", 14.0), 0.5),
        row(100_000, "auto", 1.0),
        by_means(row(100_000, "peer-a", 5.0), 12.0),
    ];
    let page = page_of(&rows);
    for line in [
        "| gas 20k | 25,000 | peer-a | 12.0 | 1.00 | 12.0 (11.4 to 12.6) | 0.500 (0.475 to 0.525) peer-b | at least 9 | **missed** |",
        "- **missed**: peer-b over auto, gas 20k, means: 0.500",
        "- **missed**: auto over the best fixed choice (neighbour-list), gas 20k, means: 2.00",
        "- **missed**: peer-a over auto, gas 100k, medians: 5.00",
        "On 1 of 2 inputs `auto` is faster than the fastest of the Rust crates measured, on one thread, by \
         medians and by means. On 1 one of them is faster than `auto` by either, on 0 ",
    ] {
        assert!(page.contains(line), "{line}\n{page}");
    }
    let old = StudyRow { mean_ns: None, over_mean: None, ..row(20_000, "peer-a", 12.0) };
    let page = page_of(&[row(20_000, "auto", 1.0), old]);
    assert!(page.contains("| - | at least 9 | **no result** |"), "without means: {page}");
}

#[test]
fn memory_is_judged_on_every_input_the_worst_first() {
    let holds = |n, bytes, allocations| StudyRow {
        bytes_per_object: Some(bytes),
        allocations: Some(allocations),
        ..row(n, "auto", 1.0)
    };
    let page = page_of(&[holds(200, 140.0, 0.0), holds(20_000, 150.0, 0.25), holds(7, 40.0, 0.0)]);
    for text in [
        "- **missed**: bytes per object, without the pairs, auto, gas 20k: 150, the goal is at most 100\n\
         - **missed**: allocations per frame, auto, gas 20k: 0.250, the goal is at most 0\n\
         - **missed**: bytes per object, without the pairs, auto, gas 200: 140",
        "6 goals: 3 met, 3 missed.",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
}

#[test]
fn goal_for_avx_512_is_judged_on_no_other_processor() {
    let terdiman = StudyRow { input: "terdiman".to_owned(), ..row(10_000, "sweep-grid", 0.2) };
    let rows = [StudyRow { over: None, over_mean: None, ..terdiman }];
    for (simd, verdict) in [("AVX-512", Verdict::Met), ("AVX2", Verdict::NotComparable)] {
        let inputs = PeerInput::all(&rows);
        let goals = verdicts::goals(&rows, &inputs, &[], Some(simd));
        let found: Vec<_> = goals.iter().map(|g| (g.what.as_str(), g.verdict)).collect();
        assert_eq!(found, [("milliseconds of sweep-grid, terdiman 10k", verdict)]);
        let summary = page::summary(&rows, &inputs, &[], &goals, 2);
        assert!(summary[0].contains("the fastest of the 2 Rust crates measured"), "{summary:?}");
    }
}

#[test]
fn auto_without_figures_gives_no_ratio_and_no_verdict() {
    let without =
        |algorithm| StudyRow { over: None, over_mean: None, ..row(20_000, algorithm, 3.0) };
    let rows =
        vec![faulty(20_000, "auto", Status::Error, "panicked in frame 0"), without("peer-a")];
    let folder = tempfile::tempdir().unwrap();
    write_rows(&folder.path().join("speed.csv"), &rows).unwrap();
    speed_tiny(&[], &options(folder.path(), "--redraw"), &process()).unwrap();
    let page = fs::read_to_string(folder.path().join("speed.md")).unwrap();
    assert!(page.contains("| peer-a | 3.00 | - | - | - | at least 9 | **no result** |"), "{page}");
    assert!(!page.contains("speed.svg"), "{page}");
}

//! Pages of planted rows.

use super::*;
use crate::study::write_rows;

/// A row on the gas, of which only the algorithm and its time over `auto` matter: the same of medians and means.
pub(super) fn row(n: u64, algorithm: &str, over: f64) -> StudyRow {
    let [low, middle, high] = [0.95, 1.0, 1.05].map(|share| Some(share * over));
    StudyRow {
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
        over: middle,
        over_low: low,
        over_high: high,
        over_mean: middle,
        over_mean_low: low,
        over_mean_high: high,
        over_best: middle,
        over_best_low: low,
        over_best_high: high,
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

/// The page of planted rows, and its chart.
pub(super) fn page_of(rows: &[StudyRow]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    write_rows(&folder.path().join("speed.csv"), rows).unwrap();
    assert_eq!(super::rows(folder.path()), rows);
    speed(folder.path(), "--redraw").unwrap();
    let svg = fs::read_to_string(folder.path().join("speed.svg")).unwrap_or_default();
    (page(folder.path()), svg)
}

#[test]
fn goals_are_met_missed_or_undecided() {
    let (page, svg) = page_of(&[
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
    ]);
    assert_has(
        &page,
        &[
            "| gas 20k | 25,000 | peer-a | 12.0 | 1.00 | 12.0 (11.4 to 12.6) | 12.0 (11.4 to 12.6) | at least 1.5 | met |",
            "| gas 100k | 25,000 | peer-a | 1.20 | 1.00 | 1.20 (1.14 to 1.26) | 1.20 (1.14 to 1.26) | at least 1.5 | **missed** |",
            "| 1.53 (1.45 to 1.61) | 1.53 (1.45 to 1.61) | at least 1.5 | undecided |",
            "- **missed**: auto over the best fixed choice (sweep-grid), gas 100k, means: 2.00 (1.90 to 2.11), the goal is at most 1.25\n\
             - undecided: peer-a over auto, gas 1M, means: 1.53",
            "- **error**: peer-b on gas 100k: `frame 3 of repetition 0: its pairs differ",
            "- skipped: peer-b on gas 1M: `over the time budget",
            "Errors, which are no results: 1.",
            "On 3 of 3 inputs `auto` is faster than the fastest of the Rust crates measured, on one thread",
            "- 11 goals: 8 met, 2 missed, 1 undecided.",
        ],
    );
    assert!(!page.contains("Only a first look"), "{page}");
    assert!(svg.contains("1.20 peer-a") && svg.contains("gas 1M"), "{svg}");
}

#[test]
fn worse_of_medians_and_means_is_judged() {
    // A row that takes another multiple of `auto`'s mean than of its median.
    let by_means = |row: StudyRow, over: f64| StudyRow {
        mean_ns: Some(1e6 * over),
        over_mean: Some(over),
        over_mean_low: Some(0.95 * over),
        over_mean_high: Some(1.05 * over),
        ..row
    };
    let (page, _) = page_of(&[
        row(20_000, "auto", 1.0),
        by_means(row(20_000, "neighbour-list", 1.0), 0.5),
        by_means(row(20_000, "peer-a", 12.0), 8.0),
        by_means(row(20_000, "peer-b", 14.0), 0.5),
        row(100_000, "auto", 1.0),
        by_means(row(100_000, "peer-a", 1.2), 12.0),
    ]);
    assert_has(
        &page,
        &[
            "| 12.0 (11.4 to 12.6) | 0.500 (0.475 to 0.525) peer-b | at least 1.5 | **missed** |",
            "- **missed**: peer-b over auto, gas 20k, means: 0.500",
            "- **missed**: auto over the best fixed choice (neighbour-list), gas 20k, means: 2.00",
            "- **missed**: peer-a over auto, gas 100k, medians: 1.20",
            "On 1 of 2 inputs `auto` is faster than the fastest of the Rust crates measured, on one thread, by \
             medians and by means. On 1 one of them is faster than `auto` by either, on 0 ",
        ],
    );
    let old = StudyRow { mean_ns: None, over_mean: None, ..row(20_000, "peer-a", 12.0) };
    let (page, _) = page_of(&[row(20_000, "auto", 1.0), old]);
    assert_has(&page, &["| - | at least 1.5 | **no result** |"]);
}

#[test]
fn memory_is_judged_on_every_input_the_most_bytes_first() {
    let holds = |n, bytes, allocations| StudyRow {
        bytes_per_object: Some(bytes),
        allocations: Some(allocations),
        ..row(n, "auto", 1.0)
    };
    let (page, _) =
        page_of(&[holds(200, 401.0, 0.0), holds(20_000, 210.0, 0.25), holds(1_000, 240.0, 0.0)]);
    let missed = "- **missed**: bytes per object, without the pairs, auto, gas 200: 401, the goal is at most 400\n\
         - **missed**: bytes per object, without the pairs, auto, gas 20k: 210, the goal is at most 200\n\
         - **missed**: allocations per frame, auto, gas 20k: 0.250, the goal is at most 0";
    assert_has(&page, &[missed, "6 goals: 3 met, 3 missed."]);
}

#[test]
fn threads_are_compared_with_one_and_judged_for_auto_alone() {
    let on = |threads, algorithm: &str, over| StudyRow {
        part: SpeedPart::Threads.folder().to_owned(),
        threads,
        ..row(100_000, algorithm, over)
    };
    let peer = [on(1, "peer-a", 1.0), on(2, "peer-a", 0.9)];
    let (page, _) = page_of(&[&[on(1, "auto", 1.0), on(2, "auto", 0.5)], &peer[..]].concat());
    let lines = "| gas 100k | auto | 2 | 0.500 | 2.00 (1.90 to 2.11) |\n| gas 100k | peer-a | 2 | 0.900 | 1.11 (1.06 to 1.17) |";
    assert_has(&page, &[lines, "- 1 goal: 1 met, 0 missed."]);
}

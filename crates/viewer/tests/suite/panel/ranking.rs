//! The ranking of all algorithms over the whole input.

use super::*;
use crate::measuring::{end_of, measuring};
use measure::Status;
use viewer::measuring::{MeasuringState, Progress, RankedAlgorithm};

/// A recording with the comparison open, before anything is compared.
fn bench(trace: &Trace) -> Bench {
    let mut bench = Bench::new(trace.session("auto"));
    bench.set_up(|panel| panel.compare.open = true);
    bench
}

#[test]
fn recording_is_measured_by_one_click_before_any_comparison() {
    let trace = Trace::new(50, 3);
    let mut bench = bench(&trace);
    assert!(!bench.has(Role::Button, "Report"));
    bench.click(Role::Button, "Measure all");
    assert!(matches!(bench.command(), Command::MeasureAll));
    let progress = Progress {
        algorithm: Some("bsp".to_owned()),
        begun: 2,
        of: 5,
        frames: [1, 3],
        ..Progress::default()
    };
    bench.stage().measuring = Some(MeasuringState::Running(progress));
    // It repaints by itself.
    bench.harness.run_steps(2);
    assert!(bench.says(&format!("{}: 2 of 5, frame 1 of 3; 0.0 s so far", row("bsp").name)));
    bench.node(Role::Button, "Stop measuring").click();
    bench.harness.run_steps(2);
    assert!(matches!(bench.command(), Command::StopMeasuring));
}

#[test]
fn ranking_is_sorted_by_a_click_and_names_a_wrong_answer() {
    let (folder, trace) = (tempfile::tempdir().unwrap(), Trace::new(300, 6));
    let algorithms = vec![row("brute-force"), &FORGETFUL, row("bsp"), row("kd-tree")];
    let measuring = measuring(trace.case(), algorithms, folder.path());
    let MeasuringState::Done(ranking) = end_of(&measuring) else { panic!("not done") };
    let wrong = &ranking.algorithms[1];
    assert_eq!((wrong.row.status, wrong.row.median_ns), (Status::Error, None));
    let reason = wrong.row.reason_text();
    assert!(reason.contains("frame 0"), "{reason}");
    let mut bench = bench(&trace);
    bench.stage().measuring = Some(MeasuringState::Done(ranking.clone()));
    bench.set_up(|panel| panel.compare.ranked = true);

    type Figure = fn(&RankedAlgorithm) -> Option<u64>;
    let columns: [(&str, Figure); 5] = [
        ("median", |of| of.row.median_ns),
        ("mean", |of| of.row.mean_ns),
        ("p95", |of| of.row.p95_ns),
        ("slowest", |of| of.worst_ns),
        ("memory", |of| of.row.heap_bytes),
    ];
    assert!(bench.draws(&format!("{:>8}", "median^")), "it is ranked at once");
    for (place, (column, figure)) in columns.into_iter().enumerate() {
        if place > 0 {
            bench.click(Role::Button, &format!("Sort by {column}"));
        }
        let right = ranking.algorithms.iter().filter(|of| of.row.status == Status::Ok);
        let mut figures: Vec<(f32, u64)> = right
            .map(|of| {
                let name = format!("Drive with {}", row(&of.row.algorithm).name);
                (bench.node(Role::Button, &name).rect().top(), figure(of).unwrap())
            })
            .collect();
        figures.sort_by(|a, b| a.0.total_cmp(&b.0));
        assert!(figures.is_sorted_by_key(|(_, figure)| *figure), "{column} at once: {figures:?}");
        let lowest = format!("{:>8}", format!("{:.3}", figures[0].1 as f64 / 1e6));
        assert!(column == "memory" || bench.draws(&lowest), "{column}: {lowest}");
    }
    let fastest = ranking.algorithms.iter().min_by_key(|of| of.row.median_ns.unwrap_or(u64::MAX));
    let fastest = row(&fastest.unwrap().row.algorithm).name;
    assert!(bench.says(&format!("Take {fastest}: fastest over 6 steps by median (")));
    let lowest = format!("Drive with {fastest}");
    let line = bench.node(Role::Button, &lowest).rect().y_range();
    let mut texts = bench.texts().into_iter();
    assert!(texts.any(|(text, at, _)| text.trim() == "1.00" && line.contains(at.center().y)));
    let error = format!("error: {reason}");
    assert!(bench.has(Role::Label, &error));
    bench.click(Role::Button, "Report");
    assert!(matches!(bench.command(), Command::ExportReport));
    bench.click(Role::Button, "Ranking");
    assert!(!bench.has(Role::Label, &error), "the steps are shown again");
}

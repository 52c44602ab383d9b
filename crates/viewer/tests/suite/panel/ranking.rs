//! The ranking of all algorithms over the whole input.

use super::planted::FORGETFUL;
use crate::common::bench::Bench;
use crate::common::row;
use crate::common::traces::Trace;
use crate::measuring::{end_of, measuring};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use viewer::measuring::{MeasuringState, Progress, RankedAlgorithm};
use viewer::panel::Command;

/// A recording with the comparison open, before anything is compared.
fn bench(trace: &Trace) -> Bench {
    let mut bench = Bench::new(trace.session("auto"));
    bench.stage().panel.compare.open = true;
    bench.harness.run();
    bench
}

/// The names of these algorithms from top to bottom.
fn listed(bench: &Bench, names: [&str; 3]) -> Vec<String> {
    let top = |name: &str| bench.node(Role::Button, &format!("Drive with {name}")).rect().top();
    let mut tops = Vec::from(names.map(|name| (top(name), name.to_owned())));
    tops.sort_by(|a, b| a.0.total_cmp(&b.0));
    tops.into_iter().map(|(_, name)| name).collect()
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
    let name = row("bsp").name;
    bench.harness.get_by_label(&format!("{name}: 2 of 5, frame 1 of 3; 0.0 s so far"));
    bench.node(Role::Button, "Stop measuring").click();
    bench.harness.run_steps(2);
    assert!(matches!(bench.command(), Command::StopMeasuring));
}

#[test]
fn ranking_is_sorted_by_a_click() {
    let (folder, trace) = (tempfile::tempdir().unwrap(), Trace::new(300, 6));
    let algorithms = vec![row("brute-force"), &FORGETFUL, row("bsp"), row("kd-tree")];
    let measuring = measuring(trace.case(), algorithms, folder.path());
    let MeasuringState::Done(ranking) = end_of(&measuring) else { panic!("not done") };
    let mut bench = bench(&trace);
    bench.stage().measuring = Some(MeasuringState::Done(ranking.clone()));
    bench.stage().panel.compare.ranked = true;
    bench.harness.run();

    let names = ["brute-force", "bsp", "kd-tree"].map(|id| row(id).name);
    type Figure = fn(&RankedAlgorithm) -> Option<u64>;
    let columns: [(&str, Figure); 5] = [
        ("median", |of| of.row.median_ns),
        ("mean", |of| of.row.mean_ns),
        ("p95", |of| of.row.p95_ns),
        ("slowest", |of| of.worst_ns),
        ("memory", |of| of.row.heap_bytes),
    ];
    for (column, figure) in columns {
        bench.click(Role::Button, &format!("Sort by {column}"));
        // The pointer keeps the order of a table that it is over.
        bench.harness.hover_at(egui::pos2(20.0, 20.0));
        bench.harness.run();
        let figure_of = |name: &str| {
            let is_its = |of: &&RankedAlgorithm| row_name(of) == name;
            figure(ranking.algorithms().iter().find(is_its).unwrap()).unwrap()
        };
        let figures: Vec<u64> = listed(&bench, names).iter().map(|name| figure_of(name)).collect();
        assert!(figures.is_sorted(), "{column}: {figures:?}");
        if column != "memory" {
            let lowest = format!("{:>8}", format!("{:.3}", figures[0] as f64 / 1e6));
            assert!(bench.draws(&lowest), "{column}: {lowest}");
        }
    }
    let reason = ranking.algorithms()[1].row.reason_text();
    let error = format!("error: {reason}");
    bench.harness.get_by_label(&error);
    bench.click(Role::Button, "Report");
    assert!(matches!(bench.command(), Command::AskWhereToReport));
    bench.click(Role::Button, "Ranking");
    assert!(!bench.has(Role::Label, &error), "the steps are shown again");
}

fn row_name(of: &RankedAlgorithm) -> &'static str {
    broadphase::registry::find(&of.row.algorithm).map_or("", |entry| entry.name)
}

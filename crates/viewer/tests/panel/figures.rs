//! Group *Figures*, the legend, and the export of frames.

use crate::common::bench::Bench;
use broadphase::registry::ALGORITHMS;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use viewer::panel::Command;
use viewer::simulation::Order;

#[test]
fn figures_are_those_of_the_simulation() {
    let mut bench = Bench::of("kd-tree");
    let rates =
        ["Steps simulated per second", "Pairs tested per second", "Real collisions per second"];
    for rate in rates {
        assert_eq!(bench.figure(rate), "–");
    }
    bench.steps(8);
    bench.obey(Order::Drawn { epoch: 0, step: 8, render_ns: 9_000_000 });
    for rate in rates {
        let figure = bench.figure(rate).replace(',', "");
        let number: f64 = figure.parse().unwrap_or_else(|e| panic!("{rate}: {figure}: {e}"));
        assert!(number.is_finite() && number > 0.0, "{rate}: {figure}");
    }
    assert_eq!(bench.figure("Pictures drawn per second"), "59.9");
    let counters = bench.session().structure().counters();
    assert!(counters.straddlers > 0);
    for (meaning, figure) in
        [("Objects in more than one leaf", counters.straddlers), ("Leaves of the tree", 8)]
    {
        assert_eq!(bench.figure(meaning), figure.to_string(), "{meaning}");
    }
    let rates = bench.session().history().rates().unwrap();
    let shares = rates.shares;
    let collisions: f64 = shares[..3].iter().sum();
    let text = format!("Time: collisions {:.0} %", 100.0 * collisions);
    bench.harness.get_by_label(&text);
    assert_ne!(bench.harness.query_by_label("drawing 0 %").is_some(), shares[3] > 0.005);
    // The mean of the steps of the shares, not the last step alone.
    bench.harness.get_by_label(&format!("of {:.1} ms", rates.step_ns / 1e6));
    let last = bench.session().history().last().unwrap();
    assert!(((last.motion_ns + last.collision_ns() + last.render_ns) as f64) > rates.step_ns);
}

#[test]
fn an_algorithm_without_planes_has_no_tree_figures() {
    let mut bench = Bench::of("kd-tree");
    bench.harness.get_by_role_and_label(Role::Label, "Leaves");
    bench.choose("sap-matrix");
    assert!(bench.harness.query_by_role_and_label(Role::Label, "Leaves").is_none());
}

#[test]
fn frames_can_be_exported_once_recorded() {
    let mut bench = Bench::of("sap-matrix");
    for name in ["Frames", "Summary"] {
        assert!(bench.is_disabled(Role::Button, name));
        bench.click(Role::Button, name);
    }
    bench.assert_no_command();
    bench.steps(3);
    bench.harness.get_by_label("3 frames recorded");
    bench.click(Role::Button, "Frames");
    assert!(matches!(bench.command(), Command::ExportFrames));
    bench.click(Role::Button, "Summary");
    assert!(matches!(bench.command(), Command::ExportSummary));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results/frames.csv");
    bench.obey(Order::ExportFrames(path.clone()));
    bench.harness.get_by_label(&format!("3 frames written to {}", path.display()));
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1 + 3);
    bench.obey(Order::ExportFrames(path.join("below.csv")));
    bench.harness.get_by_label_contains("cannot write");
    assert_eq!(bench.session().recorded(), 3);
}

#[test]
fn the_funnel_shows_the_last_step() {
    for algorithm in ALGORITHMS {
        let mut bench = Bench::of(algorithm.id);
        bench.steps(6);
        let last = *bench.session().history().last().unwrap();
        assert!(last.tests > 0 && last.pairs > last.hits);
        for (name, number) in [
            ("All pairs", 1225),
            ("Tests", last.tests),
            ("Candidates", last.pairs),
            ("Hits", last.hits),
        ] {
            let label = bench.harness.get_by_label(name);
            let meaning = label.accesskit_node().data().description().unwrap().to_owned();
            let figure = bench.figure(&meaning);
            assert_eq!(figure.trim().replace(',', ""), number.to_string(), "{name}");
        }
    }
}

#[test]
fn the_legend_shows_the_occupancy_of_leaves() {
    let mut bench = Bench::of("kd-tree");
    bench.steps(3);
    bench.stage().panel.draw.regions = true;
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label("8 leaves");
    let counters = bench.session().structure().counters();
    let most = bench.stage().snapshot.structure.regions.most;
    let mean = counters.listings as f64 / 8.0;
    bench.harness.get_by_label(&format!("objects: mean {mean:.1}, most {most}"));
    bench.harness.get_by_label(&format!("{} in more than one leaf", counters.straddlers));
    bench.click(Role::CheckBox, "Leaves");
    assert!(bench.harness.query_by_label("8 leaves").is_none());
}

#[test]
fn the_chart_shows_medians_of_steps_and_drawing() {
    let mut bench = Bench::of("bsp");
    bench.harness.get_by_label("Step –");
    bench.harness.get_by_label("Drawing –");
    bench.steps(4);
    bench.obey(Order::Drawn { epoch: 0, step: 4, render_ns: 7_000_000 });
    let step = bench.session().history().spread(|f| f.collision_ns() + f.motion_ns).unwrap();
    let [median, p95] = [step.median_ns, step.p95_ns].map(|ns| ns as f64 / 1e6);
    bench.harness.get_by_label(&format!("Step {median:.2}, p95 {p95:.2} ms"));
    bench.harness.get_by_label("Drawing 7.00, p95 7.00 ms");
}

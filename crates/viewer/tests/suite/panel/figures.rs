//! Group *Figures*, the legend, and the export of frames.

use crate::common::bench::Bench;
use crate::common::drawing;
use broadphase::inspect::{Overlay, for_each_region};
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
    bench.obey(Order::Run(true));
    for (step, presented_ms) in [(6, 40), (8, 100)] {
        bench.obey(Order::Drawn(drawing(step, presented_ms, 30_000_000)));
    }
    bench.obey(Order::Run(false));
    for rate in rates {
        let figure = bench.figure(rate).replace(',', "");
        let number: f64 = figure.parse().unwrap_or_else(|e| panic!("{rate}: {figure}: {e}"));
        assert!(number.is_finite() && number > 0.0, "{rate}: {figure}");
    }
    assert_eq!(bench.figure("Pictures drawn per second"), "59.9");
    let counters = bench.session().structure().counters();
    assert!(counters.straddlers > 0);
    for (meaning, figure) in
        [("Objects in several leaves", counters.straddlers), ("Leaves of the tree", 8)]
    {
        assert_eq!(bench.figure(meaning), figure.to_string(), "{meaning}");
    }
    let rates = bench.session().history().rates.unwrap();
    let collisions = rates.search.iter().sum::<f64>() + rates.response;
    let text = format!("Time: collisions {:.0} %", 100.0 * collisions);
    bench.harness.get_by_label(&text);
    bench.harness.get_by_label("in >1 leaf");
    // 30 ms of drawing in the 60 ms between two presented pictures.
    bench.harness.get_by_label("drawing 50 %");
    bench.harness.get_by_label("of 60.00 ms");
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
    assert!(bench.is_disabled(Role::Button, "Frames"));
    bench.click(Role::Button, "Frames");
    bench.assert_no_command();
    bench.steps(3);
    bench.harness.get_by_label("3 rows recorded (steps x algorithms)");
    bench.click(Role::Button, "Frames");
    assert!(matches!(bench.command(), Command::ExportFrames));

    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results/frames.csv");
    bench.obey(Order::ExportFrames(path.clone()));
    bench.harness.get_by_label(&format!("3 rows written to {}", path.display()));
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1 + 3);
    bench.obey(Order::ExportFrames(path.join("below.csv")));
    bench.harness.get_by_label_contains("cannot write");
    assert_eq!(bench.session().recorded(), 3);
}

#[test]
fn the_funnel_shows_the_last_step() {
    let mut bench = Bench::of("brute-force");
    for algorithm in ALGORITHMS {
        bench.choose(algorithm.id);
        bench.steps(6);
        let last = *bench.session().history().frames.last().unwrap();
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
    bench.stage().panel.view.set(Overlay::Regions, true);
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label("8 leaves");
    let counters = bench.session().structure().counters();
    let mut most = 0;
    for_each_region(bench.session().structure().inspect(), &mut |leaf| {
        most = most.max(leaf.region.objects);
    });
    let mean = counters.listings as f64 / 8.0;
    bench.harness.get_by_label(&format!("objects: mean {mean:.1}, most {most}"));
    bench.harness.get_by_label(&format!("{} in several leaves", counters.straddlers));
    bench.click(Role::CheckBox, "Leaves");
    assert!(bench.harness.query_by_label("8 leaves").is_none());
}

#[test]
fn the_chart_shows_medians_of_steps() {
    let mut bench = Bench::of("bsp");
    bench.harness.get_by_label("Step –");
    bench.steps(4);
    let step = bench.session().history().spread(|f| f.collision_ns() + f.motion_ns).unwrap();
    let [median, p95] = [step.median_ns, step.p95_ns].map(|ns| ns as f64 / 1e6);
    bench.harness.get_by_label(&format!("Step {median:.2}, p95 {p95:.2} ms"));
}

/// The figure of a row of the funnel.
fn funnel(bench: &Bench, name: &str) -> String {
    let label = bench.harness.get_by_label(name);
    let meaning = label.accesskit_node().data().description().unwrap().to_owned();
    bench.figure(&meaning).trim().replace(',', "")
}

#[test]
fn figures_are_those_of_a_stopped_switched_or_restored_state() {
    let mut bench = Bench::of("kd-tree");
    let shown = |bench: &Bench| ["Tests", "Candidates", "Hits"].map(|name| funnel(bench, name));
    // The real collisions of each step, counted by the response.
    let mut hits = Vec::new();
    for _ in 0..6 {
        bench.steps(1);
        hits.push(bench.session().history().frames.last().unwrap().hits);
    }
    assert!(hits[5] > 0, "{hits:?}");
    for algorithm in ["bsp", "sap-1-axis", "brute-force"] {
        bench.choose(algorithm);
        let [tests, pairs] = {
            let session = bench.session();
            [session.structure().counters().tests, session.pairs().len() as u64]
        };
        let expected = [tests, pairs, hits[5]].map(|number| number.to_string());
        assert_eq!(shown(&bench), expected, "{algorithm}");
        bench.harness.get_by_label_contains("no step yet with this algorithm");
    }
    bench.obey(Order::StepBack);
    let pairs = bench.session().pairs().len() as u64;
    let expected = [1225, pairs, hits[4]].map(|number| number.to_string());
    assert_eq!(shown(&bench), expected, "one step back");
    assert_eq!(bench.session().history().frames.len(), 0, "the statistics hold no such search");
    assert_eq!(bench.session().recorded(), 6);
}

#[test]
fn times_above_a_second_stay_inside_the_panel() {
    // Steps and pictures of several seconds.
    let mut bench = Bench::of("kd-tree");
    bench.stage().panel.compare.open = true;
    bench.obey(Order::Compare(vec![crate::common::row("brute-force")]));
    bench.steps(3);
    bench.stage().engine.obey(Order::Run(true));
    for step in 1..=3 {
        bench.stage().engine.obey(Order::Drawn(drawing(step, 12_345 * step, 12_000_000_000)));
    }
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label("of 12 s");
    // The width of the virtual screen.
    let right = 1280.0;
    for label in bench.harness.get_all_by_role(Role::Label) {
        let text = label.accesskit_node().value().unwrap_or_default();
        assert!(label.rect().right() <= right, "{text:?} ends at {}", label.rect().right());
    }
}

#[test]
fn drawing_share_is_a_dash_while_it_is_not_known() {
    let mut bench = Bench::of("kd-tree");
    bench.steps(8);
    // Pictures of single steps come when the user wants them.
    bench.obey(Order::Drawn(drawing(7, 40, 30_000_000)));
    bench.obey(Order::Drawn(drawing(8, 100, 30_000_000)));
    bench.harness.get_by_label_contains("Time: collisions ");
    bench.harness.get_by_label("drawing –");
    assert!(bench.harness.query_by_label("drawing 0 %").is_none());
}

#[test]
fn bars_of_the_funnel_are_named_logarithmic() {
    let mut bench = Bench::of("bsp");
    bench.steps(1);
    assert!(bench.draws("log scale"));
    let [all, tests] = ["All pairs", "Tests"].map(|name| bench.harness.get_by_label(name).rect());
    let (_, place, _) = bench.texts().into_iter().find(|(text, ..)| text == "log scale").unwrap();
    assert!(all.y_range().contains(place.center().y) && place.left() > all.right());
    assert!(!tests.y_range().contains(place.center().y));
}

#[test]
fn parts_of_all_pairs_are_in_words_in_the_tooltip() {
    let mut bench = Bench::of("bsp");
    bench.steps(1);
    let tests = bench.session().found().unwrap().tests;
    let factor = 1225.0 / tests as f64;
    assert!(factor > 1.05 && factor < 9.95, "{factor}");
    let part = bench.figure(&format!("One in {factor:.1} pairs"));
    assert_eq!(part.trim(), format!("1/{factor:.1}"));
}

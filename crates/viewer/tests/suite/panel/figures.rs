//! Group *Figures*, and the export of frames. Its words are in a snapshot of `words.rs`.

use super::*;

#[test]
fn figures_are_unknown_until_there_are_steps_and_pictures() {
    let mut bench = Bench::of("kd-tree");
    let rates =
        ["Steps simulated per second", "Pairs tested per second", "Real collisions per second"];
    assert!(rates.iter().all(|rate| bench.figure(rate) == "–") && bench.says("Step –"));
    bench.steps(8);
    // Pictures of single steps come when the user wants them.
    bench.obey(Order::Drawn(drawing(7, 40, 30_000_000)));
    bench.obey(Order::Drawn(drawing(8, 100, 30_000_000)));
    assert!(rates.iter().all(|rate| bench.figure(rate) != "–"));
    assert!(bench.says("drawing –") && !bench.says("drawing 0 %"));
    // Steps and pictures of several seconds stay inside the panel.
    bench.set_up(|panel| panel.compare.open = true);
    bench.obey(Order::Compare(vec![row("brute-force")]));
    bench.steps(3);
    bench.stage().engine.obey(Order::Run(true));
    for step in 1..=3 {
        let step = 8 + step;
        bench.stage().engine.obey(Order::Drawn(drawing(step, 12_345 * step, 12_000_000_000)));
    }
    bench.look();
    bench.harness.get_by_label("of 12,345 ms");
    for label in bench.harness.get_all_by_role(Role::Label) {
        let text = label.accesskit_node().value().unwrap_or_default();
        assert!(label.rect().right() <= 1280.0, "{text:?} ends at {}", label.rect().right());
    }
}

#[test]
fn frames_can_be_exported_once_recorded() {
    let mut bench = Bench::of("sap-matrix");
    assert!(bench.is_disabled(Role::Button, "Frames"));
    bench.steps(3);
    assert!(bench.says("3 rows recorded (steps x algorithms)"));
    bench.click(Role::Button, "Frames");
    assert!(matches!(bench.command(), Command::ExportFrames));
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("results/frames.csv");
    bench.obey(Order::ExportFrames(path.clone()));
    assert!(bench.says(&format!("3 rows written to {}", path.display())));
    assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 1 + 3);
    bench.obey(Order::ExportFrames(path.join("below.csv")));
    assert!(bench.says("cannot write"));
    assert_eq!(bench.session().recorded(), 3);
}

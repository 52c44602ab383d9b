//! *Compare*: the list, the verdict and the charts.

use crate::common::bench::Bench;
use crate::common::row;
use crate::panel::planted::{faulty, wrong};
use broadphase::registry::{ALGORITHMS, Algorithm};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use measure::FrameRow;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use viewer::panel::Command;
use viewer::simulation::Order;

fn compared_ids(bench: &Bench) -> Vec<&'static str> {
    bench.harness.state().snapshot.compared.iter().map(|other| other.algorithm.id).collect()
}

/// A bench with the comparison open.
pub(crate) fn comparing(algorithm: &str) -> Bench {
    let mut bench = Bench::of(algorithm);
    bench.stage().panel.compare.open = true;
    bench.harness.run();
    bench
}

#[test]
fn ticking_starts_and_unticking_ends_a_comparison() {
    let mut bench = comparing("kd-tree");
    bench.click_and_obey(Role::CheckBox, "BSP tree");
    bench.click_and_obey(Role::CheckBox, "Brute force");
    assert_eq!(compared_ids(&bench), ["brute-force", "bsp"]);
    bench.steps(4);
    let times = |bench: &Bench| -> Vec<usize> {
        let compared = &bench.harness.state().snapshot.compared;
        compared.iter().map(|other| other.times.len()).collect()
    };
    assert_eq!(times(&bench), [4, 4]);
    bench.click_and_obey(Role::CheckBox, "Brute force");
    assert_eq!((compared_ids(&bench), times(&bench)), (vec!["bsp"], vec![4]));
    for (button, all) in [
        ("All", ALGORITHMS.families().collect::<Vec<_>>()),
        ("+ variants", ALGORITHMS.iter().collect()),
    ] {
        bench.click_and_obey(Role::Button, button);
        let others: Vec<_> =
            all.iter().map(|entry| entry.id).filter(|id| *id != "kd-tree").collect();
        assert_eq!(compared_ids(&bench), others);
        assert!(bench.is_disabled(Role::Button, button));
    }
    bench.click_and_obey(Role::Button, "None");
    assert!(compared_ids(&bench).is_empty());
    assert!(bench.is_disabled(Role::Button, "None"));
}

#[test]
fn the_driving_algorithm_always_takes_part() {
    let mut bench = comparing("brute-force");
    for entry in ALGORITHMS {
        bench.obey(Order::Compare(Vec::new()));
        bench.choose(entry.id);
        assert!(bench.is_ticked(entry.name) && bench.is_disabled(Role::CheckBox, entry.name));
        bench.click(Role::CheckBox, entry.name);
        bench.assert_no_command();
        bench.obey(Order::Compare(ALGORITHMS.iter().collect()));
        assert!(!compared_ids(&bench).contains(&entry.id), "{}", entry.id);
        assert_eq!(compared_ids(&bench).len(), ALGORITHMS.len() - 1);
    }
}

#[test]
fn a_chosen_compared_algorithm_becomes_the_driving_one() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("bsp"), row("brute-force")]));
    bench.steps(3);
    bench.choose("bsp");
    assert_eq!(bench.session().algorithm().id, "bsp");
    assert_eq!(compared_ids(&bench), ["kd-tree", "brute-force"]);
    bench.steps(2);
    bench
        .harness
        .get_by_label_contains("All 3 algorithms found the same pairs in each of the last 5");
    // An algorithm that took no part swaps with none.
    bench.choose("sap-matrix");
    assert_eq!(compared_ids(&bench), ["kd-tree", "brute-force"]);
    bench.harness.get_by_label("All 3 algorithms are compared from the next step on.");
}

#[test]
fn frames_of_compared_are_exported_with_the_search_alone() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("bsp"), row("sap-matrix")]));
    bench.steps(5);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.csv");
    assert_eq!(bench.session().export(&path).unwrap(), 15);
    let rows: Vec<FrameRow> =
        csv::Reader::from_path(&path).unwrap().deserialize().map(Result::unwrap).collect();
    for of_step in rows.chunks(3) {
        let ids: Vec<&str> = of_step.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!(ids, ["kd-tree", "bsp", "sap-matrix"]);
        let answered: Vec<bool> = of_step
            .iter()
            .map(|row| {
                assert_eq!(row.response_ns.is_some(), row.hits.is_some());
                row.response_ns.is_some()
            })
            .collect();
        assert_eq!(answered, [true, false, false]);
        for row in of_step {
            assert_eq!((row.frame, row.checksum), (of_step[0].frame, of_step[0].checksum));
            assert!(row.update_ns > 0 && row.pairs_ns > 0 && row.heap_bytes > Some(0));
        }
    }
}

#[test]
fn the_verdict_counts_steps_of_agreement() {
    let mut bench = comparing("kd-tree");
    bench.harness.get_by_label_contains("Tick other algorithms");
    bench.obey(Order::Compare(ALGORITHMS.iter().collect()));
    let all = format!("All {} algorithms", ALGORITHMS.len());
    bench.harness.get_by_label(&format!("{all} are compared from the next step on."));
    bench.steps(1);
    bench.harness.get_by_label_contains(&format!("{all} found the same pairs in the last step"));
    bench.steps(6);
    let pairs = bench.session().pairs().len();
    let verdict = |steps, pairs| {
        format!(
            "found the same pairs in each of the last {steps} steps; {pairs} pairs in this one."
        )
    };
    bench.harness.get_by_label(&format!("{all} {}", verdict(7, pairs)));
    bench.obey(Order::StepBack);
    let pairs = bench.session().pairs().len();
    let earlier =
        format!("found the same pairs in each of 7 steps up to 7; {pairs} pairs in this one.");
    bench.harness.get_by_label(&format!("{all} {earlier}"));
    bench.choose("bsp");
    bench.harness.get_by_label(&format!("{all} {earlier}"));
    bench.choose("kd-tree");
    // Ordering the same comparison again keeps the count; a restart resets it.
    bench.obey(Order::Compare(ALGORITHMS.iter().collect()));
    assert_eq!(bench.session().agreed_steps(), 7);
    bench.obey(Order::Compare(vec![row("bsp")]));
    assert_eq!(bench.session().agreed_steps(), 7, "the remaining ones have agreed so far");
    bench.steps(2);
    bench
        .harness
        .get_by_label_contains("Both algorithms found the same pairs in each of the last 8");
    bench.obey(Order::Restart);
    assert_eq!(bench.session().agreed_steps(), 0);
    bench.obey(Order::Compare(Vec::new()));
    bench.steps(2);
    assert_eq!(bench.session().agreed_steps(), 0, "a single algorithm has no agreement");
}

/// Searches of [`COUNTED`]. Only one test uses it.
static SEARCHES: AtomicU64 = AtomicU64::new(0);

static COUNTED: Algorithm = wrong("counted", |settings| {
    faulty(settings, |_, _, _| {
        SEARCHES.fetch_add(1, SeqCst);
    })
});

#[test]
fn unticked_algorithms_do_not_search() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![&COUNTED]));
    bench.steps(3);
    assert_eq!(SEARCHES.load(SeqCst), 3);
    bench.obey(Order::Compare(Vec::new()));
    bench.steps(3);
    assert_eq!(SEARCHES.load(SeqCst), 3, "it was unticked");
    bench.obey(Order::Algorithm(&COUNTED));
    assert_eq!(SEARCHES.load(SeqCst), 9, "all six steps, once: its memory depends on them");
    bench.steps(3);
    assert_eq!(SEARCHES.load(SeqCst), 12, "one search a step");
}

#[test]
fn bars_show_medians_and_lines_may_be_logarithmic() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(ALGORITHMS.iter().collect()));
    bench.steps(5);
    for scale in ["Linear", "Log"] {
        bench.click(Role::Button, scale);
        bench.click(Role::Button, "Bars");
        for entry in ALGORITHMS {
            // The clock ticks once a millisecond, and is read before and after each phase.
            bench.harness.get_by_label(&format!("{}: 2.000 ms", entry.name));
        }
        bench.click(Role::Button, "Lines");
        assert!(bench.harness.query_by_label("Brute force: 2.000 ms").is_none());
    }
    bench.assert_no_command();
}

#[test]
fn an_algorithm_not_yet_compared_has_dashes() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("bsp")]));
    let dashes = |bench: &Bench| bench.harness.query_all_by_label("     –").count();
    assert_eq!(dashes(&bench), 2);
    bench.steps(3);
    assert_eq!((dashes(&bench), bench.harness.query_all_by_label("  1.00").count()), (0, 2));
    bench.choose("brute-force");
    assert_eq!(dashes(&bench), 2, "the driving algorithm has no time yet");
    assert_eq!(bench.harness.query_all_by_label("  0.00").count(), 0);
}

#[test]
fn refused_for_memory_is_reported_and_others_run() {
    static GREEDY: Algorithm =
        Algorithm { memory: |_| u64::MAX, ..wrong("greedy", |_| unreachable!("it has no room")) };
    let mut bench = comparing("kd-tree");
    let command: Command = Order::Compare(vec![row("bsp"), &GREEDY, row("sap-matrix")]).into();
    bench.obey(command);
    assert_eq!(compared_ids(&bench), ["bsp", "sap-matrix"]);
    bench.harness.get_by_label_contains("greedy needs");
}

#[test]
fn a_variant_is_listed_below_its_family() {
    let mut bench = comparing("bvh-top-down+sah");
    bench.obey(Order::Compare(vec![row("bvh-top-down"), row("brute-force")]));
    bench.harness.run();
    let shown =
        bench.node(Role::Button, &format!("Drive with {}", row("bvh-top-down+sah").name)).rect();
    let family = bench.node(Role::CheckBox, row("bvh-top-down").name).rect();
    assert!(shown.top() > family.top() && shown.top() < family.bottom() + 10.0);
    assert!(bench.is_disabled(Role::CheckBox, row("bvh-top-down+sah").name));
}

#[test]
fn many_algorithms_open_with_bars() {
    let mut bench = comparing("kd-tree");
    let has_bars = |bench: &Bench| bench.harness.query_by_label("BSP tree: 2.000 ms").is_some();
    for (number, bars) in [(8, false), (9, true), (ALGORITHMS.len(), true), (3, false)] {
        bench.obey(Order::Compare(ALGORITHMS.iter().take(number).collect()));
        bench.steps(2);
        assert_eq!(has_bars(&bench), bars, "{number} algorithms");
    }
    // A choice lasts.
    bench.obey(Order::Compare(ALGORITHMS.iter().collect()));
    bench.steps(1);
    bench.click(Role::Button, "Lines");
    bench.steps(1);
    assert!(!has_bars(&bench));
}

/// Searches of [`SEEN`]. Only one test uses it.
static SEEN_SEARCHES: AtomicU64 = AtomicU64::new(0);

static SEEN: Algorithm = wrong("seen", |settings| {
    faulty(settings, |_, _, _| {
        SEEN_SEARCHES.fetch_add(1, SeqCst);
    })
});

#[test]
fn a_comparison_that_is_not_shown_does_not_run() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![&SEEN]));
    bench.steps(3);
    assert_eq!(SEEN_SEARCHES.load(SeqCst), 3);
    bench.click(Role::Button, "Compare");
    bench.stage().look();
    bench.steps(3);
    assert_eq!(SEEN_SEARCHES.load(SeqCst), 3, "the panel is closed");
    bench.click(Role::Button, "Compare");
    bench.stage().look();
    bench.steps(3);
    assert_eq!(SEEN_SEARCHES.load(SeqCst), 9, "the steps between are searched later");
    assert!(bench.has(Role::CheckBox, "seen"), "it is still ticked");
    bench
        .harness
        .get_by_label_contains("Both algorithms found the same pairs in each of the last 3");
    bench.stage().panel.hidden = true;
    bench.stage().look();
    bench.steps(3);
    assert_eq!(SEEN_SEARCHES.load(SeqCst), 9, "all panels are hidden");
}

#[test]
fn a_click_on_a_name_lets_the_algorithm_drive() {
    let mut bench = comparing("kd-tree");
    bench.click_and_obey(Role::Button, "Drive with BSP tree");
    assert_eq!(bench.session().algorithm().id, "bsp");
    bench.click(Role::Button, "Drive with BSP tree");
    bench.assert_no_command();
}

#[test]
fn the_list_is_sorted_by_a_click_on_a_column() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("bsp"), row("brute-force")]));
    bench.steps(2);
    let is_above = |bench: &Bench, upper: &str, lower: &str| {
        let top = |name: &str| bench.node(Role::CheckBox, name).rect().top();
        top(upper) < top(lower)
    };
    // As in the list of algorithms: by kind. The others follow.
    assert!(is_above(&bench, "Brute force", "BSP tree"));
    assert!(is_above(&bench, "BSP tree", row("sap-1-axis").name));
    bench.click(Role::Button, "Sort by tests");
    assert!(is_above(&bench, "BSP tree", "Brute force"), "it tests less");
    assert!(is_above(&bench, "Brute force", row("sap-1-axis").name), "without figures last");
    bench.click(Role::Button, "Sort by tests");
    assert!(is_above(&bench, "Brute force", "BSP tree"));
    bench.assert_no_command();
}

#[test]
fn ticked_row_moves_up_once_the_pointer_has_left() {
    let mut bench = comparing("kd-tree");
    let name = row("sap-1-axis").name;
    let top = |bench: &Bench| bench.node(Role::CheckBox, name).rect().top();
    let before = top(&bench);
    bench.click_and_obey(Role::CheckBox, name);
    assert_eq!(top(&bench), before, "the pointer is there");
    bench.harness.hover_at(egui::pos2(20.0, 20.0));
    bench.harness.run();
    assert!(top(&bench) < before - 30.0, "{} from {before}", top(&bench));
}

#[test]
fn all_columns_are_visible_in_a_small_window() {
    let mut bench =
        Bench::sized(crate::common::session(crate::common::crowded(), "kd-tree"), 800.0, 600.0);
    bench.stage().panel.compare.open = true;
    bench.stage().look();
    bench.obey(Order::Compare(vec![row("bsp")]));
    bench.steps(2);
    let right = bench.stage().scene.right();
    for column in ["ms", "ratio", "tests", "memory"] {
        let rect = bench.node(Role::Button, &format!("Sort by {column}")).rect();
        assert!(rect.right() <= right, "{column} ends at {}, the panel at {right}", rect.right());
    }
}

/// The candidates of some steps of a bench, from step 1 on.
fn candidates(bench: &mut Bench, steps: u64) -> Vec<u64> {
    let each = (0..steps).map(|_| {
        bench.steps(1);
        bench.session().found().unwrap().pairs
    });
    each.collect()
}

#[test]
fn the_verdict_names_the_pairs_of_the_step_that_is_shown() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("bsp")]));
    let pairs = candidates(&mut bench, 9);
    let earlier = (1..9).find(|step| pairs[*step - 1] != pairs[8]).unwrap();
    bench.obey(Order::GoTo(earlier as u64));
    bench.harness.get_by_label(&format!(
        "Both algorithms found the same pairs in each of 9 steps up to 9; {} pairs in this one.",
        pairs[earlier - 1]
    ));
    bench.obey(Order::GoTo(9));
    bench.harness.get_by_label(&format!(
        "Both algorithms found the same pairs in each of the last 9 steps; {} pairs in this one.",
        pairs[8]
    ));
}

#[test]
fn figures_of_compared_algorithms_are_of_the_step_that_is_shown() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("bsp"), row("sap-matrix")]));
    // Tests, work and memory of an algorithm that did not search the step.
    let meaning =
        "It did not search this step: the compared algorithms search those that are taken";
    let dashes = |bench: &Bench| {
        let labels: Vec<_> = bench.harness.get_all_by_role(Role::Label).collect();
        let of = |label: &egui_kittest::Node<'_>| {
            label.accesskit_node().data().description() == Some(meaning)
        };
        labels.iter().filter(|label| of(label)).count()
    };
    assert_eq!(dashes(&bench), 2 * 3, "no step is taken yet");
    bench.steps(5);
    assert_eq!(dashes(&bench), 0);
    let shown = |bench: &Bench| {
        let compared = &bench.harness.state().snapshot.compared;
        compared.iter().map(|other| other.tests).collect::<Vec<_>>()
    };
    let tests = shown(&bench);
    bench.obey(Order::GoTo(2));
    assert_eq!(dashes(&bench), 2 * 3);
    bench.obey(Order::GoTo(5));
    assert_eq!((dashes(&bench), shown(&bench)), (0, tests), "that step again");
    bench.obey(Order::GoTo(2));
    bench.steps(1);
    assert_eq!(dashes(&bench), 0, "another third step");
}

#[test]
fn work_that_is_no_test_is_shown_beside_the_tests() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("sap-matrix")]));
    bench.steps(3);
    let matrix = &bench.harness.state().snapshot.compared[0];
    assert_eq!(matrix.algorithm.id, "sap-matrix");
    let most = *matrix.work.iter().max_by_key(|work| work.count).unwrap();
    assert!(most.count > matrix.tests, "{most:?}, {} tests", matrix.tests);
    let words =
        format!("{} pairs tested in this step\n{} {}. ", matrix.tests, most.count, most.name);
    let labels: Vec<_> = bench.harness.get_all_by_role(Role::Label).collect();
    let described = labels.iter().filter_map(|label| {
        let label = label.accesskit_node();
        let description = label.data().description()?;
        description.replace(',', "").starts_with(&words).then(|| label.value().unwrap())
    });
    let figures: Vec<String> = described.map(|figure| figure.trim().replace(',', "")).collect();
    assert_eq!(figures, [matrix.tests, most.count].map(|number| number.to_string()));
    bench.click(Role::Button, "Sort by work");

    // Without room for a second figure, the tooltip of the tests has it.
    let session = crate::common::session(crate::common::crowded(), "sap-matrix");
    let mut narrow = Bench::sized(session, 800.0, 600.0);
    narrow.stage().panel.compare.open = true;
    narrow.steps(1);
    assert!(!narrow.has(Role::Button, "Sort by work") && narrow.has(Role::Button, "Sort by tests"));
}

#[test]
fn two_swatches_name_update_and_pairs() {
    let mut bench = comparing("kd-tree");
    bench.steps(2);
    // In the line of the switches.
    let swatches = |bench: &Bench| {
        let line = bench.node(Role::Button, "Lines").rect().y_range();
        let is_swatch = |shape: &egui::Shape| match shape {
            egui::Shape::Rect(swatch) => {
                swatch.rect.size() == egui::vec2(12.0, 8.0) && line.contains(swatch.rect.center().y)
            }
            _ => false,
        };
        bench.shapes(|shape| is_swatch(shape).then_some(())).len()
    };
    assert_eq!(swatches(&bench), 2);
    // Beside those of the shares of time, which have other sizes.
    for name in ["update", "pairs"] {
        assert_eq!(bench.harness.query_all_by_label(name).count(), 2, "{name}");
    }
    // Parts of a sum have no lengths on a logarithmic axis.
    bench.click(Role::Button, "Bars");
    bench.click(Role::Button, "Log");
    assert_eq!(swatches(&bench), 0);
}

#[test]
fn a_filled_dot_marks_the_driving_algorithm() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("bsp")]));
    for driving in ["kd-tree", "bsp"] {
        bench.choose(driving);
        bench.steps(1);
        let dots: Vec<egui::Pos2> = bench.shapes(|shape| match shape {
            egui::Shape::Circle(circle) => (circle.radius == 3.5).then_some(circle.center),
            _ => None,
        });
        let ticks = bench.node(Role::CheckBox, row(driving).name).rect();
        let beside = |dot: &&egui::Pos2| ticks.y_range().contains(dot.y) && dot.x > ticks.right();
        assert_eq!(dots.iter().filter(beside).count(), 1, "{driving}: {dots:?}");
        // The other one is the place in the bar of steps.
        assert_eq!(dots.len(), 2, "{dots:?}");
    }
}

#[test]
fn tests_of_the_step_are_a_chart_beside_that_of_times() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("brute-force"), row("bsp")]));
    bench.steps(3);
    bench.click(Role::Button, "Tests");
    bench.harness.run();
    bench.harness.get_by_label("Brute force: 1,225");
    let of_bsp = bench.stage().snapshot.compared.iter().find(|other| other.algorithm.id == "bsp");
    let tests = of_bsp.unwrap().tests;
    bench.harness.get_by_label(&format!("BSP tree: {tests}"));
    // Not those of another step.
    bench.obey(Order::GoTo(1));
    assert!(bench.harness.query_by_label("Brute force: 1,225").is_none());
}

//! *Compare*: the table, the verdict and the plot.

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
fn table_has_medians_and_bars_of_the_sorted_column() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(ALGORITHMS.iter().collect()));
    bench.steps(5);
    // The clock ticks once a millisecond, and is read before and after each phase.
    let medians = bench.harness.query_all_by_label("   2.000").count();
    assert!(medians >= ALGORITHMS.len(), "{medians}");
    bench.obey(Order::Compare(vec![row("brute-force"), row("bsp")]));
    bench.steps(1);
    bench.click(Role::Button, "Linear");
    bench.click(Role::Button, "Sort by tests");
    bench.harness.run();
    let bar = |bench: &Bench, name: &str| {
        let line = bench.node(Role::CheckBox, name).rect().y_range();
        let widths = bench.shapes(|shape| match shape {
            egui::Shape::Rect(bar) => {
                let is_bar = bar.rect.height() == 12.0 && line.contains(bar.rect.center().y);
                is_bar.then_some(bar.rect.width())
            }
            _ => None,
        });
        widths.into_iter().sum::<f32>()
    };
    let of_bsp = bench.stage().snapshot.compared.iter().find(|other| other.algorithm.id == "bsp");
    let share = of_bsp.unwrap().tests as f32 / 1225.0;
    let shown = bar(&bench, "BSP tree") / bar(&bench, "Brute force");
    assert!((shown - share).abs() < 0.02, "{shown} instead of {share}");
    bench.click(Role::Button, "Log");
    assert!(bar(&bench, "BSP tree") / bar(&bench, "Brute force") > share + 0.05);
    bench.assert_no_command();
}

/// The number of figures with this hint.
fn hints(bench: &Bench, meaning: &str) -> usize {
    let labels = bench.harness.get_all_by_role(Role::Label);
    let hint = |label: &egui_kittest::Node<'_>| {
        label.accesskit_node().data().description() == Some(meaning)
    };
    labels.filter(hint).count()
}

#[test]
fn an_algorithm_not_yet_compared_has_dashes() {
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("bsp")]));
    // Median, ratio and percentile.
    let dashes = |bench: &Bench| hints(bench, "Not yet compared");
    let equal = |bench: &Bench| bench.harness.query_all_by_label("    1.00").count();
    assert_eq!(dashes(&bench), 2 * 3);
    bench.steps(3);
    assert_eq!((dashes(&bench), equal(&bench)), (0, 2));
    bench.choose("brute-force");
    assert_eq!(
        (dashes(&bench), equal(&bench)),
        (3 + 1, 0),
        "the driving algorithm has no time yet"
    );
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
    for column in ["median", "ratio", "tests", "memory"] {
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
    // Tests and memory of an algorithm that did not search the step.
    let meaning =
        "It did not search this step: the compared algorithms search those that are taken";
    let dashes = |bench: &Bench| hints(bench, meaning);
    assert_eq!(dashes(&bench), 2 * 2, "no step is taken yet");
    bench.steps(5);
    assert_eq!(dashes(&bench), 0);
    let shown = |bench: &Bench| {
        let compared = &bench.harness.state().snapshot.compared;
        compared.iter().map(|other| other.tests).collect::<Vec<_>>()
    };
    let tests = shown(&bench);
    bench.obey(Order::GoTo(2));
    assert_eq!(dashes(&bench), 2 * 2);
    bench.obey(Order::GoTo(5));
    assert_eq!((dashes(&bench), shown(&bench)), (0, tests), "that step again");
    bench.obey(Order::GoTo(2));
    bench.steps(1);
    assert_eq!(dashes(&bench), 0, "another third step");
}

#[test]
fn work_without_tests_is_explained_and_has_a_column_if_it_fits() {
    for (width, has_column) in [(2400.0, true), (1280.0, false)] {
        let session = crate::common::session(crate::common::crowded(), "kd-tree");
        let mut bench = Bench::sized(session, width, 900.0);
        bench.stage().panel.compare.open = true;
        bench.obey(Order::Compare(vec![row("sap-matrix")]));
        bench.steps(3);
        let matrix = &bench.harness.state().snapshot.compared[0];
        let most = *matrix.work.iter().max_by_key(|work| work.count).unwrap();
        assert!(most.count > matrix.tests, "{most:?}, {} tests", matrix.tests);
        let words = format!("{} {}. ", most.count, most.name);
        let labels = bench.harness.get_all_by_role(Role::Label);
        let is_explained = |label: &egui_kittest::Node<'_>| {
            let label = label.accesskit_node();
            let description = label.data().description().unwrap_or_default();
            description.replace(',', "").contains(&words)
        };
        // Tests, memory, and work itself.
        assert_eq!(labels.filter(is_explained).count(), if has_column { 3 } else { 2 });
        assert_eq!(bench.has(Role::Button, "Sort by work"), has_column);
    }
}

#[test]
fn two_swatches_name_update_and_pairs() {
    let mut bench = comparing("kd-tree");
    bench.steps(2);
    // In the line of the switches.
    let swatches = |bench: &Bench| {
        let line = bench.node(Role::Button, "Linear").rect().y_range();
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

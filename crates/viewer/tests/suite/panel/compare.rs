//! *Compare*: the table, the verdict and the plot. Its words are in a snapshot of `words.rs`.

use super::*;

fn compared_ids(bench: &Bench) -> Vec<&'static str> {
    bench.harness.state().snapshot.compared.iter().map(|other| other.algorithm.id).collect()
}

/// A bench with the comparison open.
pub(crate) fn comparing(algorithm: &str) -> Bench {
    let mut bench = Bench::of(algorithm);
    bench.set_up(|panel| panel.compare.open = true);
    bench
}

fn compare(bench: &mut Bench, ids: &[&str]) {
    bench.obey(Order::Compare(ids.iter().map(|id| row(id)).collect()));
}

/// The table's line of an algorithm.
fn line(bench: &Bench, id: &str) -> egui::Rect {
    bench.node(Role::CheckBox, row(id).name).rect()
}

#[test]
fn ticking_starts_and_unticking_ends_a_comparison() {
    let mut bench = comparing("kd-tree");
    bench.click_and_obey(Role::CheckBox, "BSP tree");
    bench.click_and_obey(Role::CheckBox, "Brute force");
    assert_eq!(compared_ids(&bench), ["brute-force", "bsp"]);
    bench.steps(4);
    bench.click_and_obey(Role::CheckBox, "Brute force");
    let compared = &bench.harness.state().snapshot.compared;
    assert_eq!((compared_ids(&bench), compared[0].times.len()), (vec!["bsp"], 4));
    for (button, all) in [
        ("All", ALGORITHMS.families().collect::<Vec<_>>()),
        ("+ variants", ALGORITHMS.iter().collect()),
        ("None", Vec::new()),
    ] {
        bench.click_and_obey(Role::Button, button);
        let others: Vec<_> =
            all.iter().map(|entry| entry.id).filter(|id| *id != "kd-tree").collect();
        assert_eq!(compared_ids(&bench), others);
        assert!(bench.is_disabled(Role::Button, button));
    }
}

#[test]
fn the_driving_algorithm_always_takes_part() {
    let mut bench = comparing("brute-force");
    for entry in ALGORITHMS {
        bench.obey(Order::Compare(Vec::new()));
        bench.choose(entry.id);
        assert!(bench.is_ticked(entry.name) && bench.is_disabled(Role::CheckBox, entry.name));
        bench.obey(Order::Compare(ALGORITHMS.iter().collect()));
        assert!(!compared_ids(&bench).contains(&entry.id), "{}", entry.id);
        assert_eq!(compared_ids(&bench).len(), ALGORITHMS.len() - 1);
    }
}

#[test]
fn a_click_on_a_name_lets_the_algorithm_drive() {
    let mut bench = comparing("kd-tree");
    compare(&mut bench, &["bsp", "brute-force"]);
    bench.steps(3);
    bench.click_and_obey(Role::Button, "Drive with BSP tree");
    assert_eq!(bench.session().algorithm().id, "bsp");
    assert_eq!(compared_ids(&bench), ["kd-tree", "brute-force"], "they swap");
    bench.click(Role::Button, "Drive with BSP tree");
    bench.assert_no_command();
    bench.steps(2);
    assert!(bench.says("All 3 algorithms found the same pairs in the last 5 steps"));
    // An algorithm that took no part swaps with none.
    bench.choose("sap-matrix");
    assert_eq!(compared_ids(&bench), ["kd-tree", "brute-force"]);
    assert!(bench.says("All 3 algorithms are compared from the next step on."));
}

#[test]
fn frames_of_compared_are_exported_with_the_search_alone() {
    let mut bench = comparing("kd-tree");
    compare(&mut bench, &["bsp", "sap-matrix"]);
    bench.steps(5);
    let rows = exported(bench.session());
    assert_eq!(rows.len(), 15);
    for of_step in rows.chunks(3) {
        let ids: Vec<&str> = of_step.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!(ids, ["kd-tree", "bsp", "sap-matrix"]);
        for (place, row) in of_step.iter().enumerate() {
            let answered = (row.response_ns.is_some(), row.hits.is_some());
            assert_eq!(answered, (place == 0, place == 0));
            assert_eq!((row.frame, row.checksum), (of_step[0].frame, of_step[0].checksum));
            assert!(row.update_ns > 0 && row.pairs_ns > 0 && row.heap_bytes > Some(0));
        }
    }
}

#[test]
fn steps_of_agreement_are_counted() {
    let mut bench = comparing("kd-tree");
    let all = || Order::Compare(ALGORITHMS.iter().collect());
    bench.obey(all());
    bench.steps(7);
    let verdict = |bench: &mut Bench, steps: &str| {
        let pairs = bench.session().pairs().len();
        let words = format!(
            "All {} algorithms found the same pairs {steps}; {pairs} pairs in this one.",
            ALGORITHMS.len()
        );
        assert!(bench.has(Role::Label, &words), "{words}");
    };
    verdict(&mut bench, "in the last 7 steps");
    bench.obey(Order::StepBack);
    verdict(&mut bench, "in 7 steps up to step 7");
    bench.choose("bsp");
    verdict(&mut bench, "in 7 steps up to step 7");
    bench.choose("kd-tree");
    // The same comparison keeps the count, fewer algorithms have agreed as well; a restart resets it.
    for (order, agreed) in [
        (all(), 7),
        (Order::Compare(vec![row("bsp")]), 7),
        (Order::Restart, 0),
        (Order::Compare(Vec::new()), 0),
    ] {
        bench.obey(order);
        assert_eq!(bench.session().agreed_steps(), agreed);
    }
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
fn algorithms_search_only_while_their_comparison_is_shown() {
    let mut bench = comparing("kd-tree");
    let mut searches_after = |change: &dyn Fn(&mut Bench), expected: u64, why: &str| {
        change(&mut bench);
        bench.steps(2);
        assert_eq!(SEARCHES.load(SeqCst), expected, "{why}");
    };
    let show = |bench: &mut Bench| {
        bench.click(Role::Button, "Compare");
        bench.look();
    };
    let compare = |bench: &mut Bench| bench.obey(Order::Compare(vec![&COUNTED]));
    searches_after(&compare, 3, "the shown step, and each one after it");
    searches_after(&show, 3, "the panel is closed");
    searches_after(&show, 7, "the steps between are searched later");
    searches_after(&|bench| bench.set_up(|panel| panel.hidden = true), 7, "panels are hidden");
    let end = |bench: &mut Bench| {
        bench.set_up(|panel| panel.hidden = false);
        bench.obey(Order::Compare(Vec::new()));
    };
    searches_after(&end, 7, "it is unticked");
    // Its memory depends on all steps before.
    let drive = |bench: &mut Bench| bench.obey(Order::Algorithm(&COUNTED));
    searches_after(&drive, 7 + 10 + 2, "all steps once, and one search a step");
}

#[test]
fn bars_show_the_sorted_column() {
    let mut bench = comparing("kd-tree");
    compare(&mut bench, &["brute-force", "bsp"]);
    bench.steps(1);
    bench.click(Role::Button, "Linear");
    bench.click(Role::Button, "Sort by tests");
    bench.harness.run();
    let bar = |bench: &Bench, id: &str| {
        let line = line(bench, id).y_range();
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
    let shown = bar(&bench, "bsp") / bar(&bench, "brute-force");
    assert!((shown - share).abs() < 0.02, "{shown} instead of {share}");
    bench.click(Role::Button, "Log");
    assert!(bar(&bench, "bsp") / bar(&bench, "brute-force") > share + 0.05);
}

#[test]
fn refused_for_memory_is_reported_and_others_run() {
    static GREEDY: Algorithm =
        Algorithm { memory: |_| u64::MAX, ..wrong("greedy", |_| unreachable!("it has no room")) };
    let mut bench = comparing("kd-tree");
    bench.obey(Order::Compare(vec![row("bsp"), &GREEDY, row("sap-matrix")]));
    assert_eq!(compared_ids(&bench), ["bsp", "sap-matrix"]);
    assert!(bench.says("greedy needs"));
}

#[test]
fn rows_are_listed_by_kind_or_by_a_column() {
    let mut bench = comparing("bvh-top-down+sah");
    compare(&mut bench, &["bvh-top-down", "brute-force", "bsp"]);
    bench.steps(2);
    let variant = bench.node(Role::Button, &format!("Drive with {}", row("bvh-top-down+sah").name));
    let family = line(&bench, "bvh-top-down");
    assert!((family.top()..family.bottom() + 10.0).contains(&variant.rect().top()));
    let is_ordered = |bench: &Bench, ids: [&str; 3]| {
        let tops = ids.map(|id| line(bench, id).top());
        assert!(tops.is_sorted(), "{ids:?}: {tops:?}");
    };
    is_ordered(&bench, ["brute-force", "bsp", "sap-1-axis"]);
    bench.click(Role::Button, "Sort by tests");
    is_ordered(&bench, ["bsp", "brute-force", "sap-1-axis"]);
    bench.assert_no_command();
    // A row that is ticked moves up once the pointer has left.
    let before = line(&bench, "sap-1-axis").top();
    bench.click_and_obey(Role::CheckBox, row("sap-1-axis").name);
    assert_eq!(line(&bench, "sap-1-axis").top(), before, "the pointer is there");
    bench.harness.hover_at(egui::pos2(20.0, 20.0));
    bench.harness.run();
    assert!(line(&bench, "sap-1-axis").top() < before - 30.0);
}

#[test]
fn work_without_tests_is_explained_and_tests_are_plotted() {
    let mut bench = comparing("kd-tree");
    compare(&mut bench, &["sap-matrix", "brute-force"]);
    bench.steps(3);
    let matrix = bench.stage().snapshot.compared.iter().find(|of| !of.work.is_empty()).unwrap();
    let most = *matrix.work.iter().max_by_key(|work| work.count).unwrap();
    assert!(most.count > matrix.tests, "{most:?}, {} tests", matrix.tests);
    let words = format!("{} {}. ", most.count, most.name);
    let mut labels = bench.harness.get_all_by_role(Role::Label);
    assert!(labels.any(|label| {
        let label = label.accesskit_node();
        label.data().description().unwrap_or_default().replace(',', "").contains(&words)
    }));
    drop(labels);
    bench.click(Role::Button, "Linear");
    for (values, axis) in [("Tests", ["500", "1,000"]), ("Times", ["1 ms", "2 ms"])] {
        bench.click(Role::Button, values);
        assert!(axis.iter().all(|mark| bench.draws(mark)), "{values}: {:?}", bench.texts());
    }
}

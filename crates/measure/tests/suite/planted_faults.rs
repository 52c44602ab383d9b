//! Faulty algorithms become error rows with their reason; the others go on.

use crate::common::{
    Changed, DEAF, DROPS, FAULTY_FRAME, INVENTS, PANICS, REPEATS, SWAPS, SetClock, TickingClock,
    changed, crowded, layered, measure, outcome, plan, planted, row, verify, verify_by,
};
use broadphase::BroadPhase;
use broadphase::registry::{Algorithm, Settings};
use measure::{Case, Checks, Clock, Exit, Outcome, Plan, Status};
use sim::GeneratedSpec;
use std::sync::atomic::Ordering::SeqCst;

#[test]
fn a_wrong_pair_list_is_an_error_that_names_frame_and_pair() {
    let generated = Case::of_generated("cluster:120".parse().unwrap(), 0, 6);
    let ways = [(crowded(2, 6), Checks::EveryList), (generated, Checks::UnknownLists)];
    for (algorithm, fault, exit) in [
        (&DROPS, "is missing", Exit::Disagreement),
        (&REPEATS, "is reported more than once", Exit::Disagreement),
        (&SWAPS, "is reported, yet its boxes do not overlap", Exit::Disagreement),
        (&INVENTS, "is no pair of two objects", Exit::Disagreement),
        (&PANICS, "planted panic", Exit::Running),
    ] {
        for (case, checks) in &ways {
            let algorithms = [row("brute-force"), algorithm, row("bsp")];
            let plan = Plan { checks: *checks, ..plan(&algorithms, 2) };
            let measured = measure(case, &plan);
            let [brute_force, faulty, bsp] = &measured.cells[..] else { panic!("three cells") };
            assert_eq!((&brute_force.outcome, &bsp.outcome), (&Outcome::Ok, &Outcome::Ok));
            let reason = faulty.outcome.to_string();
            assert_eq!(faulty.outcome.exit(), exit, "{reason}");
            assert!(reason.contains(&format!("frame {FAULTY_FRAME} ")), "{reason}");
            assert!(reason.contains(fault), "{reason}");
            // A wrong result is none.
            let frames = [brute_force, faulty].map(|cell| cell.frame_rows("r", case).count());
            assert_eq!(frames, [2 * case.total_frames() as usize, 0]);
            let row = faulty.summary("r", case, &plan);
            assert_eq!((row.status, row.median_ns, row.checksum), (Status::Error, None, None));
            assert_eq!(row.reason, Some(reason));
        }
        let said = verified(algorithm);
        assert!(said.starts_with(&format!("{} on 1 thread(s), frame 3: ", algorithm.id)), "{said}");
        assert!(said.contains(fault), "{said}");
    }
}

#[test]
fn pairs_that_the_layers_exclude_are_an_error() {
    let fault = "yet the layers of its objects do not meet";
    let spec: GeneratedSpec = "statics:120".parse().unwrap();
    for case in [layered(2, 10), Case::of_generated(spec, 2, 10)] {
        // Its own list shows the fault, also where no other algorithm is measured.
        let rows = [&DEAF, row("brute-force"), row("bsp")];
        for algorithms in [&rows[..1], &rows] {
            let measured = measure(&case, &plan(algorithms, 1));
            let text = outcome(&measured, "deaf").to_string();
            assert!(text.starts_with("frame 3 of repetition 0: pair ") && text.ends_with(fault));
            assert!(measured.cells[1..].iter().all(|cell| cell.outcome == Outcome::Ok));
        }
        let report = verify(&case, &plan(&rows, 1));
        let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
        assert_eq!((finding.algorithm, finding.frame), ("deaf", FAULTY_FRAME));
        assert!(finding.to_string().contains(fault), "{finding}");
    }
}

fn verified(algorithm: &Algorithm) -> String {
    let algorithms = [row("kd-tree"), algorithm, row("brute-force")];
    let report = verify(&crowded(0, 20), &plan(&algorithms, 1));
    assert_eq!((report.frames, report.compared), (20, 2));
    let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
    assert_eq!(finding.algorithm, algorithm.id);
    assert_eq!(finding.problem.is_disagreement(), algorithm.id != PANICS.id);
    finding.to_string()
}

#[test]
fn verify_compares_nothing_where_the_reference_refuses() {
    let algorithms = [&DROPS];
    let plan = Plan { memory_limit: 0, ..plan(&algorithms, 1) };
    let report = verify(&crowded(0, 20), &plan);
    assert_eq!((report.compared, report.pairs_compared), (0, 0));
    assert!(report.skipped[0].contains("brute-force needs"), "{report:?}");
}

/// Moves with the frames of `SLOW` alone.
static SLOW_CLOCK: SetClock = SetClock::new();

/// Takes more than a second for a frame.
static SLOW: Algorithm = planted("slow", |settings| {
    changed(settings, |_, _, _| {
        SLOW_CLOCK.now_ns.fetch_add(1_100_000_000, SeqCst);
    })
});

#[test]
fn verify_skips_what_is_over_its_budget() {
    let algorithms = [row("bsp"), &SLOW];
    let within = |budget, clock: &dyn Clock| {
        let budget = Some(std::time::Duration::from_secs(budget));
        let plan = Plan { budget, ..plan(&algorithms, 1) };
        verify_by(&crowded(0, 3), row("brute-force"), &plan, clock)
    };
    let report = within(1, &SLOW_CLOCK);
    let late = "slow on 1 thread(s): over the time budget at repetition 0, frame 1";
    assert_eq!(report.skipped, [late]);
    assert_eq!((report.frames, &report.findings[..], report.is_empty()), (3, &[][..], false));
    let report = within(0, &TickingClock::new());
    let late = "brute-force on 1 thread(s): over the time budget at repetition 0, frame 0";
    assert_eq!(report.skipped, [late]);
    assert!(report.is_empty() && report.findings.is_empty(), "{report:?}");
}

/// Reports no pair.
fn blind(settings: &Settings) -> Box<dyn BroadPhase> {
    changed(settings, |_, _, pairs| pairs.clear())
}

/// Its structure is broken, though its pairs are right.
static BROKEN: Algorithm = planted("broken", |settings| {
    let hook = |call: &str| assert!(call != "validate", "a leaf is listed twice");
    Box::new(Changed { hook, ..Changed::new(settings, |_, _, _| {}) })
});

#[test]
fn verify_validates_the_structures() {
    let algorithms = [&BROKEN];
    let report = verify(&crowded(0, 2), &Plan { threads: &[1, 2], ..plan(&algorithms, 1) });
    let text: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    assert_eq!(
        text,
        [
            "broken on 1 thread(s), frame 0: its structure is not valid: a leaf is listed twice",
            "broken on 2 thread(s), frame 0: its structure is not valid: a leaf is listed twice",
        ]
    );
}

/// Right on one thread; reports no pair on several.
static THREAD_SHY: Algorithm = planted("thread-shy", |settings| {
    if rayon::current_num_threads() == 1 {
        row("brute-force").build(settings)
    } else {
        blind(settings)
    }
});

#[test]
fn verify_compares_the_reference_on_all_numbers_of_threads() {
    let plan = Plan { threads: &[1, 2], ..plan(&[], 1) };
    let boxes = Case::of_generated("gas:200".parse().unwrap(), 0, 3);
    for case in [crowded(0, 20), boxes] {
        let report = verify_by(&case, &THREAD_SHY, &plan, &SetClock::new());
        let [finding] = &report.findings[..] else { panic!("{:?}", report.findings) };
        let finding = finding.to_string();
        assert!(finding.starts_with("thread-shy on 2 thread(s), frame 0: "), "{finding}");
        assert!(finding.contains("which the reference finds now"), "{finding}");
    }
}

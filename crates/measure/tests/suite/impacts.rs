//! Times of impact as a stage: their counts, their errors, their faults.

use super::stages::{plan, rows_of};
use measure::{Case, Exit, Method, PairMotion, Plan, RandomPairs, Stage, StageRow, Status};
use narrowphase::Body;
use narrowphase::impact::{
    Exactness, Impact, ImpactMethod, ImpactReference, Motion, TIMES_OF_IMPACT, TimeOfImpact,
};
use sim::SceneDocument;

/// Spoils an answer of the reference within a step of these seconds.
type Spoil = fn(Impact, f64) -> Impact;

struct Planted(ImpactReference, Spoil, u64);

impl TimeOfImpact for Planted {
    fn find(&mut self, a: (&Body<'_>, &Motion), b: (&Body<'_>, &Motion), limit: f64) -> Impact {
        self.2 += 3;
        self.1(self.0.examine(a, b, limit).impact, limit)
    }

    fn steps(&self) -> u64 {
        self.2
    }
}

/// A method of the registry with another name and search.
macro_rules! planted {
    ($id:literal, $exactness:expr, $spoil:expr) => {{
        let mut kind = TIMES_OF_IMPACT[0];
        (kind.id, kind.exactness, kind.has_substeps) = ($id, $exactness, false);
        kind.build = |_| Box::new(Planted(ImpactReference::default(), $spoil, 0));
        Method::Impact(ImpactMethod { kind: Box::leak(Box::new(kind)), substeps: 1 })
    }};
}

/// The same contacts, later by `by` steps.
fn shifted(impact: Impact, limit: f64, by: f64) -> Impact {
    match impact {
        Impact::At { first, last, axis } => Impact::At { first: first + by * limit, last, axis },
        other => other,
    }
}

/// A contact at the end of the step where there is none.
fn alarm(impact: Impact, limit: f64) -> Impact {
    match impact {
        Impact::Never => Impact::At { first: limit, last: limit, axis: glam::DVec3::X },
        other => other,
    }
}

fn find(id: &str) -> Method {
    Method::Impact(narrowphase::impact::find(id).unwrap())
}

fn moving(spec: &str, motion: PairMotion) -> Case {
    let pairs = RandomPairs::new(spec.parse().unwrap(), None, 7).unwrap();
    Case::of_pairs(pairs.moving(motion), 1, 2)
}

fn at_speed(speed: f64) -> PairMotion {
    PairMotion { speed, spin: 0.0, against_resting: false }
}

fn all_rows(case: &Case, methods: &[Method], threads: &[u32]) -> Vec<StageRow> {
    rows_of(case, &Plan { threads, repeats: 1, ..plan(methods) })
}

/// The rows of first contacts, without that of boxes.
fn rows(case: &Case, methods: &[Method]) -> Vec<StageRow> {
    let mut rows = all_rows(case, methods, &[1]);
    rows.retain(|row| row.stage == Stage::Impact);
    rows
}

fn of_scene(text: &str, warmup: u32, frames: u32) -> Case {
    let scene = SceneDocument::parse("s", text.as_bytes()).unwrap().scene().clone();
    Case::of_scene("s", scene, warmup, frames)
}

#[test]
fn misses_false_alarms_and_errors_of_methods_are_counted() {
    let methods = [
        planted!("right", Exactness::ToTolerance, |impact, _| impact),
        planted!("blind", Exactness::Never, |_, _| Impact::Never),
        planted!("alarms", Exactness::Never, alarm),
        planted!("late", Exactness::Never, |at, limit| shifted(at, limit, 0.125)),
        planted!("early", Exactness::Never, |at, limit| shifted(at, limit, -0.125)),
        planted!("half", Exactness::Never, |at, limit| match at {
            Impact::At { first, .. } if first > 0.5 * limit => shifted(at, limit, -0.5),
            other => other,
        }),
    ];
    let rows = rows(&moving("rod,cube:200", at_speed(0.5)), &methods);
    let (tests, touching) = (rows[0].tests.unwrap(), rows[0].passed.unwrap());
    let counts = |row: &StageRow| [row.passed, row.missed, row.false_passed].map(Option::unwrap);
    assert_eq!((rows[0].largest_error, rows[0].work), (Some(0.0), Some(3 * tests)));
    assert!(tests == 400 && touching > 100 && rows[0].band == Some(0));
    assert_eq!(counts(&rows[1]), [0, touching, 0]);
    assert_eq!((rows[1].mean_error, rows[1].largest_error), (None, None), "no time was compared");
    assert_eq!(counts(&rows[2]), [tests, 0, tests - touching]);
    assert!(rows.iter().all(|row| row.right_contacts() == Some(touching)));
    // In steps, without a sign.
    let errors = |row: &StageRow| [row.mean_error, row.largest_error].map(Option::unwrap);
    for row in &rows[3..5] {
        assert!(errors(row).iter().all(|error| (error - 0.125).abs() < 1e-9), "{row:?}");
    }
    let [mean, largest] = errors(&rows[5]);
    assert!((0.15..0.35).contains(&mean) && (largest - 0.5).abs() < 1e-9, "{mean} {largest}");
}

#[test]
fn wrong_impact_is_an_error_that_names_the_pair() {
    let right = planted!("right", Exactness::ToTolerance, |impact, _| impact);
    for (wrong, said) in [
        (
            planted!("blind", Exactness::ToTolerance, |_, _| Impact::Never),
            "finds no contact; they touch",
        ),
        (planted!("alarms", Exactness::ToTolerance, alarm), "s; they do not touch in the step"),
        (
            planted!("late", Exactness::Translation, |at, dt| shifted(at, dt, 0.01)),
            "s; they touch after",
        ),
        (planted!("gives up", Exactness::Never, |_, _| Impact::Failed), "gives no answer; they"),
    ] {
        let case = moving("tetrahedron,rod:60", at_speed(1.0));
        let rows = rows(&case, &[wrong, right]);
        let id = wrong.id();
        assert_eq!((rows[0].status, rows[0].exit()), (Status::Error, Exit::Disagreement), "{id}");
        assert_eq!((rows[0].tests, rows[0].missed, rows[0].mean_error), (None, None, None));
        assert_eq!(rows[1].status, Status::Ok, "the others go on");
        let reason = rows[0].reason_text();
        let names_it = reason.contains(&format!("`{id}` is wrong about bodies"));
        assert!(names_it && reason.contains(said), "{reason}");
    }
    let blind = planted!("blind", Exactness::Translation, |_, _| Impact::Never);
    for (spin, status) in [(0.0, Status::Error), (1.0, Status::Ok)] {
        let case = moving("cube,rod:30", PairMotion { spin, ..at_speed(1.0) });
        assert_eq!(rows(&case, &[blind])[0].status, status, "it may err where bodies rotate");
    }
}

#[test]
fn only_continuous_worlds_and_pairs_in_motion_have_impacts() {
    let text = |rule: &str| {
        format!(
            "i -1 -1 -1  2 2 2  100 t\n#!objects 40\n#!radius 0.2\n#!speed 3\n{rule}\n\
             #!shape die box 1 1 1\n#!bodies source 1 die 100\n"
        )
    };
    let all = [find("discrete"), Method::ExactContacts];
    for (rule, continuous) in
        [("", None), ("#!continuous bullets", Some("bullets")), ("#!continuous all", Some("all"))]
    {
        let rows = rows(&of_scene(&text(rule), 1, 2), &all);
        let found: Vec<&str> = rows.iter().map(|row| row.continuous.as_str()).collect();
        assert_eq!(found, continuous.into_iter().collect::<Vec<_>>());
        assert!(rows.iter().all(|row| row.status == Status::Ok && row.box_kind == "tight"));
    }
    let still = RandomPairs::new("cube,rod:5".parse().unwrap(), None, 7).unwrap();
    assert!(all_rows(&Case::of_pairs(still, 0, 1), &all, &[1]).is_empty());
    let row = &rows(&moving("cube,rod:5:near", PairMotion { spin: 1.0, ..at_speed(0.5) }), &all)[0];
    assert_eq!((row.input.as_str(), row.n), ("cube,rod:near@motion=0.5,spin=1", 5));
    assert_eq!((row.speed, row.spin), (Some(0.5), Some(1.0)));
}

#[test]
fn sweep_and_contact_sets_are_those_of_all_first_contacts() {
    let right = planted!("right", Exactness::ToTolerance, |impact, _| impact);
    let methods =
        [right, Method::RelativeSweep, Method::ExactContacts, Method::ApproximateContacts];
    let rows = all_rows(&moving("box,box:200", at_speed(1.0)), &methods, &[1, 2]);
    let [exact, approximate, right, relative, .., on_two] = &rows[..] else { panic!("{rows:?}") };
    let contacts = right.passed;
    assert!(contacts > Some(50), "{right:?}");
    let counts = [exact.tests, exact.passed, approximate.tests, approximate.passed];
    assert_eq!(counts, [contacts; 4]);
    assert!(exact.work >= contacts && exact.mean_error.is_none() && approximate.work.is_none());
    let errors = [approximate.mean_error, approximate.largest_error].map(Option::unwrap);
    assert!(0.0 < errors[0] && errors[0] < errors[1] && errors[1] < 0.5, "{errors:?}");
    assert_eq!((relative.missed, relative.right_contacts()), (Some(0), contacts));
    assert_eq!(on_two.reason_text(), "runs on one thread only");
}

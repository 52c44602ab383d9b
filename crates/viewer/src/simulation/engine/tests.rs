//! The table of what each change makes wrong, through the engine.

use super::*;
use crate::session::{Methods, StageFault};
use crate::view::View;
use broadphase::Pair;
use broadphase::benchmark::PairFault;
use broadphase::inspect::Overlay;
use broadphase::registry::find;
use measure::MonotonicClock;
use narrowphase::BoxKind;
use narrowphase::impact::Impact;
use sim::SceneDocument;
use sim::stages::WrongAnswer;

/// Two cubes that overlap.
const SCENE: &[u8] = b"i -3 -3 -3 6 6 6 100 f\n#!objects 0\n#!shape cube box 1 1 1\n\
    #!body cube 0 0 0  0 0 0\n#!body cube 0.9 0 0  0 0 0\n";

/// The figures and marks left after a change. The scene had three steps, whose planes were watched.
#[derive(Debug, PartialEq, Eq)]
struct Left {
    charts: usize,
    timeline: (bool, bool),
    searched: bool,
    marks: bool,
    disagreement: bool,
    fault: bool,
}

/// An engine after three steps, with a wrong answer about bodies and a disagreement.
fn engine() -> Engine {
    let [bsp, kd_tree] = ["bsp", "kd-tree"].map(|id| find(id).unwrap());
    let document = SceneDocument::parse("cubes.scene", SCENE).unwrap();
    let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
    let session = Session::new("cubes", document.scene(), bsp, clock, None).unwrap();
    let mut engine = Engine::new(session, Platform::system(clock), false);
    engine.obey(Order::Compare(vec![kd_tree]));
    engine.obey(Order::View(View::default().with(Overlay::Planes, true)));
    for _ in 0..3 {
        engine.obey(Order::Step);
        engine.advance();
    }
    let pair = Pair::new(0, 1);
    engine.state.disagreement =
        Some(Disagreement { step: 3, wrong: kd_tree, other: bsp, fault: PairFault::Missing(pair) });
    let wrong = WrongAnswer { pair, found: Impact::Failed, known: Impact::Never, gap: Some(1.0) };
    let fault = StageFault { step: 3, method: String::new(), wrong };
    engine.state.fault = Some(Arc::new(fault));
    engine
}

fn left(engine: &mut Engine) -> Left {
    let mut snapshot = Snapshot::of(engine.session(), &View::default());
    engine.snapshot(&mut snapshot);
    let (pairs, time) = engine.session.timeline().figures(2);
    Left {
        charts: engine.session.history().frames.len(),
        timeline: (pairs.is_some(), time.is_some()),
        searched: engine.session.is_searched(),
        marks: snapshot.changed.planes.steps > 0,
        disagreement: snapshot.engine.disagreement.is_some(),
        fault: snapshot.engine.fault.is_some(),
    }
}

#[test]
fn each_change_forgets_what_it_makes_wrong_and_nothing_else() {
    let all = || Left {
        charts: 3,
        timeline: (true, true),
        searched: true,
        marks: true,
        disagreement: true,
        fault: true,
    };
    assert_eq!(left(&mut engine()), all());
    let nothing = || Left {
        charts: 0,
        timeline: (false, false),
        searched: false,
        marks: false,
        disagreement: false,
        fault: false,
    };
    let (kd_tree, methods) = (find("kd-tree").unwrap(), Methods::of_ids("none", "sat"));
    for (order, expected) in [
        (Order::Restart, nothing()),
        (Order::BoxKind(BoxKind::Sphere), nothing()),
        (
            Order::Algorithm(kd_tree),
            Left { timeline: (true, false), disagreement: true, fault: true, ..nothing() },
        ),
        (Order::Methods(methods), Left { charts: 0, searched: false, fault: false, ..all() }),
        (Order::Threads(1), Left { charts: 0, timeline: (true, false), ..all() }),
        // The number of changes in that step stays.
        (Order::GoTo(2), Left { charts: 3, timeline: (true, true), marks: true, ..nothing() }),
        (Order::Run(true), Left { disagreement: false, fault: false, ..all() }),
    ] {
        let mut engine = engine();
        engine.obey(order.clone());
        assert_eq!(left(&mut engine), expected, "{order:?}");
    }
}

#[test]
fn restart_with_other_settings_is_undone_with_the_edits_before() {
    let mut engine = engine();
    let undoable = |engine: &mut Engine| {
        let mut snapshot = Snapshot::of(engine.session(), &View::default());
        engine.snapshot(&mut snapshot);
        snapshot.input.undoable.clone()
    };
    engine.obey(Order::Edit(sim::Edit::Strict(true)));
    let edited = engine.session.world().unwrap().recipe().clone();
    let generated = |objects| sim::Scene { objects, ..edited.clone() };
    for objects in [3, 5] {
        engine.obey(Order::Generate(Box::new(generated(objects))));
    }
    engine.obey(Order::Restart);
    engine.obey(Order::Edit(sim::Edit::Strict(false)));
    assert_eq!(engine.session.world().unwrap().len(), 7);
    for expected in [generated(5), generated(3), edited.clone()] {
        assert!(undoable(&mut engine).is_some());
        engine.obey(Order::Undo);
        assert_eq!(*engine.session.world().unwrap().recipe(), expected);
    }
    assert_eq!((undoable(&mut engine), engine.session.world().unwrap().len()), (None, 2));
    engine.obey(Order::Undo);
    assert_eq!(*engine.session.world().unwrap().recipe(), edited, "there is nothing to undo");
    engine.obey(Order::Generate(Box::new(generated(3))));
    let other = measure::Case::of_scene("other", edited.clone(), 0, 1);
    engine.obey(Order::Begin(Box::new(other)));
    assert_eq!(undoable(&mut engine), None, "another input has begun");
}

/// Pulls the second cube for a step.
fn drag(engine: &mut Engine) {
    engine.obey(Order::Pull(Some(sim::Pull { object: 1, to: glam::Vec3::X })));
    engine.advance();
    engine.obey(Order::Pull(None));
}

#[test]
fn drags_and_edits_are_undone_in_their_order() {
    let mut engine = engine();
    let undone = |engine: &mut Engine| {
        engine.notices.clear();
        engine.obey(Order::Undo);
        format!("{:?}", engine.notices)
    };
    // More edits than are kept.
    for edit in 0..110 {
        engine.obey(Order::Edit(sim::Edit::Strict(edit % 2 == 0)));
    }
    drag(&mut engine);
    engine.obey(Order::Edit(sim::Edit::Strict(true)));
    drag(&mut engine);
    let expected = ["drag of object 1", "strictly inside", "drag of object 1", "not strictly"];
    for expected in expected {
        let text = undone(&mut engine);
        assert!(text.contains(expected), "{text} instead of {expected}");
    }
    assert_eq!(engine.session.steps(), 3, "both drags are taken back");
}

#[test]
fn drag_whose_start_is_not_kept_lets_an_edit_be_undone() {
    let mut engine = engine();
    engine.obey(Order::Edit(sim::Edit::Strict(true)));
    drag(&mut engine);
    // Moments are at most 300 steps apart, and 600 steps are kept.
    for _ in 0..1000 {
        engine.obey(Order::Step);
        engine.advance();
    }
    assert!(*engine.session.motion().kept().start() > 3);
    engine.obey(Order::Undo);
    assert_eq!(engine.session.world().unwrap().undoable(), None);
}

#[test]
fn pull_that_a_fault_ended_begins_again_with_the_next_one() {
    let mut engine = engine();
    let pull = |engine: &mut Engine, object| {
        engine.obey(Order::Pull(Some(sim::Pull { object, to: glam::Vec3::X })));
        engine.due_in().is_some()
    };
    assert!(pull(&mut engine, 1));
    engine.let_go();
    assert!(!pull(&mut engine, 1), "the user still holds the object");
    engine.obey(Order::Pull(None));
    assert!(pull(&mut engine, 1));
    engine.obey(Order::Pull(None));
    assert!(!pull(&mut engine, 7), "there is no such object");
}

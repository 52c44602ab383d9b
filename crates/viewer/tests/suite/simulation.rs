//! The simulation on its thread, and the engine that it runs.

use crate::common::traces::boxes_case;
use crate::common::{clock, crowded, platform, row, session};
use crate::panel::planted::{faulty, wrong};
use broadphase::Aabb;
use broadphase::inspect::{Overlay, SplitPlane, planes_of};
use broadphase::registry::{ALGORITHMS, Algorithm};
use measure::{Clock, MonotonicClock};
use sim::scene::Continuous;
use sim::{Edit, Hold, Scene, SceneDocument};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};
use viewer::composer::{Composer, SceneKey};
use viewer::panel::PanelState;
use viewer::platform::Platform;
use viewer::session::{Session, Task};
use viewer::simulation::{Engine, MovedPlane, Order, Pace, Simulation, Snapshot, Tint};
use viewer::view::{ColorBy, Row, View};

/// Longest wait for a snapshot: it turns a hang into a failure.
const PATIENCE: Duration = Duration::from_secs(600);

/// Searches until it is stopped.
static ENDLESS: Algorithm = wrong("Endless", |settings| {
    faulty(settings, |_, frame, _| {
        while !frame.is_stopped() {
            std::thread::yield_now();
        }
    })
});

struct Stand {
    simulation: Simulation,
    snapshot: Box<Snapshot>,
    woken: Receiver<()>,
}

impl Stand {
    fn new(scene: &Scene, algorithm: &'static Algorithm) -> Self {
        let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
        let session = Session::new("test", scene, algorithm, clock, None).unwrap();
        let snapshot = Box::new(Snapshot::of(&session, &View::default()));
        let (wake, woken) = channel();
        let engine = Engine::new(session, Platform::system(clock), false);
        let wake = move || wake.send(()).unwrap_or_default();
        let mut simulation = Simulation::new(engine, clock);
        simulation.start(Platform::system(clock), wake).unwrap();
        Self { simulation, snapshot, woken }
    }

    fn order(&mut self, order: Order) {
        self.simulation.order(order);
    }

    /// Waits until a task is at work.
    fn see(&self, is_it: impl Fn(Task) -> bool) {
        let since = Instant::now();
        while !self.simulation.at_work().and_then(|work| work.task).is_some_and(&is_it) {
            assert!(since.elapsed() < PATIENCE, "it never begins");
            std::thread::yield_now();
        }
    }

    /// Takes snapshots until one fulfils a condition.
    #[track_caller]
    fn wait(&mut self, what: &str, shows: impl Fn(&Snapshot) -> bool) {
        while !shows(&self.snapshot) {
            if !self.simulation.take(&mut self.snapshot) {
                assert!(self.woken.recv_timeout(PATIENCE).is_ok(), "never: {what}");
            }
        }
    }
}

#[test]
fn endless_search_is_stopped_for_another_algorithm() {
    let mut stand = Stand::new(&crowded(), &ENDLESS);
    let runs_endless = |task: Task| task.algorithm == Some(ENDLESS.name);
    stand.order(Order::Run(true));
    stand.see(runs_endless);
    stand.order(Order::Edit(Edit::Line([0.5, 0.25])));
    stand.wait("an edit", |s| s.input.scene.line == [0.5, 0.25]);
    stand.order(Order::Run(false));
    stand.wait("a stop", |s| !s.engine.running);
    assert_eq!(stand.snapshot.recorded, 0);
    stand.order(Order::Run(true));
    stand.see(runs_endless);
    stand.order(Order::Algorithm(row("brute-force")));
    stand.wait("steps", |s| s.motion.steps >= 10 && s.recorded >= 10);
    stand.order(Order::Run(false));
    stand.wait("a stop", |s| !s.engine.running);

    // The stopped step is repeated, so that the motion does not change.
    let mut reference = session(crowded(), "brute-force");
    for _ in 0..stand.snapshot.motion.steps {
        reference.step(Hold::None).unwrap();
    }
    assert_eq!(stand.snapshot.objects.positions, reference.world().unwrap().positions());
    assert_eq!(stand.snapshot.recorded as u64, stand.snapshot.motion.steps);
    stand.order(Order::ResponseDelay(PATIENCE));
    stand.order(Order::Run(true));
    stand.see(|task| task.words.starts_with("delaying the responses"));
    stand.order(Order::Compare(vec![&ENDLESS]));
    stand.order(Order::ResponseDelay(Duration::ZERO));
    stand.see(runs_endless);
    // Dropping it ends the thread, although the search is endless.
    drop(stand);
}

#[test]
fn simulated_time_follows_the_clock_at_each_pace() {
    // Every reading of this clock is a millisecond after the one before.
    let steps_within = |pace: Pace| {
        let clock = clock();
        let scene = Scene { objects: 2, dt: 1.0, ..crowded() };
        let session = Session::new("pace", &scene, row("bsp"), clock, None).unwrap();
        let mut engine = Engine::new(session, Platform::system(clock), true);
        engine.obey(Order::Pace(pace));
        let end = clock.now_ns() + 20_000_000_000;
        while clock.now_ns() < end {
            if engine.due_in().unwrap().is_zero() {
                engine.advance();
            }
        }
        engine.session().world().unwrap().steps()
    };
    let near = |steps: u64, expected: u64| steps.abs_diff(expected) <= 1;
    assert!(near(steps_within(Pace::Times(1.0)), 20));
    assert!(near(steps_within(Pace::Times(0.1)), 2));
    assert!(near(steps_within(Pace::Times(4.0)), 80));
    assert!(steps_within(Pace::Unlimited) > 500);
}

#[test]
fn snapshot_holds_only_the_requested_parts() {
    let mut session = session(crowded(), "kd-tree");
    crate::common::steps(&mut session, 30);
    let plain = Snapshot::of(&session, &View::default());
    let all = View::default().with_structure(&Overlay::ALL);
    assert!(plain.drawing.groups(&all).count() == 0 && plain.picked.is_none());
    assert!(matches!(plain.tint, Tint::Plain));

    let view = View { color: ColorBy::Tests, picked: Some(7), ..View::default() };
    let view = view.with_structure(&[Overlay::Planes, Overlay::Regions]);
    let full = Snapshot::of(&session, &view);
    let planes = full.drawing.groups(&view).map(|group| group.planes.len());
    assert_eq!(planes.sum::<usize>(), 7);
    let counters = session.structure().counters();
    let Tint::Scale { values, top, unknown: 0 } = &full.tint else { panic!("{:?}", full.tint) };
    assert_eq!(values.iter().sum::<f32>(), 2.0 * counters.tests as f32);
    assert_eq!(values.iter().copied().fold(0.0, f32::max), *top);
    let picked = full.picked.unwrap();
    assert_eq!((picked.object, picked.tests as f32), (7, values[7]));
    assert!(!picked.regions.is_empty() && picked.source == Some(1));
    let of_pairs = session.pairs().iter().filter(|pair| pair.a == 7 || pair.b == 7).count();
    assert_eq!(picked.candidates.len(), of_pairs);
    assert!(picked.tested.len() > of_pairs);
    assert!(picked.hits.iter().all(|hit| picked.candidates.contains(hit)));

    for (color, kinds) in [(ColorBy::Source, 1), (ColorBy::Region, 8)] {
        let tint = Snapshot::of(&session, &View { color, ..view }).tint;
        let Tint::Kind { of_object: mut shown, .. } = tint else { panic!("{color:?}") };
        shown.sort_unstable();
        shown.dedup();
        assert_eq!(shown.len(), kinds, "{color:?}");
    }
    let beyond = View { picked: Some(50), ..View::default() };
    assert!(Snapshot::of(&session, &beyond).picked.is_none());
}

#[test]
fn looks_apply_to_a_snapshot_without_another_one() {
    let mut composer = Composer::default();
    let mut drawn = |snapshot: &Snapshot, view: &View| {
        let view = composer.view(snapshot, &SceneKey::new(*view, snapshot.first_camera()));
        view.rectangles.iter().map(|plane| plane.fill[3]).collect::<Vec<_>>()
    };
    let mut spheres = session(crowded(), "bsp");
    crate::common::steps(&mut spheres, 1);
    let deepest = View { plane_depth: 0, ..View::default().with(Overlay::Planes, true) };
    let snapshot = Snapshot::of(&spheres, &deepest);
    assert_eq!(drawn(&snapshot, &View { plane_opacity: 0.5, ..deepest }), [128]);
    assert_eq!(drawn(&snapshot, &View { plane_depth: 2, ..deepest }).len(), 7);

    let mut panel = PanelState::of_scene(&crowded());
    let ordered = panel.shown_view();
    panel.view = View { plane_opacity: 0.9, ..panel.view };
    Row::SWITCHES.into_iter().for_each(|row| panel.view.set(row, !panel.view.shows(row)));
    assert_eq!(panel.shown_view(), ordered);
}

#[test]
fn only_shown_overlays_of_bodies_are_drawn_and_explained() {
    let scene = Scene { continuous: Continuous::All, ..crate::common::tumbling() };
    let mut bodies = session(scene, "bsp");
    crate::common::steps(&mut bodies, 1);
    let of = |rows: &[Row]| rows.iter().fold(View::default(), |view, row| view.with(*row, true));
    let all = of(&Row::OF_BODIES);
    for row in Row::OF_BODIES {
        let snapshot = Snapshot::of(&bodies, &of(&[row]));
        let groups: Vec<_> = snapshot.drawing.groups(&all).collect();
        assert_eq!(groups.iter().map(|group| &group.rows[..]).collect::<Vec<_>>(), [[row]]);
    }
    // A view that was chosen since has no words about what it hides, and all about what it shows.
    let snapshot = Snapshot::of(&bodies, &all);
    let words = |rows: &[Row]| format!("{:?}", snapshot.drawing.legend(&of(rows)));
    for (rows, said) in [
        (&[Row::Contacts][..], [true, false, false]),
        (&[Row::Normals], [false, true, false]),
        (&[Row::Contacts, Row::Normals], [true, false, false]),
        (&[Row::Paths], [false, false, true]),
        (&[], [false; 3]),
    ] {
        let words = words(rows);
        let explained =
            ["contact points", "contact normals", "Paths of"].map(|of| words.contains(of));
        assert_eq!(explained, said, "{rows:?}: {words}");
    }
}

/// The plane of a node, found from the root by the bits of its number.
fn plane_of(planes: &[SplitPlane], node: u64) -> Option<SplitPlane> {
    let find = |cell: Aabb, depth: u32| {
        planes.iter().copied().find(|plane| (plane.cell, plane.depth) == (cell, depth))
    };
    let mut plane = planes.iter().copied().find(|plane| plane.depth == 0)?;
    for bit in (0..node.ilog2()).rev() {
        let side = plane.sides()[(node >> bit & 1) as usize];
        plane = find(side, plane.depth + 1)?;
    }
    Some(plane)
}

#[test]
fn moved_planes_are_marked_with_those_that_they_replaced() {
    // A crowd that spreads.
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/first.scene");
    let document = SceneDocument::parse(path, &std::fs::read(path).unwrap()).unwrap();
    let scene = Scene { objects: 400, ..document.scene().clone() };
    for id in ["kd-tree", "bsp-semi-adjusting@leaf-size=8"] {
        let session =
            Session::new("first.scene", &scene, ALGORITHMS.resolve(id).unwrap(), clock(), None);
        let mut engine = Engine::new(session.unwrap(), platform(), false);
        engine.obey(Order::View(View::default().with(Overlay::Planes, true)));
        let mut snapshot = Snapshot::of(engine.session(), &View::default());
        let (mut moved, mut replaced, mut planes) = (0, 0, Vec::new());
        for step in 1..=240 {
            let old = planes.clone();
            engine.obey(Order::Step);
            engine.advance();
            engine.snapshot(&mut snapshot);
            planes = planes_of(engine.session().structure().inspect());
            if step == 1 {
                // The tree is new: no plane was anywhere else.
                assert!(snapshot.changed.planes.fresh.is_empty(), "{id}");
                continue;
            }
            let fresh = &snapshot.changed.planes.fresh;
            // Where the scene stands still, those of earlier steps are not marked.
            assert!(fresh.iter().all(|(_, fresh)| *fresh == 1.0), "{id}");
            let now = planes.iter().filter(|plane| plane.moved).count();
            assert_eq!(fresh.len(), now, "{id}");
            moved += fresh.len();
            for (MovedPlane { node, now, before }, _) in fresh.iter().filter(|_| !old.is_empty()) {
                assert_eq!(plane_of(&planes, *node), Some(*now), "{id}");
                assert_eq!(*before, plane_of(&old, *node), "{id}, node {node}");
                replaced += usize::from(before.is_some());
            }
        }
        assert!(moved > 0 && replaced > 0, "{id}: {moved} moved, {replaced} were known");
    }
}

#[test]
fn objects_are_not_placed_once_others_are_ordered() {
    let mut stand = Stand::new(&crowded(), row("bsp"));
    let epoch = stand.snapshot.motion.epoch;
    // They take seconds to place.
    let many = Scene { objects: 1_000_000, radius: sim::scene::Radius::Equal(0.001), ..crowded() };
    let boxes = boxes_case("gas:30000000");
    let orders = [Order::Generate(Box::new(many)), Order::Begin(Box::new(boxes))];
    for (order, begun) in orders.into_iter().zip(1..) {
        stand.order(order);
        stand.see(|task| task.words.starts_with("placing"));
        stand.order(Order::Generate(Box::new(Scene { objects: 8 + begun, ..crowded() })));
        stand.wait("the last scene", |s| s.objects.positions.len() == 8 + begun as usize);
        assert_eq!(stand.snapshot.motion.epoch, epoch + u64::from(begun), "one has begun");
    }
    assert!(stand.snapshot.notices.is_empty(), "{:?}", stand.snapshot.notices);
}

#[test]
fn colours_by_source_last_when_the_source_is_gone() {
    let mut engine = Engine::new(session(crate::common::half_static(), "bsp"), platform(), false);
    engine.obey(Order::View(View { color: ColorBy::Source, ..View::default() }));
    let mut snapshot = Snapshot::of(engine.session(), &View::default());
    engine.obey(Order::Edit(Edit::DeleteSource { number: 1 }));
    engine.snapshot(&mut snapshot);
    assert_eq!(engine.session().world().unwrap().home(0), None, "it is free");
    let Tint::Kind { of_object, names, .. } = &snapshot.tint else { panic!("{:?}", snapshot.tint) };
    assert_eq!((&of_object[..50], &of_object[50..]), (&[1; 50][..], &[2; 50][..]));
    assert_eq!(names[0], (1, "source 1".to_owned()));
}

#[test]
fn static_objects_differ_by_layer_and_by_rest() {
    let mut session = session(crate::common::half_static(), "bsp");
    crate::common::steps(&mut session, 2);
    for (color, expected) in [
        (ColorBy::Layer, [(0, "group 0, static"), (1, "group 0")].as_slice()),
        (ColorBy::Resting, &[(0, "moving"), (1, "resting"), (2, "static"), (u32::MAX, "unknown")]),
    ] {
        let tint = Snapshot::of(&session, &View { color, ..View::default() }).tint;
        let Tint::Kind { of_object, names, .. } = tint else { panic!("{color:?}") };
        let named: Vec<_> = names.iter().map(|(kind, name)| (*kind, name.as_str())).collect();
        assert_eq!(named, expected);
        let of_static = expected.iter().find(|(_, name)| name.ends_with("static")).unwrap().0;
        for (object, kind) in of_object.iter().enumerate() {
            let is_static = session.world().unwrap().layers()[object].is_static;
            assert_eq!(*kind == of_static, is_static, "{object}");
        }
    }
}

//! A counting clock, and small sessions under it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub(crate) mod bench;
pub(crate) mod traces;

use broadphase::Layer;
use broadphase::registry::Algorithm;
use glam::Vec3;
use measure::{Case, Clock, FrameRow};
use sim::scene::{Ball, LayerRule, LayerTarget, Radius, Source};
use sim::{Hold, Scene, SceneDocument};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, OnceLock};
use viewer::platform::Platform;
use viewer::session::{Activity, Drawing, Session, StageFault, Stepped};
use viewer::simulation::{Engine, Notice, Order, Snapshot};
use viewer::view::View;

/// Each reading is a millisecond after the last one.
#[derive(Default)]
pub(crate) struct TickingClock(pub(crate) AtomicU64);

impl Clock for TickingClock {
    fn now_ns(&self) -> u64 {
        self.0.fetch_add(1_000_000, SeqCst)
    }
}

/// Each reading is a millisecond after the last one. One of them stops its session: every phase begins with a reading.
pub(crate) struct StoppingClock {
    readings: AtomicU64,
    stop_at: AtomicU64,
    activity: OnceLock<Arc<Activity>>,
}

impl StoppingClock {
    pub(crate) fn leaked() -> &'static Self {
        let (readings, stop_at) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
        Box::leak(Box::new(Self { readings, stop_at, activity: OnceLock::new() }))
    }

    /// A session of its own.
    pub(crate) fn session(&'static self, case: &Case, entry: &'static Algorithm) -> Session {
        let session = Session::of_case(case, entry, self, None).unwrap();
        let _ = self.activity.set(session.activity().clone());
        session
    }

    /// Stops the session after some more readings.
    pub(crate) fn stop_at(&self, reading: u64) {
        self.stop_at.store(self.readings.load(SeqCst) + reading, SeqCst);
    }
}

impl Clock for StoppingClock {
    fn now_ns(&self) -> u64 {
        let reading = self.readings.fetch_add(1, SeqCst);
        if reading == self.stop_at.load(SeqCst) {
            self.activity.get().inspect(|activity| activity.stop());
        }
        reading * 1_000_000
    }
}

/// A separate clock for each session, because tests run in parallel.
pub(crate) fn clock() -> &'static dyn Clock {
    Box::leak(Box::new(TickingClock::default()))
}

/// The system with such a clock.
pub(crate) fn platform() -> Platform {
    Platform::system(clock())
}

pub(crate) fn row(id: &str) -> &'static Algorithm {
    broadphase::registry::find(id).unwrap()
}

/// The cube of side 2 around the origin.
pub(crate) fn cube() -> Source {
    Source { corner: Vec3::NEG_ONE, size: Vec3::splat(2.0), percent: 100.0, floor: true }
}

/// A scene in the words of its file.
pub(crate) fn scene(text: &str) -> Scene {
    SceneDocument::parse("own.scene", text.as_bytes()).unwrap().scene().clone()
}

/// A scene of the repository.
pub(crate) fn shipped(name: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    SceneDocument::read(&path).unwrap().scene().clone()
}

/// Fifty large, fast spheres in the cube: overlapping boxes and hits in nearly every frame.
pub(crate) fn crowded() -> Scene {
    Scene {
        objects: 50,
        radius: Radius::Equal(0.15),
        speed: 3.0,
        sources: vec![cube()],
        ..Scene::default()
    }
}

/// The crowded scene with another 50 spheres, which are static, in the same cube.
pub(crate) fn half_static() -> Scene {
    let rule = LayerRule { target: LayerTarget::Source(1), layer: Layer::STATIC };
    Scene {
        objects: 100,
        sources: vec![Source { percent: 50.0, ..cube() }; 2],
        layers: vec![rule],
        ..crowded()
    }
}

/// Fifty large bodies that tumble in the cube: balls, boxes, capsules and compounds, with hits in nearly every frame.
pub(crate) fn tumbling() -> Scene {
    let text = "i -1 -1 -1  2 2 2  100 f
#!objects 50
#!radius 0.3
#!speed 1
#!spin 3
#!shape ball sphere 1
#!shape die box 1 1 1
#!shape pill capsule 0.5 1.5
#!shape tee compound
#!part tee die 0 0 0
#!part tee pill 0 1 0  0 0 1 90
#!bodies source 1  ball 25 die 25 pill 25 tee 25
";
    scene(text)
}

/// Two cubes that overlap by 0.1 along x, a bar of two parts whose box overlaps that of the first, and a static ball
/// far away.
pub(crate) fn placed_bodies() -> Scene {
    let text = "i -2 -2 -2  4 4 4  100 f
#!objects 0
#!shape cube box 1 1 1
#!shape ball sphere 1
#!shape bar compound
#!part bar cube 0 0 0
#!part bar cube 0 1 0
#!body cube 0 0 0  0 0 0  spin 0 0 2
#!body cube 0.9 0 0  0 0 0
#!body bar -0.83 0 0.6  0 0 0  scale 0.5 rotate 0 1 0 45
#!body ball 1 -1.5 1  0 0 0  scale 0.2 static
";
    scene(text)
}

/// Two spheres that collide at the origin in the third step, and then separate.
pub(crate) fn meeting() -> Scene {
    let ball = |x: f32| Ball {
        center: Vec3::new(x, 0.0, 0.0),
        velocity: Vec3::new(-x.signum(), 0.0, 0.0),
        radius: Some(0.1),
    };
    Scene {
        objects: 0,
        dt: 0.1,
        balls: vec![ball(-0.35), ball(0.35)],
        sources: vec![cube()],
        ..Scene::default()
    }
}

pub(crate) fn session(scene: Scene, algorithm: &str) -> Session {
    Session::new("crowded.scene", &scene, row(algorithm), clock(), None).unwrap()
}

pub(crate) fn steps(session: &mut Session, number: u32) {
    for _ in 0..number {
        let stepped = session.step(Hold::None).unwrap();
        assert!(matches!(stepped, Stepped::Done), "{stepped:?}");
    }
}

/// Searches the present step for display.
pub(crate) fn found_here(session: &mut Session) -> Result<Option<Arc<StageFault>>, String> {
    session.search_here(&mut |_| ())
}

/// An engine with its snapshot.
pub(crate) struct Player {
    pub(crate) engine: Engine,
    pub(crate) snapshot: Snapshot,
}

impl Player {
    pub(crate) fn new(session: Session) -> Self {
        let snapshot = Snapshot::of(&session, &View::default());
        Self { engine: Engine::new(session, platform(), false), snapshot }
    }

    pub(crate) fn order(&mut self, order: Order) {
        self.engine.obey(order);
        self.engine.snapshot(&mut self.snapshot);
    }

    /// Advances until nothing is due.
    pub(crate) fn play(&mut self) {
        for _ in 0..1000 {
            if self.engine.due_in().is_none() {
                return self.engine.snapshot(&mut self.snapshot);
            }
            self.engine.advance();
        }
        panic!("it plays without end");
    }

    /// Carries out an order, and advances until nothing is due.
    pub(crate) fn carry_out(&mut self, order: Order) {
        self.order(order);
        self.play();
    }

    /// Takes the messages that are no successes.
    pub(crate) fn problems(&mut self) -> Vec<String> {
        self.engine.snapshot(&mut self.snapshot);
        let problem = |notice| match notice {
            Notice::Problem(text) | Notice::Stop(text) => Some(text),
            Notice::Done(_) => None,
        };
        self.snapshot.notices.drain(..).filter_map(problem).collect()
    }
}

/// A picture of a step in the first epoch, presented at this millisecond by the session's clock.
pub(crate) fn drawing(step: u64, presented_ms: u64, render_ns: u64) -> Drawing {
    Drawing { epoch: 0, step, presented_ns: presented_ms * 1_000_000, render_ns }
}

/// The frames that a session exports.
pub(crate) fn exported(session: &Session) -> Vec<FrameRow> {
    let (table, _) = session.export().unwrap();
    csv::Reader::from_reader(&table[..]).deserialize().map(Result::unwrap).collect()
}

/// Compares words with the snapshot of this name in `tests/snapshots`. With `UPDATE_SNAPSHOTS=1` in the environment, they
/// replace it instead.
#[track_caller]
pub(crate) fn assert_words(name: &str, words: &str) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let path = folder.join(format!("{name}.txt"));
    if std::env::var_os("UPDATE_SNAPSHOTS").is_some_and(|value| value == "1") {
        return std::fs::write(&path, words).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{name}.txt: {e}"));
    for (line, (now, before)) in (1..).zip(words.lines().zip(expected.lines())) {
        assert_eq!(now, before, "line {line} of {name}.txt; UPDATE_SNAPSHOTS=1 if it is intended");
    }
    assert_eq!(words.lines().count(), expected.lines().count(), "lines of {name}.txt");
}

//! A counting clock, and small sessions under it.
#![allow(dead_code, reason = "each test binary uses a part of it")]

pub(crate) mod bench;
pub(crate) mod shown;
pub(crate) mod traces;

use broadphase::Layer;
use broadphase::registry::Algorithm;
use glam::Vec3;
use measure::{Clock, FrameRow};
use sim::scene::{Ball, LayerRule, LayerTarget, Radius, Source};
use sim::{Hold, Scene};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use viewer::session::{Drawing, Session, Stepped};

/// Each reading is a millisecond after the last one.
#[derive(Default)]
struct TickingClock(AtomicU64);

impl Clock for TickingClock {
    fn now_ns(&self) -> u64 {
        self.0.fetch_add(1_000_000, SeqCst)
    }
}

/// A separate clock for each session, because tests run in parallel.
pub(crate) fn clock() -> &'static dyn Clock {
    Box::leak(Box::new(TickingClock::default()))
}

pub(crate) fn row(id: &str) -> &'static Algorithm {
    broadphase::registry::find(id).unwrap()
}

/// The cube of side 2 around the origin.
pub(crate) fn cube() -> Source {
    Source { corner: Vec3::NEG_ONE, size: Vec3::splat(2.0), percent: 100.0, floor: true }
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
        let stepped = session.step(Hold::None, &AtomicBool::new(false)).unwrap();
        assert!(matches!(stepped, Stepped::Done), "{stepped:?}");
    }
}

/// A picture of a step in the first epoch, presented at this millisecond by the session's clock.
pub(crate) fn drawing(step: u64, presented_ms: u64, render_ns: u64) -> Drawing {
    Drawing { epoch: 0, step, presented_ns: presented_ms * 1_000_000, render_ns, pictures: 1 }
}

/// The frames that a session exports.
pub(crate) fn exported(session: &Session) -> Vec<FrameRow> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("frames.csv");
    session.export(&path).unwrap();
    csv::Reader::from_path(&path).unwrap().deserialize().map(Result::unwrap).collect()
}

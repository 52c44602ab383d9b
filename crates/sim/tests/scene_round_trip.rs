//! Any scene reads back as it was written, also in the place of another.

// Clippy does not see the helpers of an integration test as tests.
#![allow(clippy::unwrap_used)]

mod scene_text;

use broadphase::{Axis, Layer};
use glam::Vec3;
use proptest::prelude::*;
use scene_text::{document, edited};
use sim::scene::{
    Action, Ball, CameraPose, Event, Gravity, LayerRule, LayerTarget, Obstacle, Radius, Source,
    Triangles,
};
use sim::{Scene, SceneDocument};

/// Everyday numbers, and the extremes.
fn finite() -> impl Strategy<Value = f32> {
    prop_oneof![
        -10f32..10.0,
        proptest::num::f32::NORMAL | proptest::num::f32::SUBNORMAL | proptest::num::f32::ZERO,
        Just(1e12),
        Just(f32::MIN_POSITIVE),
    ]
    .prop_map(|v: f32| v.clamp(-1e12, 1e12))
}

fn size() -> impl Strategy<Value = f32> {
    finite().prop_map(|v| v.abs().max(1e-12))
}

fn positive() -> impl Strategy<Value = f32> {
    finite().prop_map(f32::abs).prop_filter("greater than 0", |v| *v > 0.0)
}

fn vector() -> impl Strategy<Value = Vec3> {
    [finite(), finite(), finite()].prop_map(Vec3::from)
}

fn sources() -> impl Strategy<Value = Vec<Source>> {
    let source = ([-9f32..9.0, -9f32..9.0, -9f32..9.0], [0.01f32..9.0, 0.01f32..9.0, 0.01f32..9.0]);
    let source =
        (source, 0f32..30.0, any::<bool>()).prop_map(|((corner, size), percent, floor)| Source {
            corner: corner.into(),
            size: size.into(),
            percent,
            floor,
        });
    proptest::collection::vec(source, 1..4)
}

fn obstacle() -> impl Strategy<Value = Obstacle> {
    (vector(), [positive(), positive(), positive()], 0usize..3).prop_filter_map(
        "the far corner is finite",
        |(corner, mut size, normal)| {
            size[normal] = 0.0;
            let size = Vec3::from(size);
            let obstacle = Obstacle { corner, size, normal: Axis::ALL[normal] };
            (corner + size).is_finite().then_some(obstacle)
        },
    )
}

fn ball() -> impl Strategy<Value = Ball> {
    (vector(), vector(), proptest::option::of(size())).prop_map(|(center, velocity, radius)| Ball {
        center,
        velocity,
        radius,
    })
}

fn event() -> impl Strategy<Value = Event> {
    let hold = (any::<bool>(), positive())
        .prop_map(|(attract, seconds)| Action::Hold { attract, seconds });
    let action = prop_oneof![Just(Action::RemoveSource(1)), hold];
    (finite().prop_map(f32::abs), action).prop_map(|(time, action)| Event { time, action })
}

fn layer(target: LayerTarget) -> impl Strategy<Value = LayerRule> {
    let mask = prop_oneof![Just(u32::MAX), Just(0), any::<u32>()];
    (0..Layer::GROUPS, mask, any::<bool>()).prop_map(move |(group, mask, is_static)| LayerRule {
        target,
        layer: Layer { group, mask, is_static },
    })
}

/// In either order, and either may be missing.
fn layers() -> impl Strategy<Value = Vec<LayerRule>> {
    let each = [layer(LayerTarget::Source(1)), layer(LayerTarget::Balls)];
    (each, any::<[bool; 2]>()).prop_map(|(rules, [reversed, one])| {
        let mut rules = rules.to_vec();
        if reversed {
            rules.reverse();
        }
        rules.truncate(2 - usize::from(one));
        rules
    })
}

fn radius() -> impl Strategy<Value = Radius> {
    (size(), size(), 0..3).prop_map(|(a, b, form)| match form {
        0 => Radius::Equal(a),
        1 => Radius::Uniform(a.min(b), a.max(b)),
        _ => Radius::LogUniform(a.min(b), a.max(b)),
    })
}

fn scene() -> impl Strategy<Value = Scene> {
    let settings = (
        1..=u32::MAX,
        radius(),
        finite().prop_map(f32::abs),
        any::<u64>(),
        (0f32..1.0).prop_map(|v| 1.0 - v),
        0usize..4,
        [finite(), finite()],
        (finite(), -89f32..=89.0, positive()),
        any::<[bool; 3]>(),
    );
    let lists = (
        sources(),
        proptest::collection::vec(obstacle(), 0..4),
        proptest::collection::vec(ball(), 0..4),
        proptest::collection::vec(event(), 0..4),
        prop_oneof![Just(Vec::new()), layers()],
    );
    (settings, lists).prop_map(|(settings, (sources, obstacles, balls, events, layers))| {
        let (objects, radius, speed, seed, dt, gravity, line, camera, switches) = settings;
        Scene {
            objects,
            radius,
            speed,
            seed,
            dt,
            gravity: Gravity::ALL[gravity],
            line,
            camera: CameraPose { yaw: camera.0, pitch: camera.1, distance: camera.2 },
            triangles: if switches[0] { Triangles::Twenty } else { Triangles::Eighty },
            shading: switches[1],
            strict: switches[2],
            sources,
            obstacles,
            balls,
            events,
            layers,
        }
    })
}

proptest! {
    #[test]
    fn any_scene_reads_back_as_it_was_written(scene in scene()) {
        let written = SceneDocument::from_scene(&scene).unwrap();
        let again = document(&written.to_text());
        prop_assert_eq!(again.scene(), written.scene());
        let mut wanted = scene;
        wanted.sources.last_mut().unwrap().percent = again.scene().sources.last().unwrap().percent;
        prop_assert_eq!(again.scene(), &wanted);
    }

    #[test]
    fn any_scene_can_replace_any_other_in_a_file(
        first in scene(),
        second in scene(),
        ending in 0..3,
    ) {
        let mut text = SceneDocument::from_scene(&first).unwrap().to_text();
        match ending {
            0 => text = format!("\u{feff}{}", text.replace('\n', "\r\n")),
            1 => text = format!("# kept\n{}", text.trim_end()),
            _ => text += "# kept",
        }
        let kept = edited(&text, |scene| *scene = second);
        prop_assert_eq!(kept.contains("# kept"), ending != 0);
        prop_assert_eq!(kept.starts_with('\u{feff}'), ending == 0);
    }
}

//! Any scene reads back as it was written, also in the place of another.

// Clippy does not see the helpers of an integration test as tests.

use crate::scene_text::{document, edited};
use broadphase::{Axis, Layer};
use glam::{DQuat, Vec2, Vec3};
use proptest::prelude::*;
use sim::scene::{
    Action, AxisAngle, Ball, BodiesRule, BodyForce, CameraPose, Continuous, DriveKeys, DriveStep,
    Driving, Event, ExactPose, Gravity, LayerRule, LayerTarget, MoveRule, Obstacle, PartRule,
    PlacedBody, Radius, ShapeForm, ShapeRule, ShapeShare, ShapeValue, Source, Triangles,
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

fn axis_angle() -> impl Strategy<Value = AxisAngle> {
    let axis = vector().prop_filter("no direction", |axis| *axis != Vec3::ZERO);
    (axis, finite()).prop_map(|(axis, degrees)| AxisAngle { axis, degrees })
}

/// Lengths that shapes can have in any combination.
fn length() -> impl Strategy<Value = f32> {
    0.01f32..100.0
}

fn form() -> impl Strategy<Value = ShapeForm> {
    let points = proptest::collection::vec([-9f32..9.0, -9f32..9.0, -9f32..9.0], 0..9);
    prop_oneof![
        length().prop_map(|radius| ShapeForm::Sphere { radius }),
        [length(), length(), length()].prop_map(|size| ShapeForm::Box { size: size.into() }),
        (length(), prop_oneof![Just(0.0), length()])
            .prop_map(|(radius, length)| ShapeForm::Capsule { radius, length }),
        (length(), length(), 3u8..=64).prop_map(|(radius, height, sides)| ShapeForm::Cylinder {
            radius,
            height,
            sides
        }),
        (length(), length(), 3u8..=64).prop_map(|(radius, height, sides)| ShapeForm::Cone {
            radius,
            height,
            sides
        }),
        length().prop_map(|side| ShapeForm::Tetrahedron { side }),
        (4u32..20, any::<u64>()).prop_map(|(points, seed)| ShapeForm::Hull { points, seed }),
        points.prop_map(|points| {
            let simplex = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z].into_iter();
            ShapeForm::Points(simplex.chain(points.into_iter().map(Vec3::from)).collect())
        }),
        (length(), length(), length()).prop_map(|(depth, x, z)| ShapeForm::Polygon {
            depth,
            corners: vec![Vec2::ZERO, Vec2::new(x, 0.0), Vec2::new(0.3 * x, z)],
        }),
    ]
}

/// Shapes, parts of the last of them, generated and placed bodies.
fn bodies() -> impl Strategy<Value = Scene> {
    let placed = (vector(), vector(), 1e-8f32..1e8, proptest::option::of(axis_angle()));
    let placed = (placed, vector(), 0..4, any::<[bool; 2]>());
    let placed = placed.prop_map(|((center, velocity, scale, rotation), spin, motion, flags)| {
        let [is_first, is_bullet] = flags;
        let is_static = motion == 1;
        let shape = if is_first { "s0" } else { "whole" }.to_owned();
        // A scale of more digits than the rounded one, for a third of the bodies.
        let exact = (rotation.is_none() && is_static).then(|| ExactPose {
            scale: f64::from(scale) * (1.0 + 1e-9),
            position: center.as_dvec3() * (1.0 + 1e-9),
            rotation: DQuat::from_xyzw(0.1, -0.7, 0.3, 1.0 / 3.0).normalize(),
        });
        PlacedBody {
            shape,
            center,
            velocity,
            scale,
            rotation,
            exact,
            spin,
            is_static,
            is_bullet,
            is_kinematic: motion == 2,
            is_driven: motion == 3,
        }
    });
    let near = [-9f32..9.0, -9f32..9.0, -9f32..9.0].prop_map(Vec3::from);
    let part = (near, proptest::option::of(axis_angle())).prop_map(|(position, rotation)| {
        let [compound, shape] = ["whole", "s0"].map(str::to_owned);
        PartRule { compound, shape, position, rotation }
    });
    let rule = (0f32..=50.0, 0f32..=50.0, any::<bool>()).prop_map(|(one, other, both)| {
        let share = |shape: &str, percent| ShapeShare { shape: shape.to_owned(), percent };
        let mut shares = vec![share("whole", one), share("s0", other)];
        shares.truncate(1 + usize::from(both));
        BodiesRule { source: 1, shares }
    });
    (
        proptest::collection::vec(form(), 1..5),
        proptest::collection::vec(part, 1..4),
        proptest::option::of(rule),
        proptest::collection::vec(placed, 0..4),
        motion(),
    )
        .prop_map(|(forms, parts, rule, placed_bodies, mut motion)| {
            let named = |(index, form)| ShapeRule { name: format!("s{index}"), form };
            let mut shapes: Vec<_> = forms.into_iter().enumerate().map(named).collect();
            shapes.push(ShapeRule { name: "whole".to_owned(), form: ShapeForm::Compound });
            let generated_bodies = rule.into_iter().collect();
            motion.body_forces.retain(|force| force.body as usize <= placed_bodies.len());
            Scene { shapes, parts, generated_bodies, placed_bodies, ..motion }
        })
}

/// Masses of the shapes, forces on bodies, and the driving of bodies.
fn motion() -> impl Strategy<Value = Scene> {
    let value = |range: std::ops::Range<f32>| {
        let value = |shape: Option<&str>| {
            let shape = shape.map(str::to_owned);
            range.clone().prop_map(move |value| ShapeValue { shape: shape.clone(), value })
        };
        let values = [value(None), value(Some("whole")), value(Some("s0"))];
        proptest::sample::subsequence(vec![0, 1, 2], 0..=3).prop_flat_map(move |chosen| {
            chosen.into_iter().map(|index: usize| values[index].clone()).collect::<Vec<_>>()
        })
    };
    let force = (1u32..4, vector(), positive()).prop_map(|(body, force, seconds)| BodyForce {
        body,
        force,
        seconds,
    });
    let keys = any::<[bool; 5]>().prop_map(|[left, right, up, down, jump]| DriveKeys {
        left,
        right,
        up,
        down,
        jump,
    });
    let step = (positive(), keys).prop_map(|(seconds, keys)| DriveStep { seconds, keys });
    let rules = [MoveRule::Slide, MoveRule::Walk, MoveRule::Refuse("sphere-inside")];
    let driving = (proptest::sample::select(rules.to_vec()), positive());
    (
        value(0.0..1.0),
        value(1e-9..1e9),
        proptest::collection::vec(force, 0..3),
        proptest::collection::vec(step, 0..3),
        driving,
    )
        .prop_map(|(restitution, density, body_forces, drive, (rule, speed))| Scene {
            restitution,
            density,
            body_forces,
            drive,
            driving: Driving { rule, speed },
            ..Scene::default()
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
        prop_oneof![
            (0usize..4).prop_map(|strength| Gravity::ALL[strength]),
            vector().prop_map(Gravity::Vector),
        ],
        [finite(), finite()],
        (finite(), -89f32..=89.0, positive()),
        (any::<[bool; 4]>(), 0usize..3, finite().prop_map(f32::abs)),
    );
    let lists = (
        sources(),
        proptest::collection::vec(obstacle(), 0..4),
        proptest::collection::vec(ball(), 0..4),
        proptest::collection::vec(event(), 0..4),
        prop_oneof![Just(Vec::new()), layers()],
        prop_oneof![Just(Scene::default()), bodies()],
    );
    (settings, lists).prop_map(|(settings, (sources, obstacles, balls, events, layers, bodies))| {
        let (objects, radius, speed, seed, dt, gravity, line, camera, rest) = settings;
        let (switches, continuous, spin) = rest;
        Scene {
            objects,
            radius,
            speed,
            seed,
            dt,
            gravity,
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
            spin,
            continuous: Continuous::ALL[continuous],
            flat: switches[3],
            ..bodies
        }
    })
}

#[test]
fn exact_numbers_of_a_body_are_edited_to_the_last_digit() {
    let text = "i -1 -1 -1  2 2 2  100 t\n#!shape exact box 1 1 1\n\
        #!body exact  0.10 0 0  0 0 0.50  exact 1.0 0.1 0 0 0 0 0 1  spin 0 0 0.10\n";
    let set = |pose: fn(&mut ExactPose)| {
        move |scene: &mut Scene| pose(scene.placed_bodies[0].exact.as_mut().unwrap())
    };
    let moved = edited(text, set(|pose| pose.position.x = 0.100_000_000_01));
    assert!(moved.contains("exact 1.0 0.10000000001 0.0 0.0 "), "{moved}");
    let back = edited(&moved, set(|pose| pose.position.x = 0.1));
    assert_eq!(document(&back).scene(), document(text).scene());
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

//! The tests of bodies by parry3d-f64, behind the traits of `narrowphase`.
//!
//! Its tolerances are absolute. So it sees each pair in a unit in which the pair is about as large as 1: a power of two,
//! which costs no digit.

use glam::{DQuat, DVec3};
use narrowphase::impact::{
    Exactness, Impact, ImpactCounters, ImpactKind, ImpactProperties, Motion, TimeOfImpact,
};
use narrowphase::narrow::{NarrowPhaseKind, NarrowProperties};
use narrowphase::shape::Core;
use narrowphase::{Answer, Body, NarrowCounters, NarrowPhase, PairCache, Part, Pose, size_of_pair};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::{
    NonlinearRigidMotion, ShapeCastOptions, cast_shapes, cast_shapes_nonlinear, intersection_test,
};
use parry3d_f64::shape::SharedShape;
use std::collections::HashMap;

/// Its narrow phase.
pub static NARROW_PHASES: &[NarrowPhaseKind] = &[NarrowPhaseKind {
    id: "parry",
    name: "parry3d-f64",
    summary: "a library's intersection test: separating axes for cuboids, GJK for the rest",
    source: "parry3d-f64 0.31, query::intersection_test",
    properties: NarrowProperties {
        cost: "a few times the vertices",
        keeps_state: false,
        // Measured: wrong for gaps up to 1e-8 of the size.
        band: 1e-7,
        build: || Box::<Test>::default(),
    },
}];

/// Its search for first contacts.
pub static TIMES_OF_IMPACT: &[ImpactKind] = &[ImpactKind {
    id: "parry",
    name: "parry3d-f64",
    summary: "a library's shape casts: by GJK, and where bodies rotate by bisection",
    source: "parry3d-f64 0.31, query::cast_shapes and cast_shapes_nonlinear",
    properties: ImpactProperties {
        cost: "a few times the vertices",
        exactness: Exactness::Never,
        has_substeps: false,
        build: |_| Box::<Cast>::default(),
    },
}];

/// Shapes of the library with their places in their bodies, by address and size of the part. A user of the library would
/// build them once, too. An entry whose part has gone is recognised by the vertices.
#[derive(Default)]
struct Shapes(HashMap<(usize, u64), (Part, ParryPose, SharedShape)>);

/// Shapes that are kept.
const MAX_KEPT: usize = 100_000;

/// A part as a shape of the library, its place about the first body, and that in its own body.
struct Placed {
    at: ParryPose,
    local: ParryPose,
    shape: SharedShape,
}

impl Shapes {
    /// Visits all pairs of parts, in a unit. `None` where `visit` says so, and where the library has no shape, as for flat
    /// polygons.
    fn each_pair(
        &mut self,
        a: &Body<'_>,
        b: &Body<'_>,
        unit: f64,
        mut visit: impl FnMut(&Placed, &Placed) -> Option<()>,
    ) -> Option<()> {
        let origin = a.pose.position;
        for one in a.shape.parts() {
            let one = self.place(one, a, origin, unit)?;
            for other in b.shape.parts() {
                visit(&one, &self.place(other, b, origin, unit)?)?;
            }
        }
        Some(())
    }

    fn place(&mut self, part: &Part, body: &Body<'_>, origin: DVec3, unit: f64) -> Option<Placed> {
        let scale = body.scale / unit;
        let key = (std::ptr::from_ref(part).addr(), scale.to_bits());
        let is_same = |of: &Part| {
            of.radius() == part.radius() && of.core().vertices() == part.core().vertices()
        };
        if !self.0.get(&key).is_some_and(|(of, ..)| is_same(of)) {
            let (local, shape) = converted(part, scale)?;
            if self.0.len() >= MAX_KEPT {
                self.0.clear();
            }
            self.0.insert(key, (part.clone(), local, shape));
        }
        let (_, local, shape) = &self.0[&key];
        let position = (body.pose.position - origin) / unit;
        let at = to_parry(&Pose { position, ..body.pose }) * *local;
        Some(Placed { at, local: *local, shape: shape.clone() })
    }
}

fn converted(part: &Part, scale: f64) -> Option<(ParryPose, SharedShape)> {
    let (core, radius) = (part.core(), part.radius() * scale);
    let place = |pose: &Pose| to_parry(&Pose { position: pose.position * scale, ..*pose });
    Some(match core.vertices() {
        [centre] => {
            (place(&Pose { position: *centre, ..Pose::IDENTITY }), SharedShape::ball(radius))
        }
        [from, to] => {
            let capsule = SharedShape::capsule(vector(*from * scale), vector(*to * scale), radius);
            (ParryPose::IDENTITY, capsule)
        }
        vertices => match cuboid(core).filter(|_| radius == 0.0) {
            Some((pose, half)) => {
                let DVec3 { x, y, z } = half * scale;
                (place(&pose), SharedShape::cuboid(x, y, z))
            }
            None => {
                let points: Vec<Vector> = vertices.iter().map(|v| vector(*v * scale)).collect();
                let hull = match radius {
                    0.0 => SharedShape::convex_hull(&points),
                    _ => SharedShape::round_convex_hull(&points, radius),
                };
                (ParryPose::IDENTITY, hull?)
            }
        },
    })
}

/// The place of a box, and half its edges.
fn cuboid(core: &Core) -> Option<(Pose, DVec3)> {
    const RIGHT: f64 = 1e-12;
    let normals = core.faces().iter().map(|face| face.normal);
    let x = normals.clone().next().filter(|_| core.faces().len() == 6)?;
    let y = normals.clone().find(|normal| normal.dot(x).abs() < RIGHT)?;
    let to_box = glam::DMat3::from_cols(x, y, x.cross(y)).transpose();
    let is_along = |normal: DVec3| (to_box * normal).abs().max_element() > 1.0 - RIGHT;
    let position = core.vertices().iter().sum::<DVec3>() / core.vertices().len() as f64;
    let half = (to_box * (core.vertices()[0] - position)).abs();
    let rotation = DQuat::from_mat3(&to_box.transpose());
    normals.clone().all(is_along).then_some((Pose { position, rotation }, half))
}

/// The greatest power of two that is at most the size of a pair, which is a normal number.
fn unit_of(a: &Body<'_>, b: &Body<'_>) -> f64 {
    const EXPONENT: u64 = 0x7ff << 52;
    f64::from_bits(size_of_pair(a, b).to_bits() & EXPONENT)
}

/// The library has another version of the vector types.
fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

fn to_parry(pose: &Pose) -> ParryPose {
    let rotation = Rotation::from_array(pose.rotation.to_array());
    ParryPose::from_parts(vector(pose.position), rotation)
}

#[derive(Default)]
struct Test {
    shapes: Shapes,
    counters: NarrowCounters,
}

impl NarrowPhase for Test {
    fn test(&mut self, a: &Body<'_>, b: &Body<'_>, _: &mut PairCache) -> Answer {
        let Self { shapes, counters } = self;
        counters.tests += 1;
        let mut touches = false;
        let all = shapes.each_pair(a, b, unit_of(a, b), |one, other| {
            if !touches {
                counters.part_tests += 1;
                counters.steps += 1;
                let answer = intersection_test(&one.at, &*one.shape, &other.at, &*other.shape);
                touches = answer.ok()?.intersecting;
            }
            Some(())
        });
        match all {
            _ if touches => Answer::Touching { point: None },
            Some(()) => Answer::Separated { axis: None },
            None => {
                counters.failures += 1;
                Answer::Failed
            }
        }
    }

    fn counters(&self) -> NarrowCounters {
        self.counters
    }
}

#[derive(Default)]
struct Cast {
    shapes: Shapes,
    counters: ImpactCounters,
}

impl TimeOfImpact for Cast {
    fn find(
        &mut self,
        a: (&Body<'_>, &Motion),
        b: (&Body<'_>, &Motion),
        limit: f64,
        _: &mut PairCache,
    ) -> Impact {
        self.counters.tests += 1;
        let is_valid = limit > 0.0
            && limit.is_finite()
            && [a, b]
                .iter()
                .all(|(body, motion)| motion.is_finite() && body.pose.rotation.is_finite())
            && size_of_pair(a.0, b.0).is_finite();
        let first = is_valid.then(|| self.first(a, b, limit)).flatten();
        match first {
            None => {
                self.counters.failures += 1;
                Impact::Failed
            }
            Some((first, _)) if first > limit => Impact::Never,
            Some((first, _)) if first <= 0.0 => Impact::Overlapping,
            Some((first, axis)) => Impact::At { first, last: first, axis },
        }
    }

    fn counters(&self) -> ImpactCounters {
        self.counters
    }
}

impl Cast {
    /// The first contact of all parts with its axis, infinite for never; `None` where the library gives no answer.
    fn first(
        &mut self,
        (a, motion_a): (&Body<'_>, &Motion),
        (b, motion_b): (&Body<'_>, &Motion),
        limit: f64,
    ) -> Option<(f64, DVec3)> {
        let Self { shapes, counters } = self;
        let unit = unit_of(a, b);
        let rotates = [motion_a, motion_b].iter().any(|motion| motion.spin != DVec3::ZERO);
        // As an observer sees them who moves with the first body.
        let velocity = motion_b.velocity - motion_a.velocity;
        let mut earliest = (f64::INFINITY, DVec3::X);
        shapes.each_pair(a, b, unit, |one, other| {
            counters.part_tests += 1;
            counters.steps += 1;
            let hit = if rotates {
                // With the step as the unit of time.
                let moving = |of: &Placed, velocity: DVec3, spin: DVec3| {
                    let centre = of.local.inverse().translation;
                    let velocity = vector(velocity * (limit / unit));
                    NonlinearRigidMotion::new(of.at, centre, velocity, vector(spin * limit))
                };
                let first = moving(one, DVec3::ZERO, motion_a.spin);
                let second = moving(other, velocity, motion_b.spin);
                let (one, other) = (&*one.shape, &*other.shape);
                let hit = cast_shapes_nonlinear(&first, one, &second, other, 0.0, 1.0, true);
                hit.ok()?.map(|hit| {
                    let turned = first.position_at_time(hit.time_of_impact).rotation;
                    (hit.time_of_impact * limit, turned * hit.normal1)
                })
            } else {
                // In units of length, since its tolerances of a direction are absolute, too.
                let speed = velocity.length();
                let options = ShapeCastOptions {
                    max_time_of_impact: limit * speed / unit,
                    compute_impact_geometry_on_penetration: false,
                    ..ShapeCastOptions::default()
                };
                let way = vector(velocity.normalize_or_zero());
                let (first, second) = (&*one.shape, &*other.shape);
                let (from, to) = (&one.at, &other.at);
                let hit = cast_shapes(from, Vector::ZERO, first, to, way, second, options);
                let seconds = if speed > 0.0 { unit / speed } else { 0.0 };
                hit.ok()?.map(|hit| (hit.time_of_impact * seconds, from.rotation * hit.normal1))
            };
            if let Some((time, axis)) = hit.filter(|(time, _)| *time < earliest.0) {
                earliest = (time, DVec3::from_array(axis.to_array()));
            }
            Some(())
        })?;
        Some(earliest)
    }
}

//! The tests of bodies by parry3d-f64, behind the traits of `narrowphase`.
//!
//! Its tolerances are absolute. So it sees each pair in a unit in which the pair is about as large as 1: a power of two,
//! which costs no digit.

use glam::{DMat3, DQuat, DVec3};
use narrowphase::impact::{Exactness, Impact, ImpactKind, ImpactProperties, Motion, TimeOfImpact};
use narrowphase::narrow::{NarrowPhaseKind, NarrowProperties};
use narrowphase::{Answer, Body, NarrowPhase, PairCache, Part, Pose, Shape, size_of_pair};
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

/// Shapes of the library, by address and size. A user of the library would build them once, too.
#[derive(Default)]
struct Shapes(HashMap<(usize, u64), (Shape, Placed)>);

/// Shapes that are kept.
const MAX_KEPT: usize = 100_000;

/// A shape of the library at a pose.
#[derive(Clone)]
struct Placed {
    at: ParryPose,
    shape: SharedShape,
}

/// Two bodies as the library sees them.
struct Pair {
    /// About the first body's position.
    world: [Placed; 2],
    /// Where the library's shapes are in their bodies.
    local: [ParryPose; 2],
    /// The length in which they are: the greatest power of two that is at most the size of the pair.
    unit: f64,
}

impl Shapes {
    /// `None` where the library has no shape, as for flat polygons, and where a number is not finite.
    fn pair(&mut self, a: &Body<'_>, b: &Body<'_>) -> Option<Pair> {
        const EXPONENT: u64 = 0x7ff << 52;
        let size = size_of_pair(a, b);
        let is_finite = size.is_finite() && [a, b].iter().all(|of| of.pose.rotation.is_finite());
        let unit = f64::from_bits(size.to_bits() & EXPONENT);
        let mut place = |body: &Body<'_>| {
            let Placed { at: local, shape } = self.of(body.shape, body.scale / unit)?;
            let position = (body.pose.position - a.pose.position) / unit;
            let at = to_parry(position, body.pose.rotation) * local;
            Some((Placed { at, shape }, local))
        };
        let [one, other] = if is_finite { [place(a)?, place(b)?] } else { return None };
        Some(Pair { world: [one.0, other.0], local: [one.1, other.1], unit })
    }

    fn of(&mut self, shape: &Shape, scale: f64) -> Option<Placed> {
        let key = (std::ptr::from_ref(shape).addr(), scale.to_bits());
        match self.0.get(&key) {
            // Another shape may have come to the address of one that has gone.
            Some((of, converted)) if outline(of).eq(outline(shape)) => Some(converted.clone()),
            _ => {
                let parts = shape.parts().iter().map(|part| converted(part, scale));
                let mut parts = parts.collect::<Option<Vec<_>>>()?;
                let placed = if parts.len() == 1 {
                    parts.remove(0)
                } else {
                    let parts = parts.into_iter().map(|Placed { at, shape }| (at, shape)).collect();
                    Placed { at: ParryPose::IDENTITY, shape: SharedShape::compound(parts) }
                };
                if self.0.len() >= MAX_KEPT {
                    self.0.clear();
                }
                self.0.insert(key, (shape.clone(), placed.clone()));
                Some(placed)
            }
        }
    }
}

fn outline(shape: &Shape) -> impl Iterator<Item = (f64, &[DVec3])> {
    shape.parts().iter().map(|part| (part.radius(), part.core().vertices()))
}

fn converted(part: &Part, scale: f64) -> Option<Placed> {
    let radius = part.radius() * scale;
    let points: Vec<Vector> = part.core().vertices().iter().map(|v| vector(*v * scale)).collect();
    if let Some((Pose { position, rotation }, half)) = cuboid(part) {
        let DVec3 { x, y, z } = half * scale;
        let at = to_parry(position * scale, rotation);
        return Some(Placed { at, shape: SharedShape::cuboid(x, y, z) });
    }
    let (at, shape) = match *points {
        [center] => (ParryPose::from_translation(center), SharedShape::ball(radius)),
        [from, to] => (ParryPose::IDENTITY, SharedShape::capsule(from, to, radius)),
        _ => (ParryPose::IDENTITY, SharedShape::convex_hull(&points)?),
    };
    Some(Placed { at, shape })
}

/// The place of a box, and half its edges.
fn cuboid(part: &Part) -> Option<(Pose, DVec3)> {
    const RIGHT: f64 = 1e-12;
    let [x, y, z] = *part.core().directions() else { return None };
    let cosine = x.dot(y).abs().max(y.dot(z).abs()).max(z.dot(x).abs());
    let axes = DMat3::from_cols(x, y, x.cross(y));
    let half = (axes.transpose() * (part.core().vertices()[0] - part.center())).abs();
    let pose = Pose { position: part.center(), rotation: DQuat::from_mat3(&axes) };
    (cosine < RIGHT).then_some((pose, half))
}

/// The library has another version of the vector types.
fn vector(v: DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

fn to_parry(position: DVec3, rotation: DQuat) -> ParryPose {
    ParryPose::from_parts(vector(position), Rotation::from_array(rotation.to_array()))
}

#[derive(Default)]
struct Test {
    shapes: Shapes,
    steps: u64,
}

impl NarrowPhase for Test {
    fn test(&mut self, a: &Body<'_>, b: &Body<'_>, _: &mut PairCache) -> Answer {
        self.steps += 1;
        let found = self.shapes.pair(a, b).and_then(|Pair { world: [one, other], .. }| {
            intersection_test(&one.at, &*one.shape, &other.at, &*other.shape).ok()
        });
        match found {
            Some(found) if found.intersecting => Answer::Touching { point: None },
            Some(_) => Answer::Separated { axis: None },
            None => Answer::Failed,
        }
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

#[derive(Default)]
struct Cast {
    shapes: Shapes,
    steps: u64,
}

impl TimeOfImpact for Cast {
    fn find(&mut self, a: (&Body<'_>, &Motion), b: (&Body<'_>, &Motion), limit: f64) -> Impact {
        self.steps += 1;
        let is_valid = limit > 0.0 && limit.is_finite() && a.1.is_finite() && b.1.is_finite();
        let pair = if is_valid { self.shapes.pair(a.0, b.0) } else { None };
        match pair.and_then(|pair| first_contact(&pair, [a.1, b.1], limit)) {
            None => Impact::Failed,
            Some(Some((first, axis))) if first <= limit => match first {
                0.0 => Impact::Overlapping,
                _ => Impact::At { first, last: first, axis },
            },
            Some(_) => Impact::Never,
        }
    }

    fn steps(&self) -> u64 {
        self.steps
    }
}

/// The time of the first contact and its axis, if there is one; `None` where the library gives no answer.
fn first_contact(pair: &Pair, motions: [&Motion; 2], limit: f64) -> Option<Option<(f64, DVec3)>> {
    let Pair { world: [one, other], local, unit } = pair;
    // As an observer sees them who moves with the first body.
    let velocity = (motions[1].velocity - motions[0].velocity) / *unit;
    let (hit, second, turned) = if motions.iter().any(|motion| motion.spin != DVec3::ZERO) {
        // With the step as the unit of time.
        let moving = |i: usize, velocity: DVec3| {
            let (center, spin) = (local[i].inverse().translation, vector(motions[i].spin * limit));
            NonlinearRigidMotion::new(pair.world[i].at, center, vector(velocity * limit), spin)
        };
        let (first, second) = (moving(0, DVec3::ZERO), moving(1, velocity));
        let (one, other) = (&*one.shape, &*other.shape);
        let hit = cast_shapes_nonlinear(&first, one, &second, other, 0.0, 1.0, true).ok()?;
        let turned = hit.map(|hit| first.position_at_time(hit.time_of_impact).rotation);
        (hit, limit, turned)
    } else {
        // In units of length, since its tolerances of a direction are absolute, too.
        let speed = velocity.length();
        let options = ShapeCastOptions {
            max_time_of_impact: limit * speed,
            compute_impact_geometry_on_penetration: false,
            ..ShapeCastOptions::default()
        };
        let way = vector(velocity.normalize_or_zero());
        let (from, to) = (&one.at, &other.at);
        let (first, second) = (&*one.shape, &*other.shape);
        let hit = cast_shapes(from, Vector::ZERO, first, to, way, second, options).ok()?;
        (hit, if speed > 0.0 { 1.0 / speed } else { 0.0 }, Some(one.at.rotation))
    };
    Some(hit.zip(turned).map(|(hit, turned)| {
        let axis = DVec3::from_array((turned * hit.normal1).to_array());
        (hit.time_of_impact * second, axis)
    }))
}

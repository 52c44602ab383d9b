//! The rule of 004: try the place of the step, and stay if the bounding volume collides there.

use super::super::Bodies;
use super::Driven;
use crate::world::response::layer_of;
use glam::DVec3;
use narrowphase::volume::{Placed, Volume, VolumeKind};
use narrowphase::{Body, BoxKind, Pose, Reference};
use std::fmt;
use std::sync::Arc;

/// The reach of any volume about the centre of mass, in bounding radii, as a bound: the sphere about the mean of the
/// vertices has its centre within one of them, and a radius of two.
const REACH: f64 = 3.0;

/// The volume that passes all pairs of convex bodies, since they are their own hulls.
const HULL: &str = "hull";

/// A driven body that stayed where it was.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Refusal {
    /// The driven body.
    pub object: u32,
    /// The thing that its volume collided with: the one nearest to its body, if there are several.
    pub by: RefusedBy,
    /// The gap between the real bodies where it stays: positive if the volume stopped it early by as much, negative if the
    /// volume let it in by as much.
    pub gap: f64,
}

/// A thing that a volume collided with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RefusedBy {
    /// Another object.
    Object(u32),
    /// An obstacle, by its index in the scene.
    Obstacle(usize),
    /// A wall of a source.
    Wall,
}

/// The search for what keeps bodies from moving. It keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Refuser {
    fitted: Option<Fitted>,
    reference: Reference,
    near: Vec<usize>,
}

/// The volumes of one kind, fitted to the shapes of the world.
#[derive(Clone)]
struct Fitted {
    kind: &'static VolumeKind,
    volume: Arc<dyn Volume>,
    /// Whether each volume is all of space: then the boxes of the broad phase decide.
    is_all: bool,
    /// Numbers of two placed volumes.
    numbers: [Vec<f64>; 2],
}

impl fmt::Debug for Fitted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fitted").field(&self.kind.id).finish()
    }
}

impl Fitted {
    fn new(kind: &'static VolumeKind, bodies: &Bodies) -> Self {
        let shapes: Vec<_> = bodies.shapes().iter().map(|named| named.shape.clone()).collect();
        let volume: Arc<dyn Volume> = (kind.fit)(&shapes, bodies.is_flat()).into();
        let mut numbers = [vec![0.0; volume.width()], vec![0.0; volume.width()]];
        // There is one shape at least, that of spheres.
        let ball = ball(bodies, DVec3::ZERO, 1.0);
        let is_all = volume.volume(&place(&*volume, (0, &ball), &mut numbers[0])).is_none();
        Self { kind, volume, is_all, numbers }
    }

    /// Whether the volumes of two bodies collide.
    fn collide(&mut self, [a, b]: [(usize, &Body<'_>); 2], reference: &mut Reference) -> bool {
        let [first, second] = &mut self.numbers;
        let (one, other) = (place(&*self.volume, a, first), place(&*self.volume, b, second));
        if self.is_all {
            let [one, other] = [a.1, b.1].map(|body| body.bounds(BoxKind::Tight));
            return one.min.cmple(other.max).all() && other.min.cmple(one.max).all();
        }
        let are_hulls = self.kind.id == HULL && a.1.shape.is_convex() && b.1.shape.is_convex();
        let is_apart = are_hulls && reference.examine(a.1, b.1).gap > 0.0;
        !is_apart && self.volume.overlap(&one, &other)
    }

    /// The body that walls and obstacles meet: the sphere of a body if that is its volume, or the body itself.
    fn probe<'b>(&mut self, bodies: &'b Bodies, shape: usize, body: Body<'b>) -> Body<'b> {
        let placed = place(&*self.volume, (shape, &body), &mut self.numbers[0]);
        let sphere = self.volume.ball(&placed).filter(|(_, radius)| *radius > 0.0);
        sphere.map_or(body, |(center, radius)| ball(bodies, center, radius))
    }
}

fn place<'a>(
    volume: &dyn Volume,
    (shape, body): (usize, &Body<'_>),
    numbers: &'a mut [f64],
) -> Placed<'a> {
    volume.place(shape, body.scale, body.pose.rotation, numbers);
    Placed { shape, position: body.pose.position, numbers }
}

/// A ball that is no object. The shape of spheres is the last one.
fn ball(bodies: &Bodies, position: DVec3, radius: f64) -> Body<'_> {
    let shape = &bodies.shapes()[bodies.shapes().len() - 1].shape;
    Body { shape, scale: radius, pose: Pose { position, ..Pose::IDENTITY } }
}

impl Refuser {
    /// The thing that keeps a body from moving at a velocity in the next step; `None` if the body is free.
    ///
    /// The volume collides with the volumes of other objects. Walls and obstacles have no volume: they meet the sphere or circle
    /// itself, or the body if its volume is another one. A body may leave what it already collides with.
    pub(super) fn refusal(&mut self, of: Driven<'_>, velocity: DVec3) -> Option<Refusal> {
        let kind = of.step.driving.rule.volume()?;
        if velocity == DVec3::ZERO {
            return None;
        }
        let Self { fitted, reference, near } = self;
        if fitted.as_ref().is_none_or(|fitted| fitted.kind.id != kind.id) {
            *fitted = Some(Fitted::new(kind, of.bodies));
        }
        let fitted = fitted.as_mut()?;
        let attempt = Attempt { of, way: velocity * of.dt() };
        let by_object = attempt.objects(fitted, reference);
        let by_fixture = attempt.fixtures(fitted, reference, near);
        let all = by_object.into_iter().chain(by_fixture);
        let nearest = all.min_by(|(_, one), (_, other)| one.total_cmp(other));
        nearest.map(|(by, gap)| Refusal { object: of.object as u32, by, gap })
    }
}

/// A body that tries a step.
#[derive(Clone, Copy)]
struct Attempt<'a> {
    of: Driven<'a>,
    way: DVec3,
}

/// A thing that refuses a step, and the gap to it.
type Met = (RefusedBy, f64);

impl<'a> Attempt<'a> {
    /// The body before the step, and after it.
    fn ends(&self) -> [Body<'a>; 2] {
        let (now, mut then) = (self.of.body(), self.of.body());
        then.pose.position += self.way;
        [now, then]
    }

    /// The nearest object whose volume is met.
    fn objects(&self, fitted: &mut Fitted, reference: &mut Reference) -> Option<Met> {
        let Self { of: Driven { bodies, object, step }, way } = *self;
        let ([now, then], shape, layer) = (self.ends(), bodies.shape_of(object), self.of.layer());
        let mut nearest: Option<Met> = None;
        for other in (0..bodies.states().len()).filter(|other| *other != object) {
            let body = bodies.body(other);
            let line = body.pose.position - now.pose.position;
            let reach = REACH * (now.bounding_radius() + body.bounding_radius()) + way.length();
            if (line * self.of.directions()).length() > reach
                || !layer.meets(layer_of(step.layers, other))
            {
                continue;
            }
            let other_one = (bodies.shape_of(other), &body);
            if !fitted.collide([(shape, &then), other_one], reference) {
                continue;
            }
            if way.dot(line) <= 0.0 && fitted.collide([(shape, &now), other_one], reference) {
                continue;
            }
            let gap = reference.examine(&now, &body).gap;
            if nearest.is_none_or(|(_, least)| gap < least) {
                nearest = Some((RefusedBy::Object(other as u32), gap));
            }
        }
        nearest
    }

    /// The nearest wall or obstacle that is met.
    fn fixtures(
        &self,
        fitted: &mut Fitted,
        reference: &mut Reference,
        near: &mut Vec<usize>,
    ) -> Option<Met> {
        let Self { of: Driven { bodies, object, .. }, way } = *self;
        let own = self.of.body();
        let shape = bodies.shape_of(object);
        let [now, then] = self.ends().map(|body| fitted.probe(bodies, shape, body));
        let reach =
            now.bounding_radius() + now.pose.position.distance(own.pose.position) + way.length();
        let mut nearest: Option<Met> = None;
        let mut meet = |by: RefusedBy, [before, after]: [f64; 2], gap: f64| {
            if after <= 0.0 && after < before && nearest.is_none_or(|(_, least)| gap < least) {
                nearest = Some((by, gap));
            }
        };
        for wall in self.of.walls(reach) {
            meet(RefusedBy::Wall, [&now, &then].map(|body| wall.gap(body)), wall.gap(&own));
        }
        self.of.list_fixed(reach, near);
        for index in near.iter() {
            let fixed = &bodies.fixtures.all[*index];
            if fixed.object().is_none() {
                let obstacle = fixed.body(&bodies.catalogue);
                let gaps = [&now, &then].map(|body| reference.examine(body, &obstacle).gap);
                let gap = reference.examine(&own, &obstacle).gap;
                meet(RefusedBy::Obstacle(*index), gaps, gap);
            }
        }
        nearest
    }
}

//! Pieces that never move: obstacles and static bodies, and walls of containers as planes.

use super::super::box_grid::BoxGrid;
use super::super::motion::Surroundings;
use super::solid::{BodyState, Solid};
use super::touch::LEVEL;
use crate::scene::{Catalogue, Obstacle};
use broadphase::{Aabb, Layer};
use glam::DVec3;
use narrowphase::impact::bilateral::gap_of;
use narrowphase::{Body, BoxKind, Shape};

/// Thickness of an obstacle that a body meets, in units of its longest side. The rectangle is in its middle. Bodies
/// bounce half of it in front of the rectangle. Shapes need 1e-9, and gaps are known to 1e-10 of the size.
const THICKNESS: f64 = 1e-8;

/// The longest side of an obstacle that is thought of as a point.
const MIN_SIDE: f64 = 1e-9;

/// Obstacles and static bodies.
#[derive(Clone, Debug)]
pub(super) struct Fixtures {
    /// The scene's obstacles when `all` was made.
    pub(super) obstacles: Vec<Obstacle>,
    pub(super) all: Vec<Fixed>,
    grid: BoxGrid,
}

/// A body that never moves.
#[derive(Clone, Debug)]
pub(super) struct Fixed {
    kind: FixedKind,
    pub(super) solid: Solid,
    pub(super) state: BodyState,
}

#[derive(Clone, Debug)]
enum FixedKind {
    /// Its shape. All objects meet it.
    Obstacle(Box<Shape>),
    /// A static body.
    Object(u32, Layer),
}

impl Fixed {
    /// The object that a static body is; `None` for an obstacle.
    pub(super) fn object(&self) -> Option<u32> {
        match self.kind {
            FixedKind::Obstacle(_) => None,
            FixedKind::Object(object, _) => Some(object),
        }
    }

    pub(super) fn body<'a>(&'a self, catalogue: &'a Catalogue) -> Body<'a> {
        let shape = match &self.kind {
            FixedKind::Obstacle(shape) => shape,
            FixedKind::Object(..) => &catalogue.shapes()[self.solid.shape].shape,
        };
        Body { shape, scale: self.solid.scale, pose: self.state.pose() }
    }
}

impl Fixtures {
    /// The obstacles, and every body that `layers` make static.
    pub(super) fn new(
        obstacles: &[Obstacle],
        catalogue: &Catalogue,
        solids: &[Solid],
        states: &[BodyState],
        layers: &[Layer],
    ) -> Self {
        let mut all: Vec<_> = obstacles.iter().map(slab).collect();
        for (object, ((solid, state), layer)) in (0..).zip(solids.iter().zip(states).zip(layers)) {
            if layer.is_static {
                let kind = FixedKind::Object(object, *layer);
                all.push(Fixed { kind, solid: *solid, state: *state });
            }
        }
        let body_box = |fixed: &Fixed| {
            let [min, max] = fixed.body(catalogue).bounds(BoxKind::Tight).outward();
            Aabb { min, max }
        };
        let grid = BoxGrid::new(all.iter().map(body_box).collect());
        Self { obstacles: obstacles.to_vec(), all, grid }
    }

    /// Appends the index in `all` of everything that an object of a layer may meet within a region.
    pub(super) fn near(&self, [min, max]: [DVec3; 2], layer: Layer, near: &mut Vec<usize>) {
        // A little larger, for rounding to f32.
        let slack = 1e-6 * min.abs().max(max.abs());
        let region = Aabb::new((min - slack).as_vec3(), (max + slack).as_vec3());
        self.grid.for_each_near(&region, |index| {
            let meets = match self.all[index].kind {
                FixedKind::Obstacle(_) => true,
                FixedKind::Object(_, fixed) => fixed.meets(layer),
            };
            if meets {
                near.push(index);
            }
        });
    }
}

/// An obstacle as a box with a thickness.
fn slab(obstacle: &Obstacle) -> Fixed {
    let size = obstacle.size.as_dvec3();
    let longest = size.max_element().max(MIN_SIDE);
    let shape = match Shape::cuboid((size / longest).max(DVec3::splat(THICKNESS))) {
        Ok(shape) => shape,
        Err(error) => unreachable!("a box of allowed lengths: {error}"),
    };
    let solid = Solid::new(0, &shape, longest, 1.0).stiff(0.0);
    let state = BodyState::resting(obstacle.corner.as_dvec3() + 0.5 * size);
    Fixed { kind: FixedKind::Obstacle(Box::new(shape)), solid, state }
}

/// A half-space that a body must stay in.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plane {
    /// Unit vector into the half-space.
    pub(super) normal: DVec3,
    /// `normal.dot(p)` of the points of the plane.
    offset: f64,
}

impl Plane {
    /// Distance of a body's nearest point, negative behind the plane.
    pub(super) fn gap(&self, body: &Body<'_>) -> f64 {
        let parts = body.shape.parts().iter();
        let gaps = parts.map(|part| gap_of(body, part, self.normal, self.offset));
        gaps.fold(f64::INFINITY, f64::min)
    }

    /// The lowest points of a body.
    pub(super) fn lowest_points<'b>(
        &self,
        body: &'b Body<'_>,
    ) -> impl Iterator<Item = DVec3> + Clone + use<'b> {
        let local = body.pose.rotation.conjugate() * self.normal;
        let level = self.gap(body) + LEVEL * body.bounding_radius();
        let base = self.normal.dot(body.pose.position) - self.offset;
        body.shape.parts().iter().flat_map(move |part| {
            let is_low = move |vertex: &&DVec3| {
                body.scale * (local.dot(**vertex) - part.radius()) + base <= level
            };
            let point = move |vertex: &DVec3| {
                body.pose.point((*vertex - local * part.radius()) * body.scale)
            };
            part.core().vertices().iter().filter(is_low).map(point)
        })
    }
}

/// The walls that hold a body of a home, and are at most `reach` from its place: those of its source, and of the source that
/// holds all bodies.
pub(super) fn walls_near<'a>(
    surroundings: &'a Surroundings<'_>,
    home: u32,
    position: DVec3,
    reach: f64,
) -> impl Iterator<Item = Plane> + 'a {
    let own = surroundings.elements.source(home);
    let strict = surroundings.strict;
    let strict = strict.filter(|strict| !own.is_some_and(|own| std::ptr::eq(own, *strict)));
    let planes = own.into_iter().chain(strict).flat_map(|container| {
        let Aabb { min, max } = container.bounds();
        (0..3).flat_map(move |axis| {
            let low = Plane { normal: DVec3::AXES[axis], offset: f64::from(min[axis]) };
            let high = Plane { normal: -DVec3::AXES[axis], offset: -f64::from(max[axis]) };
            let has_low = axis < 2 || container.floor;
            [has_low.then_some(low), Some(high)].into_iter().flatten()
        })
    });
    planes.filter(move |plane| plane.normal.dot(position) - plane.offset <= reach)
}

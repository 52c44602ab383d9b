//! What never moves and is no wall of a container: obstacles and static bodies.

use super::super::box_grid::BoxGrid;
use super::mover::{Mover, Work};
use super::solid::{BodyState, Solid};
use crate::scene::{Catalogue, Obstacle};
use broadphase::{Aabb, Layer};
use glam::DVec3;
use narrowphase::{Body, BoxKind, Shape};

/// Thickness of an obstacle that a body meets, in units of its longest side. The rectangle is in its middle. Bodies
/// bounce half of it in front of the rectangle. Shapes need 1e-9, and gaps are known to 1e-10 of the size.
const THICKNESS: f64 = 1e-8;

/// The longest side of an obstacle that is thought of as a point.
const MIN_SIDE: f64 = 1e-9;

/// Obstacles and static bodies.
#[derive(Clone, Debug)]
pub(super) struct Fixtures {
    /// The scene's obstacles when `fixed` was made.
    obstacles: Vec<Obstacle>,
    obstacle_shapes: Vec<Shape>,
    fixed: Vec<Fixed>,
    grid: BoxGrid,
}

/// A body that never moves.
#[derive(Clone, Copy, Debug)]
struct Fixed {
    shape: FixedShape,
    solid: Solid,
    state: BodyState,
    /// Which objects it meets; `None` for all.
    layer: Option<Layer>,
}

#[derive(Clone, Copy, Debug)]
enum FixedShape {
    /// Its index.
    Obstacle(usize),
    /// A static body.
    Object(u32),
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
        let mut fixed = Vec::new();
        let mut obstacle_shapes = Vec::with_capacity(obstacles.len());
        for (index, obstacle) in obstacles.iter().enumerate() {
            let (shape, scale, position) = slab(obstacle);
            let solid = Solid::new(0, &shape, scale, 1.0).stiff(0.0);
            let state = BodyState::resting(position);
            obstacle_shapes.push(shape);
            fixed.push(Fixed { shape: FixedShape::Obstacle(index), solid, state, layer: None });
        }
        for (object, ((solid, state), layer)) in (0..).zip(solids.iter().zip(states).zip(layers)) {
            if layer.is_static {
                let (shape, layer) = (FixedShape::Object(object), Some(*layer));
                fixed.push(Fixed { shape, solid: *solid, state: *state, layer });
            }
        }
        let mut fixtures = Self {
            obstacles: obstacles.to_vec(),
            obstacle_shapes,
            fixed,
            grid: BoxGrid::default(),
        };
        let body_box = |index: usize| {
            let [min, max] = fixtures.body(index, catalogue).bounds(BoxKind::Tight).outward();
            Aabb { min, max }
        };
        fixtures.grid = BoxGrid::new((0..fixtures.fixed.len()).map(body_box).collect());
        fixtures
    }

    /// The obstacles that it was made of.
    pub(super) fn obstacles(&self) -> &[Obstacle] {
        &self.obstacles
    }

    /// The body of an index that [`near`](Self::near) gave.
    pub(super) fn body<'a>(&'a self, index: usize, catalogue: &'a Catalogue) -> Body<'a> {
        let Fixed { shape, solid, state, .. } = &self.fixed[index];
        let shape = match shape {
            FixedShape::Obstacle(index) => &self.obstacle_shapes[*index],
            FixedShape::Object(_) => &catalogue.shapes()[solid.shape].shape,
        };
        Body { shape, scale: solid.scale, pose: state.pose() }
    }

    /// The body of an index that [`near`](Self::near) gave as one that moves, and its state.
    pub(super) fn mover<'a>(
        &'a self,
        index: usize,
        catalogue: &'a Catalogue,
        work: &'a Work<'a>,
    ) -> (Mover<'a>, BodyState) {
        let Fixed { solid, state, .. } = &self.fixed[index];
        let shape = self.body(index, catalogue).shape;
        (Mover { object: index, solid, shape, work }, *state)
    }

    /// The object of an index that [`near`](Self::near) gave; `None` for an obstacle.
    pub(super) fn object(&self, index: usize) -> Option<u32> {
        match self.fixed[index].shape {
            FixedShape::Obstacle(_) => None,
            FixedShape::Object(object) => Some(object),
        }
    }

    /// The centre of mass of the body of an index that [`near`](Self::near) gave.
    pub(super) fn center_of(&self, index: usize) -> DVec3 {
        self.fixed[index].state.position
    }

    /// The restitution of an index that [`near`](Self::near) gave; 1 for a wall.
    pub(super) fn restitution(&self, index: Option<usize>) -> f64 {
        index.map_or(1.0, |index| self.fixed[index].solid.restitution)
    }

    /// Appends the index of everything that an object of a layer may meet within a region.
    pub(super) fn near(&self, [min, max]: [DVec3; 2], layer: Layer, near: &mut Vec<usize>) {
        // A little larger, for rounding to f32.
        let slack = 1e-6 * min.abs().max(max.abs());
        let region = Aabb::new((min - slack).as_vec3(), (max + slack).as_vec3());
        self.grid.for_each_near(&region, |index| {
            if self.fixed[index].layer.is_none_or(|fixed| fixed.meets(layer)) {
                near.push(index);
            }
        });
    }
}

/// An obstacle as a box with a thickness: its shape, whose longest side is 1, its scale, its place.
fn slab(obstacle: &Obstacle) -> (Shape, f64, DVec3) {
    let size = obstacle.size.as_dvec3();
    let longest = size.max_element().max(MIN_SIDE);
    let shape = match Shape::cuboid((size / longest).max(DVec3::splat(THICKNESS))) {
        Ok(shape) => shape,
        Err(error) => unreachable!("a box of allowed lengths: {error}"),
    };
    (shape, longest, obstacle.corner.as_dvec3() + 0.5 * size)
}

//! Convex hulls of compounds.

use std::f64::consts::PI;

use glam::{DQuat, DVec3};

use super::oriented_box::{FACES, small_box};
use super::smallest_ball::smallest_ball;
use super::sphere::vertex_balls;
use super::{Outline, Placed, Volume};
use crate::body::Body;
use crate::body::Pose;
use crate::narrow::{Distance, Found};
use crate::pair::{Frame, ROUNDING};
use crate::shape::{Core, Part, Rounding, Shape, convex_hull};

/// A hull for each compound. Numbers of a placed one: rotation and scale.
///
/// Parts of different rounding radii are enclosed by the hull of all vertices, rounded by the
/// largest radius. A hull of more than 128 vertices, or of vertices in one plane, is replaced by
/// the oriented box.
///
/// A convex shape is its own hull. A pair of two passes: the narrow phase would repeat the same
/// test.
pub(super) struct Hulls {
    fitted: Vec<Hull>,
}

struct Hull {
    /// One part, whose centre of mass may be another than the compound's.
    shape: Shape,
    is_of_compound: bool,
}

impl Hulls {
    pub(super) fn new(shapes: &[Shape]) -> Self {
        let fit = |shape: &Shape| Hull {
            shape: if shape.is_convex() { shape.clone() } else { hull_of(shape) },
            is_of_compound: !shape.is_convex(),
        };
        Self { fitted: shapes.iter().map(fit).collect() }
    }

    /// The hull as a body, for a compound at `position`.
    fn body(&self, placed: &Placed, position: DVec3) -> Body<'_> {
        let [x, y, z, w, scale] = *placed.numbers::<5>();
        let rotation = DQuat::from_xyzw(x, y, z, w);
        let Hull { shape, is_of_compound } = &self.fitted[placed.shape];
        let offset = if *is_of_compound { shape.center_of_mass() } else { DVec3::ZERO };
        let position = position + rotation * (offset * scale);
        Body { shape, scale, pose: Pose { position, rotation } }
    }
}

fn hull_of(shape: &Shape) -> Shape {
    let vertices = shape.parts().iter().flat_map(|part| part.core().vertices()).copied();
    let radius = shape.parts().iter().map(Part::radius).fold(0.0, f64::max);
    // The hull may leave out vertices that are outside of a face by the tolerance of planes.
    let slack = 2e-9 * shape.bounding_radius();
    let box_core = || {
        let fitted = small_box(shape);
        Core::polyhedron((0..8).map(|at| fitted.corner(at)).collect(), &FACES.map(Vec::from))
    };
    let part = if let Ok((core, _)) = convex_hull(&vertices.collect::<Vec<_>>(), Rounding::EXACT) {
        Part::new(core, radius + slack)
    } else if let Some(core) = box_core() {
        Part::new(core, slack)
    } else {
        // The box is a billion times as long as thick.
        let ball = smallest_ball(&vertex_balls(shape));
        Part::new(Core::point(ball.center), ball.radius + slack)
    };
    Shape::from_parts(vec![part])
}

impl Volume for Hulls {
    fn width(&self) -> usize {
        5
    }

    fn place(&self, shape: usize, scale: f64, rotation: DQuat, numbers: &mut [f64]) {
        assert!(shape < self.fitted.len(), "no shape {shape}");
        let [x, y, z, w] = rotation.to_array();
        numbers[..5].copy_from_slice(&[x, y, z, w, scale]);
    }

    fn overlap(&self, a: &Placed, b: &Placed) -> bool {
        if ![a, b].iter().any(|placed| self.fitted[placed.shape].is_of_compound) {
            return true;
        }
        let bodies = [self.body(a, DVec3::ZERO), self.body(b, b.position - a.position)];
        let frame = Frame::new(&bodies[0], &bodies[1]);
        let pair = frame.parts(&bodies[0].shape.parts()[0], &bodies[1].shape.parts()[0]);
        let distance = Distance::until_decided(&pair, pair.direction_of_centres());
        // Only a proven gap separates. A search that did not end proves none.
        let slack = ROUNDING * frame.size();
        !(distance.found == Found::Apart && distance.lower > pair.radius + slack)
    }

    fn volume(&self, placed: &Placed) -> Option<f64> {
        let scale = placed.numbers::<5>()[4];
        Some(rounded_volume(&self.fitted[placed.shape].shape) * scale * scale * scale)
    }

    /// The faces of the core, moved outward by the rounding radius. A hull without faces is drawn
    /// as the sphere around it.
    fn outline(&self, placed: &Placed) -> Outline {
        let body = self.body(placed, placed.position);
        let part = &body.shape.parts()[0];
        let faces = part.core().faces();
        if faces.is_empty() {
            return Outline::Sphere { center: body.pose.position, radius: body.bounding_radius() };
        }
        let corner = |at: u8| part.core().vertices()[usize::from(at)];
        let moved = faces.iter().map(|face| {
            let out = face.normal * part.radius();
            let corners = face.vertices.iter();
            corners.map(|&at| body.pose.point((corner(at) + out) * body.scale)).collect()
        });
        Outline::Faces(moved.collect())
    }
}

/// The volume of all points within the radius of a core, by Steiner's formula (Schneider 2014, "Convex bodies", section
/// 4.2). The mass of a shape is without the rounding of a polyhedron, which only a hull has.
fn rounded_volume(shape: &Shape) -> f64 {
    let (core, radius) = (shape.parts()[0].core(), shape.parts()[0].radius());
    if core.faces().is_empty() {
        return shape.mass().volume;
    }
    let at = |i: u8| core.vertices()[usize::from(i)];
    let surface = core.faces().iter().map(|face| {
        let base = at(face.vertices[0]);
        let fan = face.vertices.windows(2);
        fan.map(|w| (at(w[0]) - base).cross(at(w[1]) - base)).sum::<DVec3>().length() / 2.0
    });
    let bends = core.edges().iter().zip(core.edge_faces()).map(|(ends, faces)| {
        let [from, to] = ends.map(at);
        let [one, other] = faces.map(|face| core.faces()[usize::from(face)].normal);
        from.distance(to) * libm::atan2(one.cross(other).length(), one.dot(other)) / 2.0
    });
    let corners = 4.0 / 3.0 * PI * radius;
    let around = surface.sum::<f64>() + radius * (bends.sum::<f64>() + corners);
    shape.mass().volume + radius * around
}

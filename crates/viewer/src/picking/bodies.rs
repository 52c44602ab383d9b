//! The first body on a ray.

use super::entry;
use crate::camera::Ray;
use crate::scene_renderer::{ShapeMesh, is_ball};
use glam::Vec3;
use narrowphase::Body;
use sim::Bodies;

/// The nearest body, as it is drawn, that a ray meets, among some objects in any order; `None` if it meets none.
/// Numbers of no object are ignored.
///
/// Bounding spheres are tried first, so that few shapes are triangulated.
pub fn nearest_body(
    ray: Ray,
    objects: impl IntoIterator<Item = u32>,
    bodies: &Bodies,
) -> Option<u32> {
    let enclosing = objects.into_iter().filter_map(|object| {
        let at = object as usize;
        let body = (at < bodies.states().len()).then(|| bodies.body(at))?;
        let radius = body.bounding_radius() as f32;
        Some((entry(ray, body.pose.position.as_vec3(), radius)?, object))
    });
    let mut enclosing: Vec<(f32, u32)> = enclosing.collect();
    enclosing.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut nearest: Option<(f32, u32)> = None;
    for (entered, object) in enclosing {
        // No body begins before its bounding sphere.
        if nearest.is_some_and(|(distance, _)| distance <= entered) {
            break;
        }
        let body = bodies.body(object as usize);
        let met = if is_ball(body.shape) { Some(entered) } else { surface(ray, &body) };
        if let Some(distance) = met
            && nearest.is_none_or(|(least, _)| distance < least)
        {
            nearest = Some((distance, object));
        }
    }
    nearest.map(|(_, object)| object)
}

/// Distance along a ray to a body's first triangle.
fn surface(ray: Ray, body: &Body<'_>) -> Option<f32> {
    let back = body.pose.rotation.conjugate();
    let origin = (ray.origin.as_dvec3() - body.pose.position) / body.scale;
    let local = Ray {
        origin: (back * origin).as_vec3(),
        direction: (back * ray.direction.as_dvec3()).as_vec3(),
    };
    let mesh = ShapeMesh::of(body.shape);
    let met = mesh.corners().filter_map(|corners| triangle(local, corners));
    met.min_by(f32::total_cmp).map(|distance| distance * body.scale as f32)
}

/// Distance along a ray to a triangle, seen from either side. By Cramer's rule for the barycentric coordinates
/// (Möller and Trumbore 1997).
fn triangle(ray: Ray, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac, from) = (b - a, c - a, ray.origin - a);
    let across = ray.direction.cross(ac);
    let determinant = ab.dot(across);
    let aside = from.cross(ab);
    let u = from.dot(across) / determinant;
    let v = ray.direction.dot(aside) / determinant;
    let distance = ac.dot(aside) / determinant;
    // A ray within the plane has a determinant of 0: nothing is inside then.
    (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0).then_some(distance)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::{SceneDocument, World};

    /// Along x: a plank across the ray's way whose bounding sphere is wide, and a cube behind it.
    const SCENE: &str = "\
i -2 -2 -2 4 4 4 100 f
#!objects 0
#!shape plank box 0.2 2 0.2
#!shape cube box 0.4 0.4 0.4
#!body plank 0 0 0  0 0 0
#!body cube 1 0.5 0  0 0 0
#!body cube 1 0 0.5  0 0 0 rotate 1 0 0 45
";

    fn pick(y: f32, z: f32) -> Option<u32> {
        let document = SceneDocument::parse("picked.scene", SCENE.as_bytes()).unwrap();
        let world = World::new(document.scene());
        let ray = Ray { origin: Vec3::new(-1.5, y, z), direction: Vec3::X };
        nearest_body(ray, [7777, 2, 1, 0], world.bodies().unwrap())
    }

    #[test]
    fn shape_is_picked_and_not_its_bounding_sphere() {
        assert_eq!(pick(0.5, 0.0), Some(0), "the plank is before the cube");
        // Beside the plank, within its bounding sphere.
        assert_eq!(pick(0.5, 0.15), Some(1));
        assert_eq!(pick(-0.5, 0.15), None);
    }

    #[test]
    fn picked_shape_is_rotated_as_it_is_drawn() {
        // The rotated cube's corner reaches higher than its side would.
        assert_eq!(pick(0.0, 0.75), Some(2));
        assert_eq!(pick(0.15, 0.68), None);
    }
}

//! The first body on a ray.

use super::entry;
use crate::camera::Ray;
use crate::scene_renderer::ShapeMesh;
use glam::Vec3;
use narrowphase::Body;

/// The nearest body, as it is drawn, that a ray meets, among some objects in any order; `None` if it meets none.
/// Numbers for which `body_of` has no body are ignored. As in the picture, faces seen from behind are not met.
///
/// Bounding spheres are tried first, so that few shapes are triangulated.
pub fn nearest_body<'a>(
    ray: Ray,
    objects: impl IntoIterator<Item = u32>,
    body_of: impl Fn(u32) -> Option<Body<'a>>,
) -> Option<u32> {
    let enclosing = objects.into_iter().filter_map(|object| {
        let body = body_of(object)?;
        let radius = body.bounding_radius() as f32;
        Some((entry(ray, body.pose.position.as_vec3(), radius)?, object, body))
    });
    let mut enclosing: Vec<(f32, u32, Body<'_>)> = enclosing.collect();
    enclosing.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let mut nearest: Option<(f32, u32)> = None;
    for (entered, object, body) in enclosing {
        // No body begins before its bounding sphere.
        if nearest.is_some_and(|(distance, _)| distance <= entered) {
            break;
        }
        let met = if body.shape.is_ball() { Some(entered) } else { surface(ray, &body) };
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

/// Distance along a ray to a triangle that is seen from its front. By Cramer's rule for the barycentric coordinates
/// (Möller and Trumbore 1997).
fn triangle(ray: Ray, [a, b, c]: [Vec3; 3]) -> Option<f32> {
    let (ab, ac, from) = (b - a, c - a, ray.origin - a);
    let across = ray.direction.cross(ac);
    let determinant = ab.dot(across);
    let aside = from.cross(ab);
    let u = from.dot(across) / determinant;
    let v = ray.direction.dot(aside) / determinant;
    let distance = ac.dot(aside) / determinant;
    // It is 0 for a ray within the plane, and negative from behind.
    (determinant > 0.0 && u >= 0.0 && v >= 0.0 && u + v <= 1.0 && distance >= 0.0)
        .then_some(distance)
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
        let bodies = world.bodies().unwrap();
        let body = |object| (object < 3).then(|| bodies.body(object as usize));
        nearest_body(ray, [7777, 2, 1, 0], body)
    }

    #[test]
    fn shape_is_picked_and_not_its_bounding_sphere() {
        assert_eq!(pick(0.5, 0.0), Some(0), "the plank is before the cube");
        // Beside the plank, within its bounding sphere.
        assert_eq!(pick(0.5, 0.15), Some(1));
        assert_eq!(pick(-0.5, 0.15), None);
    }

    #[test]
    fn faces_seen_from_behind_are_not_picked() {
        let shape = narrowphase::Shape::cuboid(glam::DVec3::ONE).unwrap();
        let body = Body::new(&shape, narrowphase::Pose::IDENTITY);
        let ray = |x: f32| Ray { origin: Vec3::X * x, direction: Vec3::X };
        assert_eq!(nearest_body(ray(-2.0), [0], |_| Some(body)), Some(0));
        assert_eq!(nearest_body(ray(0.0), [0], |_| Some(body)), None, "from inside it is not seen");
    }

    #[test]
    fn picked_shape_is_rotated_as_it_is_drawn() {
        // The rotated cube's corner reaches higher than its side would.
        assert_eq!(pick(0.0, 0.75), Some(2));
        assert_eq!(pick(0.15, 0.68), None);
    }
}

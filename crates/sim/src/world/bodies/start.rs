//! Bodies as they are at the start of a scene.

use super::super::placement::{Placed, draw_direction, share_of, shares};
use super::super::response::layer_of;
use super::solid::{BodyState, Solid};
use crate::random::draw_normal;
use crate::scene::{AxisAngle, BodiesRule, Catalogue, Scene, ShapeValue};
use broadphase::Layer;
use glam::{DQuat, DVec3, Vec3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// Stream of random numbers for orientations and spins: drawn from that of the places, they would change the
/// places.
const STREAM: u64 = 1;

/// How a body starts.
struct Start {
    position: DVec3,
    shape: usize,
    scale: f64,
    rotation: DQuat,
    spin: DVec3,
    is_bullet: bool,
    is_kinematic: bool,
}

/// The bodies of a scene, index = object. Spheres have the shape of index `ball`, of radius 1.
pub(super) fn start(
    scene: &Scene,
    catalogue: &Catalogue,
    ball: usize,
    placed: &Placed,
) -> (Vec<Solid>, Vec<BodyState>) {
    let mut rng = ChaCha8Rng::seed_from_u64(scene.seed);
    rng.set_stream(STREAM);
    let generated = generated_shapes(scene, catalogue);
    let from_bodies = placed.positions.len() - scene.placed_bodies.len();
    let mut solids = Vec::with_capacity(placed.positions.len());
    let mut states = Vec::with_capacity(placed.positions.len());
    for object in 0..placed.positions.len() {
        let radius = f64::from(placed.radii[object]);
        let position = placed.positions[object].as_dvec3();
        let start = if let Some(Some(shape)) = generated.get(object) {
            let scale = radius / catalogue.shapes()[*shape].shape.bounding_radius();
            let rotation = draw_rotation(scene.flat, &mut rng);
            let axis = if scene.flat { Vec3::Y } else { draw_direction(&mut rng) };
            let spin = axis.as_dvec3() * f64::from(scene.spin);
            let (is_bullet, is_kinematic) = (false, false);
            Start { position, shape: *shape, scale, rotation, spin, is_bullet, is_kinematic }
        } else if object >= from_bodies {
            let body = &scene.placed_bodies[object - from_bodies];
            let scale = f64::from(body.scale);
            let rotation = body.rotation.as_ref().map_or(DQuat::IDENTITY, AxisAngle::quaternion);
            let shape = catalogue.find(&body.shape).unwrap_or(ball);
            let (spin, is_bullet, is_kinematic) =
                (body.spin.as_dvec3(), body.is_bullet, body.is_kinematic || body.is_driven);
            Start { position, shape, scale, rotation, spin, is_bullet, is_kinematic }
        } else {
            let (rotation, spin) = (DQuat::IDENTITY, DVec3::ZERO);
            let (is_bullet, is_kinematic) = (false, false);
            let (shape, scale) = (ball, radius);
            Start { position, shape, scale, rotation, spin, is_bullet, is_kinematic }
        };
        let layer = layer_of(&placed.layers, object);
        let solid = solid(scene, catalogue, &start, layer);
        let shape = &catalogue.shapes()[start.shape].shape;
        states.push(BodyState {
            position: start.position,
            rotation: start.rotation,
            velocity: placed.velocities[object].as_dvec3(),
            angular_momentum: solid.angular_momentum(shape, start.rotation, start.spin),
        });
        solids.push(solid);
    }
    (solids, states)
}

fn solid(scene: &Scene, catalogue: &Catalogue, start: &Start, layer: Layer) -> Solid {
    let shape = &catalogue.shapes()[start.shape].shape;
    let density = value(&scene.density, catalogue, start.shape);
    let solid = Solid::new(start.shape, shape, start.scale, density);
    let mut solid = if scene.flat { solid.flat(shape, start.rotation) } else { solid };
    solid.restitution = value(&scene.restitution, catalogue, start.shape);
    solid.is_bullet = start.is_bullet;
    if layer.is_static {
        solid.fixed()
    } else if start.is_kinematic {
        solid.kinematic()
    } else {
        solid
    }
}

/// The value of a shape, or of all objects without one; 1 without both.
fn value(values: &[ShapeValue], catalogue: &Catalogue, shape: usize) -> f64 {
    let name = &catalogue.shapes()[shape].name;
    let own = values.iter().find(|value| value.shape.as_ref() == Some(name));
    let value = own.or_else(|| values.iter().find(|value| value.shape.is_none()));
    value.map_or(1.0, |value| f64::from(value.value))
}

/// The shape of each generated object; `None` for a sphere.
fn generated_shapes(scene: &Scene, catalogue: &Catalogue) -> Vec<Option<usize>> {
    let mut shapes = Vec::with_capacity(scene.objects as usize);
    let rules: HashMap<u32, &BodiesRule> =
        scene.generated_bodies.iter().map(|rule| (rule.source, rule)).collect();
    for (number, count) in (1..).zip(shares(scene)) {
        let first = shapes.len();
        let mut percent = 0.0;
        for share in rules.get(&number).into_iter().flat_map(|rule| &rule.shares) {
            percent += f64::from(share.percent);
            shapes.resize(first + share_of(count, percent), catalogue.find(&share.shape));
        }
        shapes.resize(first + count, None);
    }
    shapes
}

/// An orientation uniform among all, or among those about y.
fn draw_rotation(flat: bool, rng: &mut ChaCha8Rng) -> DQuat {
    loop {
        // The direction of normal numbers is uniform on the sphere of unit quaternions.
        let [x, y, z, w] = [(); 4].map(|()| f64::from(draw_normal(rng)));
        let rotation =
            if flat { DQuat::from_xyzw(0.0, y, 0.0, w) } else { DQuat::from_xyzw(x, y, z, w) };
        if rotation.length_squared() > 1e-4 {
            return rotation.normalize();
        }
    }
}

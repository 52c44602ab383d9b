//! Bodies as they are at the start of a scene.

use super::super::placement::{Objects, draw_direction, share_of, shares};
use super::super::response::layer_of;
use super::solid::{BodyState, Solid};
use crate::random::draw_normal;
use crate::scene::{AxisAngle, BodiesRule, Catalogue, LARGEST_TURN, Scene, ShapeValue};
use glam::{DQuat, DVec3, Vec3};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// Stream of random numbers for orientations and spins: drawn from that of the places, they would change the
/// places.
const STREAM: u64 = 1;

/// The bodies of a scene, index = object. Spheres have the last shape, of radius 1.
pub(super) fn start(
    scene: &Scene,
    catalogue: &Catalogue,
    placed: &Objects,
) -> (Vec<Solid>, Vec<BodyState>) {
    let mut rng = ChaCha8Rng::seed_from_u64(scene.seed);
    rng.set_stream(STREAM);
    let (generated, ball) = (generated_shapes(scene, catalogue), catalogue.shapes().len() - 1);
    let first_placed = placed.positions.len() - scene.placed_bodies.len();
    let mut solids = Vec::with_capacity(placed.positions.len());
    let mut states = Vec::with_capacity(placed.positions.len());
    for (object, position) in placed.positions.iter().enumerate() {
        let radius = f64::from(placed.radii[object]);
        let body = object.checked_sub(first_placed).map(|index| &scene.placed_bodies[index]);
        let (index, scale, rotation, spin) = match (generated.get(object), body) {
            (Some(Some(index)), _) => {
                let scale = radius / catalogue.shapes()[*index].shape.bounding_radius();
                let rotation = draw_rotation(scene.flat, &mut rng);
                let axis = if scene.flat { Vec3::Y } else { draw_direction(&mut rng) };
                (*index, scale, rotation, axis.as_dvec3() * f64::from(scene.spin))
            }
            (_, Some(body)) => {
                let rotation = body.rotation.as_ref();
                let rotation = rotation.map_or(DQuat::IDENTITY, AxisAngle::quaternion);
                let index = catalogue.index_of(&body.shape);
                (index, f64::from(body.scale), rotation, body.spin.as_dvec3())
            }
            _ => (ball, radius, DQuat::IDENTITY, DVec3::ZERO),
        };
        let shape = &catalogue.shapes()[index].shape;
        let mut solid = Solid::new(index, shape, scale, value(&scene.density, catalogue, index));
        solid.fastest = LARGEST_TURN / f64::from(scene.dt);
        if scene.flat {
            solid = solid.flat(shape, rotation);
        }
        solid.restitution = value(&scene.restitution, catalogue, index);
        solid.is_bullet = body.is_some_and(|body| body.is_bullet);
        if layer_of(&placed.layers, object).is_static {
            solid = solid.stiff(0.0);
        } else if body.is_some_and(|body| body.is_kinematic || body.is_driven) {
            solid = solid.kinematic();
        }
        let state = BodyState {
            position: position.as_dvec3(),
            rotation,
            velocity: placed.velocities[object].as_dvec3(),
            angular_momentum: solid.angular_momentum(
                shape,
                rotation,
                spin.clamp_length_max(solid.fastest),
            ),
        };
        states.push(state);
        solids.push(solid);
    }
    (solids, states)
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

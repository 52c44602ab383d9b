//! Two bodies as a scene of their own.

use crate::scene::{
    Continuous, ExactPose, PartRule, PlacedBody, Scene, SceneDocument, SceneError, ShapeForm,
    ShapeRule, Source,
};
use glam::{DVec3, Vec3};
use narrowphase::impact::Motion;
use narrowphase::{Body, Pose};

/// The text of a scene in which two bodies stand still exactly as they are now. It has no other shapes. `names` are those of their shapes in
/// `scene`; a name that `scene` does not define stands for spheres, which get a name that is free.
///
/// # Errors
///
/// If a pose is not finite, or no file can describe the bodies.
pub fn pair_scene(
    scene: &Scene,
    names: [&str; 2],
    bodies: [&Body<'_>; 2],
) -> Result<String, SceneError> {
    let still = bodies.map(|body| (body, &Motion::NONE));
    scene_of_pair(scene, names, still, Scene::default().dt)
}

/// [`pair_scene`] of two bodies in motion, which collide continuously. A step takes `seconds`, more than 0 and at most 1.
/// Velocities and spins are rounded to `f32`. Its world rotates bodies freely, so that a spin stays the same only about
/// a principal axis.
///
/// # Errors
///
/// As [`pair_scene`], also if a velocity is too large for `f32` or there is no such step.
pub fn moving_pair_scene(
    scene: &Scene,
    names: [&str; 2],
    bodies: [(&Body<'_>, &Motion); 2],
    seconds: f64,
) -> Result<String, SceneError> {
    scene_of_pair(scene, names, bodies, seconds as f32)
}

/// The scene is continuous unless both bodies rest. A step takes `dt` seconds.
fn scene_of_pair(
    scene: &Scene,
    names: [&str; 2],
    moving: [(&Body<'_>, &Motion); 2],
    dt: f32,
) -> Result<String, SceneError> {
    let bodies = moving.map(|(body, _)| body);
    let paths = moving.map(|(body, motion)| f64::from(dt) * motion.speed_bound(body));
    let middle = 0.5 * (bodies[0].pose.position + bodies[1].pose.position);
    let reach = bodies.map(Body::bounding_radius).into_iter().zip(paths);
    let reach = reach.map(|(radius, path)| radius + path).fold(0.0, f64::max);
    let half = 2.0 * (reach + 0.5 * bodies[0].pose.position.distance(bodies[1].pose.position));
    // Wide enough that the walls differ in `f32`, far from the origin too.
    let half = half.max(1e-6 * middle.abs().max_element());
    // A scene of 64 shapes has no room for spheres.
    let of_pair = scene.parts.iter().filter(|part| names.contains(&part.compound.as_str()));
    let parts: Vec<PartRule> = of_pair.cloned().collect();
    let is_needed =
        |name: &str| names.contains(&name) || parts.iter().any(|part| part.shape == name);
    let shapes = scene.shapes.iter().filter(|rule| is_needed(&rule.name)).cloned().collect();
    let is_still = moving.iter().all(|(_, motion)| **motion == Motion::NONE);
    let mut pair = Scene {
        objects: 0,
        shapes,
        parts,
        dt,
        continuous: if is_still { Continuous::Off } else { Continuous::All },
        sources: vec![Source {
            corner: (middle - DVec3::splat(half)).as_vec3(),
            size: Vec3::splat(2.0 * half as f32),
            percent: 100.0,
            floor: true,
        }],
        ..Scene::default()
    };
    let is_defined = |name: &str| scene.shapes.iter().any(|rule| rule.name == name);
    let sphere = free_name(is_defined);
    let names = names.map(|name| if is_defined(name) { name } else { &sphere });
    if names.contains(&sphere.as_str()) {
        let form = ShapeForm::Sphere { radius: 1.0 };
        pair.shapes.push(ShapeRule { name: sphere.clone(), form });
    }
    for (name, (body, motion)) in names.into_iter().zip(moving) {
        let Pose { position, rotation } = body.pose;
        pair.placed_bodies.push(PlacedBody {
            shape: name.to_owned(),
            center: position.as_vec3(),
            velocity: motion.velocity.as_vec3(),
            scale: body.scale as f32,
            rotation: None,
            exact: Some(ExactPose { scale: body.scale, position, rotation }),
            spin: motion.spin.as_vec3(),
            is_static: false,
            is_bullet: false,
            is_kinematic: false,
            is_driven: false,
        });
    }
    Ok(SceneDocument::from_scene(&pair)?.to_text())
}

/// A name for the shape of spheres.
fn free_name(is_taken: impl Fn(&str) -> bool) -> String {
    let mut name = "sphere".to_owned();
    for number in 2.. {
        if !is_taken(&name) {
            break;
        }
        name = format!("sphere-{number}");
    }
    name
}

//! Two bodies as a scene of their own.

use crate::scene::{
    AxisAngle, PlacedBody, Scene, SceneDocument, SceneError, ShapeForm, ShapeRule, Source,
};
use glam::{DQuat, DVec3, Vec3};
use narrowphase::{Body, Pose};
use std::fmt::Write;

/// The text of a scene in which two bodies stand still as they are now. `names` are those of their shapes in `scene`; a
/// name that `scene` does not define stands for spheres, which get a name that is free.
///
/// A scene file has numbers of seven digits. So that none are lost, comments say where the bodies really were.
///
/// # Errors
///
/// If a pose is not finite, or no file can describe the bodies.
pub fn pair_scene(
    scene: &Scene,
    names: [&str; 2],
    bodies: [&Body<'_>; 2],
) -> Result<String, SceneError> {
    let middle = 0.5 * (bodies[0].pose.position + bodies[1].pose.position);
    let reach = bodies.map(Body::bounding_radius).into_iter().fold(0.0, f64::max);
    let half = 2.0 * (reach + 0.5 * bodies[0].pose.position.distance(bodies[1].pose.position));
    let mut pair = Scene {
        objects: 0,
        shapes: scene.shapes.clone(),
        parts: scene.parts.clone(),
        sources: vec![Source {
            corner: Vec3::splat(-half as f32),
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
    let mut text = String::new();
    for (name, body) in names.into_iter().zip(bodies) {
        let Pose { position, rotation } = body.pose;
        let _ = writeln!(
            text,
            "# {name}: scale {:?}, position {:?}, rotation {:?} (x, y, z, w)",
            body.scale,
            position.to_array(),
            rotation.to_array()
        );
        pair.placed_bodies.push(PlacedBody {
            shape: name.to_owned(),
            center: (position - middle).as_vec3(),
            velocity: Vec3::ZERO,
            scale: body.scale as f32,
            rotation: axis_angle(rotation),
            spin: Vec3::ZERO,
            is_static: false,
            is_bullet: false,
        });
    }
    text.push_str(&SceneDocument::from_scene(&pair)?.to_text());
    Ok(text)
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

/// `None` for no rotation.
fn axis_angle(rotation: DQuat) -> Option<AxisAngle> {
    let along = DVec3::new(rotation.x, rotation.y, rotation.z);
    let axis = along.try_normalize()?.as_vec3();
    let degrees = 2.0 * libm::atan2(along.length(), rotation.w).to_degrees();
    Some(AxisAngle { axis, degrees: degrees as f32 })
}

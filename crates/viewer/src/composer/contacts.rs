//! What is known of bodies and drawn over them: boxes for the broad phase, bounding volumes, contact points, normals.

use super::faint;
use super::structure::strength;
use crate::camera::OrbitCamera;
use crate::scene_renderer::{Color, Segment, Theme, WireBox};
use crate::simulation::{MAX_BOXES, Snapshot};
use crate::view::{ColorBy, Row, View};
use glam::Vec3;

/// Half the size of a contact point's mark, new, kept or unknown, and the length of a normal, in radii of the smaller
/// body.
const MARKS: [f32; 3] = [0.16, 0.1, 0.16];
const NORMAL: f32 = 0.8;

/// Sides of the polygon that outlines a sphere.
const SIDES: usize = 32;

/// The boxes of the first bodies, [`MAX_BOXES`] at most.
pub(super) fn compose_boxes(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    let Some(bodies) = snapshot.objects.bodies.as_ref().filter(|_| options.shows(Row::Aabbs))
    else {
        return;
    };
    let drawn = &bodies.boxes[..bodies.boxes.len().min(MAX_BOXES)];
    let color = faint(theme.source, strength(drawn.len()));
    boxes.extend(drawn.iter().map(|bounds| WireBox { bounds: *bounds, color, width: 1.0 }));
}

/// Colours of new and kept contact points where bodies that touch are red: as in the thesis (000 §6.2).
const OF_TOUCHING: [Color; 2] = [[0, 255, 255, 255], [255, 255, 255, 255]];

/// The colours of new, kept and unknown contact points.
pub fn contact_colors(color: ColorBy, theme: &Theme) -> [Color; 3] {
    match (color, theme.contacts) {
        (ColorBy::Touching, [_, _, unknown]) => [OF_TOUCHING[0], OF_TOUCHING[1], unknown],
        (_, colors) => colors,
    }
}

/// The edges of bounding volumes. A sphere is the circle that the camera sees of it; in a flat scene volumes are circles in
/// its plane.
pub(super) fn compose_volumes(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    camera: &OrbitCamera,
    segments: &mut Vec<Segment>,
) {
    let Some(bodies) = snapshot.objects.bodies.as_ref().filter(|_| options.shows(Row::Volumes))
    else {
        return;
    };
    let volumes = &bodies.volumes;
    let color = faint(theme.leaf, strength(volumes.number));
    let mut add = |a: Vec3, b: Vec3| {
        segments.push(Segment { a: a.to_array(), b: b.to_array(), color, width: 1.25 });
    };
    volumes.edges.iter().for_each(|[a, b]| add(*a, *b));
    for (center, radius) in &volumes.spheres {
        let circle = match snapshot.input.scene.flat {
            true => Some((*center, [Vec3::X, Vec3::Z].map(|axis| axis * *radius))),
            false => outline(*center, *radius, camera.eye()),
        };
        let Some((middle, [u, v])) = circle else { continue };
        let at = |side: usize| {
            let angle = std::f32::consts::TAU * side as f32 / SIDES as f32;
            middle + u * angle.cos() + v * angle.sin()
        };
        (0..SIDES).for_each(|side| add(at(side), at(side + 1)));
    }
}

/// The circle that an eye sees of a sphere: its centre, and two radii at a right angle. From inside, there is none.
fn outline(center: Vec3, radius: f32, eye: Vec3) -> Option<(Vec3, [Vec3; 2])> {
    let to_eye = eye - center;
    let distance = to_eye.length();
    if distance <= radius {
        return None;
    }
    let sine = radius / distance;
    let (u, v) = (to_eye / distance).any_orthonormal_pair();
    let seen = radius * (1.0 - sine * sine).sqrt();
    Some((center + to_eye * (sine * sine), [u * seen, v * seen]))
}

/// A mark at each contact point, its colour by whether it is new, and a line along its normal. Both are drawn over
/// the bodies, which overlap there, and for the first [`MAX_BOXES`] points at most.
pub(super) fn compose_points(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    segments: &mut Vec<Segment>,
) {
    let Some(bodies) = &snapshot.objects.bodies else { return };
    let mut add = |a: Vec3, b: Vec3, color, width| {
        segments.push(Segment { a: a.to_array(), b: b.to_array(), color, width });
    };
    let colors = contact_colors(options.color, theme);
    for contact in bodies.contacts.iter().take(MAX_BOXES) {
        let age = contact.is_kept.map_or(2, usize::from);
        let color = colors[age];
        if options.shows(Row::Contacts) {
            for axis in Vec3::AXES {
                let aside = axis * (MARKS[age] * contact.radius);
                add(contact.point - aside, contact.point + aside, color, 2.5);
            }
        }
        if options.shows(Row::Normals) {
            let tip = contact.point + contact.normal * (NORMAL * contact.radius);
            add(contact.point, tip, color, 1.5);
        }
    }
}

//! The parts of bodies, each in its own box, and the figures that some bodies stand for.

use super::faint;
use super::structure::strength;
use crate::scene_renderer::{Segment, Theme, WireBox};
use crate::simulation::{MAX_BOXES, Snapshot};
use crate::view::{Row, View};
use broadphase::Aabb;
use glam::Vec3;
use narrowphase::{Body, Bounds, Part};
use sim::scene::MoveRule;

/// Outline of a standing figure's trunk and legs, in shares of its height: along x from its right edge, and above its feet.
const TRUNK: [[f32; 2]; 11] = [
    [-0.34, 0.64],
    [-0.45, 0.60],
    [-0.45, 0.0],
    [-0.37, 0.0],
    [-0.35, 0.28],
    [-0.33, 0.0],
    [-0.25, 0.0],
    [-0.25, 0.60],
    [-0.34, 0.64],
    [-0.35, 0.58],
    [-0.31, 0.36],
];

/// Centre and radius of its head, and sides of the polygon that draws it.
const HEAD: ([f32; 2], f32) = ([-0.2, 0.8], 0.2);
const SIDES: usize = 24;

/// The box of each part of each body, [`MAX_BOXES`] at most, and the figures.
pub(super) fn compose(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
    over_objects: &mut Vec<Segment>,
) {
    let Some(shown) = snapshot.objects.bodies.as_ref().filter(|_| options.shows(Row::Parts)) else {
        return;
    };
    let objects = snapshot.objects.positions.iter().enumerate();
    let bodies = || objects.clone().filter_map(|(object, at)| shown.body(object, *at));
    let number = bodies().map(|body| body.shape.parts().len()).sum::<usize>().min(MAX_BOXES);
    let color = faint(theme.cached[1], strength(number));
    let parts = bodies().flat_map(|body| body.shape.parts().iter().map(move |part| (body, part)));
    boxes.extend(parts.take(MAX_BOXES).map(|(body, part)| {
        let bounds = bounds_of_part(&body, part);
        WireBox { bounds, color, width: 1.25 }
    }));
    let at = |object: u32| snapshot.objects.positions.get(object as usize).copied();
    let figures = figures(snapshot).filter_map(|object| shown.body(object as usize, at(object)?));
    figures.for_each(|body| compose_figure(&body, theme, over_objects));
}

/// The bodies that stand for figures (000 §6.4): the driven ones that walk in a plane.
pub fn figures(snapshot: &Snapshot) -> impl Iterator<Item = u32> {
    let scene = &snapshot.input.scene;
    let walk = scene.flat && scene.driving.rule == MoveRule::Walk;
    snapshot.driven().filter(move |_| walk)
}

/// The smallest box of a part where its body is.
fn bounds_of_part(body: &Body<'_>, part: &Part) -> Aabb {
    let Body { scale, pose, .. } = *body;
    let mut bounds = Bounds::EMPTY;
    for vertex in part.core().vertices() {
        let at = pose.position + pose.rotation * (*vertex * scale);
        bounds = Bounds { min: bounds.min.min(at), max: bounds.max.max(at) };
    }
    let [min, max] = bounds.grown(part.radius() * scale).outward();
    Aabb { min, max }
}

/// A standing figure as high as its body, at its right edge.
fn compose_figure(body: &Body<'_>, theme: &Theme, segments: &mut Vec<Segment>) {
    let bounds = body.shape.bounds();
    let height = (bounds.max.z - bounds.min.z) as f32;
    let place = |[x, z]: [f32; 2]| {
        let local =
            Vec3::new(bounds.max.x as f32 + x * height, 0.0, bounds.min.z as f32 + z * height);
        let at = body.pose.position + body.pose.rotation * (local.as_dvec3() * body.scale);
        at.as_vec3().to_array()
    };
    let mut add = |a: [f32; 2], b: [f32; 2]| {
        segments.push(Segment { a: place(a), b: place(b), color: theme.picked, width: 2.0 });
    };
    TRUNK.windows(2).for_each(|ends| add(ends[0], ends[1]));
    let ([x, z], radius) = HEAD;
    let at = |side: usize| {
        let (sin, cos) = (std::f32::consts::TAU * side as f32 / SIDES as f32).sin_cos();
        [x + radius * cos, z + radius * sin]
    };
    (0..SIDES).for_each(|side| add(at(side), at(side + 1)));
}

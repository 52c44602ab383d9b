//! Where bodies are, vertex by vertex.

use glam::DVec3;
use narrowphase::{Body, BoxKind};
use sim::World;

/// The projection of a body's furthest point along a direction.
pub(crate) fn reach(body: &Body<'_>, direction: DVec3) -> f64 {
    let local = body.pose.rotation.conjugate() * direction;
    let parts = body.shape.parts().iter().map(|part| {
        let along = part.core().vertices().iter().map(|vertex| vertex.dot(local));
        along.fold(f64::NEG_INFINITY, f64::max) + part.radius()
    });
    parts.fold(f64::NEG_INFINITY, f64::max) * body.scale + body.pose.position.dot(direction)
}

/// How far bodies are behind the walls of their sources, in units of their radius.
pub(crate) fn furthest_behind_walls(world: &World) -> f64 {
    let bodies = world.bodies().unwrap();
    let is_moving = |object: &usize| !world.layers().get(*object).is_some_and(|it| it.is_static);
    let mut furthest = f64::NEG_INFINITY;
    for object in (0..world.len()).filter(is_moving) {
        let home = world.home(object);
        let Some((_, source)) = world.sources().find(|(number, _)| Some(*number) == home) else {
            continue;
        };
        let (body, walls) = (bodies.body(object), source.bounds());
        let tight = body.bounds(BoxKind::Tight);
        let behind = (walls.min.as_dvec3() - tight.min).max(tight.max - walls.max.as_dvec3());
        furthest = furthest.max(behind.max_element() / body.bounding_radius());
    }
    furthest
}

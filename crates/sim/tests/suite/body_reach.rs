//! Where bodies are, vertex by vertex.

use glam::DVec3;
use narrowphase::Body;
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
    let mut furthest = f64::NEG_INFINITY;
    for (object, layer) in (0..world.len()).map(|object| (object, world.layers().get(object))) {
        let home = world.home(object);
        let source = world.sources().find(|(number, _)| Some(*number) == home);
        let Some((_, source)) = source.filter(|_| !layer.is_some_and(|layer| layer.is_static))
        else {
            continue;
        };
        let (body, bounds) = (bodies.body(object), source.bounds());
        for (axis, direction) in DVec3::AXES.into_iter().enumerate() {
            let above = reach(&body, direction) - f64::from(bounds.max[axis]);
            let below = reach(&body, -direction) + f64::from(bounds.min[axis]);
            furthest = furthest.max(above.max(below) / body.bounding_radius());
        }
    }
    furthest
}

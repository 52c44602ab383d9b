//! What pictures and measured frames show of a world.

use sim::World;
use viewer::scene_renderer::{SphereInstance, Theme, WireBox};

/// The spheres, in the colours of the theme.
pub(super) fn spheres(world: &World, theme: &Theme) -> impl Iterator<Item = SphereInstance> {
    let spheres = world.positions().iter().zip(world.radii()).enumerate();
    spheres.map(|(object, (center, radius))| SphereInstance {
        center: center.to_array(),
        radius: *radius,
        color: theme.sphere(object),
    })
}

/// The sources as boxes, with lines of a width.
pub(super) fn sources(world: &World, theme: &Theme, width: f32) -> impl Iterator<Item = WireBox> {
    let sources = world.scene().sources.iter();
    sources.map(move |source| WireBox { bounds: source.bounds(), color: theme.source, width })
}

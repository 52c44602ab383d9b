//! The objects in their colours: spheres or bodies of a scene, boxes of a recording.

use super::bodies::Bodies;
use super::paint::{Paint, shows_glow};
use crate::picking::is_large;
use crate::scene_renderer::{BoxInstance, SphereInstance, Theme};
use crate::simulation::Snapshot;
use crate::view::{Row, View};

/// Lists for the renderer, reused from frame to frame.
#[derive(Debug, Default)]
pub(super) struct Objects {
    pub(super) spheres: Vec<SphereInstance>,
    pub(super) bodies: Bodies,
    pub(super) solid: Vec<BoxInstance>,
    pub(super) outlined: Vec<BoxInstance>,
}

impl Objects {
    pub(super) fn clear(&mut self) {
        self.spheres.clear();
        self.bodies.clear();
        self.solid.clear();
        self.outlined.clear();
    }

    pub(super) fn fill(&mut self, snapshot: &Snapshot, options: &View, theme: &Theme) {
        let paint = Paint::new(snapshot, shows_glow(snapshot, options), theme);
        if let Some(bodies) = &snapshot.objects.bodies {
            return self.bodies.fill(bodies, snapshot, &paint, &mut self.spheres);
        }
        let spheres = snapshot.objects.positions.iter().zip(&snapshot.objects.radii).enumerate();
        self.spheres.extend(spheres.map(|(object, (center, radius))| SphereInstance {
            center: center.to_array(),
            radius: *radius,
            color: paint.color(object),
        }));
        // An absent object has an empty box.
        let present =
            snapshot.objects.boxes.iter().enumerate().filter(|(_, bounds)| !bounds.is_empty());
        for (object, bounds) in present {
            let (min, max) = (bounds.min.to_array(), bounds.max.to_array());
            let instance = BoxInstance { min, max, color: paint.color(object) };
            // A solid box around others would hide them.
            match options.shows(Row::Outlines) || is_large(bounds, &snapshot.objects.space) {
                true => self.outlined.push(instance),
                false => self.solid.push(instance),
            }
        }
    }
}

//! The objects of a snapshot.

use crate::session::Session;
use crate::simulation::bodies::ShownBodies;
use broadphase::Aabb;
use glam::Vec3;

/// The spheres or bodies of a scene, or the boxes of a recording. Index = object in all lists.
#[derive(Clone, Debug)]
pub struct ObjectStates {
    /// Centres.
    pub positions: Vec<Vec3>,
    /// Radii, of bodies those of their bounding spheres; none for a recording.
    pub radii: Vec<f32>,
    /// Further states of bodies; `None` where all objects are spheres.
    pub bodies: Option<ShownBodies>,
    /// The boxes of a recording, empty for absent objects; none for a scene.
    pub boxes: Vec<Aabb>,
    /// Glow of each sphere after a hit, 1 to 0.
    pub glow: Vec<f32>,
    /// The number of objects that are present: of a recording, some may be absent.
    pub present: usize,
    /// The space that the objects are in.
    pub space: Aabb,
    /// The same with all objects, some of which may be outside: cells hold nothing beyond it.
    pub occupied: Aabb,
}

impl Default for ObjectStates {
    fn default() -> Self {
        Self {
            positions: Vec::new(),
            radii: Vec::new(),
            bodies: None,
            boxes: Vec::new(),
            glow: Vec::new(),
            present: 0,
            space: Aabb::EMPTY,
            occupied: Aabb::EMPTY,
        }
    }
}

impl ObjectStates {
    pub(super) fn fill(&mut self, session: &Session) {
        self.positions.clear();
        self.radii.clear();
        self.boxes.clear();
        self.glow.clear();
        let motion = session.motion();
        self.bodies = ShownBodies::of(session, self.bodies.take());
        match session.world() {
            Some(world) => {
                self.positions.extend_from_slice(world.positions());
                self.radii.extend_from_slice(world.radii());
                self.glow.extend((0..world.len()).map(|object| motion.hit_glow(object)));
                self.present = world.len();
            }
            None => {
                self.boxes.extend_from_slice(motion.boxes());
                self.positions.extend(self.boxes.iter().map(center));
                self.present = self.boxes.iter().filter(|bounds| !bounds.is_empty()).count();
            }
        }
        self.space = motion.space();
        self.occupied = motion.boxes().iter().fold(self.space, |all, b| all.union(b));
    }

    /// The box of an object; `None` if it is absent, or there is no such object.
    pub(in crate::simulation) fn bounds_of(&self, object: u32) -> Option<Aabb> {
        let at = object as usize;
        let boxes = self.bodies.as_ref().map_or(&self.boxes, |bodies| &bodies.boxes);
        let bounds = match self.radii.get(at) {
            Some(radius) if self.bodies.is_none() => {
                Aabb::around_sphere(*self.positions.get(at)?, *radius)
            }
            _ => *boxes.get(at)?,
        };
        (!bounds.is_empty()).then_some(bounds)
    }
}

/// The centre of a box; the origin for an absent object, whose box has none.
pub(in crate::simulation) fn center(bounds: &Aabb) -> Vec3 {
    if bounds.is_empty() { Vec3::ZERO } else { bounds.center() }
}

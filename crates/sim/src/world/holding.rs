//! Sources take hold of objects and release them.

use super::World;
use super::elements::Listed;
use super::homes::{FREE, Held, is_inside};
use broadphase::Aabb;

/// Whether a source was listed with the same box.
fn is_among(listed: &[Listed], (number, bounds): &Listed) -> bool {
    let at = listed.binary_search_by_key(number, |(number, _)| *number);
    at.is_ok_and(|at| listed[at].1 == *bounds)
}

impl World {
    /// Number of the source whose walls hold an object; `None` for a free one.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn home(&self, object: usize) -> Option<u32> {
        Some(self.homes[object]).filter(|home| *home != FREE)
    }

    /// Number of the source that an object started in, wherever it is now; `None` for a ball outside of all
    /// sources.
    ///
    /// # Panics
    ///
    /// If there is no such object.
    pub fn origin(&self, object: usize) -> Option<u32> {
        Some(self.origins[object]).filter(|origin| *origin != FREE)
    }

    /// Whether an object is wholly inside a box.
    pub(super) fn is_inside(&self, object: usize, bounds: &Aabb) -> bool {
        match &self.bodies {
            Some(bodies) => bodies.is_inside(object, bounds),
            None => is_inside(self.positions[object], self.radii[object], bounds),
        }
    }

    /// Releases the objects of sources that are no longer listed. A source with another box than in `before`
    /// releases those not wholly inside it.
    pub(super) fn release(&mut self, before: &[Listed]) -> Vec<Held> {
        if self.elements.boxes().eq(before.iter().copied()) {
            return Vec::new();
        }
        let mut released = Vec::new();
        for object in 0..self.len() {
            let source = self.homes[object];
            let is_held = self.elements.source(source).is_some_and(|now| {
                let bounds = now.bounds();
                is_among(before, &(source, bounds)) || self.is_inside(object, &bounds)
            });
            if source != FREE && !is_held {
                released.push(Held { object: object as u32, source });
                self.homes[object] = FREE;
            }
        }
        released
    }

    /// Every source that is not in `before`, or has another box there, takes hold of the free objects wholly
    /// inside it.
    pub(super) fn take_hold(&mut self, before: &[Listed]) -> Vec<Held> {
        let is_fresh = |source: &Listed| !is_among(before, source);
        let fresh: Vec<Listed> = self.elements.boxes().filter(is_fresh).collect();
        let mut taken = Vec::new();
        if fresh.is_empty() {
            return taken;
        }
        for object in 0..self.len() {
            let holder = fresh.iter().find(|(_, bounds)| self.is_inside(object, bounds));
            if self.homes[object] == FREE
                && let Some((source, _)) = holder
            {
                self.homes[object] = *source;
                taken.push(Held { object: object as u32, source: *source });
            }
        }
        taken
    }
}

//! Sources take hold of spheres and release them.

use super::World;
use super::elements::Listed;
use super::homes::{FREE, Held, is_inside};

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

    /// Releases the spheres of sources that are no longer listed. A source with another box than in `before`
    /// releases those not wholly inside it.
    pub(super) fn release(&mut self, before: &[Listed]) -> Vec<Held> {
        let now: Vec<Listed> = self.elements.boxes().collect();
        let mut released = Vec::new();
        if now == before {
            return released;
        }
        let spheres = self.homes.iter_mut().zip(&self.positions).zip(&self.radii);
        for (object, ((home, center), radius)) in (0..).zip(spheres) {
            let listed = now.iter().find(|(number, _)| number == home);
            let is_held = listed.is_some_and(|listed| {
                before.contains(listed) || is_inside(*center, *radius, &listed.1)
            });
            if *home != FREE && !is_held {
                released.push(Held { object, source: *home });
                *home = FREE;
            }
        }
        released
    }

    /// Every source that is not in `before`, or has another box there, takes hold of the free spheres wholly
    /// inside it.
    pub(super) fn take_hold(&mut self, before: &[Listed]) -> Vec<Held> {
        let fresh: Vec<Listed> =
            self.elements.boxes().filter(|listed| !before.contains(listed)).collect();
        let mut taken = Vec::new();
        if fresh.is_empty() {
            return taken;
        }
        let spheres = self.homes.iter_mut().zip(&self.positions).zip(&self.radii);
        for (object, ((home, center), radius)) in (0..).zip(spheres) {
            let holder = fresh.iter().find(|(_, bounds)| is_inside(*center, *radius, bounds));
            if *home == FREE
                && let Some((number, _)) = holder
            {
                *home = *number;
                taken.push(Held { object, source: *number });
            }
        }
        taken
    }
}

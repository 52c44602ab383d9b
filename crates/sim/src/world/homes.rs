//! The home of each object: the source whose walls hold it. Sources take hold of objects and release them.

use super::World;
use super::elements::Listed;
use crate::scene::Source;
use broadphase::Aabb;
use glam::Vec3;

/// Home of an object that no source holds.
pub(super) const FREE: u32 = u32::MAX;

/// Share of its radius by which a sphere may cross a wall and still count as inside, for rounding.
const TOLERANCE: f64 = 1e-4;

/// An object that was released or taken hold of: its homes before and after.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) object: u32,
    pub(super) from: u32,
    pub(super) to: u32,
}

/// Whether a sphere is wholly inside a box. A sphere that touches a wall counts as inside, however
/// its centre was rounded.
pub(super) fn is_inside(center: Vec3, radius: f32, bounds: &Aabb) -> bool {
    let center = center.as_dvec3();
    let rounding = f64::from(f32::EPSILON) * center.abs().max_element();
    let reach = f64::from(radius) * (1.0 - TOLERANCE) - rounding;
    (bounds.min.as_dvec3() + reach).cmple(center).all()
        && center.cmple(bounds.max.as_dvec3() - reach).all()
}

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
        Some(self.objects.homes[object]).filter(|home| *home != FREE)
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
            None => is_inside(self.objects.positions[object], self.objects.radii[object], bounds),
        }
    }

    /// Releases the objects of sources that are no longer listed. A source with another box than in `before`
    /// releases those not wholly inside it. If `takes_hold`, every source that is not in `before`, or has another box
    /// there, takes hold of the free objects wholly inside it.
    pub(super) fn settle(&mut self, before: &[Listed], takes_hold: bool) -> Vec<Move> {
        let is_fresh = |source: &Listed| !is_among(before, source);
        let listed: Vec<Listed> = self.elements.boxes().collect();
        let mut moves = Vec::new();
        if listed == before {
            return moves;
        }
        let fresh: Vec<Listed> =
            listed.into_iter().filter(|of| takes_hold && is_fresh(of)).collect();
        for object in 0..self.len() {
            let is_inside = |bounds: &Aabb| self.is_inside(object, bounds);
            let from = self.objects.homes[object];
            let bounds = self.elements.source(from).map(Source::bounds);
            if bounds.is_some_and(|bounds| !is_fresh(&(from, bounds)) || is_inside(&bounds)) {
                continue;
            }
            let holder = fresh.iter().find(|(_, bounds)| is_inside(bounds));
            let to = holder.map_or(FREE, |(number, _)| *number);
            if to != from {
                self.objects.homes[object] = to;
                moves.push(Move { object: object as u32, from, to });
            }
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sphere_at_a_wall_is_inside_and_one_through_it_is_not() {
        // Far from the origin a centre is rounded by more than a share of the radius.
        for (shift, radius) in
            [0.0, 1000.0].into_iter().flat_map(|s| [0.3f32, 0.1, 0.012].map(|r| (s, r)))
        {
            let bounds = Aabb::new(Vec3::splat(shift), Vec3::splat(shift + 1.0));
            let inside = |center| is_inside(center, radius, &bounds);
            for at in [shift + radius, shift + 1.0 - radius] {
                let rounded = [at.next_down(), at, at.next_up()];
                assert!(rounded.iter().all(|at| inside(Vec3::splat(*at))), "{at}, {radius}");
            }
            for at in [shift + 0.9 * radius, shift + 1.0 - 0.9 * radius, shift - 5.0] {
                let middle = Vec3::splat(shift + 0.5);
                for center in [middle.with_x(at), middle.with_y(at), middle.with_z(at)] {
                    assert!(!inside(center), "{center}, {radius}");
                }
            }
        }
    }
}

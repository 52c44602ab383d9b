//! The occupied places: spheres in the order in which they were added, in trees of falling size.

use super::super::elements::Elements;
use broadphase::Aabb;
use broadphase::query::{Probe, Query, QueryTree};
use glam::Vec3;
use std::cell::Cell;

/// Spheres that are compared one by one before they get a tree: as long as a search of one.
const MAX_LOOSE: usize = 64;

/// Spheres and obstacles.
///
/// A tree has at least twice as many spheres as the next one, so that there are O(log n), and each sphere has been in as
/// many (Bentley, Saxe 1980). Memory is linear in the number of spheres, however large they are and however many overlap.
pub(super) struct Occupancy<'a> {
    elements: &'a Elements,
    spheres: Vec<Sphere>,
    /// Each begins at a sphere, and ends where the next one begins.
    trees: Vec<(usize, QueryTree)>,
    /// Spheres from here on are in no tree.
    loose: usize,
    /// Work of the search for free places since it was last asked for, in obstacles and spheres compared.
    work: Cell<usize>,
}

struct Sphere {
    center: Vec3,
    radius: f32,
}

impl Sphere {
    fn is_clear_of(&self, center: Vec3, radius: f32) -> bool {
        let reach = radius + self.radius;
        center.distance_squared(self.center) >= reach * reach
    }
}

impl<'a> Occupancy<'a> {
    /// The obstacles alone.
    pub(super) fn new(elements: &'a Elements) -> Self {
        let (spheres, trees, work) = (Vec::new(), Vec::new(), Cell::new(0));
        Self { elements, spheres, trees, loose: 0, work }
    }

    pub(super) fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Adds a sphere, free or not.
    pub(super) fn add(&mut self, center: Vec3, radius: f32) {
        self.spheres.push(Sphere { center, radius });
        self.gather();
    }

    /// Removes the last spheres until `len` are left.
    pub(super) fn truncate(&mut self, len: usize) {
        self.spheres.truncate(len);
        while let Some((first, _)) = self.trees.pop_if(|_| self.loose > len) {
            self.loose = first;
        }
        self.gather();
    }

    /// Puts the loose spheres into a tree if they are many, with those of the trees that are no longer twice as large.
    fn gather(&mut self) {
        let (mut first, end) = (self.loose, self.spheres.len());
        if end - first < MAX_LOOSE {
            return;
        }
        let is_small = |first: usize, before: usize| first - before < 2 * (end - first);
        while let Some((before, _)) = self.trees.pop_if(|(before, _)| is_small(first, *before)) {
            first = before;
        }
        let box_of = |sphere: &Sphere| Aabb::around_sphere(sphere.center, sphere.radius);
        let boxes: Vec<Aabb> = self.spheres[first..].iter().map(box_of).collect();
        let mut tree = QueryTree::default();
        tree.update(&boxes);
        self.trees.push((first, tree));
        self.loose = end;
    }

    /// Whether a sphere would touch no other and no obstacle.
    pub(super) fn is_free(&self, center: Vec3, radius: f32) -> bool {
        let count = || self.work.set(self.work.get() + 1);
        let mut is_free = true;
        self.elements.for_each_obstacle_near(&Aabb::around_sphere(center, radius), |obstacle| {
            count();
            let Aabb { min, max } = obstacle.bounds();
            is_free &= center.distance_squared(center.clamp(min, max)) >= radius * radius;
        });
        let is_clear_of = |sphere: &Sphere| {
            count();
            sphere.is_clear_of(center, radius)
        };
        // The corners of boxes are rounded.
        let rounding = 4.0 * f32::EPSILON * (center.abs().max_element() + radius);
        let region = Aabb::around_sphere(center, radius + rounding);
        // The largest tree first: it is the likeliest to have a sphere in the way.
        is_free
            && self.trees.iter().all(|(first, tree)| {
                let meets = |index: u32| !is_clear_of(&self.spheres[first + index as usize]);
                !tree.any(&region.only(meets))
            })
            && self.spheres[self.loose..].iter().all(is_clear_of)
    }

    /// The steps that [`is_free`](Self::is_free) has taken since the last call.
    pub(super) fn take_work(&self) -> usize {
        self.work.take()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn free_places_are_those_that_touch_no_sphere() {
        let elements = Elements::new(&crate::Scene::default());
        let mut occupancy = Occupancy::new(&elements);
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(1);
        let mut sphere = |largest: f32| {
            let center = 1.2 * crate::random::draw_vec3(&mut rng);
            (center, largest * libm::powf(1e-3, rng.random()))
        };
        let (mut free, mut tried) = (0, 0);
        for added in 0..1500 {
            let (center, radius) = sphere(if added % 50 == 0 { 0.7 } else { 0.1 });
            occupancy.add(center, radius);
            for _ in 0..3 {
                let (center, radius) = sphere(1.0);
                let mut all = occupancy.spheres.iter();
                let expected = all.all(|sphere| sphere.is_clear_of(center, radius));
                assert_eq!(occupancy.is_free(center, radius), expected, "{center}, {radius}");
                (free, tried) = (free + usize::from(expected), tried + 1);
            }
            if added % 400 == 300 {
                // Into a tree, and between two.
                occupancy.truncate(if added < 500 { 100 } else { 384 });
            }
        }
        assert!(free > tried / 10 && free < tried / 10 * 9, "{free} of {tried}");
        assert!(occupancy.trees.len() > 1 && occupancy.take_work() > tried);
        occupancy.truncate(0);
        assert!(occupancy.is_free(Vec3::ZERO, 9.0) && occupancy.len() == 0);
    }
}

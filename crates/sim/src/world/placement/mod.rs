//! Start positions of the objects, as spheres: a body takes the place of its bounding sphere.
//!
//! Each source is filled by dart throwing: a random place is used if it is free. If darts no longer find the
//! last gaps, the whole source is refilled from the sites of a lattice. Only if that has too few sites as
//! well do spheres overlap, and a warning says how many.

mod fill;
mod lattice;
mod occupancy;

use super::elements::Elements;
use super::homes::FREE;
use crate::placing::{Placing, PlacingEnded};
use crate::scene::{LayerTarget, Radius, Scene, Source};
use broadphase::{Aabb, Layer};
use fill::fill;
use glam::Vec3;
use occupancy::Occupancy;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashMap;

/// The objects of a world; of bodies, what spheres have too: positions and velocities are rounded copies.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    pub(super) positions: Vec<Vec3>,
    pub(super) velocities: Vec<Vec3>,
    pub(super) radii: Vec<f32>,
    /// Number of the source that holds each, or [`FREE`].
    pub(super) homes: Vec<u32>,
    /// Empty where all are [`Layer::ALL`].
    pub(super) layers: Vec<Layer>,
    /// One line if the spheres found no room without overlap.
    pub(super) warning: Option<String>,
}

impl Objects {
    fn push(&mut self, center: Vec3, velocity: Vec3, radius: f32, home: u32, layer: Layer) {
        self.positions.push(center);
        self.velocities.push(if layer.is_static { Vec3::ZERO } else { velocity });
        self.radii.push(radius);
        self.homes.push(home);
        self.layers.push(layer);
    }
}

/// Places the objects of a scene; `radii` are the bounding radii of the bodies placed by hand.
pub(super) fn place(
    scene: &Scene,
    elements: &Elements,
    radii: &[f32],
    placing: &mut Placing<'_>,
) -> Result<Objects, PlacingEnded> {
    let mut rng = ChaCha8Rng::seed_from_u64(scene.seed);
    let layers: HashMap<LayerTarget, Layer> =
        scene.layers.iter().map(|rule| (rule.target, rule.layer)).collect();
    let layer_of = |target| layers.get(&target).copied().unwrap_or(Layer::ALL);
    // Balls and some bodies stand where the scene says; generated objects give way to them.
    let largest = scene.radius.largest();
    let balls = scene.balls.iter().map(|ball| {
        let layer = layer_of(LayerTarget::Balls);
        (ball.center, ball.velocity, ball.radius.unwrap_or(largest), layer)
    });
    let bodies = scene.placed_bodies.iter().zip(radii).map(|(body, radius)| {
        let mut layer = layer_of(LayerTarget::Bodies);
        layer.is_static |= body.is_static;
        (body.center, body.velocity, *radius, layer)
    });
    let by_hand: Vec<_> = balls.chain(bodies).collect();
    let mut occupancy = Occupancy::new(elements);
    for (center, _, radius, _) in &by_hand {
        placing.reached(occupancy.len())?;
        occupancy.add(*center, *radius);
    }
    let (mut placed, mut warnings) = (Objects::default(), Vec::new());
    for (source, (number, count)) in scene.sources.iter().zip((1..).zip(shares(scene))) {
        let radii: Vec<f32> = (0..count).map(|_| draw_radius(scene.radius, &mut rng)).collect();
        let (positions, crowded) = fill(source, &radii, &mut occupancy, &mut rng, placing)?;
        if crowded > 0 {
            warnings.push(format!(
                "source {number} has no room for {crowded} of its {count} objects: they start \
                 inside others or outside it; take fewer or smaller ones"
            ));
        }
        let layer = layer_of(LayerTarget::Source(number));
        for (center, radius) in positions.into_iter().zip(radii) {
            // Drawn for static spheres too, so that a layer does not change the start of the others.
            let velocity = draw_direction(&mut rng) * scene.speed;
            placed.push(center, velocity, radius, number, layer);
        }
    }
    for (center, velocity, radius, layer) in by_hand {
        placing.reached(placed.positions.len())?;
        placing.worked(scene.sources.len())?;
        placed.push(center, velocity, radius, home_of(center, &scene.sources), layer);
    }
    if scene.flat {
        placed.velocities.iter_mut().for_each(|velocity| velocity.y = 0.0);
    }
    if placed.layers.iter().all(|layer| *layer == Layer::ALL) {
        placed.layers = Vec::new();
    }
    placed.warning = (!warnings.is_empty()).then(|| warnings.join("; "));
    Ok(placed)
}

/// A percentage of a number, rounded. Shares are differences of such sums, so that their sum is right.
pub(super) fn share_of(count: usize, percent: f64) -> usize {
    ((count as f64 * percent / 100.0).round() as usize).min(count)
}

/// How many objects each source gets: its share, rounded so that the sum is the scene's number.
pub(super) fn shares(scene: &Scene) -> Vec<usize> {
    let (mut percent, mut given, count) = (0.0, 0, scene.objects as usize);
    let last = scene.sources.len().saturating_sub(1);
    let share = |(index, source): (usize, &Source)| {
        percent += f64::from(source.percent);
        let up_to_here = if index == last { count } else { share_of(count, percent) };
        up_to_here - std::mem::replace(&mut given, up_to_here)
    };
    scene.sources.iter().enumerate().map(share).collect()
}

/// An object placed by hand belongs to the first source that holds its centre.
fn home_of(center: Vec3, sources: &[Source]) -> u32 {
    let point = Aabb::new(center, center);
    let holder = (1..).zip(sources).find(|(_, source)| source.bounds().overlaps(&point));
    holder.map_or(FREE, |(number, _)| number)
}

/// Logarithm and exponential come from `libm`: those of the platform differ in the last digit, and
/// a seed must give the same scene everywhere.
fn draw_radius(radius: Radius, rng: &mut ChaCha8Rng) -> f32 {
    match radius {
        Radius::Equal(r) => r,
        Radius::Uniform(a, b) => a + (b - a) * rng.random::<f32>(),
        Radius::LogUniform(a, b) => {
            let (a, b) = (libm::logf(a), libm::logf(b));
            libm::expf(a + (b - a) * rng.random::<f32>())
        }
    }
}

/// A direction uniform on the unit sphere.
pub(super) fn draw_direction(rng: &mut ChaCha8Rng) -> Vec3 {
    crate::random::draw_direction(1e-4, rng)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Ball, Obstacle};
    use broadphase::Axis;

    fn place_followed(
        scene: &Scene,
        watch: &mut dyn FnMut(usize) -> bool,
    ) -> Result<Objects, PlacingEnded> {
        place(scene, &Elements::new(scene), &[], &mut Placing::new(watch))
    }

    fn place_all(scene: &Scene) -> Objects {
        place_followed(scene, &mut |_| true).unwrap()
    }

    fn cube(side: f32, percent: f32) -> Source {
        Source { corner: Vec3::splat(-side / 2.0), size: Vec3::splat(side), percent, floor: true }
    }

    fn scene(objects: u32, radius: Radius) -> Scene {
        Scene { objects, radius, sources: vec![cube(2.0, 100.0)], ..Scene::default() }
    }

    fn overlaps(Objects { positions, radii, .. }: &Objects) -> usize {
        let touch = |i: usize, j: usize| {
            positions[i].distance(positions[j]) < (radii[i] + radii[j]) * 0.99999
        };
        (0..positions.len()).map(|j| (0..j).filter(|&i| touch(i, j)).count()).sum()
    }

    #[test]
    fn spheres_start_apart_and_inside_where_there_is_room() {
        // Equal spheres take 55 % of the volume: random throws jam at 38 %.
        for (objects, radius) in [
            (1050, Radius::Equal(0.1)),
            (1500, Radius::Equal(0.04)),
            (1500, Radius::Uniform(0.01, 0.1)),
            (1500, Radius::LogUniform(0.004, 0.12)),
        ] {
            let placed = place_all(&scene(objects, radius));
            assert_eq!((placed.warning.as_deref(), overlaps(&placed)), (None, 0), "{radius:?}");
            assert_eq!(placed.positions.len(), objects as usize);
            for (p, r) in placed.positions.iter().zip(&placed.radii) {
                assert!(p.abs().max_element() + r <= 1.00001, "{p} of radius {r} sticks out");
            }
        }
        for (objects, radius, expected) in
            [(3000, 0.1, "source 1 has no room for"), (5, 1.5, "no room for 5 of its 5")]
        {
            let placed = place_all(&scene(objects, Radius::Equal(radius)));
            assert_eq!(placed.positions.len(), objects as usize);
            let warning = placed.warning.unwrap();
            assert!(warning.contains(expected), "{warning}");
        }
    }

    #[test]
    fn spheres_keep_clear_of_obstacles_and_balls() {
        let (corner, size) = (Vec3::new(-1.0, -1.0, 0.0), Vec3::new(2.0, 2.0, 0.0));
        let wall = Obstacle { corner, size, normal: Axis::Z };
        let ball = Ball { center: Vec3::splat(0.5), velocity: Vec3::X, radius: Some(0.3) };
        let mut scene = scene(800, Radius::Equal(0.05));
        scene.obstacles.push(wall);
        scene.balls.push(ball);
        let placed = place_all(&scene);
        assert_eq!((placed.warning.as_deref(), overlaps(&placed)), (None, 0));
        assert!(placed.positions[..800].iter().all(|p| p.z.abs() >= 0.05));
        assert_eq!((placed.positions[800], placed.homes[800]), (ball.center, 1));
    }

    #[test]
    fn placing_is_ended_in_each_of_its_ways() {
        // By random throws, from the lattice, and with overlaps.
        for objects in [700, 1050, 3000] {
            let scene = scene(objects, Radius::Equal(0.1));
            let mut calls = 0;
            let count = &mut |_| {
                calls += 1;
                true
            };
            place_followed(&scene, count).unwrap();
            for last in 1..=calls {
                let mut left = last;
                let ended = place_followed(&scene, &mut |placed| {
                    assert!(placed <= objects as usize);
                    left -= 1;
                    left > 0
                });
                assert_eq!((ended.err(), left), (Some(PlacingEnded), 0), "{objects}: call {last}");
            }
            assert!(calls >= objects / 256, "{calls} calls for {objects} objects");
        }
    }

    #[test]
    fn shares_are_rounded_to_the_whole_number() {
        let mut scene = scene(1000, Radius::Equal(0.001));
        scene.sources = vec![cube(1.0, 0.0), cube(1.0, 33.3), cube(1.0, 33.3), cube(1.0, 33.4)];
        assert_eq!(shares(&scene), [0, 333, 333, 334]);
        scene.objects = 1;
        assert_eq!(shares(&scene).iter().sum::<usize>(), 1);
    }
}

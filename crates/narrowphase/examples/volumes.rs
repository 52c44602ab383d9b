//! How tight and how fast each bounding volume is, for ten shapes.
//!
//! `cargo run --release -p narrowphase --example volumes [PAIRS]`
//!
//! Candidates are pairs of equal shapes at random poses whose tight boxes overlap. The columns: volume
//! over the body's volume (mean over orientations), share of candidates that pass, share of the passed
//! ones that do not touch, touching pairs missed, nanoseconds to place and to test, milliseconds to fit.
//! The second table compares the boxes for the broad phase.

use std::hint::black_box;
use std::time::Instant;

use glam::{DQuat, DVec3};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::volume::{Placed, VOLUMES, Volume, VolumeKind};
use narrowphase::{Answer, Body, BoxKind, Pose, Reference, Shape, shape::ShapeError};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Repetitions, of which the fastest counts.
const ROUNDS: usize = 7;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pairs = std::env::args().nth(1).map_or(Ok(10_000), |count| count.parse())?;
    println!("| shape | touch | volume | ratio | pass | false | missed | place | test | fit |");
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let shapes = shapes()?;
    for (name, shape) in &shapes {
        let candidates = Candidates::new(shape, pairs);
        for kind in VOLUMES {
            println!(
                "| {name} | {:.0} % | {} |",
                100.0 * candidates.touching(),
                candidates.row(kind)
            );
        }
    }
    println!("\n| shape | box | ratio | time |\n|---|---|---|---|");
    for (name, shape) in &shapes {
        for kind in BoxKind::ALL {
            println!("| {name} | `{}` | {} |", kind.id(), box_row(shape, kind));
        }
    }
    Ok(())
}

fn shapes() -> Result<Vec<(&'static str, Shape)>, ShapeError> {
    let rod = Shape::cuboid(DVec3::new(1.0, 1.0, 8.0))?;
    let arm = Shape::cuboid(DVec3::new(0.4, 0.4, 4.0))?;
    let turned = |rotation| Pose { position: DVec3::ZERO, rotation };
    let quarter = std::f64::consts::FRAC_PI_2;
    let jack = Shape::compound(&[
        (&arm, Pose::IDENTITY),
        (&arm, turned(DQuat::from_rotation_x(quarter))),
        (&arm, turned(DQuat::from_rotation_y(quarter))),
    ])?;
    Ok(vec![
        ("cube", Shape::cuboid(DVec3::ONE)?),
        ("box 1:2:4", Shape::cuboid(DVec3::new(1.0, 2.0, 4.0))?),
        ("rod 1:8", rod),
        ("tetrahedron", Shape::tetrahedron(1.0)?),
        ("hull of 16", Shape::hull(16, 1)?),
        ("hull of 64", Shape::hull(64, 1)?),
        ("capsule 1:4", Shape::capsule(0.5, 3.0)?),
        ("cylinder 1:1", Shape::cylinder(0.5, 1.0, 16)?),
        ("cone 1:1", Shape::cone(0.5, 1.0, 16)?),
        ("jack", jack),
    ])
}

/// Pairs of one shape, and which of them touch.
struct Candidates {
    shape: Shape,
    pairs: Vec<[Pose; 2]>,
    touching: Vec<bool>,
}

impl Candidates {
    fn new(shape: &Shape, pairs: usize) -> Self {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut draw = || random.random::<f64>();
        let mut candidate = || random_poses(shape, shape, Placing::Uniform, &mut draw);
        let pairs: Vec<[Pose; 2]> = (0..pairs).map(|_| candidate()).collect();
        let mut reference = Reference::new();
        let touch = |[a, b]: &[Pose; 2]| {
            let [a, b] = [a, b].map(|pose| Body::new(shape, *pose));
            matches!(reference.examine(&a, &b).answer, Answer::Touching { .. })
        };
        let touching = pairs.iter().map(touch).collect();
        Self { shape: shape.clone(), pairs, touching }
    }

    /// Share of the candidates that touch.
    fn touching(&self) -> f64 {
        self.touching.iter().filter(|touches| **touches).count() as f64 / self.pairs.len() as f64
    }

    fn row(&self, kind: &VolumeKind) -> String {
        let start = Instant::now();
        let volume = (kind.fit)(std::slice::from_ref(&self.shape));
        let fit = start.elapsed().as_secs_f64() * 1e3;
        let bodies = 2 * self.pairs.len();
        let mut numbers = vec![0.0; bodies * volume.width()];
        let place = fastest(|| self.place(&*volume, &mut numbers)) / bodies as f64;
        let mut passed = vec![false; self.pairs.len()];
        let test = fastest(|| self.test(&*volume, &numbers, &mut passed)) / self.pairs.len() as f64;
        let count = |wanted: &dyn Fn(bool, bool) -> bool| {
            let results = passed.iter().zip(&self.touching);
            results.filter(|(passed, touches)| wanted(**passed, **touches)).count() as f64
        };
        let all = count(&|passed, _| passed);
        let wrong = count(&|passed, touches| passed && !touches);
        let missed = count(&|passed, touches| !passed && touches);
        let ratio = self.mean_volume(&*volume, &numbers);
        let ratio =
            ratio.map_or(String::new(), |mean| format!("{:.2}", mean / self.shape.mass().volume));
        let passed = 100.0 * all / self.pairs.len() as f64;
        let wrong = 100.0 * wrong / all.max(1.0);
        let shares = format!("{passed:.0} % | {wrong:.0} % | {missed}");
        format!("`{}` | {ratio} | {shares} | {place:.0} ns | {test:.0} ns | {fit:.1} ms", kind.id)
    }

    fn place(&self, volume: &dyn Volume, numbers: &mut [f64]) {
        let bodies = self.pairs.iter().flatten();
        for (pose, numbers) in bodies.zip(numbers.chunks_exact_mut(volume.width())) {
            volume.place(0, 1.0, pose.rotation, numbers);
        }
    }

    fn test(&self, volume: &dyn Volume, numbers: &[f64], passed: &mut [bool]) {
        let width = volume.width();
        let placed = |pose: &Pose, numbers| Placed { shape: 0, position: pose.position, numbers };
        let pairs = self.pairs.iter().zip(numbers.chunks_exact(2 * width));
        for (([a, b], numbers), passed) in pairs.zip(passed) {
            let (in_a, in_b) = numbers.split_at(width);
            *passed = volume.overlap(&placed(a, in_a), &placed(b, in_b));
        }
    }

    fn mean_volume(&self, volume: &dyn Volume, numbers: &[f64]) -> Option<f64> {
        let count = self.pairs.len().min(100);
        let numbers = numbers.chunks_exact(volume.width()).take(count);
        let volumes = numbers
            .map(|numbers| volume.volume(&Placed { shape: 0, position: DVec3::ZERO, numbers }));
        Some(volumes.sum::<Option<f64>>()? / count as f64)
    }
}

/// Volume over the body's, and nanoseconds.
fn box_row(shape: &Shape, kind: BoxKind) -> String {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let mut draw = || random.random::<f64>();
    let poses: Vec<Pose> =
        (0..10_000).flat_map(|_| random_poses(shape, shape, Placing::Deep, &mut draw)).collect();
    let mut volume = 0.0;
    let time = fastest(|| {
        let boxes = poses.iter().map(|pose| Body::new(shape, *pose).bounds(kind));
        volume = boxes.map(|bounds| 8.0 * bounds.half_size().element_product()).sum();
        black_box(volume);
    });
    let count = poses.len() as f64;
    format!("{:.2} | {:.0} ns", volume / count / shape.mass().volume, time / count)
}

/// Nanoseconds of the fastest of some rounds.
fn fastest(mut work: impl FnMut()) -> f64 {
    let rounds = (0..ROUNDS).map(|_| {
        let start = Instant::now();
        work();
        start.elapsed().as_secs_f64() * 1e9
    });
    rounds.fold(f64::MAX, f64::min)
}

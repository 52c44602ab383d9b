//! Nanoseconds per test, by method and pair of shapes.
//!
//! `cargo run --release -p narrowphase --example narrow_times [PAIRS] [PLACING]`, with the placings of
//! `random_pairs`, `uniform` if none is named.
//!
//! The pairs of a row are the same for all methods. Each round runs every method over all pairs,
//! and the median of the rounds is printed, so that a slower moment of the machine concerns all
//! methods. Caches are warm: each pair is tested again at a pose that is turned by a hundredth of a
//! radian. `native` is parry3d-f64 with shapes that were converted before, called by its own
//! dispatcher.

use std::hint::black_box;
use std::time::Instant;

use glam::{DQuat, DVec3};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{Answer, Body, NarrowPhase, PairCache, Pose, Reference, Shape, narrow};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::intersection_test;
use parry3d_f64::shape::SharedShape;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const ROUNDS: usize = 15;

/// A shape, and the same as the library's.
struct Solid {
    name: &'static str,
    shape: Shape,
    native: SharedShape,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(1000), |count| count.parse())?;
    let placing = arguments.next().map_or(Some(Placing::Uniform), |id| Placing::find(&id));
    let placing = placing.ok_or("expected uniform, near, touching, deep or parallel")?;
    let solids = solids()?;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut uniform = || random.random::<f64>();
    print!("| {:<24} | touch |", "pair");
    narrow::NARROW_PHASES.iter().for_each(|kind| print!(" {} |", kind.id));
    println!(" native | reference |");
    for (i, a) in solids.iter().enumerate() {
        for b in &solids[i..] {
            let pairs: Vec<_> = (0..count)
                .map(|_| random_poses(&a.shape, &b.shape, placing, &mut uniform))
                .collect();
            row(a, b, &pairs);
        }
    }
    Ok(())
}

fn solids() -> Result<Vec<Solid>, Box<dyn std::error::Error>> {
    let cuboid = |x: f64, y: f64, z: f64| -> Result<_, Box<dyn std::error::Error>> {
        let lengths = DVec3::new(x, y, z);
        Ok((Shape::cuboid(lengths)?, SharedShape::cuboid(x / 2.0, y / 2.0, z / 2.0)))
    };
    let (cube, one_two_four, rod) =
        (cuboid(1.0, 1.0, 1.0)?, cuboid(1.0, 2.0, 4.0)?, cuboid(0.25, 2.0, 0.25)?);
    let capsule = (Shape::capsule(0.3, 1.2)?, SharedShape::capsule_z(0.6, 0.3));
    let hull = |shape: Shape| -> Result<_, Box<dyn std::error::Error>> {
        let points: Vec<_> = shape.parts()[0].core().vertices().iter().map(vector).collect();
        let native = SharedShape::convex_hull(&points).ok_or("no hull")?;
        Ok((shape, native))
    };
    let named = [
        ("cube", cube),
        ("box", one_two_four),
        ("tetrahedron", hull(Shape::tetrahedron(1.0)?)?),
        ("rod", rod),
        ("hull16", hull(Shape::hull(16, 7)?)?),
        ("capsule", capsule),
        ("cylinder", hull(Shape::cylinder(0.5, 1.0, 16)?)?),
    ];
    Ok(named.into_iter().map(|(name, (shape, native))| Solid { name, shape, native }).collect())
}

fn row(a: &Solid, b: &Solid, pairs: &[[Pose; 2]]) {
    let kinds = narrow::NARROW_PHASES;
    let mut methods: Vec<_> = kinds.iter().map(|kind| (kind.build)()).collect();
    let mut caches = vec![vec![PairCache::default(); pairs.len()]; methods.len()];
    let mut reference = Reference::new();
    let mut times = vec![Vec::new(); methods.len() + 2];
    let mut touching = 0;
    for round in 0..ROUNDS {
        // Back and forth, so that the pair stays what it was.
        let angle = if round % 2 == 0 { 0.0 } else { 0.01 };
        let turn = DQuat::from_rotation_y(angle);
        let turned = |pose: &Pose| Pose { rotation: pose.rotation * turn, ..*pose };
        let bodies = |[first, second]: &[Pose; 2]| {
            (Body::new(&a.shape, turned(first)), Body::new(&b.shape, *second))
        };
        let order = (0..methods.len()).map(|i| (i + round) % kinds.len());
        for i in order {
            let (method, caches) = (&mut methods[i], &mut caches[i]);
            let start = Instant::now();
            touching = 0;
            for (pair, cache) in pairs.iter().zip(caches) {
                let (one, other) = bodies(pair);
                touching += usize::from(touches(&mut **method, &one, &other, cache));
            }
            times[i].push(start.elapsed().as_nanos() / pairs.len() as u128);
        }
        let start = Instant::now();
        for [first, second] in pairs {
            let (one, other) = (native_pose(&turned(first)), native_pose(second));
            let answer = intersection_test(&one, &*a.native.0, &other, &*b.native.0);
            black_box(answer.is_ok_and(|answer| answer.intersecting));
        }
        times[methods.len()].push(start.elapsed().as_nanos() / pairs.len() as u128);
        let start = Instant::now();
        for pair in pairs {
            let (one, other) = bodies(pair);
            black_box(reference.examine(&one, &other));
        }
        times[methods.len() + 1].push(start.elapsed().as_nanos() / pairs.len() as u128);
    }
    print!("| {:<24} | {:>3} % |", format!("{}, {}", a.name, b.name), touching * 100 / pairs.len());
    for mut rounds in times {
        rounds.sort_unstable();
        print!(" {} |", rounds[rounds.len() / 2]);
    }
    println!();
}

fn touches(method: &mut dyn NarrowPhase, a: &Body, b: &Body, cache: &mut PairCache) -> bool {
    matches!(black_box(method.test(a, b, cache)), Answer::Touching { .. })
}

fn vector(v: &DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

fn native_pose(pose: &Pose) -> ParryPose {
    let rotation = Rotation::from_array(pose.rotation.to_array());
    ParryPose::from_parts(vector(&pose.position), rotation)
}

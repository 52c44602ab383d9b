//! Nanoseconds per search for a first contact, by method and pair of shapes.
//!
//! `cargo run --release -p narrowphase --example impact_times [PAIRS] [METHODS]`, with ids of methods separated by commas,
//! all of them if none is named.
//!
//! Bodies translate. At a random time of the step their tight boxes overlap. The pairs of a row are the same for all
//! methods: each round runs every method over all pairs, and the median of the rounds is printed. `native` is
//! parry3d-f64's cast of shapes that were converted before, called by its own dispatcher; `ratio` is that of the fastest
//! `moving-sat` to it, the median of the rounds' ratios.

use std::hint::black_box;
use std::time::Instant;

use glam::DVec3;
use narrowphase::impact::{self, Impact, ImpactMethod, ImpactReference, Motion, TimeOfImpact};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{Body, PairCache, Pose, Shape};
use parry3d_f64::math::{Pose as ParryPose, Rotation, Vector};
use parry3d_f64::query::{ShapeCastOptions, cast_shapes};
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

/// The poses as the step begins, and the velocity of the second body.
struct Moving {
    poses: [Pose; 2],
    motion: Motion,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let count: usize = arguments.next().map_or(Ok(1000), |count| count.parse())?;
    let methods: Vec<ImpactMethod> = match arguments.next() {
        Some(ids) => ids.split(',').map(impact::find).collect::<Result<_, _>>()?,
        None => {
            let ids = impact::TIMES_OF_IMPACT.iter().map(|kind| kind.id);
            ids.map(impact::find).collect::<Result<_, _>>()?
        }
    };
    let solids = solids()?;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut uniform = || random.random::<f64>();
    print!("| {:<24} | touch |", "pair");
    methods.iter().for_each(|method| print!(" {method} |"));
    println!(" native | reference | ratio |");
    for (i, a) in solids.iter().enumerate() {
        for b in &solids[i..] {
            let pairs: Vec<_> = (0..count).map(|_| moving(a, b, &mut uniform)).collect();
            row(a, b, &methods, &pairs);
        }
    }
    Ok(())
}

fn solids() -> Result<Vec<Solid>, Box<dyn std::error::Error>> {
    let cuboid = |x: f64, y: f64, z: f64| -> Result<_, Box<dyn std::error::Error>> {
        let lengths = DVec3::new(x, y, z);
        Ok((Shape::cuboid(lengths)?, SharedShape::cuboid(x / 2.0, y / 2.0, z / 2.0)))
    };
    let hull = |shape: Shape| -> Result<_, Box<dyn std::error::Error>> {
        let points: Vec<_> = shape.parts()[0].core().vertices().iter().map(vector).collect();
        let native = SharedShape::convex_hull(&points).ok_or("no hull")?;
        Ok((shape, native))
    };
    let named = [
        ("cube", cuboid(1.0, 1.0, 1.0)?),
        ("box", cuboid(1.0, 2.0, 4.0)?),
        ("hull16", hull(Shape::hull(16, 7)?)?),
        ("hull64", hull(Shape::hull(64, 7)?)?),
        ("cylinder", hull(Shape::cylinder(0.5, 1.0, 16)?)?),
        ("capsule", (Shape::capsule(0.3, 1.2)?, SharedShape::capsule_y(0.6, 0.3))),
        ("sphere", (Shape::sphere(0.5)?, SharedShape::ball(0.5))),
    ];
    Ok(named.into_iter().map(|(name, (shape, native))| Solid { name, shape, native }).collect())
}

/// The second body moves by up to three times both radii in the step, which lasts a second.
fn moving(a: &Solid, b: &Solid, uniform: &mut impl FnMut() -> f64) -> Moving {
    let [first, second] = random_poses(&a.shape, &b.shape, Placing::Uniform, uniform);
    let radii = a.shape.bounding_radius() + b.shape.bounding_radius();
    let direction = DVec3::new(uniform(), uniform(), uniform()) * 2.0 - DVec3::ONE;
    let velocity = direction * (3.0 * radii);
    let position = second.position - velocity * uniform();
    let motion = Motion { velocity, spin: DVec3::ZERO };
    Moving { poses: [first, Pose { position, ..second }], motion }
}

fn row(a: &Solid, b: &Solid, chosen: &[ImpactMethod], pairs: &[Moving]) {
    let mut methods: Vec<_> = chosen.iter().map(ImpactMethod::build).collect();
    let mut times = vec![Vec::new(); methods.len() + 2];
    let mut reference = ImpactReference::default();
    let mut touching = 0;
    let mut cache = PairCache::default();
    let bodies =
        |pair: &Moving| (Body::new(&a.shape, pair.poses[0]), Body::new(&b.shape, pair.poses[1]));
    for round in 0..ROUNDS {
        for i in (0..methods.len()).map(|i| (i + round) % chosen.len()) {
            let method: &mut dyn TimeOfImpact = &mut *methods[i];
            let start = Instant::now();
            for pair in pairs {
                let (one, other) = bodies(pair);
                let (one, other) = ((&one, &Motion::NONE), (&other, &pair.motion));
                black_box(method.find(one, other, 1.0, &mut cache));
            }
            times[i].push(start.elapsed().as_nanos() as f64 / pairs.len() as f64);
        }
        let start = Instant::now();
        for pair in pairs {
            black_box(native_cast(a, b, pair));
        }
        times[methods.len()].push(start.elapsed().as_nanos() as f64 / pairs.len() as f64);
        let start = Instant::now();
        touching = 0;
        for pair in pairs {
            let (one, other) = bodies(pair);
            let known = reference.examine((&one, &Motion::NONE), (&other, &pair.motion), 1.0);
            touching += usize::from(!matches!(known.impact, Impact::Never));
        }
        times[methods.len() + 1].push(start.elapsed().as_nanos() as f64 / pairs.len() as f64);
    }
    let native = times[methods.len()].clone();
    let is_ours = |i: &usize| chosen[*i].kind.id.starts_with("moving-sat");
    let ratio = |i: usize| median(times[i].iter().zip(&native).map(|(one, other)| one / other));
    let fastest = (0..chosen.len()).filter(is_ours).map(ratio).fold(f64::INFINITY, f64::min);
    print!("| {:<24} | {:>3} % |", format!("{}, {}", a.name, b.name), touching * 100 / pairs.len());
    for rounds in &times {
        print!(" {:.0} |", median(rounds.iter().copied()));
    }
    println!(" {fastest:.2} |");
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values[values.len() / 2]
}

fn native_cast(a: &Solid, b: &Solid, pair: &Moving) -> Option<f64> {
    let [one, other] = [0, 1].map(|i| native_pose(&pair.poses[i]));
    let options = ShapeCastOptions::with_max_time_of_impact(1.0);
    let (rest, velocity) = (Vector::ZERO, vector(&pair.motion.velocity));
    let hit = cast_shapes(&one, rest, &*a.native.0, &other, velocity, &*b.native.0, options);
    hit.ok().flatten().map(|hit| hit.time_of_impact)
}

fn vector(v: &DVec3) -> Vector {
    Vector::from_array(v.to_array())
}

fn native_pose(pose: &Pose) -> ParryPose {
    let rotation = Rotation::from_array(pose.rotation.to_array());
    ParryPose::from_parts(vector(&pose.position), rotation)
}

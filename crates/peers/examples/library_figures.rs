//! The cost of handles, queries, joins and sorted pairs, as ratios of times.
//!
//! ```text
//! cargo run --release -p peers --features all --example library_figures
//! ```
//!
//! Both sides of a ratio run in turn, on one thread; which is first changes from round to round. Both write their results
//! to lists, and drop within their time what they do not keep. A line gives the median, the least and the greatest ratio of
//! all rounds, and the median times.
#![allow(missing_docs, reason = "an example has no users")]

use broadphase::algorithms::rest_grid::RestGrid;
use broadphase::glam::Vec3;
use broadphase::query::{Hit, Ray};
use broadphase::registry::Settings;
use broadphase::{Aabb, Auto, BroadPhase, Frame, Join, JoinPair, Layer, Pair, PairSort, Space};
use packed_spatial_index::{Box3D, Index3D, Index3DBuilder};
use parry3d::partitioning::{Bvh, BvhBuildStrategy};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim::generated::{GeneratedBoxes, GeneratedSpec};
use std::error::Error;
use std::ops::ControlFlow;
use std::time::Instant;

const OBJECTS: u32 = 100_000;
const ROUNDS: usize = 40;
/// Rounds before those that count.
const WARMUP: usize = 8;

fn main() -> Result<(), Box<dyn Error>> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global()?;
    for kind in ["gas", "cluster"] {
        space(kind)?;
        sorted(kind)?;
    }
    rays()?;
    joins();
    Ok(())
}

/// Milliseconds that a call takes, and its result.
fn timed<T>(call: impl FnOnce() -> T) -> (f64, T) {
    let start = Instant::now();
    let result = call();
    (start.elapsed().as_secs_f64() * 1e3, result)
}

/// The times of both sides in a round, and their results.
fn both<A, B>(
    round: usize,
    ours: impl FnOnce() -> A,
    other: impl FnOnce() -> B,
) -> ([f64; 2], A, B) {
    if round.is_multiple_of(2) {
        let (ours_ms, ours) = timed(ours);
        let (other_ms, other) = timed(other);
        return ([ours_ms, other_ms], ours, other);
    }
    let (other_ms, other) = timed(other);
    let (ours_ms, ours) = timed(ours);
    ([ours_ms, other_ms], ours, other)
}

/// Prints the ratios of a figure, given the times of both sides in each round.
fn report(figure: &str, rounds: &[[f64; 2]]) {
    let rounds = &rounds[WARMUP..];
    let sorted = |of: &dyn Fn(&[f64; 2]) -> f64| {
        let mut all: Vec<f64> = rounds.iter().map(of).collect();
        all.sort_unstable_by(f64::total_cmp);
        all
    };
    let ratios = sorted(&|[ours, other]| ours / other);
    let median = ratios.len() / 2;
    println!(
        "{figure:<46} {:.3} ({:.3} to {:.3}), {:.3} ms over {:.3} ms",
        ratios[median],
        ratios[0],
        ratios[ratios.len() - 1],
        sorted(&|[ours, _]| *ours)[median],
        sorted(&|[_, other]| *other)[median],
    );
}

fn generated(kind: &str, moving: f32) -> Result<GeneratedBoxes, Box<dyn Error>> {
    let spec: GeneratedSpec = format!("{kind}:{OBJECTS}").parse()?;
    Ok(GeneratedBoxes::new(&GeneratedSpec { moving, ..spec }))
}

/// A step of a space in which 1 % of the objects move and all pairs are read, over a frame of the same boxes.
fn space(kind: &str) -> Result<(), Box<dyn Error>> {
    let mut generated = generated(kind, 0.01)?;
    let (mut boxes, mut moved) = (Vec::new(), Vec::new());
    generated.next_frame(&mut boxes);
    let settings = Settings::new(boxes.len());
    let mut space = Space::with(Box::new(RestGrid::new(&settings)));
    let mut ids = Vec::new();
    for (user, b) in (0..).zip(&boxes) {
        ids.push(space.insert(*b, Layer::ALL, user)?);
    }
    let (mut plain, mut own, mut pairs) = (RestGrid::new(&settings), boxes.clone(), Vec::new());
    let mut rounds = Vec::new();
    for round in 0..ROUNDS + WARMUP {
        generated.next_frame(&mut moved);
        let movers: Vec<usize> = (0..boxes.len()).filter(|i| boxes[*i] != moved[*i]).collect();
        let ours = || {
            movers.iter().try_for_each(|i| space.set_box(ids[*i], moved[*i]))?;
            let step = space.step();
            Ok::<u64, broadphase::SpaceError>(step.pairs().map(|p| p.users[0] ^ p.users[1]).sum())
        };
        let frame = || {
            movers.iter().for_each(|i| own[*i] = moved[*i]);
            let frame = Frame::new(&own);
            plain.update(&frame);
            pairs.clear();
            plain.find_pairs(&frame, &mut pairs);
            pairs.iter().map(|p: &Pair| u64::from(p.a ^ p.b)).sum::<u64>()
        };
        let (times, found, expected) = both(round, ours, frame);
        assert_eq!(found?, expected);
        rounds.push(times);
        boxes.clone_from(&moved);
    }
    report(&format!("step of Space over frame, {kind}, 1 % moving"), &rounds);
    Ok(())
}

/// A frame with sorted pairs, over the same without sorting.
fn sorted(kind: &str) -> Result<(), Box<dyn Error>> {
    let mut generated = generated(kind, 1.0)?;
    let (mut boxes, mut pairs, mut sort) = (Vec::new(), Vec::new(), PairSort::default());
    let mut broad_phase = Auto::default();
    let mut rounds = Vec::new();
    for _ in 0..ROUNDS + WARMUP {
        generated.next_frame(&mut boxes);
        pairs.clear();
        let (frame_ms, ()) = timed(|| {
            let frame = Frame::new(&boxes);
            broad_phase.update(&frame);
            broad_phase.find_pairs(&frame, &mut pairs);
        });
        let (sort_ms, ()) = timed(|| sort.sort(&mut pairs));
        assert!(pairs.is_sorted_by(|a: &Pair, b| a < b));
        rounds.push([frame_ms + sort_ms, frame_ms]);
    }
    report(&format!("sorted pairs over unsorted, {kind}"), &rounds);
    Ok(())
}

/// The first hits of 1,000 rays among boxes that move, over parry3d's tree: trees built for the frame.
fn rays() -> Result<(), Box<dyn Error>> {
    let mut generated = generated("gas", 1.0)?;
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let mut draw = |low: f32| Vec3::from([0; 3].map(|_| rng.random_range(low..1.0)));
    let rays: Vec<Ray> = (0..1000).map(|_| Ray::new(draw(-1.0), draw(-1.0))).collect();
    let (mut boxes, mut rounds) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS + WARMUP {
        generated.next_frame(&mut boxes);
        let mut auto = Auto::default();
        auto.update(&Frame::new(&boxes));
        // The first query after an update builds the tree.
        let ours = || {
            let query = auto.query()?;
            Some(rays.iter().map(|ray| query.first(&boxes, ray)).collect::<Vec<Option<Hit>>>())
        };
        let (times, hits, expected) = both(round, ours, || first_hits_of_parry(&boxes, &rays));
        // The two libraries round differently, so either box may be first where two are entered at about the same place.
        let differ = |(hit, t): (&Option<Hit>, &Option<f32>)| match (hit, t) {
            (Some(hit), Some(t)) => (hit.measure - f64::from(*t)).abs() > 1e-4,
            (None, None) => false,
            _ => true,
        };
        let hits = hits.ok_or("no queries")?;
        assert!(!hits.iter().zip(&expected).any(differ), "other hits");
        rounds.push(times);
    }
    report("1,000 rays over parry3d, trees built", &rounds);
    Ok(())
}

fn first_hits_of_parry(boxes: &[Aabb], rays: &[Ray]) -> Vec<Option<f32>> {
    let convert = |b: &Aabb| parry3d::bounding_volume::Aabb {
        mins: b.min.to_array().into(),
        maxs: b.max.to_array().into(),
    };
    let tree = Bvh::from_iter(BvhBuildStrategy::Binned, boxes.iter().map(convert).enumerate());
    let first = |ray: &Ray| {
        let [origin, direction] = [ray.origin, ray.direction].map(|v| v.to_array().into());
        let ray = parry3d::query::Ray::new(origin, direction);
        let cast = |object: u32, limit| {
            use parry3d::query::RayCast;
            convert(&boxes[object as usize]).cast_local_ray(&ray, limit, true)
        };
        tree.cast_ray(&ray, f32::MAX, cast).map(|(_, t)| t)
    };
    rays.iter().map(first).collect()
}

/// Joins of two sets of boxes in a cube of side 1,000, over packed_spatial_index: of unit boxes with kept memory and once,
/// and of a few large boxes with many small ones.
fn joins() {
    let mut rng = ChaCha8Rng::seed_from_u64(7);
    let mut set = |number: u32, half: f32| -> Vec<Aabb> {
        let mut at = || Vec3::from([0; 3].map(|_| rng.random_range(0.0..1000.0)));
        (0..number).map(|_| Aabb::around_sphere(at(), half)).collect()
    };
    let [a, b, large] = [set(OBJECTS, 0.5), set(OBJECTS, 0.5), set(OBJECTS / 100, 30.0)];
    let mut kept = Join::default();
    join("join over packed_spatial_index, kept", &a, &b, |a, b, pairs| {
        kept.find_pairs(a, b, pairs);
    });
    join("join over packed_spatial_index, once", &a, &b, broadphase::join);
    join("the same, 1,000 large with 100,000 small", &large, &b, broadphase::join);
}

fn join(
    figure: &str,
    a: &[Aabb],
    b: &[Aabb],
    mut ours: impl FnMut(&[Aabb], &[Aabb], &mut Vec<JoinPair>),
) {
    let (mut pairs, mut of_packed) = (Vec::new(), Vec::new());
    let mut rounds = Vec::new();
    for round in 0..ROUNDS + WARMUP {
        pairs.clear();
        of_packed.clear();
        let packed = || {
            let _ = index(a).join_each(&index(b), |i, j| {
                of_packed.push(JoinPair { a: i as u32, b: j as u32 });
                ControlFlow::<()>::Continue(())
            });
        };
        let (times, (), ()) = both(round, || ours(a, b, &mut pairs), packed);
        if round == 0 {
            pairs.sort_unstable();
            of_packed.sort_unstable();
            assert!(pairs == of_packed, "other pairs");
        }
        assert_eq!(pairs.len(), of_packed.len());
        rounds.push(times);
    }
    report(figure, &rounds);
}

fn index(boxes: &[Aabb]) -> Index3D {
    let mut builder = Index3DBuilder::new(boxes.len());
    for b in boxes {
        let [min, max] = [b.min, b.max].map(Vec3::as_dvec3);
        builder.add(Box3D::new(min.x, min.y, min.z, max.x, max.y, max.z));
    }
    #[expect(clippy::expect_used, reason = "no box is empty")]
    builder.finish().expect("all boxes are valid")
}

//! Bytes that the stages keep. They are upper bounds, checked by a test that counts allocations.

use super::case::StageCase;
use super::plan::StagePlan;
use super::track::{Method, methods, methods_of};
use crate::input::MemoryError;
use crate::play::{BYTES_PER_OBJECT, BYTES_PER_RESPONSE, search_memory};
use crate::process::guarded;
use broadphase::glam::Vec3;
use broadphase::{Aabb, Pair};
use narrowphase::contact::{ContactMemory, PointId};
use narrowphase::impact::{ApproximateContact, Impact, KnownImpact, Motion};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use narrowphase::{Answer, PairCache, Pose, Verdict};
use sim::Bodies;
use sim::scene::Scene;
use sim::stages::PairPoint;
use std::collections::HashMap;

/// Contact points of two convex bodies, a generous mean: two quadrilaterals have 8, edges one, faces of many corners more.
const POINTS: u64 = 8;

/// Bytes that the allocator adds to a block.
const BLOCK: u64 = 32;

/// Numbers of a placed volume whose fit fails.
const WIDEST: usize = 26;

/// Bytes of a candidate while these methods and the contact sets answer about it, with what the reference knows of it and
/// the response. Lists of pairs of the broad phase come on top
/// ([`check_pairs_fit`](crate::check_pairs_fit) counts both).
pub fn stage_memory(
    bodies: &Bodies,
    volumes: &[&'static VolumeKind],
    narrow_phases: &[&'static NarrowPhaseKind],
) -> u64 {
    memory_of_methods(bodies, &methods(volumes, narrow_phases, &[]))
}

/// Bytes of a candidate while these methods answer about it.
pub(super) fn memory_of_methods(bodies: &Bodies, methods: &[Method]) -> u64 {
    let parts = bodies.shapes().iter().map(|named| named.shape.parts().len() as u64).max();
    let parts = parts.unwrap_or(1);
    let kept: u64 = methods.iter().map(|method| bytes_kept(*method, parts * parts)).sum();
    shared_by_methods(methods) + kept
}

/// What a case needs while all its methods are measured. All numbers of threads are measured at the same time, each with
/// methods of its own.
#[derive(Clone, Copy, Debug)]
pub(super) struct Needs {
    /// Bytes of all bodies and all times.
    pub(super) fixed: u64,
    /// Bytes of a candidate of one kind of boxes.
    pub(super) each_pair: u64,
}

impl Needs {
    pub(super) fn of(case: &StageCase, plan: &StagePlan<'_>) -> Self {
        let threads = plan.threads.len() as u64;
        let kinds = case.box_kinds(plan).len() as u64;
        let methods = methods_of(case, plan);
        let placed: u64 = plan.volumes.iter().map(|kind| bytes_placed(kind)).sum();
        let sweeps = methods.iter().any(|method| matches!(method, Method::RelativeSweep));
        let swept = if sweeps { 2 * size_of::<Aabb>() + size_of::<Vec3>() } else { 0 };
        let (parts, bodies) = match case {
            StageCase::World(case) => {
                let most = case.scene().map_or(1, most_parts);
                (most * most, case.n as u64)
            }
            StageCase::Pairs { pairs, .. } => (pairs.pairs_of_parts(), 2 * pairs.count() as u64),
        };
        let of_methods: u64 = methods.iter().map(|method| bytes_kept(*method, parts)).sum();
        let each_pair =
            search_memory(plan.finder) + shared_by_methods(&methods) + threads * of_methods;
        let body = match case {
            StageCase::World(case) => BYTES_PER_OBJECT + case.bytes_per_body(),
            StageCase::Pairs { pairs, .. } => {
                let motion = if pairs.motion().is_some() { size_of::<Motion>() } else { 0 };
                (size_of::<Pose>() + motion) as u64
            }
        };
        let [_, frames] = case.frames();
        // A volume has two times, the boxes and the other methods have one.
        let times = 1 + methods.len() as u64 + plan.volumes.len() as u64;
        let times = times * kinds * threads * u64::from(frames) * u64::from(plan.repeats);
        let of_bodies = bodies.saturating_mul(body + threads * kinds * (placed + swept as u64));
        let of_times = times.saturating_mul(2 * size_of::<u64>() as u64);
        Self { fixed: of_bodies.saturating_add(of_times), each_pair }
    }

    /// Refuses a case that does not fit into `available` bytes before it begins. Of a world, the pairs are known in its
    /// frames only.
    pub(super) fn check(&self, case: &StageCase, available: u64) -> Result<(), MemoryError> {
        let (objects, pairs) = match case {
            StageCase::World(case) => (case.n, 0),
            StageCase::Pairs { pairs, .. } => (2 * pairs.count(), pairs.count() as u64),
        };
        let needed = self.fixed.saturating_add(pairs.saturating_mul(self.each_pair));
        if needed <= available {
            return Ok(());
        }
        Err(MemoryError { input: case.input(), objects, needed, available })
    }
}

/// Bytes of a candidate that do not depend on the methods: lists of pairs, the reference, the response.
fn shared_by_methods(methods: &[Method]) -> u64 {
    // A list that grows may have twice the entries that it needs.
    let lists = 2 * 3 * size_of::<Pair>();
    let reference = size_of::<Verdict>();
    let has_impacts = methods.iter().any(|method| {
        matches!(method, Method::Impact(_) | Method::RelativeSweep | Method::AtImpact(_))
    });
    let impacts = if has_impacts { size_of::<KnownImpact>() } else { 0 };
    (lists + reference + impacts) as u64 + BYTES_PER_RESPONSE
}

/// Most parts of a shape of a scene.
fn most_parts(scene: &Scene) -> u64 {
    let mut counts = HashMap::new();
    for part in &scene.parts {
        *counts.entry(&part.compound).or_insert(0) += 1;
    }
    counts.into_values().max().unwrap_or(1)
}

/// Bytes of a placed volume. They do not depend on the shapes.
fn bytes_placed(kind: &VolumeKind) -> u64 {
    let width = guarded(|| (kind.fit)(&[], false).width()).unwrap_or(WIDEST);
    (width * size_of::<f64>()) as u64
}

/// Bytes that a method keeps of a candidate. `parts`: pairs of parts of two bodies.
fn bytes_kept(method: Method, parts: u64) -> u64 {
    let pairs = 2 * size_of::<Pair>() as u64;
    // Of this frame, of the last one, and of pairs that ended; each list may have twice the entries that it needs.
    let followed = |value: usize| pairs + 4 * value as u64;
    match method {
        Method::Volume(_) => pairs + 2,
        Method::Narrow(kind) => {
            let answer = size_of::<Answer>() as u64;
            let axes = if parts > 1 { 24 * parts + BLOCK } else { 0 };
            answer + if kind.keeps_state { followed(size_of::<PairCache>()) + axes } else { 0 }
        }
        Method::Impact(_) => {
            let axes = if parts > 1 { 24 * parts + BLOCK } else { 0 };
            size_of::<Impact>() as u64 + followed(size_of::<PairCache>()) + axes
        }
        Method::RelativeSweep => pairs + size_of::<Impact>() as u64,
        // A list that grows may have twice the entries that it needs.
        Method::AtImpact(_) => 2 * size_of::<ApproximateContact>() as u64,
        Method::Contacts => {
            // The found ones are in lists that grow.
            let point = size_of::<PointId>() + 2 * size_of::<PairPoint>();
            let points = POINTS * point as u64 + BLOCK;
            followed(size_of::<ContactMemory>()) + points
        }
    }
}

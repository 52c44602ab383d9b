//! Memory of a candidate in the stages, in multiples of that of a pair in a search.

use super::track::{Method, methods};
use broadphase::PairLimit;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use sim::scene::Scene;
use std::collections::HashMap;

/// Lists of candidates, the response, and what the reference knows of each.
const SHARED: usize = 2;

/// Pairs of parts of two bodies that a method remembers in the bytes of one holder: an axis each.
const PARTS: usize = PairLimit::BYTES_PER_PAIR / 24;

/// How many hold each candidate while these methods and the contact sets answer about the bodies of a scene, as
/// [`PairBound::within`](crate::PairBound::within) counts them.
pub fn stage_holders(
    scene: &Scene,
    volumes: &[&'static VolumeKind],
    narrow_phases: &[&'static NarrowPhaseKind],
) -> usize {
    holders(pairs_of_parts(scene), &methods(volumes, narrow_phases, &[]))
}

/// How many times [`PairLimit::BYTES_PER_PAIR`] these methods take of each candidate, where the two bodies have this number of
/// pairs of parts. A test counts allocations.
pub(super) fn holders(pairs_of_parts: usize, methods: &[Method]) -> usize {
    let of_method = |method: &Method| match method {
        Method::Volume(_) | Method::Impact(_) => 1,
        Method::RelativeSweep | Method::AtImpact(_) => 1,
        Method::Narrow(kind) if !kind.keeps_state => 1,
        Method::Narrow(_) => 2 + pairs_of_parts / PARTS,
        Method::Contacts => 5,
    };
    SHARED + methods.iter().map(of_method).sum::<usize>()
}

/// Most pairs of parts of two bodies.
pub(super) fn pairs_of_parts(scene: &Scene) -> usize {
    let mut counts = HashMap::new();
    for part in &scene.parts {
        *counts.entry(&part.compound).or_insert(0_usize) += 1;
    }
    counts.into_values().max().unwrap_or(1).pow(2)
}

//! The picked object: its tests, and its way through the structure.

use super::drawing::{Group, Ink, faint, solid};
use super::{Layer, Source, links, strength, within};
use crate::format::{capitalised, compact, counted};
use crate::simulation::{Picked, Snapshot, TestCounts};
use broadphase::Aabb;
use broadphase::inspect::{Outcome, Overlay, Visited};

/// Most nodes that are drawn. More hide each other.
const MAX_NODES: usize = 400;

/// Gap between a dashed box and the one that it is within, in shares of its sides.
const INSET: f32 = 0.02;

/// Share of its opacity that the rest of a structure keeps beside the way.
pub(super) const ASIDE: f32 = 0.35;

/// Most tests that are drawn as lines: above it, those with every n-th object.
const MAX_TESTS: usize = 2_000;

/// The overlays in which the nodes of the way are.
const AROUND: [Overlay; 3] = [Overlay::Planes, Overlay::TreeBoxes, Overlay::Regions];

/// Whether the way is drawn: where a part of the structure is shown that has it.
pub(super) fn is_drawn(source: Source<'_>) -> bool {
    let is_shown = AROUND.into_iter().any(|overlay| source.draws(overlay));
    is_shown && source.snapshot.picked.as_ref().is_some_and(|picked| !picked.visited.is_empty())
}

/// The nodes that the search of the picked object reached: white around those that hold it, green around those that were
/// searched, dashed around those that were rejected.
pub(super) fn draw(source: Source<'_>) -> Option<Group> {
    let snapshot = source.snapshot;
    let picked = snapshot.picked.as_ref().filter(|_| is_drawn(source))?;
    let shown = AROUND.into_iter().filter(|overlay| snapshot.algorithm.shows(*overlay));
    let mut group = Group { rows: shown.map(Into::into).collect(), ..Group::default() };
    let last = picked.visited.iter().map(|node| node.depth).max().unwrap_or_default().max(1);
    let stride = picked.visited.len().div_ceil(MAX_NODES).max(1);
    for Visited { bounds, depth, outcome } in picked.visited.iter().step_by(stride) {
        let near = *depth as f32 / last as f32;
        let part = source.seen(bounds);
        match outcome {
            Outcome::Holds => {
                group.wire(part, faint(Ink::PICKED, 0.25 + 0.6 * near * near, 1.0 + near));
            }
            Outcome::Searched => group.wire(part, solid(Ink::OVERLAP, 1.5)),
            Outcome::Rejected => {
                // Within it: its edges are those of other cells, too.
                let inset = INSET * part.size();
                let inner = Aabb::new(part.min + inset, part.max - inset);
                group.dashed_box(&inner, Ink::RAIL, 0.7, 1.25);
            }
        }
    }
    explain(&mut group, picked, snapshot);
    Some(group)
}

fn explain(group: &mut Group, picked: &Picked, snapshot: &Snapshot) {
    let Some(way) = snapshot.algorithm.way else { return };
    let number = |outcome| picked.visited.iter().filter(|node| node.outcome == outcome).count();
    let [holds, searched, rejected] =
        [Outcome::Holds, Outcome::Searched, Outcome::Rejected].map(number);
    group.title(way.title, way.meaning);
    let words =
        |words: [&str; 2], number: usize| format!("{number} {}", words[usize::from(number != 1)]);
    let leaves = picked.regions.len();
    // Each plane leads to one or two cells, down to its leaves.
    let is_divided = snapshot.algorithm.shows(Overlay::Planes);
    let counts_leaves = is_divided && !snapshot.algorithm.regions().keeps_straddlers;
    let text = match holds.checked_sub(leaves).filter(|_| counts_leaves) {
        None => words(way.holds, holds),
        Some(number) => {
            let leaf = snapshot.algorithm.regions().noun(leaves);
            let holds = if leaves == 1 { "holds" } else { "hold" };
            let above = words(["cell above", "cells above"], number);
            format!("{leaves} {leaf} {holds} it, and {above}")
        }
    };
    group.swatch(Ink::PICKED, text);
    if searched > 0 {
        group.swatch(Ink::OVERLAP, words(way.searched, searched));
    }
    if rejected > 0 {
        group.dashes(Ink::RAIL, words(way.rejected, rejected));
    }
}

/// The picked object's box, lines to its candidates and hits, and the leaves or cells that list it, their loose bounds
/// dashed.
pub(super) fn picked(source: Source<'_>, cached: &Layer) -> Option<Group> {
    let snapshot = source.snapshot;
    let picked = snapshot.picked.as_ref()?;
    let mut group = Group::default();
    // An absent object has no box.
    if !picked.bounds.is_empty() {
        group.wire(picked.bounds, solid(Ink::PICKED, 1.5));
    }
    let space = snapshot.objects.occupied;
    for region in &picked.regions {
        group.wire(within(&space, &region.bounds), solid(Ink::OWN, 2.0));
    }
    for loose in &picked.loose {
        group.dashed_box(&within(&space, loose), Ink::OWN, 1.0, 1.5);
    }
    for other in &picked.candidates {
        let Some(bounds) = snapshot.bounds_of(*other) else { continue };
        let hit = picked.touches(*other);
        let ink = if hit { Ink::HIT } else { Ink::CANDIDATE };
        group.wire(bounds, solid(ink, 1.0));
        let place = snapshot.objects.positions[*other as usize];
        let [a, b] = links::ends([(picked.center, picked.bounds), (place, bounds)]);
        group.line(a, b, solid(ink, if hit { 3.0 } else { 1.5 }));
    }
    let name = capitalised(snapshot.kind());
    group.swatch(Ink::PICKED, format!("{name} {}, which is picked", picked.object));
    let counts = picked.counts;
    outcomes(&mut group, picked, &counts);
    repeated(&mut group, picked, snapshot, cached);
    if counts.untested > 0 {
        let others = counted(counts.untested, "other object");
        group.say(format!("{others} not tested against it."));
    }
    Some(group)
}

/// The outcomes for the other objects, each in its colour.
fn outcomes(group: &mut Group, picked: &Picked, counts: &TestCounts) {
    let TestCounts { apart, candidates, refused, known, .. } = *counts;
    let boxes = |number: usize| match number {
        1 => "1 box".to_owned(),
        number => format!("{} boxes", compact(number as f64)),
    };
    if apart > 0 {
        group.swatch(Ink::TESTED, format!("{} tested against its box: apart", boxes(apart)));
    }
    if candidates > 0 {
        let text = match candidates {
            1 => "1 tested and overlapping: a candidate".to_owned(),
            number => format!("{number} tested and overlapping: candidates"),
        };
        group.swatch(Ink::CANDIDATE, text);
    }
    if refused > 0 {
        let boxes = boxes(refused);
        let text = format!("{boxes} tested and overlapping: their layers admit no pair");
        group.swatch(Ink::TESTED, text);
    }
    if known > 0 {
        let known = counted(known, "candidate");
        group.swatch(Ink::CANDIDATE, format!("{known} known from earlier steps: not tested"));
    }
    if !picked.hits.is_empty() {
        let number = picked.hits.len();
        let [noun, touch] = match number {
            1 => ["a candidate", "touches"],
            _ => ["candidates", "touch"],
        };
        group.swatch(Ink::HIT, format!("{number} overlapping, {noun}, and {touch} it: hit"));
    }
}

/// How many of the tests are of cached pairs, and how many are repeated.
fn repeated(group: &mut Group, picked: &Picked, snapshot: &Snapshot, cached: &Layer) {
    let of_cached =
        cached.partners_of(picked.object).filter(|other| picked.is_tested_with(*other)).count();
    if cached.number > 0 && !picked.tested.is_empty() {
        let of_searches = picked.tested.len() - of_cached;
        group
            .say(format!("Of these tests {of_cached} of cached pairs, {of_searches} of searches."));
    }
    // A pair may be tested in several cells.
    if picked.tests as usize > picked.tested.len() {
        let tests = counted(picked.tests as usize, "test");
        let repeated = if picked.regions.len() > 1 {
            let several = snapshot.algorithm.regions().noun(2);
            format!("an object that shares several {several} with it is tested in each")
        } else {
            "some repeat another".to_owned()
        };
        group.say(format!("{tests} in all: {repeated}."));
    }
}

/// All pairs are tested: there is no structure, but a thin line from the picked object to each other one.
pub(super) fn all_pairs(source: Source<'_>) -> Option<Group> {
    let snapshot = source.snapshot;
    if !snapshot.algorithm.tests_all_pairs() {
        return None;
    }
    let mut group = Group::default();
    let Some(picked) = &snapshot.picked else {
        group.hint("Click an object: each line is a test.");
        return Some(group);
    };
    let all = picked.tested.len();
    let stride = all.div_ceil(MAX_TESTS).max(1);
    let others = picked.tested.iter().step_by(stride);
    let (drawn, share) = (others.len(), 0.4 * strength(others.len()));
    let others = others.filter(|other| !picked.concerns(**other));
    for bounds in others.filter_map(|other| snapshot.bounds_of(*other)) {
        let own = (picked.center, picked.bounds);
        let [a, b] = links::ends([own, (bounds.center(), bounds)]);
        group.line(a, b, faint(Ink::RAIL, share, 1.0));
    }
    let candidates = picked.candidates.len();
    let apart = counted(all - candidates.min(all), "test");
    group.swatch(Ink::RAIL, format!("line: {apart} without an overlap"));
    group.swatch(Ink::CANDIDATE, format!("line: {}", counted(candidates, "candidate")));
    group.part(drawn, all, "tests");
    Some(group)
}

//! Reports of `Inspect` agree with counters, boxes and pairs.

mod cache;
mod counters;
pub(crate) mod frames;
mod overlays;
mod path;
mod regions;
mod remarks;
mod sweeps;

use broadphase::Axis;
use broadphase::inspect::{CacheState, Overlay};
use broadphase::registry::ALGORITHMS;
use frames::{Seen, for_each_frame};

#[test]
fn all_that_is_shown_agrees_with_counters_boxes_and_pairs() {
    let mut seen = Seen::default();
    for_each_frame(&[0, 1, 2, 10, 70, 250], |now| {
        counters::check_tests(now, &mut seen);
        counters::check_order(now);
        counters::check_work(now, &mut seen);
        path::check_nodes(now);
        regions::check_lists(now);
        regions::check_loose_bounds(now, &mut seen);
        overlays::check_declared(now, &mut seen);
        overlays::check_blocks(now, &mut seen);
        overlays::check_matrix(now, &mut seen);
        overlays::check_steps(now);
        overlays::check_curve(now, &mut seen);
        overlays::check_rotations(now, &mut seen);
        cache::check_fat_aabbs(now, &mut seen);
        cache::check_pairs(now, &mut seen);
        remarks::check_choice(now, &mut seen);
    });
    for entry in ALGORITHMS {
        for overlay in Overlay::ALL.into_iter().filter(|overlay| entry.shows(*overlay)) {
            seen.assert(&format!("{} shows {overlay:?}", entry.id), 1);
        }
        if entry.shows(Overlay::Regions) || entry.shows(Overlay::TreeBoxes) {
            seen.assert(&format!("tests of {} in marks", entry.id), 1000);
        }
    }
    let axes = Axis::ALL.map(|axis| (format!("{axis:?} divided along a curve"), 20));
    let states = CacheState::ALL.map(|state| (format!("objects: {state:?}"), 1));
    let works = ["cells written", "cells read", "exchanges", "node pairs", "cached pairs"];
    let works = works.map(|work| (format!("work: {work}"), 1));
    let choices = ["Rest grid", "Neighbour list", "Grid of sweeps"];
    let choices = choices.map(|name| (format!("choices of {name}"), 1));
    let all = axes.into_iter().chain(states).chain(works).chain(choices);
    all.for_each(|(what, least)| seen.assert(&what, least));
    for (what, least) in [
        ("objects of blocks", 500),
        ("cells of the matrix", 10_000),
        ("rotations", 20),
        ("objects in loose bounds", 1000),
        ("pairs at rest", 1000),
    ] {
        seen.assert(what, least);
    }
}

//! The blocks of sweeps: [`Mark::Block`].

use super::drawing::{End, Entry, Group, Ink, faint, solid};
use super::lists::Rail;
use super::{MAX_BOXES, Source, of_255};
use crate::format::{compact, counted};
use broadphase::inspect::{Mark, Overlay, SweepBlock};
use broadphase::{Aabb, Axis};
use std::collections::HashSet;

/// Share of its opacity that a block keeps outside of the run of the picked object.
const ASIDE: f32 = 0.25;

/// Most blocks that are drawn around objects, but for those that the picked object is compared with. More look like one box.
const MAX_DRAWN: usize = 32;

/// Height of a row of blocks on a rail, in shares of the scene's longest side.
const ROW: f32 = 0.04;

/// Why bars before that of the picked object have the colour of those that it is compared with.
pub(super) const OWN_TURN: &str = "A box that begins earlier makes the comparison itself.";

/// A block of up to sixteen boxes that a sweep compares together.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Block {
    axis: Axis,
    /// The leaf or cell that is swept.
    region: u32,
    /// Its place in the sweep, from 0.
    place: u32,
    /// Bounds of its boxes.
    bounds: Aabb,
    /// Whether it holds the inspected object.
    is_own: bool,
}

/// The blocks of all sweeps.
#[derive(Default)]
pub(super) struct Blocks {
    /// Those of one sweep, the longest; with an inspected object those of its sweeps, if it is in a block. Above
    /// [`MAX_BOXES`], every n-th one.
    kept: Vec<Block>,
    pub(super) number: usize,
    sweeps: usize,
    /// Blocks in the longest sweep.
    longest: u32,
}

impl Blocks {
    pub(super) fn of(source: Source<'_>) -> Self {
        let mut all = Self::default();
        if !source.draws(Overlay::Blocks) {
            return all;
        }
        let picked = source.snapshot.picked.as_ref().map(|picked| picked.object);
        let (mut own, mut longest_sweep) = (Vec::new(), 0);
        source.inspect.marks(Overlay::Blocks, &mut |mark| {
            let Mark::Block(SweepBlock { axis, region, place, bounds, objects }) = mark else {
                return;
            };
            all.sweeps += usize::from(place == 0);
            if place >= all.longest {
                (all.longest, longest_sweep) = (place + 1, region);
            }
            let is_own = picked.is_some_and(|object| objects.contains(&object));
            own.extend(is_own.then_some(region));
            all.kept.push(Block { axis, region, place, bounds, is_own });
        });
        all.number = all.kept.len();
        if own.is_empty() {
            own.push(longest_sweep);
        }
        all.kept.retain(|block| own.contains(&block.region));
        let stride = all.kept.len().div_ceil(MAX_BOXES).max(1);
        let mut places = 0..;
        let mut is_next = || places.next().is_some_and(|place: usize| place.is_multiple_of(stride));
        all.kept.retain(|block| is_next() || block.is_own);
        all
    }

    /// The blocks with which an object of this box is compared: from its own to the last that begins before it
    /// ends, in each of its sweeps.
    fn run(&self, b: Aabb) -> impl Iterator<Item = &Block> {
        let own: Vec<&Block> = self.kept.iter().filter(|block| block.is_own).collect();
        self.kept.iter().filter(move |block| {
            let axis = block.axis.index();
            let follows = |own: &&Block| own.region == block.region && own.place <= block.place;
            block.bounds.min[axis] <= b.max[axis] && own.iter().any(follows)
        })
    }

    /// The place of a block on the colour scale.
    fn ink(&self, block: &Block) -> Ink {
        Ink::Scale(block.place as f32 / self.longest.saturating_sub(1).max(1) as f32)
    }

    /// Below the lanes of a rail a bar for each block, from where its first box begins to where the next block does. Of a
    /// picked object the blocks that it is compared with are thick.
    pub(super) fn bars(&self, rail: &Rail, picked: Option<Aabb>, group: &mut Group) {
        let of_axis: Vec<&Block> =
            self.kept.iter().filter(|block| block.axis == rail.axis).collect();
        let run = picked.iter().flat_map(|b| self.run(*b));
        let run: HashSet<(u32, u32)> = run.map(|of| (of.region, of.place)).collect();
        let mut distance = rail.end() + 0.5 * ROW;
        for (place, block) in of_axis.iter().enumerate() {
            let next = of_axis.get(place + 1).filter(|next| next.region == block.region);
            let axis = rail.axis.index();
            let [low, high] = [block.bounds.min, block.bounds.max].map(|end| end[axis]);
            let end = next.map_or(high, |next| next.bounds.min[axis]);
            let is_compared = run.contains(&(block.region, block.place));
            let share = if picked.is_none() || is_compared { 1.0 } else { 0.4 };
            let ink = if block.is_own { Ink::PICKED } else { self.ink(block) };
            // A gap to the next.
            let ends: [End; 2] =
                [low, low + 0.94 * (end - low)].map(|place| rail.at(place, distance));
            let width = if is_compared { 7.0 } else { 4.0 };
            group.lines.push((ends, faint(ink, share, width)));
            if next.is_none() {
                distance += ROW;
            }
        }
    }
}

/// Each block of a sweep around its boxes, in the colour of its place. Of a picked object the blocks that it is
/// compared with, and the part of the sweep in which other boxes begin before it ends.
pub(super) fn draw(source: Source<'_>, blocks: &Blocks) -> Option<Group> {
    let snapshot = source.snapshot;
    let caption = snapshot.algorithm.caption(Overlay::Blocks);
    let caption = caption.filter(|_| source.draws(Overlay::Blocks))?;
    let mut group = Group::of(Overlay::Blocks);
    if blocks.number == 0 {
        group.legend.push(Entry::Heading(format!("{}: none in this step", caption.title)));
        return Some(group);
    }
    let picked = snapshot.picked.as_ref().and_then(|picked| snapshot.bounds_of(picked.object));
    let run: Vec<&Block> = picked.iter().flat_map(|b| blocks.run(*b)).collect();
    let compared: HashSet<(u32, u32)> = run.iter().map(|of| (of.region, of.place)).collect();
    let alpha = of_255(if picked.is_some() { 230.0 * ASIDE } else { 230.0 });
    let stride = blocks.kept.len().div_ceil(MAX_DRAWN).max(1);
    for (place, block) in blocks.kept.iter().enumerate() {
        if place.is_multiple_of(stride) || compared.contains(&(block.region, block.place)) {
            group.wire(block.bounds, faint(blocks.ink(block), alpha, 1.25));
        }
    }
    let number = group.boxes.len();
    let mut swept = Aabb::EMPTY;
    for (block, picked) in run.iter().zip(picked.iter().cycle()) {
        let ink = if block.is_own { Ink::PICKED } else { Ink::OVERLAP };
        group.wire(block.bounds, solid(ink, 1.75));
        swept = swept.union(&block.bounds);
        let axis = block.axis.index();
        (swept.min[axis], swept.max[axis]) = (picked.min[axis], picked.max[axis]);
    }
    if !swept.is_empty() {
        group.wire(swept, solid(Ink::TESTED, 2.0));
    }
    explain(&mut group, source, blocks, picked);
    group.part(number, blocks.kept.len(), "blocks");
    Some(group)
}

fn explain(group: &mut Group, source: Source<'_>, blocks: &Blocks, picked: Option<Aabb>) {
    let (number, sweeps) = (counted(blocks.number, "block"), counted(blocks.sweeps, "sweep"));
    // A resting object may be in none.
    let has_own = blocks.kept.iter().any(|block| block.is_own);
    group.title(
        format!("{number} of 16 boxes in {sweeps}"),
        "Boxes sorted by where they begin. Each is compared with the following ones until one begins after it \
         ends, 16 at a time.",
    );
    let last = format!("block {}", compact(f64::from(blocks.longest)));
    group.legend.push(Entry::Scale("first".to_owned(), last));
    match picked {
        None => group.hint("Click an object: the blocks that it is compared with."),
        Some(_) if !has_own => group.say("The picked object is in no block."),
        Some(picked) => {
            let ahead = blocks.run(picked).filter(|block| !block.is_own).count();
            group.swatch(Ink::TESTED, "its reach on the axis: what begins in it is tested");
            let each = if blocks.sweeps > 1 { " in each of its sweeps" } else { "" };
            let own = format!("its own block of 16{each}; below the bars, too");
            group.swatch(Ink::PICKED, own);
            if ahead > 0 {
                let ahead = counted(ahead, "block");
                group.swatch(Ink::OVERLAP, format!("{ahead} ahead that it is compared with"));
            }
            group.say(OWN_TURN);
            group.say("A few vector instructions compare 16 boxes.");
        }
    }
    if blocks.sweeps > 1 {
        let [one, several] = source.snapshot.algorithm.regions().noun;
        let whose = if has_own { format!("its {several}") } else { format!("the fullest {one}") };
        let kept = counted(blocks.kept.len(), "block");
        group.say(format!("{kept} in {whose}."));
    }
}

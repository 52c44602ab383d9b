//! The invariants.

use super::NeighbourList;
use super::candidates::NONE;
use super::cores::holds;
use super::look::Kept;
use crate::Aabb;
use std::collections::HashSet;

impl NeighbourList {
    pub(super) fn validate_list(&self, boxes: &[Aabb]) {
        if self.fat.is_empty() {
            // A list whose making was stopped is made again in the next frame.
            return;
        }
        assert_eq!(self.fat.len(), boxes.len(), "there are inflated boxes of other objects");
        for (object, (b, fat)) in boxes.iter().zip(&self.fat).enumerate() {
            let is_held = fat.min.cmple(b.min).all() && b.max.cmple(fat.max).all();
            assert!(b.is_empty() || is_held, "object {object} is not in its inflated box");
            let is_last = bytemuck::bytes_of(b) == bytemuck::bytes_of(&self.last[object]);
            assert!(
                self.are_all_changed || is_last,
                "object {object}: its last box is another one"
            );
        }
        for (object, (b, core)) in boxes.iter().zip(&self.cores).enumerate() {
            assert!(holds(b, core), "object {object} does not hold its core");
        }
        let kept = Kept { fat: &self.fat, cores: &self.cores };
        for (object, last) in (0..).zip(&self.last) {
            // A look passes over who is again as it was when it was looked at last.
            assert!(!kept.is_left_by(object, last), "object {object} has left by its last box");
        }
        for pair in self.candidates.sure_and_others().0 {
            let [a, b] = [pair.a, pair.b].map(|object| &boxes[object as usize]);
            assert!(a.overlaps(b), "{pair} is not sure to overlap");
            assert!(!self.cores.is_empty(), "{pair} is sure without cores");
        }
        let mut listed = HashSet::new();
        for pair in self.candidates.pairs() {
            assert!(listed.insert(*pair), "{pair} stands in the list twice");
        }
        for (j, b) in self.fat.iter().enumerate() {
            for (i, a) in self.fat[..j].iter().enumerate() {
                let is_listed = listed.contains(&crate::Pair::new(i as u32, j as u32));
                assert_eq!(a.overlaps(b), is_listed, "({i}, {j}): overlap (left), in the list");
            }
        }
        self.candidates.validate();
        self.nearby.validate(&self.search, &self.fat);
        if self.is_live_kept && !self.is_much_changed() {
            let changed: HashSet<_> = self.changed.iter().copied().collect();
            for (number, pair) in self.candidates.pairs().iter().enumerate() {
                if !changed.contains(&pair.a) && !changed.contains(&pair.b) {
                    let overlaps = boxes[pair.a as usize].overlaps(&boxes[pair.b as usize]);
                    let is_live = self.live_at[number] != NONE;
                    assert_eq!(overlaps, is_live, "{pair}: overlap (left), noted as such");
                }
            }
        }
        if self.is_live_kept {
            assert_eq!(self.live_at.len(), self.candidates.pairs().len(), "lists of two lengths");
            for (at, number) in self.live.iter().enumerate() {
                assert_eq!(self.live_at[*number as usize] as usize, at, "a live pair is elsewhere");
            }
            let live = self.live_at.iter().filter(|at| **at != NONE).count();
            assert_eq!(live, self.live.len(), "a live pair is not listed");
        }
    }
}

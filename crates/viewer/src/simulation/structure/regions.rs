//! The leaves or cells of a structure.

use super::tree_boxes::MOST_BOXES;
use broadphase::BroadPhase;
use broadphase::inspect::Region;
use std::cmp::Reverse;

/// The leaves or cells of a structure.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// All of them, or the [`MOST_BOXES`] fullest.
    pub kept: Vec<Region>,
    /// The number of all.
    pub number: usize,
    /// Listings of objects, summed over all: an object counts once for each region that lists it.
    pub listed: u64,
    /// Objects in the fullest.
    pub most: u32,
}

impl Regions {
    pub(super) fn fill(&mut self, structure: &dyn BroadPhase) {
        structure.inspect().regions(&mut |region| {
            self.number += 1;
            self.listed += u64::from(region.objects);
            self.most = self.most.max(region.objects);
            self.kept.push(region);
        });
        if self.kept.len() > MOST_BOXES {
            self.kept.select_nth_unstable_by_key(MOST_BOXES, |region| Reverse(region.objects));
            self.kept.truncate(MOST_BOXES);
        }
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
        (self.number, self.listed, self.most) = (0, 0, 0);
    }
}

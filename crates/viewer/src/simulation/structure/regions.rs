//! The leaves or cells of a structure.

use super::tree_boxes::MAX_BOXES;
use broadphase::inspect::Region;
use std::cmp::Reverse;

/// The leaves or cells of a structure.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// All of them, or the [`MAX_BOXES`] fullest.
    pub kept: Vec<Region>,
    /// The number of all.
    pub number: usize,
    /// Listings of objects, summed over all: an object counts once for each region that lists it.
    pub listed: u64,
    /// Objects in the fullest.
    pub most: u32,
    /// All of them by depth.
    pub levels: Vec<RegionLevel>,
}

/// The leaves or cells of one depth.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionLevel {
    /// Their number.
    pub number: usize,
    /// Listings of objects in them.
    pub listed: u64,
    /// Longest side of one of them, units.
    pub side: f32,
}

impl Regions {
    pub(super) fn add(&mut self, region: Region) {
        self.number += 1;
        self.listed += u64::from(region.objects);
        self.most = self.most.max(region.objects);
        let depth = region.depth as usize;
        if depth >= self.levels.len() {
            self.levels.resize(depth + 1, RegionLevel::default());
        }
        let level = &mut self.levels[depth];
        level.number += 1;
        level.listed += u64::from(region.objects);
        level.side = level.side.max(region.bounds.size().max_element());
        self.kept.push(region);
    }

    pub(super) fn keep_fullest(&mut self) {
        if self.kept.len() > MAX_BOXES {
            self.kept.select_nth_unstable_by_key(MAX_BOXES, |region| Reverse(region.objects));
            self.kept.truncate(MAX_BOXES);
        }
    }

    pub(super) fn clear(&mut self) {
        self.kept.clear();
        self.levels.clear();
        (self.number, self.listed, self.most) = (0, 0, 0);
    }
}

//! The parts of a structure that can be drawn, limited to a number that a screen can show.
//!
//! A hundred thousand boxes would hide each other and delay the window. Above a limit, an evenly
//! spread part is kept, with the number of all.

mod blocks;
mod intervals;
mod layer;
mod regions;
mod sweeps;
mod tree_boxes;

pub use blocks::{Block, Blocks};
pub use intervals::{Interval, Intervals, MAX_INTERVALS};
pub use layer::{Layer, MAX_PAIRS, MAX_POINTS, MAX_ROWS};
pub use regions::{RegionLevel, Regions};
pub use sweeps::Sweeps;
pub use tree_boxes::{MAX_BOXES, TreeBoxes};

use crate::view::View;
use broadphase::inspect::{
    BoxMark, CacheState, Inspect, Overlay, SplitPlane, for_each_region, planes_of,
};
use broadphase::registry::Algorithm;

/// The requested parts. Its lists are reused for the next frame.
#[derive(Clone, Debug, Default)]
pub struct Structure {
    /// Splitting planes.
    pub planes: Vec<SplitPlane>,
    /// Leaves or cells.
    pub regions: Regions,
    /// The boxes of a tree.
    pub tree: TreeBoxes,
    /// Sorted lists.
    pub lists: Intervals,
    /// The blocks of sweeps.
    pub blocks: Blocks,
    /// Lists that are swept on their own axes, with leaves or planes.
    pub sweeps: Sweeps,
    /// The marks of the other overlays, in the order of [`Overlay::ALL`].
    layers: [Layer; Overlay::ALL.len()],
    /// Whether each object rests in a cache, index = object; shorter where the last ones do not.
    resting: Vec<bool>,
}

/// Whether the boxes of an algorithm's tree are shown by their heights above the leaves, from which it is built.
pub fn is_built_from_leaves(algorithm: &Algorithm) -> bool {
    algorithm.caption(Overlay::TreeBoxes).is_some_and(|tree| tree.from_leaves)
}

impl Structure {
    /// The marks of an overlay whose marks are boxes of objects, pairs or points.
    pub fn layer(&self, overlay: Overlay) -> &Layer {
        &self.layers[overlay as usize]
    }

    /// Whether an object rests in a cache that is shown.
    pub fn rests(&self, object: usize) -> bool {
        self.resting.get(object).copied().unwrap_or_default()
    }

    /// Copies the requested parts of a structure of `objects` objects. Intervals and boxes of inspected objects, pairs and
    /// sweeps of the picked one, are always kept.
    pub(super) fn fill(
        &mut self,
        inspect: &dyn Inspect,
        algorithm: &Algorithm,
        objects: usize,
        view: &View,
        picked: Option<u32>,
        is_inspected: &dyn Fn(u32) -> bool,
    ) {
        self.clear(objects);
        self.tree.from_leaves = is_built_from_leaves(algorithm);
        for overlay in Overlay::ALL.into_iter().filter(|overlay| view.shows(*overlay)) {
            match overlay {
                Overlay::Planes => self.planes = planes_of(inspect),
                Overlay::Regions => {}
                Overlay::TreeBoxes => self.tree.fill(inspect, view.tree_levels),
                Overlay::Endpoints => self.lists.fill(inspect, objects, is_inspected),
                Overlay::Blocks => self.blocks.fill(inspect, picked),
                _ => {
                    let (layer, resting) = (&mut self.layers[overlay as usize], &mut self.resting);
                    let mut note_resting = |mark: &BoxMark| {
                        if overlay == Overlay::FatBoxes && mark.role == CacheState::Resting as usize
                        {
                            resting.resize(objects, false);
                            if let Some(rests) = resting.get_mut(mark.object as usize) {
                                *rests = true;
                            }
                        }
                    };
                    layer.fill(inspect, overlay, objects, picked, is_inspected, &mut note_resting);
                }
            }
        }
        if view.shows(Overlay::Planes) || view.shows(Overlay::Regions) {
            self.fill_regions(inspect, algorithm, view);
        }
    }

    fn fill_regions(&mut self, inspect: &dyn Inspect, algorithm: &Algorithm, view: &View) {
        let has_own_axes = algorithm.regions().keeps_straddlers;
        for_each_region(inspect, &mut |mark| {
            if has_own_axes {
                self.sweeps.add(&mark, view);
            }
            if view.shows(Overlay::Regions) {
                self.regions.add(mark.region);
            }
        });
        self.regions.keep_fullest();
        self.sweeps.sort();
    }

    fn clear(&mut self, objects: usize) {
        self.planes.clear();
        self.regions.clear();
        self.tree.clear();
        self.lists.clear(objects);
        self.blocks.clear();
        self.sweeps.clear();
        self.layers.iter_mut().for_each(Layer::clear);
        self.resting.clear();
    }
}

//! What [`Auto`](crate::algorithms::auto::Auto) needs to choose, frame by frame.

use super::{NeighbourList, Tested};
use crate::algorithms::sweep_grid::SweepGrid;
use crate::{BroadPhase, Frame};

impl NeighbourList {
    /// A frame has begun: to be called once in each, whoever answers it.
    pub(in crate::algorithms) fn step(&mut self) {
        (self.is_rebuilt, self.is_bypassed) = (false, false);
        (self.asked, self.compared, self.met, self.tests) = (0, 0, 0, 0);
        self.tested = Tested::Nothing;
        // What changed in a frame that nobody asked for was not tested.
        self.is_live_kept &= std::mem::replace(&mut self.is_answered, false);
        self.skin.step();
        self.frame = self.frame.wrapping_add(1);
    }

    /// Brings the list up to date, or makes it anew.
    pub(in crate::algorithms) fn refresh(&mut self, frame: &Frame<'_>) {
        if self.fat.len() != frame.boxes.len() {
            self.begin(frame);
            return;
        }
        self.look(frame.boxes);
        if self.is_hopeless() || (!self.left.is_empty() && !self.repair(frame.boxes)) {
            self.rebuild(frame);
        } else {
            self.make_cores(frame.boxes);
        }
    }

    /// Brings the list up to date, unless so many objects left their boxes that it would be built anew:
    /// then `None`, and the list is forgotten. Otherwise how many left.
    pub(in crate::algorithms) fn refresh_unless_hopeless(
        &mut self,
        frame: &Frame<'_>,
    ) -> Option<usize> {
        if self.fat.len() != frame.boxes.len() {
            return None;
        }
        self.look(frame.boxes);
        let is_whole = !self.is_hopeless() && (self.left.is_empty() || self.repair(frame.boxes));
        if is_whole {
            self.make_cores(frame.boxes);
        } else {
            self.forget();
        }
        is_whole.then_some(self.left.len())
    }

    /// How many objects one that left its box met, on average; `None` where none left.
    pub(in crate::algorithms) fn met_by_one(&self) -> Option<f32> {
        (self.asked > 0).then(|| self.met as f32 / self.asked as f32)
    }

    /// How many objects left their inflated boxes; `None` where the list was built anew.
    pub(in crate::algorithms) fn left(&self) -> Option<usize> {
        (!self.is_rebuilt).then_some(self.left.len())
    }

    /// How many objects have another box than in the frame before, and how many of these had not in that
    /// frame, unless that was not looked at.
    pub(in crate::algorithms) fn changed(&self) -> Option<[usize; 2]> {
        (!self.are_all_changed).then_some([self.changed.len(), self.started])
    }

    /// How many pairs are kept.
    pub(in crate::algorithms) fn candidates(&self) -> usize {
        self.candidates.pairs().len()
    }

    /// Forgets the list, and what was prepared of one.
    pub(in crate::algorithms) fn forget(&mut self) {
        self.fat.clear();
        self.cores.clear();
        self.candidates.clear();
    }

    /// The grid that makes the list, for others while there is none.
    pub(in crate::algorithms) fn grid(&self) -> &SweepGrid {
        &self.search
    }

    /// The same, to search with.
    pub(in crate::algorithms) fn grid_mut(&mut self) -> &mut SweepGrid {
        &mut self.search
    }

    /// Lets the frame's boxes be searched as they are, without a list.
    pub(in crate::algorithms) fn search_only(&mut self, frame: &Frame<'_>) {
        self.is_bypassed = true;
        self.search.update(frame);
    }
}

//! Splitting planes that moved lately.

use super::structure::collect_planes;
use broadphase::BroadPhase;
use broadphase::inspect::SplitPlane;

/// Steps for which a moved plane is marked: half a second at 60 steps a second.
const FLASH_STEPS: u64 = 30;

/// The planes that moved in the last steps. A plane moves in a single step, which is too short to
/// be seen.
#[derive(Default)]
pub(super) struct MovedPlanes {
    /// Each with the step in which it moved.
    planes: Vec<(SplitPlane, u64)>,
}

impl MovedPlanes {
    pub(super) fn clear(&mut self) {
        self.planes.clear();
    }

    /// Drops planes that moved long ago, or in steps that were taken back.
    pub(super) fn expire(&mut self, now: u64) {
        self.planes.retain(|(_, step)| *step <= now && now - step < FLASH_STEPS);
    }

    /// Adds the planes that a structure moved in this step.
    pub(super) fn add(&mut self, structure: &dyn BroadPhase, now: u64) {
        if structure.counters().rebuilds > 0 {
            let mut planes = Vec::new();
            collect_planes(structure, &mut planes);
            let moved = planes.into_iter().filter(|plane| plane.moved);
            self.planes.extend(moved.map(|plane| (plane, now)));
        }
    }

    /// Fills a list with the planes and the freshness of their motion: 1 in the step itself, falling
    /// to 0.
    pub(super) fn show(&self, now: u64, shown: &mut Vec<(SplitPlane, f32)>) {
        shown.clear();
        shown.extend(self.planes.iter().map(|(plane, step)| {
            (*plane, 1.0 - now.saturating_sub(*step) as f32 / FLASH_STEPS as f32)
        }));
    }
}

//! Steps that are shown for a replay, and the way back.

use super::{Motion, Mover};
use broadphase::Aabb;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// A step that was present.
pub(in crate::session) struct MotionPlace {
    step: u64,
    /// The boxes of a played step and those of the step before: to generate them again may take seconds.
    known: Option<[Vec<Aabb>; 2]>,
}

impl Motion {
    /// Shows the boxes of a kept step, to replay it. Returns whether that was done before `stop` was set.
    ///
    /// # Errors
    ///
    /// As [`go_to`](Self::go_to).
    pub(in crate::session) fn visit(
        &mut self,
        step: u64,
        stop: &AtomicBool,
    ) -> Result<bool, String> {
        let present = self.steps();
        if step == present {
            return Ok(true);
        }
        // The next frame is read or generated faster than any other.
        if let Mover::Played(played) = &mut self.mover
            && step == present + 1
        {
            return played.advance(&mut self.boxes, stop).map_err(|error| error.to_string());
        }
        if self.show(step, true, stop)? {
            return Ok(true);
        }
        if stop.load(Relaxed) { Ok(false) } else { Err(format!("step {step} is not kept")) }
    }

    /// Where the motion is, to [come back](Self::come_back) after steps are visited.
    pub(in crate::session) fn place(&self) -> MotionPlace {
        let known = match &self.mover {
            Mover::World { .. } => None,
            Mover::Played(played) => Some([self.boxes.clone(), played.before().to_vec()]),
        };
        MotionPlace { step: self.steps(), known }
    }

    /// Shows the step that was present, at once: it may be due to a stop.
    ///
    /// # Errors
    ///
    /// As [`go_to`](Self::go_to).
    pub(in crate::session) fn come_back(&mut self, place: MotionPlace) -> Result<(), String> {
        if self.steps() == place.step {
            return Ok(());
        }
        match (&mut self.mover, place.known) {
            (Mover::Played(played), Some([boxes, before])) => {
                self.boxes = boxes;
                played.come_back(place.step as u32, before);
                Ok(())
            }
            _ => self.visit(place.step, &AtomicBool::new(false)).map(|_| ()),
        }
    }
}

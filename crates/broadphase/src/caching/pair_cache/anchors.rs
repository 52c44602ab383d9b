//! Where objects were in an earlier frame: their mean motion follows from that.

use crate::Aabb;
use crate::memory::memory;
use glam::{Vec3, Vec3A};

/// The lower corner that each object had in a frame, or would have had with its present motion; NaN where it was added later.
#[derive(Clone, Debug, Default)]
pub(super) struct Anchors {
    pub(super) corners: Vec<Vec3>,
    /// Frames since the anchors of all objects were taken.
    pub(super) age: u32,
}

memory!(Anchors: corners);

impl Anchors {
    /// Takes the corners of a frame.
    pub(super) fn take(&mut self, boxes: &[Aabb]) {
        self.corners.resize(boxes.len(), Vec3::ZERO);
        self.corners.iter_mut().zip(boxes).for_each(|(corner, b)| *corner = b.min);
        self.age = 0;
    }

    /// Begins the next frame. Added objects have no anchor, so that their motion is not known.
    pub(super) fn advance(&mut self, objects: usize) {
        self.age = self.age.wrapping_add(1);
        if (1..objects).contains(&self.corners.len()) {
            self.corners.resize(objects, Vec3::NAN);
        }
    }

    /// Moves an anchor, so that the object's mean motion since then is its present one.
    pub(super) fn set_motion(&mut self, object: u32, b: &Aabb, motion: Vec3A) {
        self.corners[object as usize] = b.min - Vec3::from(motion) * self.age as f32;
    }

    /// Mean motion of an object since its anchor was taken, units a frame.
    pub(super) fn motion(&self, object: u32, b: &Aabb) -> Vec3A {
        motion(self.corners[object as usize], b, self.age)
    }
}

/// Mean motion, units a frame, of an object whose lower corner was `from` some frames ago.
pub(super) fn motion(from: Vec3, b: &Aabb, frames: u32) -> Vec3A {
    (Vec3A::from(b.min) - Vec3A::from(from)) / frames.max(1) as f32
}

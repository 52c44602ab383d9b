//! Which boxes changed since the previous frame.

use broadphase::Aabb;

/// A structure is updated box by box if fewer than one in `CHANGED_SHARE` boxes changed, and rebuilt otherwise.
/// Measured with one in a hundred of 100,000 boxes moving: a rebuild was as fast or faster for every
/// structure that uses this.
const CHANGED_SHARE: usize = 256;

/// The boxes of the previous frame, and the objects whose boxes changed.
#[derive(Debug, Default)]
pub(super) struct Changes {
    boxes: Vec<Aabb>,
    changed: Vec<u32>,
}

/// How the boxes changed.
pub(super) enum Change<'a> {
    /// These changed; the same objects are present.
    Few(&'a [u32]),
    /// Many changed, or objects appeared or vanished.
    Many,
}

impl Changes {
    /// Compares the boxes with those of the previous call, and stores them for the next.
    pub(super) fn note(&mut self, boxes: &[Aabb]) -> Change<'_> {
        self.changed.clear();
        let mut presence_changed = self.boxes.len() != boxes.len();
        for (object, (old, new)) in (0..).zip(self.boxes.iter().zip(boxes)) {
            if old != new {
                presence_changed |= old.is_empty() != new.is_empty();
                // Otherwise absent in both frames, by different empty boxes.
                if !new.is_empty() {
                    self.changed.push(object);
                }
            }
        }
        if presence_changed || self.changed.len() * CHANGED_SHARE >= boxes.len() {
            self.boxes.clear();
            self.boxes.extend_from_slice(boxes);
            return Change::Many;
        }
        for &object in &self.changed {
            self.boxes[object as usize] = boxes[object as usize];
        }
        Change::Few(&self.changed)
    }

    pub(super) fn heap_bytes(&self) -> usize {
        self.boxes.capacity() * size_of::<Aabb>() + self.changed.capacity() * size_of::<u32>()
    }
}

//! Which boxes are not what they were in the frame before.

use broadphase::Aabb;

/// A structure is changed box by box where fewer than one in so many boxes has changed, and built
/// anew otherwise: of 100,000 boxes, that was as fast or faster for each that is told here where one in
/// a hundred moves.
const FEW: usize = 256;

/// The boxes of the last frame, and what has become of them.
#[derive(Debug, Default)]
pub(super) struct Changes {
    boxes: Vec<Aabb>,
    changed: Vec<u32>,
}

/// What has become of the boxes.
pub(super) enum Change<'a> {
    /// These have changed; the same objects are there.
    Few(&'a [u32]),
    /// Many have changed, or objects have come or gone.
    Many,
}

impl Changes {
    /// Compares the boxes with those of the call before, and keeps them for the next one.
    pub(super) fn note(&mut self, boxes: &[Aabb]) -> Change<'_> {
        self.changed.clear();
        let mut others = self.boxes.len() != boxes.len();
        for (object, (old, new)) in (0..).zip(self.boxes.iter().zip(boxes)) {
            if old != new {
                others |= old.is_empty() != new.is_empty();
                // Absent then and now, in whatever form.
                if !new.is_empty() {
                    self.changed.push(object);
                }
            }
        }
        if others || self.changed.len() * FEW >= boxes.len() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn few_changes_are_named_and_many_are_not() {
        let mut boxes = vec![Aabb::new(Vec3::ZERO, Vec3::ONE); 600];
        let mut changes = Changes::default();
        let mut few = |boxes: &[Aabb]| match changes.note(boxes) {
            Change::Few(changed) => Some(changed.to_vec()),
            Change::Many => None,
        };
        assert_eq!(few(&boxes), None, "all are new");
        assert_eq!(few(&boxes), Some(vec![]));
        boxes[7].max.x = 2.0;
        boxes[599].min.y = -1.0;
        assert_eq!(few(&boxes), Some(vec![7, 599]));
        assert_eq!(few(&boxes), Some(vec![]));
        boxes[0] = Aabb::EMPTY;
        assert_eq!(few(&boxes), None, "one has gone");
        boxes[0].min.x = 5.0;
        assert_eq!(few(&boxes), Some(vec![]), "it is still absent");
        boxes.pop();
        assert_eq!(few(&boxes), None, "one fewer");
        boxes[..5].iter_mut().for_each(|b| *b = Aabb::new(Vec3::NEG_ONE, Vec3::ONE));
        assert_eq!(few(&boxes), None);
        boxes[10..20].iter_mut().for_each(|b| b.max.z += 1.0);
        assert_eq!(few(&boxes), None, "ten have moved");
    }
}

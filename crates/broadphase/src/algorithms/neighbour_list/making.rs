//! The making of a whole list, in one frame or over several.

use super::NeighbourList;
use crate::{Aabb, BroadPhase, Frame};

/// Frames over which the boxes of a list to come are inflated, so that none of them is slow.
const PREPARED_IN: usize = 4;

impl NeighbourList {
    /// Makes the list anew of all boxes.
    pub(super) fn rebuild(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        self.skin.begin(boxes);
        self.make_room(boxes.len());
        self.inflate_up_to(boxes.len(), boxes);
        self.find_candidates(frame);
    }

    /// Makes room for the inflated boxes of so many objects, of which there are none now.
    fn make_room(&mut self, objects: usize) {
        for list in [&mut self.fat, &mut self.last] {
            list.clear();
            if list.capacity() < objects {
                list.reserve_exact(objects + objects / 8 + 64);
            }
        }
    }

    /// Inflates the boxes from the first one that is not up to one.
    fn inflate_up_to(&mut self, end: usize, boxes: &[Aabb]) {
        let first = self.fat.len();
        let (skin, boxes) = (&mut self.skin, &boxes[first..end]);
        self.fat.extend((first as u32..).zip(boxes).map(|(object, b)| skin.inflate(object, b)));
        self.last.extend_from_slice(boxes);
    }

    /// Finds the pairs of the inflated boxes.
    fn find_candidates(&mut self, frame: &Frame<'_>) {
        self.is_rebuilt = true;
        (self.compared, self.met) = (0, 0);
        let fat = Frame { boxes: &self.fat, layers: &[], ..*frame };
        let Self { search, nearby, .. } = self;
        self.candidates.refill(|pairs| {
            search.update(&fat);
            nearby.find_pairs(search, &fat, pairs);
        });
        self.cores.clear();
        self.made_in = self.frame;
        self.is_live_kept = false;
        if frame.is_stopped() {
            // The list may not be whole.
            self.forget();
        }
    }

    /// Makes the list for objects of which nothing is known.
    pub(in crate::algorithms) fn begin(&mut self, frame: &Frame<'_>) {
        self.skin.resize(frame.boxes.len());
        self.fat.clear();
        self.changed.clear();
        self.are_all_changed = false;
        self.left.clear();
        self.rebuild(frame);
    }

    /// Inflates a part of the boxes for a list that is to be made, after those of the frames before; true
    /// where that had been done for all. Such frames are searched by another, or by
    /// [`search_only`](Self::search_only).
    pub(in crate::algorithms) fn prepare(&mut self, boxes: &[Aabb]) -> bool {
        if self.fat.is_empty() {
            self.skin.resize(boxes.len());
            self.skin.begin(boxes);
            self.make_room(boxes.len());
        }
        let first = self.fat.len();
        let part = boxes.len().div_ceil(PREPARED_IN);
        self.inflate_up_to(boxes.len().min(first + part), boxes);
        first == boxes.len()
    }

    /// Makes the list of inflated boxes that are prepared; false, without a list, where too many objects
    /// have left them since.
    pub(in crate::algorithms) fn begin_prepared(&mut self, frame: &Frame<'_>) -> bool {
        self.are_all_changed = false;
        self.changed.clear();
        self.look(frame.boxes);
        if self.is_hopeless() {
            self.forget();
            return false;
        }
        for object in &self.left {
            let b = &frame.boxes[*object as usize];
            self.fat[*object as usize] = self.skin.inflate(*object, b);
            self.last[*object as usize] = *b;
        }
        self.find_candidates(frame);
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// Boxes of side 1, too far from each other to overlap when they are inflated.
    fn row() -> Vec<Aabb> {
        (0..16).map(|i| Aabb::around_sphere(Vec3::new(i as f32 * 4.0, 0.0, 0.0), 0.5)).collect()
    }

    #[test]
    fn a_list_is_prepared_over_some_frames_and_reaches_as_far_ahead_as_an_object_moves() {
        let mut boxes = row();
        let mut list = NeighbourList::default();
        // Each object in turn is the one that moves: those that are inflated first and last.
        for moving in 0..boxes.len() {
            list.forget();
            let way = Vec3::Y * 0.1;
            for number in 0..=PREPARED_IN {
                boxes[moving] = Aabb::new(boxes[moving].min + way, boxes[moving].max + way);
                list.step();
                assert_eq!(list.prepare(&boxes), number == PREPARED_IN);
                list.search_only(&Frame::new(&boxes, 0.1));
            }
            list.is_bypassed = false;
            assert!(list.begin_prepared(&Frame::new(&boxes, 0.1)));
            list.validate_list(&boxes);
            let ahead = list.fat[moving].max.y - boxes[moving].max.y;
            // Eight frames further, and the thinnest skin.
            assert!((ahead - 0.84).abs() < 1e-3, "object {moving}: {ahead}");
        }
    }

    #[test]
    fn a_list_of_objects_that_left_while_it_was_prepared_is_given_up() {
        let mut boxes = row();
        let mut list = NeighbourList::default();
        for number in 0..=PREPARED_IN {
            list.step();
            assert_eq!(list.prepare(&boxes), number == PREPARED_IN);
        }
        boxes.iter_mut().for_each(|b| *b = Aabb::new(b.min + 9.0, b.max + 9.0));
        list.step();
        assert!(!list.begin_prepared(&Frame::new(&boxes, 0.1)));
        assert!(list.fat.is_empty());
    }
}

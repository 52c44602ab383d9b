//! A few objects that are watched while no list of neighbours is kept.

use super::super::neighbour_list::{REBUILD_SHARE, Skin};
use crate::Aabb;
use crate::sample::sample;

/// Objects that are watched: one in so many, but at least and at most these. All that move fast leave
/// in every frame, and cost far more than the other objects do.
const WATCHED_SHARE: usize = 32;
const WATCHED: [usize; 2] = [16, 256];

/// What the watched objects did in a frame, as shares of them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Seen {
    /// That left their inflated boxes.
    pub(super) left: f32,
    /// Whose boxes are others than in the frame before.
    pub(super) moved: f32,
    /// Of these, those that had rested in the frame before; all, where that was not looked at.
    pub(super) started: f32,
}

/// Objects whose boxes are inflated only to see how soon they leave them.
#[derive(Debug, Default)]
pub(super) struct Watch {
    boxes: Vec<Aabb>,
    /// Those in the frame before.
    last: Vec<Aabb>,
    /// Whether each moved in the frame before.
    moved: Vec<bool>,
    fat: Vec<Aabb>,
    skin: Skin,
}

impl Watch {
    /// Lets a frame pass in which no object moved, nor did any in the frame before.
    pub(super) fn skip(&mut self) {
        self.skin.step();
    }

    /// Looks at the watched objects, unless they are watched from now on.
    pub(super) fn look(&mut self, boxes: &[Aabb]) -> Option<Seen> {
        let wanted = (boxes.len() / WATCHED_SHARE).clamp(WATCHED[0], WATCHED[1]);
        std::mem::swap(&mut self.boxes, &mut self.last);
        self.boxes.clear();
        self.boxes.extend(sample(boxes, wanted).1.map(|(_, b)| b));
        self.skin.step();
        let is_new = self.fat.len() != self.boxes.len();
        if is_new {
            self.fat.clear();
            self.fat.resize(self.boxes.len(), Aabb::EMPTY);
            self.skin.resize(self.boxes.len());
            self.moved.clear();
            self.moved.resize(self.boxes.len(), false);
        }
        let present = self.boxes.iter().filter(|b| !b.is_empty()).count();
        let is_out = |(b, fat): &(&Aabb, &Aabb)| !b.is_empty() && !is_in(b, fat);
        let left = self.boxes.iter().zip(&self.fat).filter(is_out).count();
        let (mut moved, mut started) = (0, 0);
        for ((b, last), has_moved) in self.boxes.iter().zip(&self.last).zip(&mut self.moved) {
            let moves = b != last;
            moved += usize::from(moves);
            started += usize::from(moves && !*has_moved);
            *has_moved = moves;
        }
        if left > 0 {
            // A list would be made anew, and all boxes inflated at once.
            let is_made = left * REBUILD_SHARE > present;
            if is_made {
                self.skin.begin(&self.boxes);
            }
            for ((object, b), fat) in (0..).zip(&self.boxes).zip(&mut self.fat) {
                if is_made || !is_in(b, fat) {
                    *fat = self.skin.inflate(object, b);
                }
            }
        }
        let of_all = |some: usize| (some as f32 / present.max(1) as f32).min(1.0);
        (!is_new).then(|| Seen {
            left: of_all(left),
            moved: of_all(moved),
            started: of_all(started),
        })
    }

    /// Says that others answer, or other objects are to be watched.
    pub(super) fn forget(&mut self) {
        self.fat.clear();
    }

    pub(super) fn heap_bytes(&self) -> usize {
        (self.boxes.capacity() + self.last.capacity() + self.fat.capacity()) * size_of::<Aabb>()
            + self.moved.capacity()
            + self.skin.heap_bytes()
    }
}

fn is_in(b: &Aabb, fat: &Aabb) -> bool {
    (fat.min.cmple(b.min) & b.max.cmple(fat.max)).all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn where_many_leave_at_once_all_are_inflated_as_for_a_list_that_is_made_anew() {
        let mut boxes: Vec<_> =
            (0..16).map(|i| Aabb::around_sphere(Vec3::X * 4.0 * i as f32, 0.5)).collect();
        let (mut watch, mut left_in) = (Watch::default(), Vec::new());
        for number in 0..100 {
            // Half of them are slower, and would leave two frames later.
            for (object, b) in boxes.iter_mut().enumerate() {
                let way = Vec3::Y * if object % 2 == 0 { 0.02 } else { 0.01 };
                *b = Aabb::new(b.min + way, b.max + way);
            }
            match watch.look(&boxes) {
                Some(seen) if seen.left > 0.0 => left_in.push(number),
                _ => {}
            }
        }
        assert!(left_in.len() > 5, "{left_in:?}");
        let are_apart = left_in.windows(2).all(|frames| frames[0] + 5 < frames[1]);
        assert!(are_apart, "the slower ones leave by themselves: {left_in:?}");
    }
}

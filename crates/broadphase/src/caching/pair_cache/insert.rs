//! Insertion: escaped objects are cached again, many at once.

use super::super::policy::Class;
use super::pairs::drop_pairs;
use super::{Escaped, PairCache};
use crate::columns::Origin;
use crate::{Aabb, Frame, PairLimit};

impl PairCache {
    /// Caches those escaped objects that are no longer too fast, and finds their candidate pairs.
    ///
    /// The fat AABBs of the others become empty, and no candidate pair has an escaped object. So the fat
    /// AABBs alone still determine the candidate pairs.
    ///
    /// False, with an unusable cache, where they touch far too many columns or the frame's limits are reached.
    #[must_use]
    pub(in crate::caching) fn insert(&mut self, frame: &Frame<'_>) -> bool {
        let Some(inflation) = self.inflation else { return false };
        let boxes = frame.boxes;
        let states = &self.states;
        let has_escaped = |object: u32| states[object as usize].has_escaped();
        drop_pairs(&mut self.pairs.candidates, has_escaped);
        self.inserted.retain(|object| !has_escaped(*object));
        let mut kept = 0;
        (self.fast, self.settled) = (0, self.inserted.len());
        for at in 0..self.escaped.len() {
            let escaped = self.escaped[at];
            let (object, b) = (escaped.object, &boxes[escaped.object as usize]);
            let motion = escaped.motion(b, self.frame, &self.anchors);
            let (class, fat) = match escaped.since == self.frame {
                // Its motion may have just begun; the next frame shows it.
                true => (Class::Fast, Aabb::EMPTY),
                false => inflation.inflate(b, Some(motion)),
            };
            self.fat[object as usize] = fat;
            if class == Class::Fast {
                self.fast += usize::from(escaped.since != self.frame);
                self.escaped[kept] = Escaped { since: self.frame, from: b.min, ..escaped };
                kept += 1;
                continue;
            }
            self.inserted.push(object);
            self.states[object as usize].insert(class == Class::Resting);
            self.anchors.set_motion(object, b, motion);
        }
        self.escaped.truncate(kept);
        self.find_new_candidates(frame)
    }

    /// Adds the inserted objects to the columns, and the candidate pairs of the new ones.
    fn find_new_candidates(&mut self, frame: &Frame<'_>) -> bool {
        let limit = PairLimit::new(frame.limits.most().saturating_sub(self.pairs.len()));
        let limits = frame.limits.bounded_apart(&limit);
        let Self { inserted, settled, fat, states, columns, new_pairs, .. } = self;
        new_pairs.clear();
        let cached = Frame { boxes: fat, limits, ..*frame };
        let boxes_of = |object: &u32| (*object, &fat[*object as usize]);
        columns.insert(inserted.iter().map(boxes_of), frame);
        if !columns.list_escaped(inserted[*settled..].iter().map(boxes_of), fat.len()) {
            return false;
        }
        let is_current =
            |object: u32, origin: Origin| states[object as usize].entry() == Some(origin);
        columns.find_pairs_of_escaped(&cached, is_current, |_| true, new_pairs);
        self.insert_tests = columns.counters().tests;
        for object in &inserted[*settled..] {
            states[*object as usize].settle();
        }
        self.pairs.append(&self.new_pairs, &self.states);
        !limits.is_stopped()
    }
}

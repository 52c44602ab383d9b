//! Copies of a structure after some of its searches. The searches after a copy are replayed through it, to show an earlier
//! step with the structure that it had.

use super::contender::Place;
use broadphase::BroadPhase;
use measure::Clock;
use std::collections::VecDeque;

/// Nanoseconds of searches between two copies: about what is replayed to show a step.
const SPACING_NS: u64 = 40_000_000;

/// Most steps between two copies: so many of the first kept steps may be without one.
const SPACING_STEPS: u64 = 30;

/// The searches between two copies take at least this many times as long as a copy, unless that takes less than a
/// millisecond.
const MIN_SHARE: u64 = 20;
const SHORT_COPY_NS: u64 = 1_000_000;

/// Largest structure that is copied, in bytes. Larger ones would hold up an order for more than half a second.
const MAX_COPY_BYTES: usize = 256 << 20;

/// A copy, and its place in the motion.
struct Keyframe {
    place: Place,
    structure: Box<dyn BroadPhase>,
    bytes: usize,
}

/// The copies of one structure, in the order of their places.
#[derive(Default)]
pub(super) struct Keyframes {
    frames: VecDeque<Keyframe>,
    bytes: usize,
    /// Nanoseconds of searches since the last copy, and of the fastest copy: other work delays some.
    searched_ns: u64,
    copied_ns: u64,
}

impl Keyframes {
    /// Counts a search, after which the structure is at `place`. Copies the structure, if the searches since the last copy
    /// took long enough. All copies take at most `max_bytes`: others make room for a new one.
    pub(super) fn add(
        &mut self,
        structure: &dyn BroadPhase,
        place: Place,
        search_ns: u64,
        max_bytes: usize,
        clock: &dyn Clock,
    ) {
        self.searched_ns += search_ns;
        let place = Place { threads: None, ..place };
        while self.bytes > max_bytes {
            self.thin_out();
        }
        let since_last =
            place.next - self.last_place(place.next).map_or(place.since, |last| last.next);
        let is_due = self.searched_ns >= SPACING_NS || since_last >= SPACING_STEPS;
        let is_affordable =
            self.copied_ns < SHORT_COPY_NS || self.searched_ns >= MIN_SHARE * self.copied_ns;
        if !is_due || !is_affordable {
            return;
        }
        self.searched_ns = 0;
        let bytes = structure.heap_bytes();
        if bytes > max_bytes.min(MAX_COPY_BYTES)
            || self.frames.iter().any(|known| known.place == place)
        {
            return;
        }
        let began = clock.now_ns();
        let Some(structure) = structure.try_clone() else { return };
        let copied_ns = clock.now_ns() - began;
        self.copied_ns =
            if self.copied_ns == 0 { copied_ns } else { copied_ns.min(self.copied_ns) };
        self.frames.retain(|known| known.place.next != place.next);
        let index = self.frames.partition_point(|known| known.place.next < place.next);
        self.frames.insert(index, Keyframe { place, structure, bytes });
        self.count_bytes();
        while self.bytes > max_bytes {
            self.thin_out();
        }
    }

    /// Drops the copy between its neighbours that are nearest to each other: the others stay evenly spread.
    fn thin_out(&mut self) {
        let at = |index: usize| self.frames.get(index).map(|known| known.place.next);
        let gap = |index: &usize| {
            let before = index.checked_sub(1).and_then(at).unwrap_or(0);
            at(index + 1).unwrap_or(u64::MAX) - before
        };
        let nearest = (0..self.frames.len()).min_by_key(gap);
        if let Some(index) = nearest {
            self.frames.remove(index);
        }
        self.count_bytes();
    }

    fn count_bytes(&mut self) {
        self.bytes = self.frames.iter().map(|known| known.bytes).sum();
    }

    /// The place of the last copy whose next step is at most `next`.
    pub(super) fn last_place(&self, next: u64) -> Option<Place> {
        self.last(next).map(|known| known.place)
    }

    /// A copy of the structure there.
    pub(super) fn structure(&self, next: u64) -> Option<Box<dyn BroadPhase>> {
        self.last(next)?.structure.try_clone()
    }

    fn last(&self, next: u64) -> Option<&Keyframe> {
        let end = self.frames.partition_point(|known| known.place.next <= next);
        end.checked_sub(1).map(|index| &self.frames[index])
    }

    /// Forgets the copies whose next step is before one: it is no longer kept.
    pub(super) fn forget_before(&mut self, step: u64) {
        if self.frames.front().is_some_and(|known| known.place.next < step) {
            self.frames.retain(|known| known.place.next >= step);
            self.count_bytes();
        }
    }

    /// Forgets the copies after a step: another motion follows.
    pub(super) fn forget_after(&mut self, step: u64) {
        self.frames.retain(|known| known.place.next <= step + 1);
        self.count_bytes();
    }

    /// Forgets all copies.
    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    /// Bytes that they hold.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::double::Double;
    use broadphase::registry::{Settings, find};
    use broadphase::{Aabb, Frame};
    use glam::Vec3;

    fn at(next: u64) -> Place {
        Place { since: 1, next, threads: None }
    }

    fn structure() -> Box<dyn BroadPhase> {
        let boxes: Vec<Aabb> =
            (0..100).map(|x| Aabb::around_sphere(Vec3::X * x as f32, 0.4)).collect();
        let mut structure = find("kd-tree").unwrap().create(&Settings::new(100)).unwrap();
        structure.update(&Frame::new(&boxes));
        structure
    }

    fn filled(copies: usize) -> (Keyframes, usize) {
        let (structure, clock) = (structure(), Double::leaked());
        let each = structure.try_clone().unwrap().heap_bytes();
        let room = structure.heap_bytes().max(copies * each);
        let mut keyframes = Keyframes::default();
        for next in 1..=100 {
            let place = at(next);
            keyframes.add(&*structure, place, SPACING_NS / 2, room, clock);
        }
        (keyframes, room)
    }

    #[test]
    fn copies_are_spaced_and_stay_within_their_memory() {
        let (all, _) = filled(1000);
        assert_eq!(all.frames.len(), 50);
        let (few, room) = filled(8);
        assert!(few.bytes <= room && (4..=8).contains(&few.frames.len()), "{}", few.frames.len());
        let places: Vec<u64> = few.frames.iter().map(|known| known.place.next).collect();
        assert!(
            places.windows(2).all(|two| two[1] > two[0] && two[1] - two[0] <= 50),
            "{places:?}"
        );
        let mut none = Keyframes::default();
        none.add(&*structure(), at(2), SPACING_NS, 10, Double::leaked());
        assert_eq!(none.bytes(), 0, "one copy takes more");
    }

    /// Says that it holds some bytes.
    #[derive(Clone)]
    struct Large(usize);

    impl BroadPhase for Large {
        fn update(&mut self, _: &Frame<'_>) {}

        fn find_pairs(&mut self, _: &Frame<'_>, _: &mut Vec<broadphase::Pair>) {}

        fn counters(&self) -> broadphase::Counters {
            broadphase::Counters::default()
        }

        fn heap_bytes(&self) -> usize {
            self.0
        }

        fn validate(&self, _: &Frame<'_>) {}

        fn try_clone(&self) -> Option<Box<dyn BroadPhase>> {
            Some(Box::new(self.clone()))
        }
    }

    #[test]
    fn structure_that_takes_long_to_copy_is_not_copied() {
        for (bytes, copies) in [(MAX_COPY_BYTES, 1), (MAX_COPY_BYTES + 1, 0)] {
            let mut keyframes = Keyframes::default();
            let place = at(2);
            keyframes.add(&Large(bytes), place, SPACING_NS, usize::MAX, Double::leaked());
            assert_eq!(keyframes.frames.len(), copies, "{bytes} bytes");
        }
    }

    #[test]
    fn copies_are_found_by_their_step_and_forgotten() {
        let (mut keyframes, _) = filled(1000);
        assert_eq!(keyframes.last_place(1), None);
        assert_eq!(keyframes.last_place(41), Some(at(40)));
        assert!(keyframes.structure(41).is_some());
        keyframes.forget_after(19);
        assert_eq!(keyframes.last_place(41), Some(at(20)));
        keyframes.forget_before(10);
        assert_eq!((keyframes.last_place(9), keyframes.frames.len()), (None, 6));
    }
}

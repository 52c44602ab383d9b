//! Objects too large for the structure, each tested against all others.

use crate::box_set::{BoxSet, NANOS_PER_TEST};
use crate::memory::memory;
use crate::parallel::{Rows, SearchTasks, Work, threads_for};
use crate::{Aabb, Frame, Pair};

/// The list of oversized objects. O(m n) time for m of n objects: meant for few.
#[derive(Clone, Debug, Default)]
pub(crate) struct Oversized {
    /// Number of oversized objects.
    count: usize,
    /// The oversized objects; and after them, if there are any, all other present ones.
    objects: Vec<u32>,
    /// Their boxes, in the same order.
    boxes: BoxSet,
}

memory!(Oversized: objects, boxes);

impl Oversized {
    /// Empties the list.
    pub(crate) fn clear(&mut self) {
        self.count = 0;
        self.objects.clear();
        self.boxes.resize(0);
    }

    /// Adds an object. The order must be ascending.
    pub(crate) fn push(&mut self, object: u32) {
        self.objects.push(object);
        self.count += 1;
    }

    /// Copies the boxes, once all oversized objects are known.
    pub(crate) fn fill(&mut self, boxes: &[Aabb]) {
        if self.count == 0 {
            return;
        }
        let mut next = 0;
        for (object, _) in (0..).zip(boxes).filter(|(_, b)| !b.is_empty()) {
            if next < self.count && self.objects[next] == object {
                next += 1;
            } else {
                self.objects.push(object);
            }
        }
        self.boxes.resize(self.objects.len());
        for (position, object) in self.objects.iter().enumerate() {
            self.boxes.set(position, &boxes[*object as usize]);
        }
    }

    /// Appends every pair with an oversized object.
    pub(crate) fn find_pairs(
        &self,
        frame: &Frame<'_>,
        tasks: &mut SearchTasks,
        pairs: &mut Vec<Pair>,
    ) -> Work {
        if self.count == 0 {
            return Work::default();
        }
        let all = self.objects.len();
        let tests = self.count.saturating_mul(all);
        tasks.run(self.count, threads_for(tests, NANOS_PER_TEST), pairs, |task, pairs, rows| {
            let pair = |i: usize, j: usize| Some(Pair::new(self.objects[i], self.objects[j]));
            task.find(&self.boxes, Rows::Within(rows, all), frame, pairs, pair);
        })
    }

    /// Calls `visit` with both objects of every test.
    pub(crate) fn tests(&self, visit: &mut dyn FnMut(u32, u32)) {
        for (at, large) in self.objects[..self.count].iter().enumerate() {
            self.objects[at + 1..].iter().for_each(|other| visit(*large, *other));
        }
    }

    /// Panics unless the list holds the expected objects and, where there are any, all other present ones.
    pub(crate) fn validate(&self, expected: &[u32], boxes: &[Aabb]) {
        let listed = &self.objects[..self.count];
        assert_eq!(listed, expected, "the list holds other objects than the oversized ones");
        if self.count == 0 {
            assert!(self.objects.is_empty(), "objects are listed without an oversized one");
            return;
        }
        let mut listed = self.objects.clone();
        listed.sort_unstable();
        let present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty()).map(|(object, _)| object);
        assert!(listed.into_iter().eq(present), "an oversized object is not tested against all");
        for (position, object) in self.objects.iter().enumerate() {
            let b = boxes[*object as usize];
            assert_eq!(self.boxes.get(position), b, "an outdated box of object {object} is tested");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn each_pair_with_an_oversized_object_is_found_once() {
        let mut boxes = vec![Aabb::new(Vec3::ZERO, Vec3::ONE); 6];
        boxes[3] = Aabb::EMPTY;
        let mut oversized = Oversized::default();
        oversized.clear();
        oversized.push(1);
        oversized.push(4);
        oversized.fill(&boxes);
        oversized.validate(&[1, 4], &boxes);
        let mut pairs = Vec::new();
        let frame = Frame::new(&boxes);
        let work = oversized.find_pairs(&frame, &mut SearchTasks::default(), &mut pairs);
        pairs.sort_unstable();
        let expected = [(0, 1), (0, 4), (1, 2), (1, 4), (1, 5), (2, 4), (4, 5)];
        assert_eq!(pairs, expected.map(|(a, b)| Pair { a, b }));
        assert_eq!(work.tests, 7);
        let mut tested = Vec::new();
        oversized.tests(&mut |a, b| tested.push(Pair::new(a, b)));
        tested.sort_unstable();
        assert_eq!(tested, pairs);
    }

    #[test]
    #[should_panic(expected = "not tested against all")]
    fn validate_catches_a_missing_object() {
        let boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 3];
        let mut oversized = Oversized::default();
        oversized.push(1);
        oversized.fill(&boxes[..2]);
        oversized.validate(&[1], &boxes);
    }
}

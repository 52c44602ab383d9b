//! Objects that escape from their fat AABBs.

use super::check::append_escaping;
use super::pairs::drop_pairs;
use super::state::State;
use super::{Escaped, PairCache, STRETCH};
use crate::Aabb;
use crate::parallel::{tasks_for, threads_for};

/// Nanoseconds that count for the check of an object: half of the time on one thread, since another thread shares the memory's
/// bandwidth. With 2, two threads take 1.16 times as long as one on jitter 100,000.
const CHECK_NANOS: usize = 1;

impl PairCache {
    /// Finds the objects that escape. Ends soon after more than `most` have.
    pub(super) fn find_escaping(&mut self, boxes: &[Aabb], most: usize) {
        let Self { checks, fat, states, .. } = self;
        let threads = threads_for(boxes.len(), CHECK_NANOS);
        let tasks = tasks_for(threads);
        let part = boxes.len().div_ceil(tasks).next_multiple_of(STRETCH);
        checks.resize(tasks);
        checks.run(|number, escaping: &mut Vec<u32>| {
            escaping.clear();
            escaping.reserve(part.min(most) + STRETCH);
            let end = boxes.len().min((number + 1) * part);
            for first in (number * part..end).step_by(STRETCH) {
                if escaping.len() > most {
                    return;
                }
                let part = first..end.min(first + STRETCH);
                let (boxes, fat, states) =
                    (&boxes[part.clone()], &fat[part.clone()], &states[part]);
                append_escaping(first as u32, boxes, fat, states, escaping);
            }
        });
    }

    /// The number of objects that escape in this frame.
    pub(super) fn escaping(&self) -> usize {
        self.checks.as_slice().iter().map(|found| found.0.len()).sum()
    }

    /// Updates the state of the objects that escape in this frame.
    pub(super) fn escape(&mut self, boxes: &[Aabb]) {
        let mut is_any_resting = false;
        let escaping = self.checks.as_slice().iter().flat_map(|found| &found.0);
        for object in escaping.copied() {
            let state = &mut self.states[object as usize];
            is_any_resting |= state.was_resting();
            state.escape();
            let from = boxes[object as usize].min;
            self.escaped.push(Escaped { object, since: self.frame, from });
        }
        if is_any_resting {
            let states = &self.states;
            let has_escaped = |object: u32| states[object as usize].has_escaped();
            drop_pairs(&mut self.pairs.resting, has_escaped);
        }
    }

    /// Adds new objects as escaped ones: they have no earlier box.
    pub(super) fn appear(&mut self, boxes: &[Aabb]) {
        let before = self.states.len();
        self.states.resize(boxes.len(), State::ESCAPED);
        self.fat.resize(boxes.len(), Aabb::EMPTY);
        let new = (before as u32..).zip(&boxes[before..]);
        let since = self.frame;
        self.escaped.extend(new.map(|(object, b)| Escaped { object, since, from: b.min }));
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::policy;
    use super::super::Check;
    use super::*;
    use crate::Frame;
    use crate::parallel::fewest_for_two;
    use glam::Vec3;

    #[test]
    fn objects_escape_on_several_threads_as_on_one() {
        let place = |i: usize| Vec3::from([i % 64, i / 64 % 64, i / 4096].map(|at| at as f32));
        let count = fewest_for_two(CHECK_NANOS);
        let start: Vec<_> = (0..count).map(|i| Aabb::around_sphere(place(i), 0.4)).collect();
        let moved = |(object, b): (usize, &Aabb)| match object % 10 {
            7 => Aabb::new(b.min + 5.0, b.max + 5.0),
            _ => *b,
        };
        let boxes: Vec<_> = start.iter().enumerate().map(moved).collect();
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let mut cache = PairCache::default();
            pool.install(|| {
                assert!(cache.build(policy::FIRST, 0.8, &Frame::new(&start)));
                assert_eq!(cache.check(&Frame::new(&boxes)), Check::Current);
            });
            let has_threads = threads > 1 && cfg!(feature = "rayon");
            assert_eq!(cache.checks.as_slice().len() > 1, has_threads);
            let escaped = cache.escaped.iter().map(|escaped| escaped.object);
            assert!(escaped.eq((7..count as u32).step_by(10)), "{threads} threads");
        }
    }
}

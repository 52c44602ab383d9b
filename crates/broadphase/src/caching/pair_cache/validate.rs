//! The invariants.

use super::PairCache;
use super::check::escapes;
use crate::{Frame, Pair};
use std::collections::HashSet;

impl PairCache {
    /// Panics unless the invariants hold for the frame of the last update.
    pub(in crate::caching) fn validate(&self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        let n = boxes.len();
        assert_eq!(
            [self.fat.len(), self.states.len()],
            [n; 2],
            "another number of objects is cached"
        );
        let escaped: Vec<_> = self.escaped.iter().map(|escaped| escaped.object).collect();
        let escaped_once: HashSet<_> = escaped.iter().copied().collect();
        assert_eq!(escaped_once.len(), escaped.len(), "an object escaped twice");
        for (object, state) in (0..).zip(&self.states) {
            let at = object as usize;
            let is_listed = escaped_once.contains(&object);
            assert_eq!(state.has_escaped(), is_listed, "object {object} escaped (left), listed");
            if !is_listed {
                // An absent object has no pair, so its fat AABB does not matter.
                let is_absent = boxes[at].is_empty() && !state.was_resting();
                let escapes = !is_absent && escapes(&boxes[at], &self.fat[at], *state);
                assert!(!escapes, "object {object} is not in its fat AABB");
            }
        }
        self.validate_pairs(frame);
        self.columns.validate(&self.fat, &escaped, boxes, |object| self.entry(object));
    }

    /// Panics unless the candidates are the pairs of overlapping fat AABBs without those of two resting
    /// objects, and the latter are cached apart. It takes O(n²), and ends early once the frame is stopped.
    fn validate_pairs(&self, frame: &Frame<'_>) {
        let (mut candidates, mut resting) = (Vec::new(), Vec::new());
        for j in 0..frame.boxes.len() {
            if frame.is_stopped() {
                return;
            }
            for i in 0..j {
                if !self.fat[i].overlaps(&self.fat[j]) || !frame.admits(i as u32, j as u32) {
                    continue;
                }
                let pair = Pair::new(i as u32, j as u32);
                let [a, b] = [i, j].map(|at| self.states[at]);
                if !(a.was_resting() && b.was_resting()) {
                    candidates.push(pair);
                } else if !a.has_escaped() && !b.has_escaped() {
                    resting.push(pair);
                }
            }
        }
        assert_same(&self.pairs.candidates, candidates, "a candidate");
        assert_same(&self.pairs.resting, resting, "cached as a pair of resting objects");
    }
}

/// Panics unless both lists hold the same pairs, each once.
fn assert_same(cached: &[Pair], mut expected: Vec<Pair>, what: &str) {
    let mut cached = cached.to_vec();
    cached.sort_unstable();
    expected.sort_unstable();
    let twice = cached.windows(2).find(|pairs| pairs[0] == pairs[1]);
    assert!(twice.is_none(), "{twice:?}: {what} twice");
    let same = cached.iter().zip(&expected).take_while(|(cached, pair)| cached == pair).count();
    let first = [&cached, &expected].map(|pairs| pairs.get(same));
    // The lower one of two pairs that differ is in one list only.
    let Some(pair) = first.into_iter().flatten().min() else { return };
    let [is_cached, is_expected] = first.map(|other| other == Some(pair));
    panic!("{pair} is {what}: {is_cached}, expected by the fat AABBs: {is_expected}");
}

#[cfg(test)]
mod tests {
    use super::super::Check;
    use super::super::state::State;
    use super::*;
    use crate::Aabb;
    use crate::caching::policy::FIRST;
    use crate::managed::{Fault, assert_faults_are_caught};
    use glam::Vec3;
    use std::sync::atomic::AtomicBool;

    /// A cache of 1,000 objects, of which 500 rest, ten were inserted and two have escaped.
    fn cached() -> (PairCache, Vec<Aabb>) {
        let at = |i: usize| Vec3::from([i % 10, i / 10 % 10, i / 100].map(|place| place as f32));
        let mut boxes: Vec<_> = (0..1000).map(|i| Aabb::around_sphere(at(i), 0.6)).collect();
        let mut cache = PairCache::default();
        let push = |b: &mut Aabb, by: f32| *b = Aabb::new(b.min + by, b.max + by);
        cache.pass(&boxes);
        for number in 0..6 {
            boxes[500..].iter_mut().for_each(|b| push(b, 0.001));
            match number {
                2 => boxes[..10].iter_mut().for_each(|b| push(b, 0.5)),
                5 => boxes[20..22].iter_mut().for_each(|b| push(b, 0.5)),
                _ => {}
            }
            let frame = Frame::new(&boxes);
            let is_current = cache.check(&frame) == Check::Current;
            assert_eq!(is_current, number > 0);
            let is_answered = match number {
                0 => cache.build(FIRST, 1.2, &frame),
                4 => cache.insert(&frame) && cache.list_escaped(&frame),
                _ => cache.list_escaped(&frame),
            };
            assert!(is_answered);
            cache.validate(&frame);
        }
        let resting = cache.states.iter().filter(|state| **state == State::RESTING).count();
        assert_eq!([resting, cache.inserted.len(), cache.escaped.len()], [488, 10, 2]);
        assert!(cache.pairs.candidates.len() > 100 && cache.pairs.resting.len() > 100);
        (cache, boxes)
    }

    #[test]
    fn validation_of_a_stopped_frame_ends_early() {
        let (mut cache, boxes) = cached();
        cache.pairs.candidates.pop();
        cache.validate_pairs(&Frame::new(&boxes).stopped_by(&AtomicBool::new(true)));
    }

    #[test]
    fn validate_catches_each_fault() {
        let validate = |(cache, boxes): &(PairCache, Vec<Aabb>)| cache.validate(&Frame::new(boxes));
        let faults: [Fault<(PairCache, Vec<Aabb>)>; 10] = [
            ("object 99 is not in its fat AABB", |(_, boxes)| boxes[99].max.z -= 0.01),
            ("object 700 is not in its fat AABB", |(_, boxes)| boxes[700].max.z += 1.0),
            ("escaped (left), listed", |(cache, _)| _ = cache.escaped.pop()),
            ("object: 20", |(_, boxes)| boxes[20].max.z += 0.01),
            ("is a candidate: false, expected by the fat AABBs: true", |(cache, _)| {
                cache.pairs.candidates.pop();
            }),
            ("is cached as a pair of resting objects: false", |(cache, _)| {
                cache.pairs.resting.pop();
            }),
            ("resting objects twice", |(cache, _)| {
                let resting = &mut cache.pairs.resting;
                resting.push(resting[0]);
            }),
            // Far from all others: no pair changes.
            ("object: 999", |(cache, _)| cache.fat.last_mut().unwrap().max += 0.001),
            ("ends later than noted", |(cache, _)| cache.columns.spoil_end()),
            ("another number of objects", |(cache, _)| _ = cache.fat.pop()),
        ];
        assert_faults_are_caught(cached, validate, &faults);
    }
}

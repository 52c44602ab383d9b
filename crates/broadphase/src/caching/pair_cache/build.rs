//! The build of a cache: fat AABBs, sorted columns and candidate pairs.

use super::super::policy::{self, Inflation};
use super::pairs::CachedPairs;
use super::state::State;
use super::{Escaped, PairCache};
use crate::parallel::{for_each_chunk, threads_for};
use crate::{Aabb, Frame, PairLimit};
use glam::{Vec3, Vec3A};

/// Time to make a fat AABB, in nanoseconds on one thread.
const ENLARGE_NANOS: usize = 8;

impl PairCache {
    /// Builds the cache. `side` is the mean side of the median box. False, without a cache, if the frame is
    /// stopped.
    #[must_use]
    pub(in crate::caching) fn build(
        &mut self,
        policy: usize,
        side: f32,
        frame: &Frame<'_>,
    ) -> bool {
        let boxes = frame.boxes;
        let inflation = Inflation::new(policy::ALL[policy], side);
        self.enlarge(inflation, boxes);
        (self.policy, self.inflation) = (policy, Some(inflation));
        self.layers.clear();
        self.layers.extend_from_slice(frame.layers);
        // More candidate pairs than a frame may have pairs: a full search answers.
        let limit = PairLimit::new(frame.limits.most());
        let limits = frame.limits.bounded_apart(&limit);
        let cached = Frame { boxes: &self.fat, limits, ..*frame };
        self.pairs.candidates.clear();
        self.columns.build(&cached, &mut self.pairs.candidates);
        if limits.is_stopped() {
            self.pairs = CachedPairs::default();
            self.clear();
            return false;
        }
        self.pairs.split(&self.states);
        self.anchors.take(boxes);
        self.is_built = self.list_escaped(frame);
        if !self.is_built {
            self.clear();
        }
        self.is_built
    }

    /// Calculates the fat AABBs.
    fn enlarge(&mut self, inflation: Inflation, boxes: &[Aabb]) {
        let threads = threads_for(boxes.len(), ENLARGE_NANOS);
        self.states.resize(boxes.len(), State::SLOW);
        self.fat.resize(boxes.len(), Aabb::EMPTY);
        let age = self.anchors.age;
        let is_known = self.anchors.corners.len() == boxes.len() && age > 0;
        let per_frame = 1.0 / age.max(1) as f32;
        // The motion of an escaped object since it escaped counts, not the one before.
        for escaped in self.escaped.iter().filter(|_| is_known) {
            let b = &boxes[escaped.object as usize];
            let motion = escaped.motion(b, self.frame, &self.anchors);
            self.anchors.set_motion(escaped.object, b, motion);
        }
        self.escaped.clear();
        self.inserted.clear();
        self.settled = 0;
        let Self { fat, states, anchors, escaped, frame, .. } = self;
        for_each_chunk(threads, fat, |first, fat| {
            for (at, fat) in (first..).zip(fat) {
                let way = |anchor: &Vec3| Vec3A::from(boxes[at].min) - Vec3A::from(*anchor);
                let anchor = anchors.corners.get(at).filter(|_| is_known);
                // Not known where it was absent or is too far away.
                let motion =
                    anchor.map(way).filter(|way| way.is_finite()).map(|way| way * per_frame);
                (_, *fat) = inflation.inflate(&boxes[at], motion);
            }
        });
        for_each_chunk(threads, states, |first, states| {
            for (at, state) in (first..).zip(states) {
                *state = State::of(&boxes[at], &fat[at]);
            }
        });
        for (object, (state, b)) in (0..).zip(states.iter().zip(boxes)) {
            if state.has_escaped() {
                escaped.push(Escaped { object, since: *frame, from: b.min });
            }
        }
        self.fast = self.escaped.len();
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::policy::FIRST;
    use super::*;

    #[test]
    fn object_of_unknown_motion_gets_a_margin() {
        let all: Vec<_> = (0..65).map(|i| Aabb::around_sphere(Vec3::X * i as f32, 0.4)).collect();
        let mut cache = PairCache::default();
        let mut first = all[..64].to_vec();
        first[3] = Aabb::EMPTY;
        cache.check(&Frame::new(&first));
        cache.pass(&first);
        // One appears, one is added, the others rest.
        cache.check(&Frame::new(&all));
        assert!(cache.build(FIRST, 0.8, &Frame::new(&all)));
        let has_margin = |object: &usize| cache.fat[*object].size().x > all[*object].size().x;
        let with_margin: Vec<_> = (0..65).filter(has_margin).collect();
        assert_eq!((with_margin, cache.escaped.len()), (vec![3, 64], 0));
    }
}

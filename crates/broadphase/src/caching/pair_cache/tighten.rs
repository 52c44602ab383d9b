//! Tightening: removes the margins of resting objects.

use super::super::costs::COSTS;
use super::super::policy::{self, REST};
use super::PairCache;
use super::state::State;
use crate::Aabb;

impl PairCache {
    /// Where `share` of the objects rest: the cost of their margins in each frame, and the cost of removing
    /// them once.
    pub(in crate::caching) fn margins(&self, share: f32) -> [f32; 2] {
        let is_for_resting = policy::ALL[self.policy].is_for_resting;
        let (n, candidates) = (self.states.len() as f32, self.pairs.candidates().len() as f32);
        let known = self.at_rest as f32 / n.max(1.0);
        let spared = (share * share - known * known) / (1.0 - known * known).max(0.01);
        let of_test = COSTS.test - COSTS.copy;
        // Over a shorter time an object that stops and goes would count as resting.
        let is_too_soon = is_for_resting || self.anchors.age() < REST;
        let cost = if is_too_soon { 0.0 } else { spared.max(0.0) * candidates * of_test };
        [cost, (COSTS.tighten * n + COSTS.retain * candidates) * self.tighten_penalty]
    }

    /// Turns slow objects at their anchors into resting ones: their box becomes their fat AABB. Then takes new
    /// anchors.
    pub(in crate::caching) fn tighten(&mut self, boxes: &[Aabb]) {
        let Self { states, fat, anchors, .. } = self;
        let mut is_any = false;
        self.at_rest = 0;
        for (((state, fat), b), anchor) in
            states.iter_mut().zip(fat).zip(boxes).zip(anchors.corners())
        {
            if *state == State::SLOW && b.min == *anchor && !b.is_empty() {
                state.tighten();
                *fat = *b;
                is_any = true;
            }
            self.at_rest += usize::from(state.was_resting() && !state.has_escaped());
        }
        self.tighten_penalty = if is_any { 1.0 } else { 2.0 * self.tighten_penalty };
        self.pairs.tighten(&self.fat, &self.states);
        self.anchors.take(boxes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Check;
    use super::*;
    use crate::Frame;
    use crate::caching::policy::MARGIN_0_2;
    use glam::Vec3;

    #[test]
    fn margins_count_once_rest_is_certain() {
        let at = |i: usize| Vec3::from([i % 10, i / 10 % 10, i / 100].map(|place| place as f32));
        let boxes = |shift: f32| -> Vec<Aabb> {
            (0..500).map(|i| Aabb::around_sphere(at(i) + shift, 0.45)).collect()
        };
        let mut cache = PairCache::default();
        for number in 0..=REST {
            let boxes = boxes(number as f32 * 0.001);
            let frame = Frame::new(&boxes);
            assert_eq!(cache.check(&frame) == Check::Current, number > 0);
            if number == 0 {
                assert!(cache.build(MARGIN_0_2, 0.9, &frame));
            }
            assert_eq!(cache.margins(1.0)[0] > 0.0, number >= REST, "frame {number}");
        }
        let [cost, price] = cache.margins(1.0);
        // All have moved: none is tightened.
        let boxes = boxes(REST as f32 * 0.001);
        cache.tighten(&boxes);
        assert_eq!(cache.margins(1.0)[1], 2.0 * price);
        for _ in 0..REST {
            assert_eq!(cache.check(&Frame::new(&boxes)), Check::Current);
        }
        assert_eq!(cache.margins(1.0)[0], cost);
        cache.tighten(&boxes);
        assert!(cache.margins(1.0)[1] < price, "no candidate pair is left");
        assert!(cache.pairs.len() == 0);
    }
}

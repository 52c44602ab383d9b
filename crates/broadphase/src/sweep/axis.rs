//! The choice of the sweep axis.

use crate::Aabb;
use crate::memory::memory;
use crate::radix_sort::order_key;
use crate::sample::{few_run, in_runs, room};

/// Another axis is chosen where it promises less than this share of the tests. Else the choice would
/// oscillate between similar axes.
const HYSTERESIS: f64 = 0.8;

/// Estimates the cost of a sweep along each axis. Keeps its scratch.
///
/// The usual measure is the variance of the centres in relation to the sizes. A few objects that are far
/// away or far larger than the others decide it. So the quantity itself is counted: the pairs of a sample
/// that overlap on the axis.
#[derive(Clone, Debug, Default)]
pub(crate) struct AxisChoice {
    /// The last sample, without absent boxes.
    pub(crate) sample: Vec<Aabb>,
    /// Number of boxes that each sampled box stands for.
    run: usize,
    /// Pairs of sampled boxes that overlap on each axis.
    overlaps: [u64; 3],
    lows: Vec<u32>,
    highs: Vec<u32>,
}

memory!(AxisChoice: sample, lows, highs);

impl AxisChoice {
    /// Draws a sample of the boxes, and counts its overlaps.
    pub(crate) fn update(&mut self, boxes: &[Aabb]) {
        self.update_for([boxes], |_, b| !b.is_empty());
    }

    /// As [`update`](Self::update), for sets whose boxes are not all of interest. Returns how many of each are, about.
    pub(crate) fn update_for<const N: usize>(
        &mut self,
        sets: [&[Aabb]; N],
        is_wanted: impl Fn(usize, &Aabb) -> bool,
    ) -> [f64; N] {
        let boxes = sets.iter().map(|set| set.len()).sum();
        self.run = few_run(boxes);
        self.sample.clear();
        // Each further set begins another run.
        self.sample.reserve(room(boxes) + N - 1);
        let wanted = std::array::from_fn(|set| {
            let before = self.sample.len();
            let drawn = in_runs(sets[set], self.run).map(|(_, b)| b);
            self.sample.extend(drawn.filter(|b| is_wanted(set, b)));
            let runs = sets[set].len().div_ceil(self.run).max(1);
            sets[set].len() as f64 * (self.sample.len() - before) as f64 / runs as f64
        });
        self.overlaps = [0, 1, 2].map(|axis| self.count(axis));
        wanted
    }

    /// The axis to sweep along, given the one in use.
    pub(crate) fn best(&self, used: usize) -> usize {
        let cost = self.overlaps.map(|overlaps| overlaps as f64);
        let best = (0..3).min_by(|a, b| cost[*a].total_cmp(&cost[*b])).unwrap_or(used);
        if cost[best] < HYSTERESIS * cost[used] { best } else { used }
    }

    /// Estimated number of pairs, among all boxes, that overlap on an axis.
    pub(crate) fn overlaps_on(&self, axis: usize) -> f64 {
        self.overlaps[axis] as f64 * (self.run * self.run) as f64
    }

    /// Pairs of the sample that overlap on an axis.
    fn count(&mut self, axis: usize) -> u64 {
        for (keys, bound) in
            [(&mut self.lows, (|b| b.min) as fn(&Aabb) -> glam::Vec3), (&mut self.highs, |b| b.max)]
        {
            keys.clear();
            keys.reserve(self.sample.capacity());
            // Integers are sorted faster.
            keys.extend(self.sample.iter().map(|b| order_key(bound(b)[axis])));
            keys.sort_unstable();
        }
        // Each box overlaps those that began before its lower bound and have not ended.
        let (mut ended, mut pairs) = (0, 0);
        for (begun, low) in self.lows.iter().enumerate() {
            while self.highs[ended] < *low {
                ended += 1;
            }
            pairs += (begun - ended) as u64;
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    /// The best axis, given each that may be in use.
    fn best_of(boxes: &[Aabb]) -> [usize; 3] {
        let mut choice = AxisChoice::default();
        choice.update(boxes);
        [0, 1, 2].map(|used| choice.best(used))
    }

    #[test]
    fn the_cost_is_the_number_of_overlaps_on_the_axis() {
        let spans = [(0.0, 3.0), (1.0, 2.0), (2.0, 2.0), (2.5, 9.0), (3.0, 4.0), (9.5, 9.5)];
        let boxes = spans.map(|(low, high)| Aabb::new(Vec3::splat(low), Vec3::splat(high)));
        // The first with the next four, (1, 2) with (2, 2), and (2.5, 9) with (3, 4).
        let mut choice = AxisChoice::default();
        choice.update(&boxes);
        assert_eq!(choice.overlaps_on(1), 6.0);
    }

    #[test]
    fn overlaps_of_all_boxes_are_estimated_within_a_fifth() {
        for n in [1000, 1025, 2047, 2049, 20_000] {
            // Each overlaps the tenth of the boxes on either side of it.
            let around = |i: usize| Aabb::around_sphere(Vec3::X * i as f32, 0.05 * n as f32);
            let boxes: Vec<_> = (0..n).map(around).collect();
            let mut choice = AxisChoice::default();
            choice.update(&boxes);
            let estimate = choice.overlaps_on(0);
            let exact = 0.095 * (n * n) as f64;
            assert!((0.8..1.25).contains(&(estimate / exact)), "{n} boxes: {estimate} of {exact}");
        }
    }

    #[test]
    fn far_and_huge_boxes_do_not_decide_the_axis() {
        let mut boxes: Vec<_> = (0..1000)
            .map(|i| Aabb::around_sphere(Vec3::new(0.0, i as f32, i as f32 * 0.001), 0.6))
            .collect();
        boxes[3] = Aabb::around_sphere(Vec3::new(1e7, 0.0, 1e6), 1.0);
        boxes[4] = Aabb::around_sphere(Vec3::ZERO, 1e6);
        boxes.push(Aabb::EMPTY);
        assert_eq!(best_of(&boxes), [1, 1, 1]);
    }

    #[test]
    fn axis_in_use_is_kept_among_similar_ones() {
        let boxes: Vec<_> = (0..500)
            .map(|i| Aabb::around_sphere(Vec3::new(i as f32, i as f32 * 1.1, i as f32), 5.0))
            .collect();
        assert_eq!(best_of(&boxes), [0, 1, 2]);
        assert_eq!(best_of(&[]), [0, 1, 2]);
    }
}

//! Which axis to sweep along.

use crate::Aabb;
use crate::sample::sample;

/// Boxes that are looked at, and up to twice as many.
const SAMPLES: usize = 1024;

/// Another axis must promise to save so much of the tests, or the choice would go to and fro between
/// axes that are about the same.
const HYSTERESIS: f64 = 0.8;

/// Estimates what a sweep along each axis costs. Keeps its scratch.
///
/// The usual measure is the variance of the centres in relation to the sizes. A few objects far away,
/// or far larger than the others, decide it; so what it stands for is counted itself: the pairs of a
/// sample that overlap on the axis.
#[derive(Debug, Default)]
pub(crate) struct AxisChoice {
    lows: Vec<f32>,
    highs: Vec<f32>,
}

impl AxisChoice {
    /// The axis to sweep along, given the one in use.
    pub(crate) fn choose(&mut self, boxes: &[Aabb], held: usize) -> usize {
        let cost = [0, 1, 2].map(|axis| self.cost(boxes, axis) as f64);
        let best = (0..3).min_by(|a, b| cost[*a].total_cmp(&cost[*b])).unwrap_or(held);
        if cost[best] < HYSTERESIS * cost[held] { best } else { held }
    }

    /// About how many pairs of all boxes overlap on an axis.
    pub(crate) fn overlaps_on(&mut self, boxes: &[Aabb], axis: usize) -> f64 {
        let (run, _) = sample(boxes, SAMPLES);
        self.cost(boxes, axis) as f64 * (run * run) as f64
    }

    /// Pairs of the sample that overlap on an axis.
    fn cost(&mut self, boxes: &[Aabb], axis: usize) -> u64 {
        self.lows.clear();
        self.highs.clear();
        self.lows.reserve(2 * SAMPLES);
        self.highs.reserve(2 * SAMPLES);
        for (_, b) in sample(boxes, SAMPLES).1.filter(|(_, b)| !b.is_empty()) {
            self.lows.push(b.min[axis]);
            self.highs.push(b.max[axis]);
        }
        self.lows.sort_unstable_by(f32::total_cmp);
        self.highs.sort_unstable_by(f32::total_cmp);
        // Of the boxes that begin before one ends, those that have ended before it began are none
        // of its pairs: in sum over all boxes, begun - ended is what is open.
        let (mut ended, mut pairs) = (0, 0);
        for (begun, low) in self.lows.iter().enumerate() {
            while self.highs[ended] < *low {
                ended += 1;
            }
            pairs += (begun - ended) as u64;
        }
        pairs
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        (self.lows.capacity() + self.highs.capacity()) * size_of::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn the_cost_is_the_number_of_overlaps_on_the_axis() {
        let spans = [(0.0, 3.0), (1.0, 2.0), (2.0, 2.0), (2.5, 9.0), (3.0, 4.0), (9.5, 9.5)];
        let boxes = spans.map(|(low, high)| Aabb::new(Vec3::splat(low), Vec3::splat(high)));
        // The first with the next four, (1, 2) with (2, 2), and (2.5, 9) with (3, 4).
        assert_eq!(AxisChoice::default().cost(&boxes, 1), 6);
    }

    #[test]
    fn the_number_of_all_overlaps_is_guessed_well_whatever_the_number_of_boxes() {
        for n in [1000, 1025, 2047, 2049, 20_000] {
            // Each overlaps the ten per cent around it.
            let around = |i: usize| Aabb::around_sphere(Vec3::X * i as f32, 0.05 * n as f32);
            let boxes: Vec<_> = (0..n).map(around).collect();
            let guess = AxisChoice::default().overlaps_on(&boxes, 0);
            let exact = 0.095 * (n * n) as f64;
            assert!((0.8..1.25).contains(&(guess / exact)), "{n} boxes: {guess} of {exact}");
        }
    }

    #[test]
    fn neither_a_far_nor_a_huge_box_decides_the_axis() {
        let mut boxes: Vec<_> = (0..1000)
            .map(|i| Aabb::around_sphere(Vec3::new(0.0, i as f32, i as f32 * 0.001), 0.6))
            .collect();
        boxes[3] = Aabb::around_sphere(Vec3::new(1e7, 0.0, 1e6), 1.0);
        boxes[4] = Aabb::around_sphere(Vec3::ZERO, 1e6);
        boxes.push(Aabb::EMPTY);
        let mut choice = AxisChoice::default();
        assert_eq!([0, 1, 2].map(|held| choice.choose(&boxes, held)), [1, 1, 1]);
    }

    #[test]
    fn axes_that_are_about_the_same_are_kept() {
        let boxes: Vec<_> = (0..500)
            .map(|i| Aabb::around_sphere(Vec3::new(i as f32, i as f32 * 1.1, i as f32), 5.0))
            .collect();
        let mut choice = AxisChoice::default();
        assert_eq!([0, 1, 2].map(|held| choice.choose(&boxes, held)), [0, 1, 2]);
        assert_eq!(choice.choose(&[], 2), 2);
    }
}

//! Chooses the columns that promise the least work for a sample of the boxes, or as many as a parameter states.

use super::checks::Checks;
use super::layout::{Columns, Finder};
use crate::Aabb;
use crate::memory::memory;
use crate::simd::level;
use crate::sweep::{AxisChoice, axes_from};
use fearless_simd::{Simd, dispatch};

/// Cost of listing a box in a column and sorting it there, in tests. Measured with [`COLUMN`]: 200 and 1,000 take
/// 4 to 6 % longer on cluster and terdiman 100,000.
const LISTING: f64 = 120.0;

/// The same in a column of more than [`NEAR`] boxes.
const FAR_LISTING: f64 = 180.0;

/// Boxes of a column that fit into the nearer caches.
const NEAR: f64 = 8192.0;

/// Cost of a column by itself, in tests.
const COLUMN: f64 = 4000.0;

/// Most columns on an axis.
const MAX_COLUMNS: f32 = 1024.0;

/// Columns for which there is room from the beginning: more are seldom tried.
const MAX_TRIED: usize = 1 << 14;

/// Other columns replace those in use where they promise less than this share of the work.
const HYSTERESIS: f64 = 0.87;

/// Narrower columns are tried until this many in a row are no better.
const PATIENCE: usize = 4;

/// Chooses columns, and keeps them while they suit. Keeps its scratch.
#[derive(Clone, Debug, Default)]
pub(super) struct Choice {
    /// The columns in use.
    pub(super) columns: Option<Columns>,
    checks: Checks,
    /// Whether the last frame has other columns than the one before.
    pub(super) is_rechosen: bool,
    /// Columns on the longer side of the rectangle that they divide, where a parameter states them.
    stated: Option<f32>,
    axes: AxisChoice,
    /// Boxes of the sample in each column.
    counts: Vec<u32>,
    centers: Vec<f32>,
}

memory!(Choice: axes, counts, centers);

/// Known properties of the boxes.
#[derive(Clone, Copy)]
struct Scene {
    /// Their number.
    boxes: f64,
    /// Pairs of them that overlap on the sweep axis and may be tested.
    overlaps: f64,
}

/// The division into columns along an axis.
#[derive(Clone, Copy, Debug)]
struct Rectangle {
    axis: usize,
    /// Its corners, on the two axes across.
    low: [f32; 2],
    high: [f32; 2],
}

impl Rectangle {
    /// Half of its longer side: all of it could be infinite.
    fn half(&self) -> f32 {
        let half = |axis: usize| self.high[axis] * 0.5 - self.low[axis] * 0.5;
        half(0).max(half(1))
    }

    /// Columns of at least the given side.
    fn columns(&self, side: f32) -> Columns {
        Columns::over(self.axis, self.low, self.high, side, MAX_COLUMNS)
    }
}

impl Choice {
    /// Chooses by cost for 0; any other number of columns is used on the longer side.
    pub(super) fn of(columns: usize) -> Self {
        Self { stated: (columns > 0).then_some(columns as f32), ..Self::default() }
    }

    /// Number of columns in use.
    pub(super) fn count(&self) -> usize {
        self.columns.map_or(0, |columns| columns.len())
    }

    /// Lists the boxes of interest in columns that suit them, which it returns. `fill` lists them in some columns; false if they
    /// take far too many entries. `tests` are those of the last search, if all boxes were searched.
    ///
    /// The columns in use are checked every few frames, and when there are many more objects or tests.
    pub(super) fn list<const N: usize>(
        &mut self,
        sets: [&[Aabb]; N],
        is_wanted: impl Fn(usize, &Aabb) -> bool + Copy,
        tests: Option<u64>,
        mut fill: impl FnMut(&Columns) -> bool,
    ) -> Columns {
        let count = sets.iter().map(|set| set.len()).sum();
        let mut columns = match self.columns {
            Some(used) if !self.checks.is_due(count, tests) => used,
            used => self.choose(sets, is_wanted, used),
        };
        if !fill(&columns) {
            let tried = columns;
            columns = self.choose(sets, is_wanted, None);
            if columns == tried || !fill(&columns) {
                columns = Columns::single(columns.axis);
                fill(&columns);
            }
        }
        self.is_rechosen = self.columns.replace(columns) != Some(columns);
        columns
    }

    /// The columns for the pairs of a set, or between two. Those in use stay unless others are clearly better.
    fn choose<const N: usize>(
        &mut self,
        sets: [&[Aabb]; N],
        is_wanted: impl Fn(usize, &Aabb) -> bool,
        used: Option<Columns>,
    ) -> Columns {
        let wanted = self.axes.update_for(sets, is_wanted);
        let boxes = wanted.iter().sum::<f64>();
        // The share of two boxes of different sets in any two.
        let share = match wanted[..] {
            [a, b] => 2.0 * a * b / (boxes * boxes).max(1.0),
            _ => 1.0,
        };
        let chosen = self.best(boxes, share, used);
        self.checks.checked(sets.iter().map(|set| set.len()).sum(), used == Some(chosen));
        chosen
    }

    /// The columns for a number of boxes like the sample, of whose pairs a share is tested.
    fn best(&mut self, boxes: f64, share: f64, used: Option<Columns>) -> Columns {
        let axis = self.axes.best(used.map_or(0, |used| used.axis));
        let scene = Scene { boxes, overlaps: share * self.axes.overlaps_on(axis) };
        let across = self.extent(axis);
        let (best, least) = match self.stated {
            Some(stated) => {
                let columns = across.columns(across.half() / stated * 2.0);
                (columns, self.cost(&columns, scene))
            }
            None => self.cheapest(across, scene),
        };
        // The shorter side is divided by an estimate, which varies.
        let differs = |used: Columns| {
            let by = [0, 1].map(|i| used.counts[i].abs_diff(best.counts[i]));
            by[0].min(by[1]) > 0 || by[0].max(by[1]) > 1
        };
        let suits = |used: Columns| used.axis == axis && (self.stated.is_none() || !differs(used));
        match used {
            Some(used) if suits(used) && self.cost(&used, scene) * HYSTERESIS < least => used,
            _ => best,
        }
    }

    /// The columns of the least predicted work, and that work.
    fn cheapest(&mut self, across: Rectangle, scene: Scene) -> (Columns, f64) {
        let mut best = Columns::single(across.axis);
        let mut least = self.cost(&best, scene);
        let most = (scene.boxes / 16.0).max(1.0) as usize;
        self.counts.clear();
        self.counts.reserve(most.min(MAX_TRIED));
        let mut no_better = 0;
        // At most fifty halvings: the numbers of columns have reached their limits by then.
        let mut tried = best.counts;
        for step in 1u8..100 {
            let columns = across.columns(across.half() * (1.0 - 0.5 * f32::from(step)).exp2());
            if columns.len() > most || no_better == PATIENCE {
                break;
            }
            if std::mem::replace(&mut tried, columns.counts) == columns.counts {
                continue;
            }
            let cost = self.cost(&columns, scene);
            no_better += 1;
            if cost < least {
                (best, least, no_better) = (columns, cost, 0);
            }
        }
        (best, least)
    }

    /// The rectangle across an axis that holds nearly all of the sample. A few boxes far away must not make
    /// all columns wide.
    fn extent(&mut self, axis: usize) -> Rectangle {
        let (mut low, mut high) = ([0.0; 2], [0.0; 2]);
        for i in [0, 1] {
            let across = axes_from(axis)[i + 1];
            self.centers.clear();
            self.centers.reserve(self.axes.sample.capacity());
            self.centers.extend(self.axes.sample.iter().map(|b| b.center()[across]));
            let Some(last) = self.centers.len().checked_sub(1) else { break };
            let tail = last / 50;
            low[i] = *self.centers.select_nth_unstable_by(tail, f32::total_cmp).1;
            high[i] = *self.centers.select_nth_unstable_by(last - tail, f32::total_cmp).1;
        }
        Rectangle { axis, low, high }
    }

    /// The predicted work of columns, in tests.
    ///
    /// Two boxes are tested if they overlap on the sweep axis and share a column. The probability of the
    /// latter comes from the sample, as if both were independent.
    fn cost(&mut self, columns: &Columns, scene: Scene) -> f64 {
        self.counts.clear();
        self.counts.resize(columns.len(), 0);
        let listed = dispatch!(level(), simd => self.list_sample(columns, columns.finder(simd)));
        let sampled = self.axes.sample.len().max(2) as f64;
        let pairs = |count: f64| (count * (count - 1.0)).max(0.0);
        let together: f64 = self.counts.iter().map(|count| pairs(f64::from(*count))).sum();
        let listings = f64::from(listed) * scene.boxes / sampled;
        let number = columns.len() as f64;
        let listing = if listings / number > NEAR { FAR_LISTING } else { LISTING };
        listing * listings + COLUMN * number + scene.overlaps * together / pairs(sampled)
    }

    /// Counts the boxes of the sample in each column. Returns their sum.
    #[inline(always)]
    fn list_sample<S: Simd>(&mut self, columns: &Columns, finder: Finder<S>) -> u32 {
        let [_, u, v] = axes_from(columns.axis);
        let mut listed = 0;
        for b in &self.axes.sample {
            let span = finder.span([b.min[u], b.min[v], b.max[u], b.max[v]]);
            for v in span.low[1]..=span.high[1] {
                for u in span.low[0]..=span.high[0] {
                    self.counts[columns.index([u, v])] += 1;
                    listed += 1;
                }
            }
        }
        listed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    fn choose(choice: &mut Choice, boxes: &[Aabb], used: Option<Columns>) -> Columns {
        choice.choose([boxes], |_, b| !b.is_empty(), used)
    }

    fn chosen(boxes: &[Aabb], used: Option<Columns>) -> Columns {
        choose(&mut Choice::default(), boxes, used)
    }

    /// Unit boxes at random places in a box of a given size, a few units from each other.
    fn scattered(size: [f32; 3]) -> Vec<Aabb> {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let volume: f32 = size.iter().product();
        let mut at = |_| Vec3::from(size.map(|size| rng.random_range(0.0..size)));
        let number = (volume / 27.0) as usize;
        (0..number).map(|i| Aabb::around_sphere(at(i), 0.5)).collect()
    }

    #[test]
    fn columns_go_along_the_axis_of_fewest_overlaps() {
        let columns = chosen(&scattered([50.0, 200.0, 50.0]), None);
        assert_eq!(columns.axis, 1);
        assert!(columns.len() > 4 && columns.counts[0] == columns.counts[1], "{columns:?}");
        assert_eq!(chosen(&scattered([9.0; 3]), None).len(), 1);
    }

    #[test]
    fn about_as_many_columns_are_chosen_among_absent_boxes() {
        let present = scattered([90.0; 3]);
        // Each is followed by nine that are absent.
        let most_absent: Vec<_> =
            present.iter().flat_map(|b| [[*b].as_slice(), &[Aabb::EMPTY; 9]].concat()).collect();
        let [alone, among] = [&present, &most_absent].map(|boxes| chosen(boxes, None).len());
        let is_similar = (2 * alone / 3..=3 * alone / 2).contains(&among);
        assert!(alone > 16 && is_similar, "{among}, not {alone}");
    }

    #[test]
    fn columns_that_still_suit_are_kept() {
        let boxes = scattered([90.0; 3]);
        let columns = chosen(&boxes, None);
        let near = Columns { origin: columns.origin.map(|low| low + 0.3), ..columns };
        assert_eq!(chosen(&boxes, Some(near)), near);
        let far = Columns { origin: columns.origin.map(|low| low + 1e4), ..columns };
        assert_eq!(chosen(&boxes, Some(far)), columns);
    }

    #[test]
    fn stated_number_of_columns_divides_the_longer_side() {
        // The sweep goes along y, so that x and z lie across.
        let boxes = scattered([20.0, 200.0, 40.0]);
        let columns = choose(&mut Choice::of(6), &boxes, None);
        assert_eq!((columns.axis, columns.counts), (1, [6, 3]));
        let fewer = choose(&mut Choice::of(2), &boxes, Some(columns));
        assert_eq!(fewer.counts, [2, 1], "those in use are not the ones stated");
        let narrower = Columns { counts: [6, 2], ..columns };
        for used in [columns, narrower] {
            assert_eq!(choose(&mut Choice::of(6), &boxes[1..], Some(used)), used);
        }
        let largest = vec![Aabb::new(Vec3::MIN, Vec3::MAX); 9];
        let columns = choose(&mut Choice::of(16), &largest, None);
        assert!(columns.counts.iter().all(|count| *count <= 16), "{columns:?}");
    }

    #[test]
    fn degenerate_boxes_get_a_bounded_number_of_columns() {
        let same = vec![Aabb::around_sphere(Vec3::ONE, 0.5); 4096];
        assert_eq!(chosen(&same, None).len(), 1);
        let absent = vec![Aabb::EMPTY; 4096];
        assert_eq!(chosen(&absent, None).len(), 1);
        let largest = Aabb::new(Vec3::MIN, Vec3::MAX);
        assert!(chosen(&vec![largest; 4096], None).len() <= 256);
    }
}

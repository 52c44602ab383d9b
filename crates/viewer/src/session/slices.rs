//! Work of a thread over the last second of wall time, without long stops before it.

use super::history::FrameFigures;
use std::collections::VecDeque;

/// Rates and shares are averages over this many nanoseconds: one second.
const WINDOW_NS: u64 = 1_000_000_000;

/// Shorter work is added to the slice before it, so that a second is at most some hundred slices
/// however short the steps are.
const MIN_SLICE_NS: u64 = 10_000_000;

/// Steps or pictures.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Work {
    pub(super) number: u64,
    /// Nanoseconds of compared searches, or of drawing.
    pub(super) ns: u64,
    /// The sums of the figures of steps.
    pub(super) sum: FrameFigures,
}

impl Work {
    fn add(&mut self, other: Self) {
        self.number += other.number;
        self.ns += other.ns;
        self.sum += other.sum;
    }
}

/// Work that was finished since the slice before.
#[derive(Clone, Copy, Debug)]
struct Slice {
    end_ns: u64,
    work: Work,
}

/// The work of the last second, in consecutive slices of time.
#[derive(Clone, Debug, Default)]
pub(super) struct Slices {
    slices: VecDeque<Slice>,
}

impl Slices {
    /// Work is resumed at `at_ns`. A stop longer than the window begins a new one.
    pub(super) fn resume(&mut self, at_ns: u64) {
        let stopped_ns = self.slices.back().map_or(0, |last| at_ns.saturating_sub(last.end_ns));
        if stopped_ns > WINDOW_NS {
            self.slices.clear();
            self.slices.push_back(Slice { end_ns: at_ns, work: Work::default() });
        }
    }

    /// Adds work that was finished at `end_ns`.
    pub(super) fn push(&mut self, end_ns: u64, work: Work) {
        let slices = &mut self.slices;
        let began_ns = slices.len().checked_sub(2).map(|before| slices[before].end_ns);
        let is_short = began_ns.is_some_and(|began| end_ns.saturating_sub(began) < MIN_SLICE_NS);
        match slices.back_mut() {
            Some(last) if is_short => {
                last.end_ns = end_ns;
                last.work.add(work);
            }
            _ => slices.push_back(Slice { end_ns, work }),
        }
        let since = end_ns.saturating_sub(WINDOW_NS);
        // The first slice of the window only marks its beginning. A slice longer than the window is alone in
        // it; then the slice before marks the beginning.
        while slices.len() > 2 && slices[1].end_ns < since {
            slices.pop_front();
        }
    }

    /// The work of the last second and its nanoseconds of wall time; `None` before the second slice.
    pub(super) fn of_window(&self) -> Option<(Work, u64)> {
        let last = self.slices.back()?;
        let since = last.end_ns.saturating_sub(WINDOW_NS);
        let first = self.slices.iter().position(|slice| slice.end_ns >= since)?;
        let first = first.min(self.slices.len().checked_sub(2)?);
        let wall_ns = last.end_ns.saturating_sub(self.slices[first].end_ns);
        let mut sum = Work::default();
        self.slices.range(first + 1..).for_each(|slice| sum.add(slice.work));
        (wall_ns > 0).then_some((sum, wall_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one() -> Work {
        Work { number: 1, ..Work::default() }
    }

    /// The window of work of 1 each, finished at these milliseconds.
    fn window(ends_ms: impl IntoIterator<Item = u64>) -> Option<(u64, u64)> {
        let mut slices = Slices::default();
        ends_ms.into_iter().for_each(|ms| slices.push(ms * 1_000_000, one()));
        assert!(slices.slices.len() < 120, "{} slices", slices.slices.len());
        number_of(&slices).map(|(number, wall_ns)| (number, wall_ns / 1_000_000))
    }

    fn number_of(slices: &Slices) -> Option<(u64, u64)> {
        slices.of_window().map(|(work, wall_ns)| (work.number, wall_ns))
    }

    #[test]
    fn window_is_the_last_second_or_the_last_work() {
        assert_eq!([window([]), window([5]), window([5, 5])], [None; 3], "no time has passed");
        assert_eq!(window((0..200).map(|i| i * 20)), Some((50, 1000)));
        assert_eq!(window([0, 4000]), Some((1, 4000)));
        assert_eq!(window([0, 10, 20, 4000]), Some((1, 3980)));
        let (work, wall_ms) = window(0..5000).unwrap();
        assert_eq!(work, wall_ms, "one each millisecond shares a slice");
        assert!((990..=1000).contains(&wall_ms), "{wall_ms}");
    }

    #[test]
    fn long_stop_is_not_counted() {
        let mut slices = Slices::default();
        (0..100).for_each(|i| slices.push(20_000_000 * i, one()));
        slices.resume(60_000_000_000);
        assert_eq!(slices.of_window(), None);
        slices.push(60_040_000_000, one());
        assert_eq!(number_of(&slices), Some((1, 40_000_000)));
        slices.resume(60_500_000_000);
        slices.push(60_540_000_000, one());
        assert_eq!(number_of(&slices), Some((2, 540_000_000)), "a short stop is counted");
    }
}

//! Pairs and times along all known steps, for the graph of the scrubber.

use std::collections::VecDeque;

/// Maximum of bins: more are not seen on a screen. A scene keeps fewer states.
const MAX_BINS: usize = 1024;

/// The step with the highest value among some, and the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peak {
    /// The step.
    pub step: u64,
    /// Its value.
    pub value: u64,
}

/// The highest values of some consecutive steps; `None` where no step was taken yet.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bin {
    /// Overlapping pairs of boxes.
    pub pairs: Option<Peak>,
    /// Nanoseconds of update and pairs of the running algorithm.
    pub time: Option<Peak>,
}

impl Bin {
    fn merged(self, later: Self) -> Self {
        let higher = |a: Option<Peak>, b: Option<Peak>| match (a, b) {
            (Some(a), Some(b)) => Some(if b.value > a.value { b } else { a }),
            (a, b) => a.or(b),
        };
        Self { pairs: higher(self.pairs, later.pairs), time: higher(self.time, later.time) }
    }

    fn without_later(self, step: u64) -> Self {
        let kept = |peak: Option<Peak>| peak.filter(|peak| peak.step <= step);
        Self { pairs: kept(self.pairs), time: kept(self.time) }
    }
}

/// Figures of steps in bins. However many steps there are, the bins are few: each then holds several steps, and keeps
/// the highest values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Timeline {
    /// The first step of the first bin.
    first: u64,
    /// Steps of a bin: a power of two.
    width: u64,
    bins: VecDeque<Bin>,
}

impl Default for Timeline {
    fn default() -> Self {
        Self { first: 0, width: 1, bins: VecDeque::new() }
    }
}

impl Timeline {
    /// Adds a step, or replaces its figures where its bin holds no other step. A time that is not measured keeps an
    /// earlier one.
    pub(super) fn push(&mut self, step: u64, pairs: u64, time_ns: Option<u64>) {
        if step < self.first {
            *self = Self { first: step, ..Self::default() };
        }
        while step - self.first >= self.width * MAX_BINS as u64 {
            self.widen();
        }
        let place = ((step - self.first) / self.width) as usize;
        if place >= self.bins.len() {
            self.bins.resize(place + 1, Bin::default());
        }
        let peak = |value| Some(Peak { step, value });
        let new = Bin { pairs: peak(pairs), time: time_ns.and_then(peak) };
        let bin = &mut self.bins[place];
        *bin = match self.width {
            1 => Bin { time: new.time.or(bin.time), ..new },
            _ => bin.merged(new),
        };
    }

    /// Joins every two bins.
    fn widen(&mut self) {
        let pairs = self.bins.make_contiguous().chunks(2);
        self.bins = pairs.map(|two| two.iter().fold(Bin::default(), |a, b| a.merged(*b))).collect();
        self.width *= 2;
    }

    /// Forgets the steps after `step`.
    pub(super) fn forget_after(&mut self, step: u64) {
        let bins = (step + 1).saturating_sub(self.first).div_ceil(self.width);
        self.bins.truncate(usize::try_from(bins).unwrap_or(usize::MAX));
        if let Some(last) = self.bins.back_mut() {
            *last = last.without_later(step);
        }
    }

    /// Forgets the bins that end before `step`.
    pub(super) fn forget_before(&mut self, step: u64) {
        while !self.bins.is_empty() && self.first + self.width <= step {
            self.bins.pop_front();
            self.first += self.width;
        }
    }

    /// Forgets all times: another algorithm runs, or another number of threads. The pairs are the same.
    pub(super) fn forget_times(&mut self) {
        self.bins.iter_mut().for_each(|bin| bin.time = None);
    }

    /// The bins with the first step of each, in the order of steps.
    pub fn bins(&self) -> impl ExactSizeIterator<Item = (u64, &Bin)> + Clone {
        self.bins
            .iter()
            .enumerate()
            .map(|(place, bin)| (self.first + place as u64 * self.width, bin))
    }

    /// Steps of a bin.
    pub fn width(&self) -> u64 {
        self.width
    }

    /// The figures of a step: pairs and nanoseconds, where its bin keeps them.
    pub fn figures(&self, step: u64) -> (Option<u64>, Option<u64>) {
        let place = step.checked_sub(self.first).map(|steps| (steps / self.width) as usize);
        let bin = place.and_then(|place| self.bins.get(place)).copied().unwrap_or_default();
        let of = |peak: Option<Peak>| peak.filter(|peak| peak.step == step).map(|peak| peak.value);
        (of(bin.pairs), of(bin.time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeline(steps: impl IntoIterator<Item = u64>) -> Timeline {
        let mut timeline = Timeline::default();
        steps.into_iter().for_each(|step| timeline.push(step, 100 + step, Some(7 * (step % 1000))));
        timeline
    }

    #[test]
    fn many_steps_share_bins_that_keep_the_highest_values() {
        let timeline = timeline(0..100_000);
        assert_eq!(timeline.width(), 128);
        assert!(timeline.bins().len() <= MAX_BINS);
        for (first, bin) in timeline.bins() {
            let last = (first + 127).min(99_999);
            assert_eq!(bin.pairs, Some(Peak { step: last, value: 100 + last }));
            let slowest = (first..=last).max_by_key(|step| step % 1000).unwrap();
            assert_eq!(bin.time, Some(Peak { step: slowest, value: 7 * (slowest % 1000) }));
        }
    }

    #[test]
    fn figures_are_those_of_their_step() {
        let mut timeline = timeline((5..20).chain(30..40));
        assert_eq!(timeline.figures(7), (Some(107), Some(49)));
        assert_eq!([4, 25, 40].map(|step| timeline.figures(step)), [(None, None); 3]);
        timeline.push(7, 1, None);
        assert_eq!(timeline.figures(7), (Some(1), Some(49)), "shown again");
        timeline.push(7, 1, Some(2));
        assert_eq!(timeline.figures(7), (Some(1), Some(2)), "searched by another algorithm");
        timeline.forget_times();
        assert_eq!(timeline.figures(7), (Some(1), None));
    }

    #[test]
    fn forgotten_steps_have_no_figures() {
        let mut timeline = timeline(0..40);
        timeline.forget_after(20);
        timeline.forget_before(10);
        let known: Vec<u64> = (0..40).filter(|step| timeline.figures(*step).0.is_some()).collect();
        assert_eq!(known, (10..=20).collect::<Vec<_>>());
        timeline.push(3, 0, Some(0));
        assert_eq!((timeline.bins().len(), timeline.figures(3)), (1, (Some(0), Some(0))));
    }
}

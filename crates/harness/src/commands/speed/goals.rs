//! The goals: what the fast algorithms are to reach. They were set for this project before it was
//! measured, from what other libraries and short prototypes took on such a machine; nobody else has
//! agreed to them, and missing one is a result like any other.

use measure::Ratio;

/// A bound for a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// What became of a goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Verdict {
    /// The goal is one for other machines.
    NotComparable,
    /// The whole interval is within the bound.
    Met,
    /// The interval holds the bound.
    Undecided,
    /// The whole interval is beyond it.
    Missed,
}

impl Verdict {
    /// As it stands on the page.
    pub(super) fn word(self) -> &'static str {
        match self {
            Verdict::NotComparable => "not comparable",
            Verdict::Met => "met",
            Verdict::Missed => "**missed**",
            Verdict::Undecided => "undecided",
        }
    }
}

impl Bound {
    /// Whether a figure keeps to it.
    pub(super) fn judge(self, figure: Ratio) -> Verdict {
        let keeps = |value: f64| match self {
            Bound::AtLeast(bound) => value >= bound,
            Bound::AtMost(bound) => value <= bound,
        };
        match (keeps(figure.low), keeps(figure.high)) {
            (true, true) => Verdict::Met,
            (false, false) => Verdict::Missed,
            _ => Verdict::Undecided,
        }
    }

    /// The worse of some figures: the one with the worst verdict, and among those the one farthest to the
    /// wrong side.
    pub(super) fn worst<T>(
        self,
        figures: impl IntoIterator<Item = T>,
        ratio: impl Fn(&T) -> Ratio,
    ) -> Option<T> {
        let key = |figure: &T| {
            let ratio = ratio(figure);
            let wrongness = match self {
                Bound::AtLeast(_) => -ratio.ratio,
                Bound::AtMost(_) => ratio.ratio,
            };
            (self.judge(ratio), wrongness)
        };
        figures.into_iter().max_by(|a, b| {
            let (a, b) = (key(a), key(b));
            a.0.cmp(&b.0).then(a.1.total_cmp(&b.1))
        })
    }

    /// As it stands on the page.
    pub(super) fn text(self) -> String {
        match self {
            Bound::AtLeast(bound) => format!("at least {bound}"),
            Bound::AtMost(bound) => format!("at most {bound}"),
        }
    }
}

/// How many times as long as `auto` the best peer should take, by the input's name and from how many
/// objects on.
const AGAINST_PEERS: [(&str, u64, f64); 9] = [
    ("gas", 20_000, 9.0),
    ("cluster", 100_000, 4.0),
    ("stadium", 5_000, 6.0),
    ("falling-pile", 10_000, 4.0),
    ("settled-pile", 10_000, 3.0),
    ("jitter", 100_000, 30.0),
    ("brownian --moving 0.01", 100_000, 4.0),
    ("brownian --moving 0.05", 100_000, 4.0),
    ("brownian --moving 0.2", 100_000, 4.0),
];

/// On every other input nobody may be faster.
const NEVER_SLOWER: f64 = 1.0;

/// The goal of an input against the best peer.
pub(super) fn against_peers(input: &str, n: u64) -> Bound {
    let its = |row: &&(&str, u64, f64)| row.0 == input && n >= row.1;
    Bound::AtLeast(AGAINST_PEERS.iter().find(its).map_or(NEVER_SLOWER, |row| row.2))
}

/// `auto` over the best fixed choice, on every input.
pub(super) const AUTO_OVER_FIXED: Bound = Bound::AtMost(1.1);

/// A million objects of the gas over a hundred thousand, on one thread.
pub(super) const GROWTH: Bound = Bound::AtMost(12.0);

/// The worst frame of `auto` after a change of motion over the median one of a plain search.
pub(super) const CHANGES: Bound = Bound::AtMost(1.5);

/// One thread over two, from so many objects on.
pub(super) const TWO_THREADS: Bound = Bound::AtLeast(1.8);
pub(super) const TWO_THREADS_FROM: u64 = 100_000;

/// Bytes an object beside the pairs.
pub(super) const BYTES: Bound = Bound::AtMost(100.0);

/// Heap allocations in a steady frame.
pub(super) const ALLOCATIONS: Bound = Bound::AtMost(0.0);

/// Milliseconds of the faster search of `terdiman`, by the number of objects: half of what a prototype in C++ took
/// with AVX-512. The only goals that depend on the machine: they are for one that has that set.
pub(super) const TERDIMAN_SIMD: &str = "AVX-512";
pub(super) const TERDIMAN_MS: [(u64, Bound); 2] =
    [(10_000, Bound::AtMost(0.22)), (100_000, Bound::AtMost(7.3))];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_goal_is_met_only_by_the_whole_interval() {
        let judge = |bound: Bound, low, ratio, high| bound.judge(Ratio { ratio, low, high });
        let nine = Bound::AtLeast(9.0);
        assert_eq!(judge(nine, 9.0, 9.5, 10.0), Verdict::Met);
        assert_eq!(judge(nine, 8.9, 9.5, 10.0), Verdict::Undecided);
        assert_eq!(judge(nine, 7.0, 8.0, 8.9), Verdict::Missed);
        let most = Bound::AtMost(1.1);
        assert_eq!(judge(most, 0.9, 1.0, 1.1), Verdict::Met);
        assert_eq!(judge(most, 1.0, 1.1, 1.2), Verdict::Undecided);
        assert_eq!(judge(most, 1.2, 1.3, 1.4), Verdict::Missed);
    }

    #[test]
    fn the_worse_figure_is_that_of_the_worse_verdict_and_then_the_one_farther_off() {
        let worst = |bound: Bound, figures: [[f64; 3]; 2]| {
            let figures = figures.map(|[low, ratio, high]| Ratio { ratio, low, high });
            bound.worst(figures, |ratio| *ratio).unwrap().ratio
        };
        let nine = Bound::AtLeast(9.0);
        assert_eq!(worst(nine, [[10.0, 11.0, 12.0], [9.0, 9.5, 10.0]]), 9.5);
        assert_eq!(worst(nine, [[9.0, 9.1, 9.2], [8.9, 9.5, 10.0]]), 9.5, "that one is undecided");
        let most = Bound::AtMost(1.1);
        assert_eq!(worst(most, [[0.9, 1.0, 1.1], [0.9, 0.95, 1.0]]), 1.0);
        assert_eq!(worst(most, [[1.2, 1.3, 1.4], [1.3, 1.4, 1.5]]), 1.4);
    }

    #[test]
    fn goals_begin_at_their_number_of_objects_and_nobody_is_ever_faster() {
        assert_eq!(against_peers("gas", 20_000), Bound::AtLeast(9.0));
        assert_eq!(against_peers("gas", 1_000_000), Bound::AtLeast(9.0));
        assert_eq!(against_peers("gas", 5_000), Bound::AtLeast(1.0));
        assert_eq!(against_peers("plane", 100_000), Bound::AtLeast(1.0));
    }

    #[test]
    fn every_goal_is_of_an_input_that_is_measured() {
        use crate::commands::speed::inputs::FULL;
        for (name, from, _) in AGAINST_PEERS {
            let measured =
                FULL.every.iter().any(|i| i.name() == name && u64::from(i.objects) >= from);
            assert!(measured, "{name} from {from}");
        }
    }
}

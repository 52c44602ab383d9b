//! Goals: bounds for figures, and whether they are kept.

use measure::Ratio;

/// A bound for a figure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Bound {
    AtLeast(f64),
    AtMost(f64),
}

/// Whether a goal was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verdict {
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
    pub(crate) fn word(self) -> &'static str {
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
    pub(crate) fn judge(self, figure: Ratio) -> Verdict {
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
    pub(crate) fn worst<T>(
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

    /// The bound itself.
    pub(crate) fn value(self) -> f64 {
        match self {
            Bound::AtLeast(bound) | Bound::AtMost(bound) => bound,
        }
    }

    /// As it stands on the page.
    pub(crate) fn text(self) -> String {
        match self {
            Bound::AtLeast(bound) => format!("at least {bound}"),
            Bound::AtMost(bound) => format!("at most {bound}"),
        }
    }
}

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
    fn the_worse_figure_has_the_worse_verdict_or_is_farther_off() {
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
}

//! Percentiles of the figures of many cells.

/// Figures in ascending order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Spread(Vec<f64>);

impl FromIterator<f64> for Spread {
    fn from_iter<I: IntoIterator<Item = f64>>(figures: I) -> Self {
        let mut sorted: Vec<f64> =
            figures.into_iter().filter(|figure| figure.is_finite()).collect();
        sorted.sort_by(f64::total_cmp);
        Self(sorted)
    }
}

impl Spread {
    /// The figures, the least first.
    pub(super) fn sorted(&self) -> &[f64] {
        &self.0
    }

    /// Their number.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The middle figure; of an even number the mean of the middle two. `None` without figures.
    pub(super) fn median(&self) -> Option<f64> {
        let upper = *self.0.get(self.0.len() / 2)?;
        let lower = *self.0.get((self.0.len() - 1) / 2)?;
        Some((lower + upper) / 2.0)
    }

    /// The percentile by nearest rank, 1 to 100: the least figure that at least this share does not exceed.
    pub(super) fn percentile(&self, percent: usize) -> Option<f64> {
        let rank = (self.0.len() * percent).div_ceil(100);
        self.0.get(rank.max(1) - 1).copied()
    }

    /// The largest figure.
    pub(super) fn worst(&self) -> Option<f64> {
        self.0.last().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_are_by_nearest_rank() {
        let ten: Spread = (1..=10).rev().map(f64::from).collect();
        assert_eq!(
            (ten.median(), ten.percentile(90), ten.worst()),
            (Some(5.5), Some(9.0), Some(10.0))
        );
        assert_eq!((ten.percentile(10), ten.percentile(91)), (Some(1.0), Some(10.0)));
        let three: Spread = [2.0, f64::NAN, 1.0, 4.0].into_iter().collect();
        assert_eq!((three.len(), three.median(), three.percentile(10)), (3, Some(2.0), Some(1.0)));
        let none: Spread = [].into_iter().collect();
        assert_eq!((none.median(), none.percentile(90), none.worst()), (None, None, None));
    }
}

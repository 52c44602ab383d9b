//! The bound on the pairs of a frame, from the memory there is.

use crate::input::PairsError;
use broadphase::{Frame, PairLimit};

/// The largest number of pairs of a frame for which there is memory. Every search counts its pairs, so that a time does not
/// depend on the memory of the machine. Structures stay within the bound, too. Adapters to other libraries do not count.
#[derive(Clone, Copy, Debug)]
pub struct PairBound {
    /// Bytes of a pair.
    each: u64,
    available: u64,
}

impl PairBound {
    /// No bound.
    pub const NONE: Self = Self { each: 1, available: u64::MAX };

    /// As many pairs as fit into `available` bytes, where `holders` hold them at the same time: searches, and what answers
    /// about their pairs. Each takes [`PairLimit::BYTES_PER_PAIR`].
    pub fn within(available: u64, holders: usize) -> Self {
        let each = (holders as u64).saturating_mul(PairLimit::BYTES_PER_PAIR as u64).max(1);
        Self { each, available }
    }

    /// The same memory, where another number of holders takes its share of each pair.
    pub(crate) fn held_by(self, holders: usize) -> Self {
        Self::within(self.available, holders)
    }

    /// Bytes of a number of pairs.
    pub fn bytes_of(self, pairs: usize) -> u64 {
        self.each.saturating_mul(pairs as u64)
    }

    /// A limit for one frame.
    pub fn limit(self) -> PairLimit {
        PairLimit::new(usize::try_from(self.available / self.each).unwrap_or(usize::MAX))
    }

    /// # Errors
    ///
    /// More pairs were found than the limit allows.
    pub fn check(self, limit: &PairLimit) -> Result<(), PairsError> {
        let Self { each, available } = self;
        let error = PairsError { most: available / each, each, available };
        if limit.is_exceeded() { Err(error) } else { Ok(()) }
    }

    /// Searches a frame within the bound: `search` is given the frame to search.
    ///
    /// # Errors
    ///
    /// The frame has more pairs. The search ended early, and what it found must not be used.
    pub fn search<T>(
        self,
        frame: &Frame<'_>,
        search: impl FnOnce(&Frame<'_>) -> T,
    ) -> Result<T, PairsError> {
        let limit = self.limit();
        let found = search(&frame.most_pairs(&limit));
        self.check(&limit).map(|()| found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Aabb;

    #[test]
    fn frame_of_one_pair_more_than_the_bound_is_an_error() {
        let boxes = [Aabb::around_sphere(glam::Vec3::ZERO, 1.0); 20];
        let search = |available: usize| {
            let mut pairs = Vec::new();
            let settings = broadphase::registry::Settings::new(20);
            let mut algorithm = crate::play::reference().build(&settings);
            let bound = PairBound::within(available as u64, 2);
            bound.search(&Frame::new(&boxes), |frame| algorithm.pairs(frame, &mut pairs))?;
            Ok::<_, PairsError>(pairs.len())
        };
        let fits = 190 * 2 * PairLimit::BYTES_PER_PAIR;
        assert_eq!(search(fits), Ok(190));
        assert_eq!(search(fits - 1).unwrap_err().most, 189);
    }
}

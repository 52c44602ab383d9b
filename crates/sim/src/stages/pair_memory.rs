//! What is kept of each pair from frame to frame.

use broadphase::Pair;

/// A value for each pair of a sorted list.
#[derive(Debug, Default)]
pub(super) struct PairMemory<T> {
    pairs: Vec<Pair>,
    values: Vec<T>,
    last: Vec<T>,
}

impl<T: Default> PairMemory<T> {
    /// The values of `pairs`, which are sorted: those of the last call for pairs that were in its list, new ones for
    /// the others.
    pub(super) fn follow(&mut self, pairs: &[Pair]) -> &mut [T] {
        let Self { pairs: formers, values, last } = self;
        std::mem::swap(values, last);
        values.clear();
        let mut old = formers.drain(..).zip(last.drain(..)).peekable();
        values.extend(pairs.iter().map(|pair| {
            while old.next_if(|(former, _)| former < pair).is_some() {}
            old.next_if(|(former, _)| former == pair).map(|(_, value)| value).unwrap_or_default()
        }));
        drop(old);
        formers.extend_from_slice(pairs);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_their_pairs_and_ended_pairs_are_forgotten() {
        let mut memory = PairMemory::<u32>::default();
        let pair = |a, b| Pair { a, b };
        let first = [pair(0, 1), pair(0, 3), pair(2, 5)];
        for (i, value) in (1..).zip(memory.follow(&first)) {
            *value = i;
        }
        assert_eq!(memory.follow(&[pair(0, 2), pair(0, 3), pair(2, 5), pair(7, 8)]), [0, 2, 3, 0]);
        assert_eq!(memory.follow(&first), [0, 2, 3]);
        assert_eq!(memory.follow(&[]), []);
        assert_eq!(memory.follow(&first), [0; 3]);
    }
}

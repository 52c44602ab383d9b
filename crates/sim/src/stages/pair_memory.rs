//! What is kept of each pair from frame to frame.

use broadphase::Pair;

/// A value for each pair of a sorted list.
#[derive(Debug, Default)]
pub(super) struct PairMemory<T> {
    pairs: Vec<Pair>,
    values: Vec<T>,
    last: Vec<T>,
    /// Values of pairs that ended, with their memory.
    unused: Vec<T>,
}

impl<T: Default> PairMemory<T> {
    /// The values of `pairs`, which are sorted: those of the last call for pairs that were in its list, new ones for
    /// the others. `forget` makes the value of a pair that ended a new one.
    pub(super) fn follow(&mut self, pairs: &[Pair], forget: impl Fn(&mut T)) -> &mut [T] {
        std::mem::swap(&mut self.values, &mut self.last);
        self.values.clear();
        let mut old = self.pairs.iter().zip(self.last.drain(..)).peekable();
        for pair in pairs {
            while let Some((_, mut value)) = old.next_if(|(former, _)| *former < pair) {
                forget(&mut value);
                self.unused.push(value);
            }
            let kept = old.next_if(|(former, _)| *former == pair).map(|(_, value)| value);
            self.values.push(kept.or_else(|| self.unused.pop()).unwrap_or_default());
        }
        for (_, mut value) in old {
            forget(&mut value);
            self.unused.push(value);
        }
        self.pairs.clear();
        self.pairs.extend_from_slice(pairs);
        &mut self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_their_pairs_and_ended_pairs_are_forgotten() {
        let mut memory = PairMemory::<Vec<u32>>::default();
        let pair = |a, b| Pair { a, b };
        let forget = |value: &mut Vec<u32>| value.clear();
        let first = [pair(0, 1), pair(0, 3), pair(2, 5)];
        for (i, value) in memory.follow(&first, forget).iter_mut().enumerate() {
            value.push(i as u32);
        }
        let second = [pair(0, 2), pair(0, 3), pair(2, 5), pair(7, 8)];
        assert_eq!(memory.follow(&second, forget), [vec![], vec![1], vec![2], vec![]]);
        assert_eq!(memory.follow(&[], forget), [] as [Vec<u32>; 0]);
        assert_eq!(memory.follow(&first, forget), [vec![], vec![], vec![0_u32; 0]]);
    }
}

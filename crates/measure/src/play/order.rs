//! In which order the repetitions are measured.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// Seed of the order of measuring and of the bootstrap of intervals, unless another is given.
pub const DEFAULT_ORDER_SEED: u64 = sim::DEFAULT_SEED;

/// The order of measuring, round by round.
///
/// A round measures one repetition of each cell. Every second round is drawn at random, from the
/// first on, and the round after it has the reverse order. Of two cells, each comes first equally
/// often over an even number of rounds, so a machine that grows warm or busy within a round slows
/// both alike. Each cell follows different cells, so none always finds the same data in the
/// processor's caches.
pub(crate) struct Rounds {
    rng: ChaCha8Rng,
    round: Vec<usize>,
    is_reversed: bool,
}

impl Rounds {
    pub(crate) fn new(cells: usize, seed: u64) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(seed);
        Self { rng, round: (0..cells).collect(), is_reversed: true }
    }

    /// The next round: each cell once.
    pub(crate) fn draw(&mut self) -> &[usize] {
        let Self { rng, round, is_reversed } = self;
        *is_reversed = !*is_reversed;
        if *is_reversed {
            round.reverse();
        } else {
            round.shuffle(rng);
        }
        round
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_two_cells_comes_first_as_often_as_the_other() {
        let mut rounds = Rounds::new(5, 1739);
        let order: Vec<Vec<usize>> = (0..10).map(|_| rounds.draw().to_vec()).collect();
        for (a, b) in [(0, 1), (0, 4), (2, 3)] {
            let place = |round: &[usize], cell| round.iter().position(|&other| other == cell);
            let a_first = |round: &&Vec<usize>| place(round, a) < place(round, b);
            assert_eq!(order.iter().filter(a_first).count(), 5, "{a} before {b}");
        }
    }
}

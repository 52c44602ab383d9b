//! In which order the repetitions are measured.

use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;

/// Seed of the order of measuring and of the bootstrap of intervals, unless another is given.
pub const DEFAULT_ORDER_SEED: u64 = sim::DEFAULT_SEED;

/// The order of measuring: `(cell, repetition)` by index.
///
/// A round measures one repetition of each cell. Every second round is drawn at random, from the
/// first on, and the round after it has the reverse order. Of two cells, each comes first equally
/// often over an even number of rounds, so a machine that grows warm or busy within a round slows
/// both alike. Each cell follows different cells, so none always finds the same data in the
/// processor's caches.
pub fn measuring_order(cells: usize, repeats: u32, seed: u64) -> Vec<(usize, u32)> {
    let mut rounds = Rounds::new(cells, seed);
    let mut order = Vec::new();
    for repeat in 0..repeats {
        order.extend(rounds.draw().iter().map(|&cell| (cell, repeat)));
    }
    order
}

/// The rounds of a [`measuring_order`], one after the other.
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
        let order = measuring_order(5, 10, 1739);
        for (a, b) in [(0, 1), (0, 4), (2, 3)] {
            let a_first = |round: &&[(usize, u32)]| {
                let place = |cell| round.iter().position(|&(c, _)| c == cell);
                place(a) < place(b)
            };
            assert_eq!(order.chunks(5).filter(a_first).count(), 5, "{a} before {b}");
        }
    }
}

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
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut round: Vec<usize> = (0..cells).collect();
    let mut order = Vec::new();
    for repeat in 0..repeats {
        if repeat.is_multiple_of(2) {
            round.shuffle(&mut rng);
        } else {
            round.reverse();
        }
        order.extend(round.iter().map(|&cell| (cell, repeat)));
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_round_has_each_cell_once() {
        let order = measuring_order(4, 6, 1739);
        assert_eq!(order.len(), 24);
        for (repeat, round) in order.chunks(4).enumerate() {
            assert!(round.iter().all(|&(_, r)| r as usize == repeat), "{order:?}");
            let mut seen: Vec<_> = round.iter().map(|&(cell, _)| cell).collect();
            seen.sort_unstable();
            assert_eq!(seen, [0, 1, 2, 3]);
        }
    }

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

    #[test]
    fn order_changes_between_rounds_and_depends_on_the_seed_alone() {
        let order = measuring_order(4, 8, 1739);
        assert_eq!(order, measuring_order(4, 8, 1739));
        assert_ne!(order, measuring_order(4, 8, 1740));
        let rounds: Vec<Vec<usize>> =
            order.chunks(4).map(|round| round.iter().map(|&(cell, _)| cell).collect()).collect();
        assert!(rounds.iter().any(|round| *round != rounds[0]), "{rounds:?}");
    }
}

//! The champions: the algorithms that `auto` is compared with.

use crate::study::CHAMPIONS;
use broadphase::Algorithm;

/// Every other algorithm entry that wins a cell of the winner map in `results/amd-epyc-2-cores/`. A
/// test takes them from its rows.
pub(super) const MAP_WINNERS: &[&str] = &[];

/// The champions, in the registry's order.
pub(super) fn champions() -> Vec<&'static Algorithm> {
    let is_one = |row: &&Algorithm| CHAMPIONS.contains(&row.id) || MAP_WINNERS.contains(&row.id);
    broadphase::ALGORITHMS.iter().filter(is_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_champion_is_in_the_registry() {
        assert_eq!(champions().len(), CHAMPIONS.len() + MAP_WINNERS.len());
    }
}

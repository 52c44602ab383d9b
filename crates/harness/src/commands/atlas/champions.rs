//! The champions: the algorithms that `auto` is compared with.

use crate::study::CHAMPIONS;
use broadphase::registry::Algorithm;

/// Every other algorithm entry that wins a cell of a winner map in `results/`, in the order of ids. A test
/// compares it with the rows of these maps.
pub(super) const MAP_WINNERS: &[&str] = &[];

/// The champions, in the registry's order.
pub(super) fn champions() -> Vec<&'static Algorithm> {
    let is_one =
        |entry: &&Algorithm| CHAMPIONS.contains(&entry.id) || MAP_WINNERS.contains(&entry.id);
    broadphase::registry::ALGORITHMS.iter().filter(is_one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::atlas::map::{grids, winners};
    use crate::commands::atlas::rows;
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    #[test]
    fn other_champions_are_those_that_win_on_committed_maps() {
        let results = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../results");
        let machines = std::fs::read_dir(results).unwrap().map(|entry| entry.unwrap().path());
        let map = |machine: PathBuf| machine.join("atlas/map/map.csv");
        let maps: Vec<PathBuf> = machines.map(map).filter(|map| map.is_file()).collect();
        assert!(!maps.is_empty(), "no map is committed");
        let mut others = BTreeSet::new();
        for map in maps {
            let rows = rows::read(&[map]).unwrap();
            let ids = winners(&grids(&rows)).into_iter().map(|(id, _)| id.to_owned());
            others.extend(ids.filter(|id| !CHAMPIONS.contains(&id.as_str())));
        }
        assert!(others.iter().eq(MAP_WINNERS), "MAP_WINNERS is {MAP_WINNERS:?}, not {others:?}");
        assert_eq!(champions().len(), CHAMPIONS.len() + MAP_WINNERS.len());
    }
}

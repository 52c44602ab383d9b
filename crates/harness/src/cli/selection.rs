//! `--algorithms` and `--set`: the choice from the registry.

use crate::registry;
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::Args;

/// The entries that a word or an assignment names.
type Entries = Vec<&'static Algorithm>;

/// Which algorithms.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Algorithms by id, all of them [default of run], or all of them with their variants, whose ids have a `+` [default of
    /// verify]; an id may set parameters, ID@PARAMETER=V; `peers`: other libraries, if built with the feature `peers`
    #[arg(long, value_name = "all|all+variants|peers|ID,..", value_delimiter = ',')]
    #[arg(value_parser = entries)]
    algorithms: Vec<Entries>,

    /// One more entry for each value of a parameter, ID@PARAMETER=V (`harness list` has the parameters); may be
    /// repeated
    #[arg(long, value_name = "ID.PARAMETER=V[,V..]", value_parser = values)]
    set: Vec<Entries>,
}

impl Selection {
    /// The chosen entries, each once: ours in the registry's order, peers behind them, then those that set parameters.
    /// Without a choice all, with their variants if `has_variants`.
    pub(crate) fn entries(&self, has_variants: bool) -> Entries {
        let all = ALGORITHMS.iter().filter(|entry| has_variants || entry.variant.is_none());
        let all = if self.algorithms.is_empty() { all.collect() } else { Vec::new() };
        let mut chosen: Entries = Vec::new();
        for entry in self.algorithms.iter().flatten().chain(&all).chain(self.set.iter().flatten()) {
            if chosen.iter().all(|other| other.id != entry.id) {
                chosen.push(entry);
            }
        }
        chosen.sort_by_key(|entry| {
            let place = registry::offered().iter().position(|other| other.id == entry.id);
            place.unwrap_or(usize::MAX)
        });
        chosen
    }
}

fn entries(word: &str) -> Result<Entries, String> {
    match word {
        "all" => Ok(ALGORITHMS.families().collect()),
        "all+variants" => Ok(ALGORITHMS.iter().collect()),
        "peers" if !registry::PEERS.is_empty() => Ok(registry::PEERS.iter().collect()),
        id => algorithm(id).map(|entry| vec![entry]),
    }
}

/// The algorithm with this id, which may set parameters.
pub(crate) fn algorithm(id: &str) -> Result<&'static Algorithm, String> {
    registry::offered().resolve(id).map_err(registry::refusal)
}

fn values(text: &str) -> Result<Entries, String> {
    registry::offered().resolve_values(text).map_err(registry::refusal)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::Command;
    use crate::commands::tests::command;

    #[test]
    fn all_is_without_variants_and_each_entry_stands_once() {
        let ids = |words: &str| -> Vec<&str> {
            let words = format!("run --boxes gas:9 {words}");
            let Command::Run(options) = command(&words) else { panic!() };
            options.selection.entries(false).iter().map(|entry| entry.id).collect()
        };
        let families: Vec<&str> = ALGORITHMS.families().map(|entry| entry.id).collect();
        let every: Vec<&str> = ALGORITHMS.iter().map(|entry| entry.id).collect();
        assert_eq!((ids(""), ids("--algorithms all")), (families.clone(), families));
        assert_eq!(ids("--algorithms all+variants,bsp"), every);
        assert_eq!(ids("--algorithms kd-tree,bsp+scalar,bsp"), ["bsp", "bsp+scalar", "kd-tree"]);
        let set = ids("--algorithms bsp@depth=2,bsp --set bsp.depth=3,2");
        assert_eq!(set, ["bsp", "bsp@depth=2", "bsp@depth=3"]);
    }
}

//! `--algorithms`: the choice from the registry.

use crate::registry;
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser};

/// Which algorithms.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Algorithms by id, all of them, or all of them with their variants, whose ids have a `+`;
    /// `peers`: other libraries, if built with the feature `peers`
    #[arg(
        long,
        value_name = "all|all+variants|peers|ID,..",
        value_delimiter = ',',
        default_value = "all"
    )]
    #[arg(value_parser = algorithm_or_all())]
    pub(super) algorithms: Vec<String>,
}

impl Selection {
    /// The rows of the registry, each once, in the registry's order; peers behind them.
    pub(crate) fn rows(&self) -> Vec<&'static Algorithm> {
        let wanted = |row: &&Algorithm| self.algorithms.iter().any(|a| a == "peers" || a == row.id);
        let peers = registry::PEERS.iter().filter(wanted);
        selected(ALGORITHMS, &self.algorithms).into_iter().chain(peers).collect()
    }
}

/// The word for every row of the registry; `all` leaves the variants out.
pub(super) const WITH_VARIANTS: &str = "all+variants";

/// The rows that the words of a command line name.
pub(super) fn selected<'a>(registry: &'a [Algorithm], words: &[String]) -> Vec<&'a Algorithm> {
    let wanted = |row: &&Algorithm| {
        words.iter().any(|word| match word.as_str() {
            "all" => row.variant.is_none(),
            WITH_VARIANTS => true,
            id => id == row.id,
        })
    };
    registry.iter().filter(wanted).collect()
}

pub(super) fn algorithm_or_all() -> PossibleValuesParser {
    let all = ["all", WITH_VARIANTS];
    let all_peers = (!registry::PEERS.is_empty()).then_some("peers");
    let ids = |rows: &'static [Algorithm]| rows.iter().map(|row| row.id);
    let ours = all.into_iter().chain(ids(ALGORITHMS));
    let each = ours.chain(all_peers).chain(ids(registry::PEERS));
    PossibleValuesParser::new(each.map(PossibleValue::new))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::tests::{DROPS, registry_with_variants};

    #[test]
    fn all_is_without_variants_unless_they_are_named() {
        let registry = registry_with_variants();
        let ids = |words: &str| -> Vec<&str> {
            let words: Vec<String> = words.split(',').map(str::to_owned).collect();
            selected(&registry, &words).iter().map(|row| row.id).collect()
        };
        let every = ["drops", "drops+slow", "drops+fast", "panics"];
        assert_eq!(ids("all"), ["drops", "panics"]);
        assert_eq!(ids("all+variants"), every);
        assert_eq!(ids("drops+fast"), ["drops+fast"]);
        assert_eq!(ids("drops+fast,all"), ["drops", "drops+fast", "panics"]);
        assert_eq!(ids("panics,all+variants,drops"), every, "each once");
        assert_eq!(ids(DROPS.id), ["drops"], "a family's id is its first row, not all of it");
    }
}

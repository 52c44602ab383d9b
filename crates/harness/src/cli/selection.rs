//! `--algorithms` and `--set`: the choice from the registry.

use crate::registry;
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::error::ErrorKind;
use clap::{Arg, Args, Command};
use std::ffi::OsStr;
use std::str::FromStr;

/// Which algorithms.
#[derive(Debug, Args)]
pub(crate) struct Selection {
    /// Algorithms by id, all of them, or all of them with their variants, whose ids have a `+`; an id may set
    /// parameters, ID@PARAMETER=V; `peers`: other libraries, if built with the feature `peers`
    #[arg(
        long,
        value_name = "all|all+variants|peers|ID,..",
        value_delimiter = ',',
        default_value = "all"
    )]
    #[arg(value_parser = AlgorithmWord)]
    pub(super) algorithms: Vec<String>,

    #[command(flatten)]
    pub(super) parameters: Parameters,
}

/// Entries with other values of their parameters.
#[derive(Debug, Args)]
pub(crate) struct Parameters {
    /// One more entry for each value of a parameter, ID@PARAMETER=V (`harness list` has the parameters); may be
    /// repeated
    #[arg(long = "set", value_name = "ID.PARAMETER=V[,V..]")]
    set: Vec<Assignment>,
}

/// The entries of one `--set`, one for each value.
#[derive(Clone, Debug)]
struct Assignment {
    entries: Vec<&'static Algorithm>,
}

impl FromStr for Assignment {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self { entries: registry::offered().resolve_values(text).map_err(registry::refusal)? })
    }
}

impl Selection {
    /// The entries of the registry, each once, in the registry's order; peers behind them, then the entries with other
    /// values of their parameters.
    pub(crate) fn entries(&self) -> Vec<&'static Algorithm> {
        let wanted =
            |entry: &&Algorithm| self.algorithms.iter().any(|a| a == "peers" || a == entry.id);
        let peers = registry::PEERS.iter().filter(wanted);
        let entries = selected(&ALGORITHMS, &self.algorithms).into_iter().chain(peers);
        self.parameters.with_configured(entries, &self.algorithms)
    }
}

impl Parameters {
    /// The entries, then those with other values of their parameters that `words` and `--set` add, each once.
    pub(super) fn with_configured(
        &self,
        entries: impl Iterator<Item = &'static Algorithm>,
        words: &[String],
    ) -> Vec<&'static Algorithm> {
        let mut all: Vec<&'static Algorithm> = entries.collect();
        let words = words.iter().filter(|word| registry::sets_parameters(word));
        // The command line has checked them.
        let named = words.filter_map(|id| registry::offered().resolve(id).ok());
        for entry in named.chain(self.set.iter().flat_map(|set| set.entries.iter().copied())) {
            if all.iter().all(|other| other.id != entry.id) {
                all.push(entry);
            }
        }
        all
    }
}

/// The word for every entry of the registry; `all` leaves the variants out.
pub(super) const WITH_VARIANTS: &str = "all+variants";

/// The entries that the words of a command line name.
pub(super) fn selected<'a>(registry: &'a [Algorithm], words: &[String]) -> Vec<&'a Algorithm> {
    let wanted = |entry: &&Algorithm| {
        words.iter().any(|word| match word.as_str() {
            "all" => entry.variant.is_none(),
            WITH_VARIANTS => true,
            id => id == entry.id,
        })
    };
    registry.iter().filter(wanted).collect()
}

/// A word of `--algorithms`.
#[derive(Clone)]
pub(super) struct AlgorithmWord;

impl TypedValueParser for AlgorithmWord {
    type Value = String;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        let peers = (!registry::PEERS.is_empty()).then_some("peers");
        parse_id(command, arg, value, ["all", WITH_VARIANTS].into_iter().chain(peers))
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        let words = ["all", WITH_VARIANTS].into_iter();
        Some(Box::new(
            words.chain(registry::offered().iter().map(|entry| entry.id)).map(PossibleValue::new),
        ))
    }
}

/// The id of an algorithm, which may set parameters.
#[derive(Clone)]
pub(super) struct AlgorithmId;

impl TypedValueParser for AlgorithmId {
    type Value = &'static Algorithm;

    fn parse_ref(
        &self,
        command: &Command,
        arg: Option<&Arg>,
        value: &OsStr,
    ) -> Result<&'static Algorithm, clap::Error> {
        let id = parse_id(command, arg, value, std::iter::empty())?;
        resolve(command, arg, &id)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(registry::offered().iter().map(|entry| PossibleValue::new(entry.id))))
    }
}

/// An id of the registry, one that sets parameters, or one of other words.
fn parse_id(
    command: &Command,
    arg: Option<&Arg>,
    value: &OsStr,
    words: impl Iterator<Item = &'static str>,
) -> Result<String, clap::Error> {
    let is_resolved = |id: &&str| registry::sets_parameters(id) || registry::is_removed(id);
    match value.to_str().filter(is_resolved) {
        Some(id) => resolve(command, arg, id).map(|entry| entry.id.to_owned()),
        None => {
            let ids = words.chain(registry::offered().iter().map(|entry| entry.id));
            PossibleValuesParser::new(ids.map(PossibleValue::new)).parse_ref(command, arg, value)
        }
    }
}

/// The algorithm with this id, or a refusal with the option that it was given to.
fn resolve(
    command: &Command,
    arg: Option<&Arg>,
    id: &str,
) -> Result<&'static Algorithm, clap::Error> {
    registry::offered().resolve(id).map_err(|error| {
        let option = arg.map(|arg| format!(" for '{arg}'")).unwrap_or_default();
        let text = format!("invalid value '{id}'{option}: {}\n", registry::refusal(error));
        clap::Error::raw(ErrorKind::ValueValidation, text).with_cmd(command)
    })
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
            selected(&registry, &words).iter().map(|entry| entry.id).collect()
        };
        let every = ["drops", "drops+slow", "drops+fast", "panics"];
        assert_eq!(ids("all"), ["drops", "panics"]);
        assert_eq!(ids("all+variants"), every);
        assert_eq!(ids("drops+fast"), ["drops+fast"]);
        assert_eq!(ids("drops+fast,all"), ["drops", "drops+fast", "panics"]);
        assert_eq!(ids("panics,all+variants,drops"), every, "each once");
        assert_eq!(ids(DROPS.id), ["drops"], "a family's id is its first entry, not all of it");
    }
}

//! `harness verify`.

use super::playing::Playing;
use super::selection::{AlgorithmWord, Parameters, WITH_VARIANTS, selected};
use super::values::seconds;
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    /// Algorithms by id, all of them, or all of them with their variants, whose ids have a `+`; an id may set
    /// parameters, ID@PARAMETER=V
    #[arg(long, value_name = "all|all+variants|ID,..", value_delimiter = ',')]
    #[arg(default_value = WITH_VARIANTS, value_parser = AlgorithmWord)]
    pub(super) algorithms: Vec<String>,

    #[command(flatten)]
    parameters: Parameters,

    /// Time that an algorithm may take for one case on one number of threads, and once more what all share; it is skipped
    /// where it takes more
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,

    /// Accept a case in which no boxes overlap; otherwise it is a failure, since nothing was compared
    #[arg(long)]
    pub(crate) allow_no_pairs: bool,

    /// Without effect: wrong pairs were once written into this folder
    #[arg(long, value_name = "DIR", hide = true)]
    pub(crate) out: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but differences and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl VerifyOptions {
    /// The entries of the registry, each once, in the registry's order; then the entries with other values of their
    /// parameters.
    pub(crate) fn entries(&self) -> Vec<&'static Algorithm> {
        let entries = selected(&ALGORITHMS, &self.algorithms).into_iter();
        self.parameters.with_configured(entries, &self.algorithms)
    }
}

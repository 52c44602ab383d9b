//! `harness verify`.

use super::playing::Playing;
use super::selection::{WITH_VARIANTS, algorithm_or_all, selected};
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    /// Algorithms by id, all of them, or all of them with their variants, whose ids have a `+`
    #[arg(long, value_name = "all|all+variants|ID,..", value_delimiter = ',')]
    #[arg(default_value = WITH_VARIANTS, value_parser = algorithm_or_all())]
    pub(super) algorithms: Vec<String>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but differences and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

impl VerifyOptions {
    /// The rows of the registry, each once, in the registry's order.
    pub(crate) fn rows(&self) -> Vec<&'static Algorithm> {
        selected(ALGORITHMS, &self.algorithms)
    }
}

//! Where the rows of a run go.

use clap::{ArgGroup, Args};
use std::path::PathBuf;

/// Options with which the folder of a run does not depend on the time, so that the run can be resumed.
pub(super) const KNOWN_FOLDER: &str = "known folder";

/// The folder of a run, the treatment of earlier results there, and what is printed.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new(KNOWN_FOLDER).multiple(true))]
pub(crate) struct ResultOptions {
    /// Complete the run in the folder of --out, which was killed or stopped; begin it if there is
    /// none
    #[arg(long, requires = KNOWN_FOLDER, conflicts_with = "force")]
    pub(crate) resume: bool,

    /// Folder for the results; without it results/run-YYYYMMDD-HHMMSS (UTC)
    #[arg(long, value_name = "DIR", group = KNOWN_FOLDER)]
    pub(crate) out: Option<PathBuf>,

    /// Replace the results in the folder, also those of another command
    #[arg(long)]
    pub(crate) force: bool,

    /// Print the rows as JSON instead of the table
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

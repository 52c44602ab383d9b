//! `harness report`.

use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ReportOptions {
    /// Folder of a run: summary.csv, machine.json, and frames.csv if it is there. Of a run in
    /// shards, the folders of all of them
    #[arg(value_name = "DIR", required = true)]
    pub(crate) folders: Vec<PathBuf>,

    /// The page; without it report.html in the only folder
    #[arg(long, value_name = "F.html")]
    pub(crate) out: Option<PathBuf>,

    /// Replace a page that is there already
    #[arg(long)]
    pub(crate) force: bool,

    /// Print nothing but errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

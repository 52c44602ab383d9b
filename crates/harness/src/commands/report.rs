//! `harness report`: the results in a folder, or in those of all shards, as one page.

use crate::console;
use crate::failure::Failure;
use crate::page_files::{PageFile, require_ending};
use clap::Args;
use report::Results;
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

/// Writes the page.
pub(crate) fn report(options: &ReportOptions) -> Result<(), Failure> {
    let folders = &options.folders;
    let out = match (&options.out, &folders[..]) {
        (Some(out), _) => {
            require_ending(out, "html")?;
            out.clone()
        }
        (None, [folder]) => folder.join("report.html"),
        (None, _) => {
            let reason = "--out F.html is needed for the page of several folders";
            return Err(Failure::Usage(reason.to_owned()));
        }
    };
    let mut results = Results::read(folders)?;
    let file = PageFile::create(&out, options.force)?;
    // Also with `quiet`: a page must not look complete where it is not.
    console::warn_unfinished(results.sources_mut());
    file.write(results.page()?.as_bytes())?;
    if options.quiet {
        return Ok(());
    }
    console::print(&format!("{}\n", out.display()))
}

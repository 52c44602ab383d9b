//! `harness report`: the results in a folder, or in those of all shards, as one page.

use crate::cli::ReportOptions;
use crate::console;
use crate::failure::Failure;
use crate::page_files::{PageFile, require_ending};
use report::Results;

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

//! Shared by the commands that write a page of their own: `speed`, `thesis`, `atlas`, `capacity`, `bodies --experiments`.
//!
//! A [`Study`] measures into a folder of rows. Its page and charts come from these rows alone, so
//! `--redraw` writes them again. `--resume` completes a run that was killed.

mod page;
mod row;
mod run;
mod statement;

use crate::failure::Failure;
use broadphase::registry::Algorithm;
#[cfg(test)]
pub(crate) use page::tests::assert_published;
pub(crate) use page::{Page, of_lines};
pub(crate) use row::{By, RowFile, StudyRow, write_rows};
pub(crate) use run::{Bench, Files, Study, note_table, results};
pub(crate) use statement::{
    Bound, Checked, Claim, Kind, Outcome, Statement, Verdict, claim, holds, not_measured,
    with_interval,
};

use sim::{Scene, SceneDocument};

/// The algorithm that chooses among the others.
pub(crate) const AUTO: &str = "auto";

/// The fast algorithms: `auto` and those that it chooses from.
pub(crate) const CHAMPIONS: [&str; 5] =
    ["box-pruning", FULL_SEARCH, "rest-grid", "neighbour-list", AUTO];

/// The fastest algorithm that caches nothing: each of its frames is a full search.
pub(crate) const FULL_SEARCH: &str = "sweep-grid";

/// The champions, in the order of [`CHAMPIONS`].
pub(crate) fn champions() -> impl Iterator<Item = &'static Algorithm> {
    CHAMPIONS.iter().filter_map(|id| broadphase::registry::find(id))
}

/// A scene that is built in, so that a command runs in any folder.
pub(crate) fn built_in(name: &str, text: &str) -> Result<Scene, Failure> {
    let wrong = |e| Failure::Running(format!("a built-in scene is wrong: {e}"));
    Ok(SceneDocument::parse(name, text.as_bytes()).map_err(wrong)?.scene().clone())
}

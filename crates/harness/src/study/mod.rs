//! Shared by the commands that write a page of their own: `speed`, `thesis`, `atlas`, `capacity`, `bodies --experiments`.
//!
//! A [`Study`] measures into a folder of rows. Its page and charts come from these rows alone, so
//! `--redraw` writes them again. `--resume` completes a run that was killed.

mod algorithms;
mod files;
pub(crate) mod numbers;
mod page;
mod row;
mod run;
mod statement;

pub(crate) use algorithms::{AUTO, CHAMPIONS, FULL_SEARCH};
pub(crate) use files::{Files, note_table, run_files};
pub(crate) use page::Page;
pub(crate) use report::Shard;
pub(crate) use row::{RowFile, StudyRow, write_rows};
pub(crate) use run::{Report, Study};
pub(crate) use statement::{
    Bound, Checked, Claim, Kind, Outcome, Statement, Verdict, claim, holds, not_measured,
};

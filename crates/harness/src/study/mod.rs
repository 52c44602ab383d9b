//! What the commands share that write a page of their own: `speed`, `thesis`, `atlas`.
//!
//! Such a study measures into a folder of rows, from which alone its page and figures are made. A
//! killed run is completed by `--resume`; `--redraw` makes page and figures again.

mod champions;
mod conduct;
mod goals;
pub(crate) mod numbers;
pub(crate) mod rows;
pub(crate) mod shard;

pub(crate) use champions::{AUTO, CHAMPIONS, FULL_SEARCH};
pub(crate) use conduct::{conduct, folder_of, prepare, run_files};
pub(crate) use goals::{Bound, Verdict};
pub(crate) use rows::Row;
pub(crate) use shard::Shard;

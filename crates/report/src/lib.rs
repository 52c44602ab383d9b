//! Figures and the page of measurements, from their tables alone.
//!
//! [`Results`] reads the folders of a run and sets the page of `harness report`, which is also the report of the window.
//! A [`Figure`] draws charts from [`Cells`]. A [`ResultFolder`] is the folder of a run.

mod error;
mod figures;
mod page;
mod shard;

pub use error::ReportError;
pub use figures::{
    Cell, Cells, Counts, Figure, Key, PHASES, read_cells, read_folders, style_of, variant_style,
};
pub use page::Results;
pub use shard::{ResultFolder, Shard, ShardError, whole_plan};

//! Figures and the page of measurements, from their tables alone.
//!
//! [`Results`] reads the folders of a run and sets the page of `harness report`, which is also the report of the window.
//! A [`Figure`] draws charts from [`Cells`]. [`MachineSheet`] is the machine that a run names, [`ResultFolder`] its folder.

mod error;
mod figures;
mod machine_sheet;
mod page;
mod shard;

pub use error::ReportError;
pub use figures::{
    Cell, Cells, Counts, Figure, Key, Phases, read_cells, read_folders, style_of, variant_style,
};
pub use machine_sheet::{MachineSheet, markdown_cell};
pub use page::Results;
pub use shard::{ResultFolder, Shard, ShardError, whole_plan};

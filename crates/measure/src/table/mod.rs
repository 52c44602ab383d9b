//! From samples to summaries, and from rows to tables for reading.

pub mod numbers;
mod ratio;
mod shown;
mod stages_table;
mod stats;
mod summary_table;

pub use ratio::{FrameTime, PairedRatio, Ratio, paired_ratio};
pub use shown::{STYLE, Shown, ShownRow, ShownTable};
pub use stages_table::{stage_tables, stages_table};
pub use stats::{mean, median, median_interval, percentile};
pub use summary_table::{summary_table, summary_tables, winners_table};

//! From samples to summaries, and from rows to tables for reading.

pub mod numbers;
mod ratio;
mod shown;
mod stats;
mod summary_table;

pub use ratio::{FrameTime, PairedRatio, Ratio, paired_ratio};
pub use shown::{STYLE, Shown, ShownRow, ShownTable};
pub use stats::{mean, median, median_interval, percentile};
pub use summary_table::{stage_tables, stages_table, summary_table, summary_tables, winners_table};

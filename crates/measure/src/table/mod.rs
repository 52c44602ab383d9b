//! From samples to summaries, and from rows to tables for reading.

pub mod numbers;
mod ratio;
mod stages_table;
mod stats;
mod summary_table;
mod winners;

pub use ratio::{FrameTime, PairedRatio, Ratio, paired_ratio};
pub use stages_table::{StageFigure, stages_table};
pub use stats::{Interval, mean, median, median_interval, percentile};
pub use summary_table::{Group, STYLE, summary_table};
pub use winners::winners_table;

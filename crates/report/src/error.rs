//! Errors of reports.

use charts::ChartError;
use measure::RowError;

/// Why there is no page of results.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A `machine.json`, or the folders together, are not what they should be.
    #[error("{0}")]
    BadFile(String),
    /// A table cannot be read, or is wrong.
    #[error(transparent)]
    Rows(#[from] RowError),
    /// A figure cannot be drawn.
    #[error("cannot draw the figure `{word}`: {source}")]
    Figure {
        /// The figure's word on the command line.
        word: &'static str,
        /// The cause.
        source: ChartError,
    },
}

//! Measurements as data: frames and outcomes, and the rows of `frames.csv`, `summary.csv` and `stages.csv`, which are
//! a contract with other programs.
//!
//! The fields of a row are the columns, those of the contract first and our own after them.
//! A figure that does not exist is `None`: an empty cell in CSV, `null` in JSON.

mod figures;
mod outcome;
mod reader;
mod stage;
mod text;

pub use figures::{FrameRow, Labels, Phase, PhaseTimes, SearchPhase, SummaryRow, summarise};
pub(crate) use outcome::PANICKED;
pub use outcome::{FinishedRepetition, Outcome, Status};
pub use reader::{
    MEMORY_OF_FRAMES, MEMORY_OF_ROWS, RowError, RowPlace, RowReader, StagesFile, SummaryFile,
    columns,
};
pub use stage::{Stage, StageRow};
pub use text::{Checksum, Seed, parse_seed, seed_form};
pub(crate) use text::{NumberOrText, label};

//! Measurements as data: samples and outcomes, and the rows of `frames.csv`, `summary.csv` and `stages.csv`, which are
//! a contract with other programs.
//!
//! The fields of a row are the columns, those of the contract first and our own after them.
//! A figure that does not exist is `None`: an empty cell in CSV, `null` in JSON.

mod checksum;
mod columns;
mod figures;
mod files;
mod finished;
mod outcome;
mod phases;
mod reader;
mod sample;
mod stage;
mod status;
mod text;

pub use checksum::{Checksum, ChecksumError};
pub use columns::columns;
pub use figures::{FrameRow, SummaryRow, summarise};
pub use files::{StagesFile, SummaryFile};
pub use finished::FinishedRepetition;
pub use outcome::Outcome;
pub use phases::{PhaseTimes, SearchPhase};
pub use reader::{MEMORY_OF_FRAMES, MEMORY_OF_ROWS, RowError, RowPlace, RowReader};
pub use sample::{Collision, EventFigures, Labels, Phase, Sample, StageFigures};
pub use stage::{Stage, StageRow};
pub(crate) use status::PANICKED;
pub use status::Status;
pub(crate) use text::{NumberOrText, label};
pub use text::{Seed, parse_seed, seed_form};

//! The rows of `frames.csv` and `summary.csv`: a contract with other programs.
//!
//! The fields are the columns, those of the contract first and our own after them.
//! A figure that does not exist is `None`: an empty cell in CSV, `null` in JSON.

mod checksum;
mod columns;
mod frame;
mod reason;
mod status;
mod summary;

pub use checksum::{Checksum, ChecksumError};
pub use columns::columns;
pub use frame::FrameRow;
pub use reason::{Failed, Panicked, Reason};
pub use status::Status;
pub use summary::SummaryRow;

//! The rows of `capacity.csv`.

use crate::failure::Failure;
use measure::numbers::thousands;
use measure::{RowReader, seed_form};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// The lists of a fixed length that pairs are written to, one of which may be full.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Buffer {
    /// One list for all pairs of a frame.
    Frame,
    /// One list for the pairs that began in a frame: all of frame 0, later those that the frame before did not have.
    Began,
    /// A list for each object, with the pairs of which it has the lower id.
    Object,
}

impl Buffer {
    pub(super) const ALL: [Self; 3] = [Self::Frame, Self::Began, Self::Object];

    /// Its title on the page.
    pub(super) fn title(self) -> &'static str {
        match self {
            Self::Frame => "One list for the pairs of a frame",
            Self::Began => "One list for the pairs that began",
            Self::Object => "A list for each object",
        }
    }
}

/// The capacity of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Capacity {
    pub(super) pairs: u64,
    /// In pairs an object: one list for all objects has this many times their number. Else in pairs a frame, which bounds
    /// no list of a single object.
    pub(super) per_object: bool,
}

impl Capacity {
    /// Pairs that a list of the buffer holds; `None` if it does not bound the buffer.
    pub(super) fn list_length(self, buffer: Buffer, objects: u64) -> Option<u64> {
        match (self.per_object, buffer) {
            (true, Buffer::Frame | Buffer::Began) => Some(self.pairs.saturating_mul(objects)),
            (false, Buffer::Object) => None,
            _ => Some(self.pairs),
        }
    }

    /// The capacity with its unit.
    pub(super) fn text(self) -> String {
        let plural = if self.pairs == 1 { "pair" } else { "pairs" };
        let unit = if self.per_object { "an object" } else { "a frame" };
        format!("{} {plural} {unit}", thousands(self.pairs as f64))
    }
}

/// A row of `capacity.csv`: the pairs that one capacity of a buffer loses in a frame.
///
/// A frame has a row for each capacity that loses pairs, and for the smallest one that loses none. Larger ones lose none.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct CapacityRow {
    pub(super) run_id: String,
    pub(super) input: String,
    pub(super) n: u64,
    #[serde(default, with = "seed_form")]
    pub(super) seed: Option<u64>,
    pub(super) frame: u32,
    pub(super) buffer: Buffer,
    /// The capacity, and whether it is in pairs an object.
    pub(super) capacity: u64,
    pub(super) per_object: bool,
    /// Pairs to be written in this frame, and those beyond the ends of their lists.
    pub(super) pairs: u64,
    pub(super) lost: u64,
}

impl CapacityRow {
    /// The case that it belongs to.
    pub(super) fn case(&self) -> (String, u64, Option<u64>) {
        (self.input.clone(), self.n, self.seed)
    }

    pub(super) fn capacity(&self) -> Capacity {
        Capacity { pairs: self.capacity, per_object: self.per_object }
    }
}

/// Reads a file of rows.
pub(super) fn read(path: &Path) -> Result<Vec<CapacityRow>, Failure> {
    Ok(RowReader::open(path)?.rows()?)
}

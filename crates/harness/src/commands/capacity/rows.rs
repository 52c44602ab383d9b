//! The rows of `capacity.csv`, the share of lost pairs over the capacity, and the chart of it.

use crate::failure::Failure;
use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
use measure::numbers::thousands;
use measure::{RowReader, seed_form};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// The lists of a fixed length that pairs are written to, one of which may be full.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Buffer {
    #[default]
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
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
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

/// Pairs that a capacity loses.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Loss {
    /// Share of the pairs of all frames.
    pub(super) of_all: f64,
    /// The largest share of a frame.
    pub(super) worst_frame: f64,
}

/// The losses of a buffer on an input.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Curve {
    pub(super) buffer: Buffer,
    pub(super) input: String,
    pub(super) n: u64,
    pub(super) frames: u64,
    /// Pairs to be written in all frames.
    pub(super) pairs: u64,
    /// A loss for each capacity of the buffer, the smallest capacity first.
    pub(super) losses: Vec<(Capacity, Loss)>,
}

impl Curve {
    /// The curves of all buffers and inputs that have pairs: those of a buffer together, in the order of the rows.
    pub(super) fn all(rows: &[CapacityRow]) -> Vec<Self> {
        let capacities: BTreeSet<Capacity> = rows.iter().map(CapacityRow::capacity).collect();
        let mut curves = Vec::new();
        for buffer in Buffer::ALL {
            for rows in rows.chunk_by(|a, b| (&a.input, a.n, a.seed) == (&b.input, b.n, b.seed)) {
                curves.extend(Self::of(buffer, rows, &capacities));
            }
        }
        curves
    }

    fn of(buffer: Buffer, rows: &[CapacityRow], capacities: &BTreeSet<Capacity>) -> Option<Self> {
        let rows: Vec<&CapacityRow> = rows.iter().filter(|row| row.buffer == buffer).collect();
        let first = *rows.first()?;
        let by_frame: BTreeMap<u32, u64> = rows.iter().map(|row| (row.frame, row.pairs)).collect();
        let pairs: u64 = by_frame.values().sum();
        let loss = |capacity: &Capacity| {
            let rows = rows.iter().filter(|row| row.capacity() == *capacity && row.lost > 0);
            let lost: u64 = rows.clone().map(|row| row.lost).sum();
            let shares = rows.map(|row| row.lost as f64 / row.pairs as f64);
            let of_all = lost as f64 / pairs as f64;
            (*capacity, Loss { of_all, worst_frame: shares.fold(0.0, f64::max) })
        };
        (pairs > 0).then(|| Self {
            buffer,
            input: first.input.clone(),
            n: first.n,
            frames: by_frame.len() as u64,
            pairs,
            losses: capacities.iter().map(loss).collect(),
        })
    }

    /// The loss of a capacity.
    pub(super) fn loss(&self, capacity: Capacity) -> Option<Loss> {
        self.losses.iter().find(|(other, _)| *other == capacity).map(|(_, loss)| *loss)
    }
}

/// Height of a panel, mm.
const PANEL_MM: f64 = 36.0;

/// The chart; `None` without capacities in pairs an object.
pub(super) fn chart(curves: &[Curve]) -> Option<Chart> {
    let losses = curves.iter().flat_map(|curve| &curve.losses);
    let capacities: BTreeSet<Capacity> = losses.map(|(capacity, _)| *capacity).collect();
    if !capacities.iter().all(|capacity| capacity.per_object) {
        return None;
    }
    let values: Vec<f64> = capacities.iter().map(|capacity| capacity.pairs as f64).collect();
    let (first, last) = (*values.first()?, *values.last()?);
    let x = Axis::log("capacity, pairs an object").within(first, last.max(2.0 * first));
    let mut chart = Chart::new(x.labelled_at(values), Axis::shares("pairs lost")).wide();
    for buffer in Buffer::ALL {
        let lines = lines(curves, buffer, &capacities);
        let title = buffer.title().to_owned();
        chart = chart.with(Panel { title, marks: Marks::Lines(lines) });
    }
    Some(Chart { panel_mm: PANEL_MM, ..chart })
}

/// The worst and the middle input at each capacity, and a list that grows.
fn lines(curves: &[Curve], buffer: Buffer, capacities: &BTreeSet<Capacity>) -> Vec<Line> {
    let shares = |capacity: Capacity| {
        let of_buffer = curves.iter().filter(|curve| curve.buffer == buffer);
        let losses = of_buffer.filter_map(|curve| curve.loss(capacity));
        let mut shares: Vec<f64> = losses.map(|loss| loss.of_all).collect();
        shares.sort_by(f64::total_cmp);
        shares
    };
    let line = |name: &str, look: usize, of: &dyn Fn(&[f64]) -> Option<f64>| {
        let point = |at: &Capacity| Some(Point::new(at.pairs as f64, of(&shares(*at))?));
        let points = capacities.iter().filter_map(point).collect();
        Line { name: name.to_owned(), style: Style::nth(look), points }
    };
    vec![
        line("worst input", 0, &|shares| shares.last().copied()),
        line("median input", 1, &|shares| shares.get(shares.len() / 2).copied()),
        line("this library", 2, &|_| Some(0.0)),
    ]
}

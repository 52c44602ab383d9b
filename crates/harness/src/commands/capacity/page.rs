//! The page `capacity.md`: what each capacity loses, what is counted, and which engines drop pairs.

use super::{Buffer, CapacityRow, TABLE, read, text};
use crate::failure::Failure;
use crate::study::{Files, Page};
use charts::{Axis, Chart, Line, Marks, Panel, Point, Style};
use measure::Machine;
use measure::numbers::{mean_count, thousands};
use std::collections::BTreeMap;

/// Engines that drop pairs or contacts where a buffer is full: each with the place that says so, as it was read.
const ENGINES: [&str; 5] = [
    "**MuJoCo Warp**, `naconmax`, for all worlds: no pair beyond it is written (`_add_geom_pair` in \
     `mujoco_warp/_src/collision_driver.py`, revision a7e93142), nor any contact (`write_contact` in `collision_core.py`, \
     revision 255c1513). It is *one list for the pairs of a frame*.",
    "**PhysX** 5.7.0 on GPUs, `PxGpuDynamicsMemoryConfig::foundLostPairsCapacity`, 262,144 by default: *\"the application \
     needs to increase [it], otherwise, the simulation will miss interactions\"* (`PxgCudaBroadPhaseSap::gpuDMABack`, \
     revision 176bc52d). Pairs found are *one list for the pairs that began*; pairs lost have another.",
    "**Jolt** 5.5.0, `inMaxBodyPairs`: *\"The body pair cache is full, this means that too many bodies contacted. Some contacts \
     were ignored.\"* (`EPhysicsUpdateError::BodyPairCacheFull`). In 5.6.0, bodies *\"will fall through the world\"* \
     (`ContactConstraintManager::Init`). It is *one list for the pairs of a frame*.",
    "**MJX** (MuJoCo in JAX), `max_geom_pairs`, off by default: only the nearest candidates of each group of shape types are \
     kept (`mjx/mujoco/mjx/_src/collision_driver.py`, revision 00db12af).",
    "No engine named here has *a list for each object*. It shows what a bound on crowded objects would lose.",
];

/// The definition of a lost pair.
const DEFINITION: [&str; 3] = [
    "A list of length C that P pairs are written to loses those beyond its end: P - C, if that is above 0. *One list* for all \
     has C = k times the number of objects, with k pairs an object. In frame 0 all pairs begin. *A list for each object* has \
     C = k, and holds the pairs of which the object has the lower id.",
    "Pairs are those that `auto` finds, after the filters of layers, compared with brute force in each frame, or with \
     `sweep-grid` from 10^10 tests on. Inputs without pairs have rows and no line here.",
    "A scene moves on with all pairs: a loss has no effect on later frames. Engines with larger bounds have more pairs. This \
     library appends to a list that grows, and loses none.",
];

/// The losses of a buffer on an input that has pairs.
struct Curve<'a> {
    /// The rows, at least one.
    rows: Vec<&'a CapacityRow>,
    frames: u64,
    /// Pairs to be written in all frames.
    pairs: u64,
}

impl Curve<'_> {
    /// The share of the pairs of all frames that a capacity loses, and the largest share of a frame.
    fn loss(&self, capacity: u64) -> [f64; 2] {
        let rows = self.rows.iter().filter(|row| row.capacity == capacity && row.lost > 0);
        let lost: u64 = rows.clone().map(|row| row.lost).sum();
        let shares = rows.map(|row| row.lost as f64 / row.pairs as f64);
        [lost as f64 / self.pairs as f64, shares.fold(0.0, f64::max)]
    }

    fn row(&self, capacities: &[u64]) -> Vec<String> {
        let share = |capacity: &u64| match self.loss(*capacity) {
            [0.0, _] => "0".to_owned(),
            [of_all, worst_frame] => format!("{} ({})", percent(of_all), percent(worst_frame)),
        };
        let named = [
            self.rows[0].input.clone(),
            thousands(self.rows[0].n as f64),
            self.frames.to_string(),
            mean_count(self.pairs as f64 / self.frames as f64),
        ];
        let shares = capacities.iter().map(share);
        named.into_iter().chain(shares).chain(["0".to_owned()]).collect()
    }
}

/// A buffer with rows.
struct Section<'a> {
    title: &'static str,
    /// One for each input, in the order of the rows.
    curves: Vec<Curve<'a>>,
    /// The capacities of all rows of the file, the smallest first.
    capacities: &'a [u64],
    per_object: bool,
}

impl<'a> Section<'a> {
    /// `None` without a pair.
    fn new(rows: &'a [CapacityRow], capacities: &'a [u64], buffer: Buffer) -> Option<Self> {
        let cases = rows.chunk_by(|a, b| (&a.input, a.n, a.seed) == (&b.input, b.n, b.seed));
        let curves = cases.filter_map(|rows| {
            let rows: Vec<_> = rows.iter().filter(|row| row.buffer == buffer).collect();
            let frames: BTreeMap<u32, u64> =
                rows.iter().map(|row| (row.frame, row.pairs)).collect();
            let pairs = frames.values().sum();
            (pairs > 0).then_some(Curve { rows, frames: frames.len() as u64, pairs })
        });
        let curves: Vec<Curve<'_>> = curves.collect();
        let title = match buffer {
            Buffer::Frame => "One list for the pairs of a frame",
            Buffer::Began => "One list for the pairs that began",
            Buffer::Object => "A list for each object",
        };
        let per_object = curves.first()?.rows[0].per_object;
        Some(Self { title, curves, capacities, per_object })
    }

    /// The shares that a capacity loses, in ascending order.
    fn shares(&self, capacity: u64) -> Vec<f64> {
        let mut shares: Vec<f64> =
            self.curves.iter().map(|curve| curve.loss(capacity)[0]).collect();
        shares.sort_by(f64::total_cmp);
        shares
    }

    /// The result in a line.
    fn summary(&self) -> String {
        let first = self.capacities[0];
        let lost = |curve: &&Curve<'_>| curve.loss(first)[0];
        let worst = self.curves.iter().max_by(|a, b| lost(a).total_cmp(&lost(b)));
        let worst =
            worst.map(|curve| format!("{} {} %", curve.rows[0].input, percent(lost(&curve))));
        let is_safe = |capacity: &&u64| self.shares(**capacity).iter().all(|share| *share == 0.0);
        let safe = self.capacities.iter().find(is_safe);
        let safe = safe.map_or("no capacity is enough for all".to_owned(), |capacity| {
            format!("from {} on none does", text(*capacity, self.per_object))
        });
        format!(
            "{}: with {}, {} of {} inputs lose pairs, {} of them; {safe}.",
            self.title,
            text(first, self.per_object),
            self.curves.iter().filter(|curve| lost(curve) > 0.0).count(),
            self.curves.len(),
            worst.unwrap_or_default(),
        )
    }

    /// The worst and the middle input at each capacity, and a list that grows.
    fn panel(&self) -> Panel {
        let line = |look: usize, name: &str, of: fn(&[f64]) -> f64| {
            let point = |at: &u64| Point::new(*at as f64, of(&self.shares(*at)));
            let points = self.capacities.iter().map(point).collect();
            Line { name: name.to_owned(), style: Style::nth(look), points }
        };
        let lines = vec![
            line(0, "worst input", |shares| shares[shares.len() - 1]),
            line(1, "median input", |shares| shares[shares.len() / 2]),
            line(2, "this library", |_| 0.0),
        ];
        Panel { title: self.title.to_owned(), marks: Marks::Lines(lines) }
    }
}

/// The page and its chart.
pub(super) fn report(files: &Files) -> Result<Option<Page>, Failure> {
    let data = files.data();
    let path = data.join(TABLE);
    let rows = read(&path)?;
    if rows.is_empty() {
        // Its empty page would replace a good one.
        return Err(Failure::BadFile(format!("{}, line 2: expected a row", path.display())));
    }
    let machine = Machine::read(&data.join(Machine::FILE))?;
    let mut capacities: Vec<u64> = rows.iter().map(|row| row.capacity).collect();
    capacities.sort_unstable();
    capacities.dedup();
    let sections: Vec<Section<'_>> = Buffer::ALL
        .into_iter()
        .filter_map(|buffer| Section::new(&rows, &capacities, buffer))
        .collect();
    let ours = "This library: 0 lost on all inputs, since its lists grow.".to_owned();
    let summary: Vec<String> = sections.iter().map(Section::summary).chain([ours]).collect();
    let about = "The share of pairs that an engine loses if its list of pairs has a fixed length. Computed by `harness capacity` \
                 from [the rows](capacity/capacity.csv), which have every frame. Counts, no times: they are the same on every \
                 machine.";
    let mut page = Page::new("The price of a fixed buffer", about, summary);
    let caption = "Share of lost pairs over the capacity, by buffer";
    page.chart(caption, "capacity/lost.svg", chart(&sections, &capacities));
    page.section("Engines that drop", "");
    page.list(ENGINES);
    page.section("What is counted", "");
    page.list(DEFINITION);
    for section in &sections {
        let unit = if section.per_object { "an object" } else { "a frame" };
        let about = format!(
            "Pairs lost in all frames, in %; in brackets, those of the worst frame. Capacities are in pairs {unit}."
        );
        page.section(section.title, &about);
        let named = ["input", "n", "frames", "pairs a frame"].map(str::to_owned).into_iter();
        let header = named.chain(capacities.iter().map(|at| thousands(*at as f64)));
        let rows = section.curves.iter().map(|curve| curve.row(&capacities));
        page.table(header.chain(["ours".to_owned()]), rows);
    }
    page.section("Machine", "");
    page.machine(&machine, "capacity/machine.json");
    Ok(Some(page))
}

/// Height of a panel, mm.
const PANEL_MM: f64 = 36.0;

/// The chart; `None` without capacities in pairs an object.
fn chart(sections: &[Section<'_>], capacities: &[u64]) -> Option<Chart> {
    let values: Vec<f64> = capacities.iter().map(|pairs| *pairs as f64).collect();
    let (first, last) = (*values.first()?, *values.last()?);
    let x = Axis::log("capacity, pairs an object").within(first, last.max(2.0 * first));
    let chart = Chart::new(x.labelled_at(values), Axis::shares("pairs lost")).wide();
    let chart = sections.iter().map(Section::panel).fold(chart, Chart::with);
    sections[..].first()?.per_object.then_some(Chart { panel_mm: PANEL_MM, ..chart })
}

/// A share in per cent. A small one is not shown as 0.
fn percent(share: f64) -> String {
    match 100.0 * share {
        percent if percent > 0.0 && percent < 0.05 => "<0.1".to_owned(),
        percent => format!("{percent:.1}"),
    }
}

//! Rules of claims on bounding volumes and narrow phases.

use super::{ns, ns_text, percent, share, work, wrong_share};
use crate::commands::experiments::figures::COARSE;
use crate::commands::experiments::measuring::TABLES;
use crate::commands::experiments::plan::{Experiment, FIGURES, points_of};
use crate::commands::experiments::rows::{ExperimentRows, Outcome, holds};
use measure::numbers::significant;
use measure::{Stage, StageRow};
use std::ops::RangeInclusive;

/// Candidates of sphere boxes contain nearly all pairs whose volumes overlap.
const ALL_CANDIDATES: &str = "sphere";
/// Exact volumes from the loosest to the tightest, as 000 orders them, with the tight boxes behind the sphere.
const BY_TIGHTNESS: [&str; 5] = ["sphere", TIGHT_BOXES, "dop14", "obb", "hull"];
/// Volumes by the time of a test, as 000 orders them; boxes are tested by the broad phase.
const BY_COST: [&str; 4] = ["sphere", "dop14", "obb", "hull"];
const TIGHT_BOXES: &str = "tight boxes";
/// Hill climbing to the extreme vertices, as a variant of SAT.
const CLIMBING: &str = "sat+climbing";
/// Numbers of vertices between which the cheaper search begins to pay.
const PAYS_FROM: RangeInclusive<u64> = 32..=64;

impl ExperimentRows {
    fn volume(&self, id: &str) -> Result<&StageRow, Outcome> {
        self.one(Experiment::Volumes, (Stage::Volume, id), "", ALL_CANDIDATES)
    }

    fn place(&self, id: &str) -> Result<&StageRow, Outcome> {
        self.one(Experiment::Volumes, (Stage::Place, id), "", ALL_CANDIDATES)
    }

    /// Pairs that a volume passes; the candidates of the tight boxes.
    fn passed(&self, id: &str) -> Result<u64, Outcome> {
        let row = match id {
            TIGHT_BOXES => self.one(Experiment::Volumes, (Stage::Boxes, "tight"), "", "tight")?,
            id => self.volume(id)?,
        };
        Ok(row.passed.unwrap_or(0))
    }

    pub(in super::super) fn order_of_tightness(&self) -> Result<Outcome, Outcome> {
        let passed = BY_TIGHTNESS.iter().map(|id| Ok((*id, self.passed(id)?)));
        let passed = passed.collect::<Result<Vec<_>, Outcome>>()?;
        let texts: Vec<String> = passed.iter().map(|(id, n)| format!("{id} {n}")).collect();
        let is_ordered = passed.is_sorted_by(|a, b| a.1 >= b.1);
        Ok(holds(is_ordered, format!("pairs that pass: {}", texts.join(", "))))
    }

    pub(in super::super) fn order_of_cost(&self) -> Result<Outcome, Outcome> {
        let rows = BY_COST.iter().map(|id| self.volume(id)).collect::<Result<Vec<_>, _>>()?;
        let text = |row: &&StageRow| format!("{} {}", row.method, ns_text(row));
        let texts: Vec<String> = rows.iter().map(text).collect();
        let is_ordered = rows.is_sorted_by(|a, b| ns(a) <= ns(b));
        Ok(holds(is_ordered, format!("a test: {}", texts.join(", "))))
    }

    pub(in super::super) fn dops_are_expensive_to_build(&self) -> Result<Outcome, Outcome> {
        let ids = ["dop14", "dop18", "dop26"];
        let rows = ids.iter().map(|id| self.place(id)).collect::<Result<Vec<_>, _>>()?;
        let (obb, sphere) = (self.place("obb")?, self.place("sphere")?);
        let texts: Vec<String> = rows
            .iter()
            .chain([&obb, &sphere])
            .map(|row| format!("{} {}", row.method, ns_text(row)))
            .collect();
        let rises = rows.is_sorted_by(|a, b| ns(a) <= ns(b));
        let is_slower = rows.iter().all(|row| ns(row) > ns(obb) && ns(row) > ns(sphere));
        Ok(holds(rises && is_slower, format!("placing a body's volume: {}", texts.join(", "))))
    }

    /// The fewer pairs a volume passes, the longer it takes.
    pub(in super::super) fn tighter_takes_longer(&self) -> Result<Outcome, Outcome> {
        let figure = |id: &&str| -> Result<(String, u64, f64), Outcome> {
            Ok(((*id).to_owned(), self.passed(id)?, ns(self.volume(id)?) + ns(self.place(id)?)))
        };
        let mut figures = BY_COST.iter().map(figure).collect::<Result<Vec<_>, _>>()?;
        figures.sort_by_key(|(_, passed, _)| std::cmp::Reverse(*passed));
        let text = |(id, passed, ns): &(String, u64, f64)| {
            format!("{id} passes {passed} in {} ns", significant(*ns))
        };
        let texts: Vec<String> = figures.iter().map(text).collect();
        Ok(holds(figures.is_sorted_by(|a, b| a.2 <= b.2), texts.join(", ")))
    }

    /// The first number of points from which climbing is faster than projecting all vertices.
    pub(in super::super) fn climbing_pays(&self) -> Result<Outcome, Outcome> {
        let climbing = self.of_method(Experiment::Vertices, Stage::Narrow, CLIMBING)?;
        let plain = self.of_method(Experiment::Vertices, Stage::Narrow, "sat")?;
        let ratios: Vec<(u64, f64)> = climbing
            .iter()
            .zip(&plain)
            .filter_map(|(own, other)| Some((points_of(&own.input)?, ns(own) / ns(other))))
            .collect();
        let last_slower = ratios.iter().rposition(|(_, ratio)| *ratio >= 1.0);
        let first = ratios.get(last_slower.map_or(0, |at| at + 1)).map(|(points, _)| *points);
        let text = |(points, ratio): &(u64, f64)| format!("{} at {points}", significant(*ratio));
        let texts: Vec<String> = ratios.iter().map(text).collect();
        let holds_here = first.is_some_and(|points| PAYS_FROM.contains(&points));
        Ok(holds(holds_here, format!("time over that of projecting all: {}", texts.join(", "))))
    }

    pub(in super::super) fn caching_pays(&self, ids: [&str; 2]) -> Result<Outcome, Outcome> {
        let row = |id| self.one(Experiment::Coherence, (Stage::Narrow, id), "", "tight");
        let [plain, cached] = [row(ids[0])?, row(ids[1])?];
        let figure = format!(
            "{} against {}; steps of a test {} against {}",
            ns_text(cached),
            ns_text(plain),
            significant(work(cached)),
            significant(work(plain))
        );
        Ok(holds(ns(cached) < ns(plain) && work(cached) < work(plain), figure))
    }

    pub(in super::super) fn parts_cost(&self) -> Result<Outcome, Outcome> {
        let row = |figure: &&str| self.one(Experiment::Parts, (Stage::Narrow, "gjk"), figure, "");
        let rows = FIGURES.iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let texts: Vec<String> = rows.iter().map(|row| ns_text(row)).collect();
        let rises = rows.is_sorted_by(|a, b| ns(a) < ns(b));
        Ok(holds(rises, format!("gjk on one, two and four parts: {}", texts.join(", "))))
    }

    pub(in super::super) fn parts_are_accurate(&self) -> Result<Outcome, Outcome> {
        let row = |id: &str| self.one(Experiment::Parts, (Stage::Volume, id), FIGURES[2], "");
        let [one, two] = [row(COARSE[0])?, row(COARSE[1])?];
        let text = |row: &StageRow| {
            let [invented, missed] = [row.false_passed, row.missed].map(|n| percent(share(n, row)));
            format!("invents contacts in {invented} and misses {missed}")
        };
        let figure =
            format!("of the tests of four parts, one part {}, two parts {}", text(one), text(two));
        Ok(holds(wrong_share(one) > wrong_share(two) && two.false_passed > Some(0), figure))
    }

    fn radius(&self, id: &str) -> Result<&StageRow, Outcome> {
        self.one(Experiment::Radii, (Stage::Volume, id), "", "")
    }

    /// Misses and false positives of a radius, as shares of the pairs.
    fn radius_text(row: &StageRow) -> String {
        let [missed, false_passed] = [row.missed, row.false_passed].map(|n| percent(share(n, row)));
        format!("{}: missed {missed}, false {false_passed}", row.method)
    }

    pub(in super::super) fn inscribed_is_late(&self) -> Result<Outcome, Outcome> {
        let row = self.radius("sphere-inside")?;
        Ok(holds(row.missed > Some(0), Self::radius_text(row)))
    }

    pub(in super::super) fn circumscribed_is_early(&self) -> Result<Outcome, Outcome> {
        let row = self.radius("sphere")?;
        let is_early = row.false_passed > Some(0) && row.missed == Some(0);
        Ok(holds(is_early, Self::radius_text(row)))
    }

    pub(in super::super) fn mean_is_a_compromise(&self) -> Result<Outcome, Outcome> {
        let [inside, mean, sphere] =
            [self.radius("sphere-inside")?, self.radius("sphere-between")?, self.radius("sphere")?];
        let is_between = mean.missed < inside.missed && mean.false_passed < sphere.false_passed;
        let texts = [inside, mean, sphere].map(Self::radius_text);
        Ok(holds(is_between, texts.join("; ")))
    }

    pub(in super::super) fn areas_test_less(&self) -> Result<Outcome, Outcome> {
        let [table, areas] = [self.of_areas(TABLES[0])?, self.of_areas(TABLES[1])?];
        let tests = |row: &measure::SummaryRow| row.tests.unwrap_or(f64::NAN);
        let figure = format!(
            "tests of a frame: {} against {}",
            significant(tests(areas)),
            significant(tests(table))
        );
        Ok(holds(tests(areas) < tests(table), figure))
    }
}

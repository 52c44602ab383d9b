//! Rules of claims on motion within a step.

use super::{TOLERATED, by_speed, ns, ns_text, percent, share, work, wrong_share};
use crate::commands::experiments::plan::{Experiment, SAMPLINGS};
use crate::commands::experiments::rows::{ExperimentRows, Outcome, holds};
use measure::numbers::significant;
use measure::{Stage, StageRow};

/// Half a length a step: below it the attempts of 001 are said to work.
const HALF: f64 = 0.5;

/// Digits of the time of first contact from which a method counts as exact: `f64` has 16, of which a pair far from its
/// contact loses some.
const EXACT_DIGITS: f64 = 9.0;

impl ExperimentRows {
    fn impacts(&self, from: Experiment, method: &str) -> Result<Vec<&StageRow>, Outcome> {
        self.of_method(from, Stage::Impact, method)
    }

    pub(in super::super) fn works_below_half_a_length(&self, id: &str) -> Result<Outcome, Outcome> {
        let rows = self.impacts(Experiment::Moving, id)?;
        let speed = |row: &StageRow| row.speed.unwrap_or(0.0);
        let is_as_said = |row: &&&StageRow| (wrong_share(row) <= TOLERATED) == (speed(row) < HALF);
        // At half a length the source states nothing.
        let mut stated = rows.iter().filter(|row| speed(row) != HALF);
        let all = stated.all(|row| is_as_said(&row));
        let misses = by_speed(&rows, |row| percent(share(row.missed, row)));
        let alarms = by_speed(&rows, |row| percent(share(row.false_passed, row)));
        Ok(holds(all, format!("missed: {misses}; false alarms: {alarms}")))
    }

    pub(in super::super) fn is_exact(&self, id: &str) -> Result<Outcome, Outcome> {
        let rows = self.impacts(Experiment::Moving, id)?;
        let wrong: u64 =
            rows.iter().map(|row| row.missed.unwrap_or(0) + row.false_passed.unwrap_or(0)).sum();
        let tests: u64 = rows.iter().filter_map(|row| row.tests).sum();
        let error = rows.iter().filter_map(|row| row.largest_error).fold(0.0, f64::max);
        let digits = -error.max(f64::EPSILON).log10();
        let figure = format!(
            "{wrong} wrong answers in {tests} tests, times right to {digits:.1} digits of the step"
        );
        Ok(holds(wrong == 0 && digits >= EXACT_DIGITS, figure))
    }

    /// Faster than the test of both ends of the step, at every speed.
    pub(in super::super) fn is_fast(&self, id: &str) -> Result<Outcome, Outcome> {
        let (own, ends) =
            (self.impacts(Experiment::Moving, id)?, self.impacts(Experiment::Moving, "discrete")?);
        let is_faster = own.iter().zip(&ends).all(|(own, ends)| ns(own) < ns(ends));
        let figure = format!(
            "{}; the test at both ends of the step {}",
            by_speed(&own, ns_text),
            by_speed(&ends, ns_text)
        );
        Ok(holds(is_faster, figure))
    }

    pub(in super::super) fn rotation_can_be_neglected(&self, id: &str) -> Result<Outcome, Outcome> {
        let rows = self.impacts(Experiment::Rotating, id)?;
        let spin = |row: &StageRow| row.spin.unwrap_or(0.0);
        let text =
            |row: &&StageRow| format!("{} at {} rad a step", percent(wrong_share(row)), spin(row));
        let texts: Vec<String> = rows.iter().map(text).collect();
        let slowest = rows.iter().min_by(|a, b| spin(a).total_cmp(&spin(b)));
        let is_right = slowest.is_some_and(|row| wrong_share(row) <= TOLERATED);
        Ok(holds(is_right, format!("wrong answers: {}", texts.join(", "))))
    }

    /// False alarms at every speed, or at none.
    pub(in super::super) fn has_false_alarms(
        &self,
        from: Experiment,
        id: &str,
        expected: bool,
    ) -> Result<Outcome, Outcome> {
        let rows = self.impacts(from, id)?;
        let as_said = rows.iter().all(|row| (row.false_passed > Some(0)) == expected);
        let texts = by_speed(&rows, |row| percent(share(row.false_passed, row)));
        Ok(holds(as_said, format!("false alarms: {texts}")))
    }

    pub(in super::super) fn short_paths_miss_less(&self) -> Result<Outcome, Outcome> {
        let rows = self.impacts(Experiment::Moving, "discrete")?;
        let missed = |row: &&&StageRow| share(row.missed, row);
        let rises = rows.is_sorted_by(|a, b| missed(&a) <= missed(&b));
        Ok(holds(rises, by_speed(&rows, |row| percent(share(row.missed, row)))))
    }

    /// Fewer static tests miss more, and more of them take longer.
    pub(in super::super) fn sampling_is_coarse_or_slow(&self) -> Result<Outcome, Outcome> {
        let fastest = |id: &str| -> Result<&StageRow, Outcome> {
            let rows = self.impacts(Experiment::Moving, id)?;
            Ok(rows[rows.len() - 1])
        };
        let rows = SAMPLINGS.iter().map(|id| fastest(id)).collect::<Result<Vec<_>, _>>()?;
        let is_so = rows.is_sorted_by(|a, b| a.missed >= b.missed && ns(a) <= ns(b));
        let text = |row: &&StageRow| {
            format!("{} misses {} in {}", row.method, percent(share(row.missed, row)), ns_text(row))
        };
        let texts: Vec<String> = rows.iter().map(text).collect();
        Ok(holds(is_so && rows[0].missed > Some(0), texts.join("; ")))
    }

    pub(in super::super) fn never_misses(&self, id: &str) -> Result<Outcome, Outcome> {
        let rows = self.impacts(Experiment::Moving, id)?;
        let none = rows.iter().all(|row| row.missed == Some(0));
        let texts = by_speed(&rows, |row| percent(share(row.missed, row)));
        Ok(holds(none, format!("missed: {texts}")))
    }

    /// At every speed, compared with the fewest static tests that miss at most as tolerated; with the most where all miss.
    pub(in super::super) fn adaptive_needs_fewer_tests(&self) -> Result<Outcome, Outcome> {
        let adaptive = self.impacts(Experiment::Moving, "bilateral")?;
        let fixed = SAMPLINGS.iter().map(|id| self.impacts(Experiment::Moving, id));
        let fixed = fixed.collect::<Result<Vec<_>, _>>()?;
        let (mut all, mut texts) = (true, Vec::new());
        for (at, own) in adaptive.iter().enumerate() {
            let here = || fixed.iter().filter_map(|rows| rows.get(at));
            let enough = here().find(|row| share(row.missed, row) <= TOLERATED);
            let Some(other) = enough.or_else(|| here().next_back()) else { continue };
            all &= work(own) < work(other);
            let (own_work, other_work) = (significant(work(own)), significant(work(other)));
            let speed = own.speed.unwrap_or(0.0);
            texts.push(format!("{own_work} against {other_work} of {} at {speed}", other.method));
        }
        Ok(holds(all && !texts.is_empty(), format!("tests of a pair: {}", texts.join(", "))))
    }

    /// The tests of a pair grow by less than twice the logarithm of the factor by which the path grows.
    pub(in super::super) fn bisection_is_logarithmic(&self) -> Result<Outcome, Outcome> {
        let rows = self.impacts(Experiment::Moving, "bisection")?;
        let (first, last) = (rows[0], rows[rows.len() - 1]);
        let factor = last.speed.unwrap_or(1.0) / first.speed.unwrap_or(1.0);
        let growth = work(last) - work(first);
        let figure = format!(
            "tests of a pair: {}; log2 of the growth of the path is {:.1}",
            by_speed(&rows, |row| significant(work(row))),
            factor.log2()
        );
        Ok(holds(growth <= 2.0 * factor.log2(), figure))
    }
}

//! The rows of all experiments, and the claims of the sources, each with its section and its rule. Verdicts are computed, never
//! written.

use super::TABLES;
use super::figures::COARSE;
use super::plan::Experiment::{
    Coherence, Moving, Parts, Radii, Resting, Rotating, Vertices, Volumes,
};
use super::plan::{EXPERIMENTS, Experiment, FIGURES, SAMPLINGS, points_of};
use crate::failure::Failure;
use crate::registry;
use crate::study::{Checked, Claim, Outcome, Statement, claim, holds, not_measured};
use measure::numbers::significant;
use measure::{Stage, StageRow, StagesFile, Status, SummaryFile, SummaryRow};
use std::path::Path;

/// A method of an experiment.
type Key<'a> = (Experiment, Stage, &'a str);

/// The rows of all experiments.
#[derive(Debug, Default)]
pub(super) struct ExperimentRows {
    stages: [Vec<StageRow>; EXPERIMENTS.len()],
    areas: Vec<SummaryRow>,
}

impl ExperimentRows {
    /// Reads the folders of the experiments that are there.
    pub(super) fn read(data: &Path) -> Result<Self, Failure> {
        let mut rows = Self::default();
        for (experiment, folder, _) in EXPERIMENTS {
            let folder = data.join(folder);
            if folder.join(StagesFile::NAME).is_file() {
                rows.stages[experiment as usize] = StagesFile::read(&folder)?.rows;
            } else if folder.join(SummaryFile::NAME).is_file() {
                rows.areas = SummaryFile::read(&folder)?.rows;
            }
        }
        Ok(rows)
    }

    /// Planted rows.
    #[cfg(test)]
    pub(super) fn of(experiment: Experiment, stages: Vec<StageRow>) -> Self {
        let mut rows = Self::default();
        rows.stages[experiment as usize] = stages;
        rows
    }

    /// All rows of an experiment; none if it was not measured.
    pub(super) fn all(&self, experiment: Experiment) -> &[StageRow] {
        &self.stages[experiment as usize]
    }

    /// The rows of a method with figures, at least one, in the order of the cases.
    ///
    /// # Errors
    ///
    /// The outcome of a claim about the method where it has no row, or one without figures.
    fn of_method(&self, (experiment, stage, method): Key<'_>) -> Result<Vec<&StageRow>, Outcome> {
        let all = self.all(experiment);
        let is_own = |row: &&StageRow| row.stage == stage && row.method == method;
        let rows: Vec<&StageRow> = all.iter().filter(is_own).collect();
        let is_idle = |row: &&StageRow| row.status == Status::Ok && row.tests == Some(0);
        Err(match rows.iter().find(|row| row.status != Status::Ok) {
            _ if all.is_empty() => {
                let folder = EXPERIMENTS[experiment as usize].1;
                not_measured(format!("the experiment {folder} has no rows"))
            }
            _ if rows.is_empty() => {
                not_measured(format!("`{method}` is missing: this program has no such method"))
            }
            Some(row) if row.status == Status::Error => {
                holds(false, format!("`{method}` is wrong: {}", row.reason_text()))
            }
            Some(row) => not_measured(format!("`{method}`: {}", row.reason_text())),
            None if rows.iter().any(is_idle) => {
                not_measured(format!("`{method}` had no pair to test"))
            }
            None => return Ok(rows),
        })
    }

    /// The one row of a method among those of an input, which begins like this, and of a kind of boxes.
    fn one(&self, of: Key<'_>, input: &str, box_kind: &str) -> Result<&StageRow, Outcome> {
        let rows = self.of_method(of)?;
        let is_own = |row: &&StageRow| row.input.starts_with(input) && row.box_kind == box_kind;
        let missing = || not_measured(format!("`{}` has no row on {input}", of.2));
        rows.into_iter().find(is_own).ok_or_else(missing)
    }

    /// The row of an algorithm in the experiment on areas.
    fn of_areas(&self, algorithm: &str) -> Result<&SummaryRow, Outcome> {
        let missing = || {
            not_measured(format!("`{algorithm}` is missing: this program has no such algorithm"))
        };
        // Rows leave out parameters that have their defaults.
        let resolved = registry::offered().resolve(algorithm).map_err(|_| missing())?;
        let row = self.areas.iter().find(|row| row.algorithm == resolved.id).ok_or_else(missing)?;
        match row.status {
            Status::Ok => Ok(row),
            _ => Err(not_measured(format!("`{algorithm}`: {}", row.reason_text()))),
        }
    }
}

/// A share of wrong answers that a method may have where it is said to work.
const TOLERATED: f64 = 0.01;

type Rule = fn(&ExperimentRows) -> Checked;

/// Checks every claim. Its basis is the source, and the experiment.
pub(super) fn check(rows: &ExperimentRows) -> Vec<Statement> {
    let checked =
        |claim: &Claim<Rule>| claim.statement((claim.rule)(rows).unwrap_or_else(|outcome| outcome));
    CLAIMS.iter().map(checked).collect()
}

/// Texts of items, with commas between them.
fn list<T>(items: impl IntoIterator<Item = T>, text: impl FnMut(T) -> String) -> String {
    items.into_iter().map(text).collect::<Vec<_>>().join(", ")
}

/// A count as a share of the tests.
fn share(count: Option<u64>, row: &StageRow) -> f64 {
    count.unwrap_or(0) as f64 / row.tests.unwrap_or(0).max(1) as f64
}

fn wrong(row: &StageRow) -> u64 {
    row.missed.unwrap_or(0) + row.false_passed.unwrap_or(0)
}

/// Wrong answers as a share of the tests.
fn wrong_share(row: &StageRow) -> f64 {
    share(Some(wrong(row)), row)
}

/// Steps of a test.
fn work(row: &StageRow) -> f64 {
    share(row.work, row)
}

/// A share in per cent.
fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// A count as a share of the tests, in per cent.
fn percent_of(count: Option<u64>, row: &StageRow) -> String {
    percent(share(count, row))
}

/// Nanoseconds of a test.
fn ns(row: &StageRow) -> f64 {
    row.test_ns.unwrap_or(f64::NAN)
}

fn ns_text(row: &StageRow) -> String {
    format!("{} ns", significant(ns(row)))
}

/// Half a length a step: below it the attempts of 001 are said to work.
const HALF: f64 = 0.5;

/// Digits of the time of first contact from which a method counts as exact: `f64` has 16, of which a pair far from its
/// contact loses some.
const EXACT_DIGITS: f64 = 9.0;

type Rows<'a> = Result<Vec<&'a StageRow>, Outcome>;

/// The rows of a time of impact on pairs in motion.
fn moving<'a>(rows: &'a ExperimentRows, method: &str) -> Rows<'a> {
    rows.of_method((Moving, Stage::Impact, method))
}

fn samplings(rows: &ExperimentRows) -> Result<Vec<Vec<&StageRow>>, Outcome> {
    SAMPLINGS.iter().map(|id| moving(rows, id)).collect()
}

fn speed(row: &StageRow) -> f64 {
    row.speed.unwrap_or(0.0)
}

/// A figure of each row, by its speed: `0.0 % at 0.1, 3.0 % at 4`.
fn by_speed(rows: &[&StageRow], figure: impl Fn(&StageRow) -> String) -> String {
    list(rows, |row| format!("{} at {}", figure(row), speed(row)))
}

fn works_below_half_a_length(rows: &ExperimentRows, id: &str) -> Checked {
    let rows = moving(rows, id)?;
    let is_as_said = |row: &&StageRow| (wrong_share(row) <= TOLERATED) == (speed(row) < HALF);
    // At half a length the source states nothing.
    let all = rows.iter().filter(|row| speed(row) != HALF).all(is_as_said);
    let misses = by_speed(&rows, |row| percent_of(row.missed, row));
    let alarms = by_speed(&rows, |row| percent_of(row.false_passed, row));
    Ok(holds(all, format!("missed: {misses}; false alarms: {alarms}")))
}

fn is_exact(rows: &ExperimentRows, id: &str) -> Checked {
    let rows = moving(rows, id)?;
    let wrong: u64 = rows.iter().map(|row| wrong(row)).sum();
    let tests: u64 = rows.iter().filter_map(|row| row.tests).sum();
    let error = rows.iter().filter_map(|row| row.largest_error).fold(0.0, f64::max);
    let digits = -error.max(f64::EPSILON).log10();
    let figure = format!(
        "{wrong} wrong answers in {tests} tests, times right to {digits:.1} digits of the step"
    );
    Ok(holds(wrong == 0 && digits >= EXACT_DIGITS, figure))
}

/// False alarms at every speed, or at none.
fn has_false_alarms(rows: &ExperimentRows, from: Experiment, expected: bool) -> Checked {
    let rows = rows.of_method((from, Stage::Impact, "swept-boxes"))?;
    let as_said = rows.iter().all(|row| (row.false_passed > Some(0)) == expected);
    let texts = by_speed(&rows, |row| percent_of(row.false_passed, row));
    Ok(holds(as_said, format!("false alarms: {texts}")))
}

/// Candidates of sphere boxes contain nearly all pairs whose volumes overlap.
const ALL_CANDIDATES: &str = "sphere";
/// Exact volumes from the loosest to the tightest, as 000 orders them, with the tight boxes behind the sphere.
const BY_TIGHTNESS: [&str; 5] = ["sphere", TIGHT_BOXES, "dop14", "obb", "hull"];
/// Volumes by the time of a test, as 000 orders them; boxes are tested by the broad phase.
const BY_COST: [&str; 4] = ["sphere", "dop14", "obb", "hull"];
const TIGHT_BOXES: &str = "tight boxes";

/// The rows of volumes of compounds, placed or tested.
fn volumes<'a>(rows: &'a ExperimentRows, stage: Stage, ids: &[&str]) -> Rows<'a> {
    let row = |id: &&str| rows.one((Volumes, stage, *id), "", ALL_CANDIDATES);
    ids.iter().map(row).collect()
}

/// Pairs that a volume passes; the candidates of the tight boxes.
fn passed(rows: &ExperimentRows, id: &str) -> Result<u64, Outcome> {
    let row = match id {
        TIGHT_BOXES => rows.one((Volumes, Stage::Boxes, "tight"), "", "tight")?,
        id => rows.one((Volumes, Stage::Volume, id), "", ALL_CANDIDATES)?,
    };
    Ok(row.passed.unwrap_or(0))
}

/// Each method with the time of a test.
fn times(rows: &[&StageRow]) -> String {
    list(rows, |row| format!("{} {}", row.method, ns_text(row)))
}

fn caching_pays(rows: &ExperimentRows, ids: [&str; 2]) -> Checked {
    let row = |id| rows.one((Coherence, Stage::Narrow, id), "", "tight");
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

fn radius<'a>(rows: &'a ExperimentRows, id: &str) -> Result<&'a StageRow, Outcome> {
    rows.one((Radii, Stage::Volume, id), "", "")
}

/// Misses and false positives of a radius, as shares of the pairs.
fn radius_text(row: &StageRow) -> String {
    let [missed, false_passed] = [row.missed, row.false_passed].map(|n| percent_of(n, row));
    format!("{}: missed {missed}, false {false_passed}", row.method)
}

fn moving_sat_of_boxes_is_fast(rows: &ExperimentRows) -> Checked {
    let (own, ends) = (moving(rows, "moving-sat+boxes")?, moving(rows, "discrete")?);
    let is_faster = own.iter().zip(&ends).all(|(own, ends)| ns(own) < ns(ends));
    let [own, ends] = [own, ends].map(|rows| by_speed(&rows, ns_text));
    Ok(holds(is_faster, format!("{own}; the test at both ends of the step {ends}")))
}

fn rotation_can_be_neglected(rows: &ExperimentRows) -> Checked {
    let rows = rows.of_method((Rotating, Stage::Impact, "moving-sat"))?;
    let spin = |row: &StageRow| row.spin.unwrap_or(0.0);
    let texts =
        list(&rows, |row| format!("{} at {} rad a step", percent(wrong_share(row)), spin(row)));
    let slowest = rows.iter().min_by(|a, b| spin(a).total_cmp(&spin(b)));
    let is_right = slowest.is_some_and(|row| wrong_share(row) <= TOLERATED);
    Ok(holds(is_right, format!("wrong answers: {texts}")))
}

fn shorter_paths_miss_less(rows: &ExperimentRows) -> Checked {
    let rows = moving(rows, "discrete")?;
    let rises = rows.is_sorted_by_key(|row| share(row.missed, row));
    Ok(holds(rises, by_speed(&rows, |row| percent_of(row.missed, row))))
}

fn sampling_is_coarse_or_slow(rows: &ExperimentRows) -> Checked {
    // Fewer static tests miss more, and more of them take longer.
    let fastest: Vec<_> = samplings(rows)?.iter().map(|rows| rows[rows.len() - 1]).collect();
    let is_so = fastest.is_sorted_by(|a, b| a.missed >= b.missed && ns(a) <= ns(b));
    let text = |row: &&StageRow| {
        format!("{} misses {} in {}", row.method, percent_of(row.missed, row), ns_text(row))
    };
    let texts: Vec<String> = fastest.iter().map(text).collect();
    Ok(holds(is_so && fastest[0].missed > Some(0), texts.join("; ")))
}

fn enlarged_bodies_miss_nothing(rows: &ExperimentRows) -> Checked {
    let rows = moving(rows, "substeps+enlarged@k=8")?;
    let none = rows.iter().all(|row| row.missed == Some(0));
    let texts = by_speed(&rows, |row| percent_of(row.missed, row));
    Ok(holds(none, format!("missed: {texts}")))
}

fn adaptive_sampling_needs_fewer_tests(rows: &ExperimentRows) -> Checked {
    // At every speed, compared with the fewest static tests that miss at most as tolerated; with the most where all
    // miss.
    let (adaptive, fixed) = (moving(rows, "bilateral")?, samplings(rows)?);
    let (mut all, mut texts) = (true, Vec::new());
    for (at, own) in adaptive.iter().enumerate() {
        let here = || fixed.iter().filter_map(|rows| rows.get(at));
        let enough = here().find(|row| share(row.missed, row) <= TOLERATED);
        let Some(other) = enough.or_else(|| here().next_back()) else { continue };
        all &= work(own) < work(other);
        let [of_own, of_other] = [own, other].map(|row| significant(work(row)));
        texts.push(format!("{of_own} against {of_other} of {} at {}", other.method, speed(own)));
    }
    Ok(holds(all && !texts.is_empty(), format!("tests of a pair: {}", texts.join(", "))))
}

fn bisection_is_logarithmic(rows: &ExperimentRows) -> Checked {
    let rows = moving(rows, "bisection")?;
    let (first, last) = (rows[0], rows[rows.len() - 1]);
    let path = (last.speed.unwrap_or(1.0) / first.speed.unwrap_or(1.0)).log2();
    // The tests of a pair grow by less than twice the logarithm of the factor by which the path grows.
    let is_logarithmic = work(last) - work(first) <= 2.0 * path;
    let texts = by_speed(&rows, |row| significant(work(row)));
    let figure = format!("tests of a pair: {texts}; log2 of the growth of the path is {path:.1}");
    Ok(holds(is_logarithmic, figure))
}

fn climbing_pays(rows: &ExperimentRows) -> Checked {
    let of = |method| rows.of_method((Vertices, Stage::Narrow, method));
    let (climbing, plain) = (of("sat+climbing")?, of("sat")?);
    let ratios: Vec<(u64, f64)> = climbing
        .iter()
        .zip(&plain)
        .filter_map(|(own, other)| Some((points_of(&own.input)?, ns(own) / ns(other))))
        .collect();
    // The first number from which climbing is faster than projecting all vertices.
    let last_slower = ratios.iter().rposition(|(_, ratio)| *ratio >= 1.0);
    let first = ratios.get(last_slower.map_or(0, |at| at + 1)).map(|(points, _)| *points);
    let texts = list(&ratios, |(points, ratio)| format!("{} at {points}", significant(*ratio)));
    let holds_here = first.is_some_and(|points| (32..=64).contains(&points));
    Ok(holds(holds_here, format!("time over that of projecting all: {texts}")))
}

fn tightness_grows(rows: &ExperimentRows) -> Checked {
    let of = |id: &&'static str| Ok((*id, passed(rows, id)?));
    let all = BY_TIGHTNESS.iter().map(of).collect::<Result<Vec<_>, Outcome>>()?;
    let texts = list(&all, |(id, n)| format!("{id} {n}"));
    let is_ordered = all.is_sorted_by(|a, b| a.1 >= b.1);
    Ok(holds(is_ordered, format!("pairs that pass: {texts}")))
}

fn tests_take_longer(rows: &ExperimentRows) -> Checked {
    let rows = volumes(rows, Stage::Volume, &BY_COST)?;
    let is_ordered = rows.is_sorted_by(|a, b| ns(a) <= ns(b));
    Ok(holds(is_ordered, format!("a test: {}", times(&rows))))
}

fn dops_are_expensive(rows: &ExperimentRows) -> Checked {
    let dops = volumes(rows, Stage::Place, &["dop14", "dop18", "dop26"])?;
    let others = volumes(rows, Stage::Place, &["obb", "sphere"])?;
    let rises = dops.is_sorted_by(|a, b| ns(a) <= ns(b));
    let is_slower = dops.iter().all(|dop| others.iter().all(|other| ns(dop) > ns(other)));
    let texts = times(&[dops, others].concat());
    Ok(holds(rises && is_slower, format!("placing a body's volume: {texts}")))
}

fn tight_volumes_take_longer(rows: &ExperimentRows) -> Checked {
    let [tested, placed] =
        [Stage::Volume, Stage::Place].map(|stage| volumes(rows, stage, &BY_COST));
    let mut figures = Vec::new();
    for (tested, placed) in tested?.into_iter().zip(placed?) {
        figures.push((&tested.method, passed(rows, &tested.method)?, ns(tested) + ns(placed)));
    }
    figures.sort_by_key(|(_, passed, _)| std::cmp::Reverse(*passed));
    let texts = list(&figures, |(id, passed, ns)| {
        format!("{id} passes {passed} in {} ns", significant(*ns))
    });
    Ok(holds(figures.is_sorted_by(|a, b| a.2 <= b.2), texts))
}

fn more_parts_have_fewer_false_contacts(rows: &ExperimentRows) -> Checked {
    let row = |id| rows.one((Parts, Stage::Volume, id), FIGURES[2], "");
    let [one, two] = [row(COARSE[0])?, row(COARSE[1])?];
    let text = |row: &StageRow| {
        let [invented, missed] = [row.false_passed, row.missed].map(|n| percent_of(n, row));
        format!("invents contacts in {invented} and misses {missed}")
    };
    let figure =
        format!("of the tests of four parts, one part {}, two parts {}", text(one), text(two));
    Ok(holds(wrong_share(one) > wrong_share(two) && two.false_passed > Some(0), figure))
}

fn more_parts_take_longer(rows: &ExperimentRows) -> Checked {
    let row = |figure| rows.one((Parts, Stage::Narrow, "gjk"), figure, "");
    let rows = FIGURES.into_iter().map(row).collect::<Result<Vec<_>, _>>()?;
    let texts = list(&rows, |row| ns_text(row));
    let rises = rows.is_sorted_by(|a, b| ns(a) < ns(b));
    Ok(holds(rises, format!("gjk on one, two and four parts: {texts}")))
}

fn inscribed_radius_is_late(rows: &ExperimentRows) -> Checked {
    let row = radius(rows, "sphere-inside")?;
    Ok(holds(row.missed > Some(0), radius_text(row)))
}

fn circumscribed_radius_is_early(rows: &ExperimentRows) -> Checked {
    let row = radius(rows, "sphere")?;
    let is_early = row.false_passed > Some(0) && row.missed == Some(0);
    Ok(holds(is_early, radius_text(row)))
}

fn mean_radius_is_a_compromise(rows: &ExperimentRows) -> Checked {
    let [inside, mean, sphere] =
        [radius(rows, "sphere-inside")?, radius(rows, "sphere-between")?, radius(rows, "sphere")?];
    let is_between = mean.missed < inside.missed && mean.false_passed < sphere.false_passed;
    let texts = [inside, mean, sphere].map(radius_text);
    Ok(holds(is_between, texts.join("; ")))
}

fn areas_need_fewer_tests(rows: &ExperimentRows) -> Checked {
    let [table, areas] = [rows.of_areas(TABLES[0])?, rows.of_areas(TABLES[1])?];
    let tests = |row: &SummaryRow| row.tests.unwrap_or(f64::NAN);
    let [of_table, of_areas] = [table, areas].map(|row| significant(tests(row)));
    let figure = format!("tests of a frame: {of_areas} against {of_table}");
    Ok(holds(tests(areas) < tests(table), figure))
}

const CLAIMS: &[Claim<Rule>] = &[
    claim("A test at the end with halving works only below half a length a step")
        .by("001, first attempt; moving", |rows| works_below_half_a_length(rows, "halving")),
    claim("Boxes around whole displacements work only below half a length a step")
        .by("001, second attempt; moving", |rows| works_below_half_a_length(rows, "swept-boxes")),
    claim("Moving SAT finds the first contact exactly")
        .by("001; 000 §3.1; moving", |rows| is_exact(rows, "moving-sat")),
    claim("Moving SAT of two boxes, with their 15 axes, finds the first contact exactly")
        .by("001; moving", |rows| is_exact(rows, "moving-sat+boxes")),
    claim("Moving SAT of two boxes is fast: faster than a test at both ends of the step")
        .by("001; moving", moving_sat_of_boxes_is_fast),
    claim("Where bodies move a length a step, rotation can be neglected")
        .by("001; rotating", rotation_can_be_neglected),
    claim("A discrete test misses less if the path of a step is shorter")
        .by("000 §4.1; moving", shorter_paths_miss_less),
    claim("Swept volumes raise false alarms between moving bodies")
        .by("000 §4.2, figure 4.3; moving", |rows| has_false_alarms(rows, Moving, true)),
    claim("Swept volumes raise none against bodies at rest")
        .by("000 §4.2, figure 4.2; resting", |rows| has_false_alarms(rows, Resting, false)),
    claim("Coarse sampling misses contacts, dense sampling takes too long")
        .by("000 §4.2; moving", sampling_is_coarse_or_slow),
    claim("Enlarged bodies cover the whole path: sampling with them misses nothing")
        .by("000 §4.2; moving", enlarged_bodies_miss_nothing),
    claim("Adaptive sampling needs fewer tests than a fixed number")
        .by("000 §4.2; moving", adaptive_sampling_needs_fewer_tests),
    claim("Bisection is O(log n), n being the path in tolerances")
        .by("000 §4.2, alg. 4.1; moving", bisection_is_logarithmic),
    claim("A search for extreme vertices in O(log n) pays from 32 to 64 vertices on")
        .by("000 §2.2; vertices", climbing_pays),
    claim("Testing the last step's separating axis first speeds up SAT")
        .by("000 §2.2; coherence", |rows| caching_pays(rows, ["sat", "sat+cached"])),
    claim("Starting from the last direction speeds up GJK")
        .by("002 §6.3; coherence", |rows| caching_pays(rows, ["gjk", "gjk+cached"])),
    claim("Tightness grows from sphere over AABB, k-DOP and OBB to hull")
        .by("000 §5.2.4; volumes", tightness_grows),
    claim("The time of a test grows from sphere over k-DOP and OBB to hull")
        .by("000 §5.2.4; volumes", tests_take_longer),
    claim("k-DOPs are expensive to build, the more so the greater k is")
        .by("000 §5.2.4; volumes", dops_are_expensive),
    claim("A volume is a compromise: the tighter it is, the longer it takes")
        .by("002 §6.2; volumes", tight_volumes_take_longer),
    claim("A figure of more parts has fewer false contacts")
        .by("000 §6.4; parts", more_parts_have_fewer_false_contacts),
    claim("A figure of more parts takes longer to test")
        .by("000 §4.3, §6.4; parts", more_parts_take_longer),
    claim("With the inscribed radius contacts of corners are found late")
        .by("004, figure 2; radii", inscribed_radius_is_late),
    claim("With the circumscribed radius contacts are found before bodies touch")
        .by("004; radii", circumscribed_radius_is_early),
    claim("The mean of both radii is a compromise").by("004; radii", mean_radius_is_a_compromise),
    claim("Two areas need fewer tests than one table of all obstacles")
        .by("004; areas", areas_need_fewer_tests),
];

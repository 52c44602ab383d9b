//! Claims on bounding volumes and narrow phases.

use super::{Rule, list, ns, ns_text, percent_of, work, wrong_share};
use crate::commands::experiments::TABLES;
use crate::commands::experiments::figures::COARSE;
use crate::commands::experiments::plan::{Experiment, FIGURES, points_of};
use crate::commands::experiments::rows::ExperimentRows;
use crate::study::{Checked, Claim, Outcome, claim, holds};
use measure::numbers::significant;
use measure::{Stage, StageRow, SummaryRow};

/// Candidates of sphere boxes contain nearly all pairs whose volumes overlap.
const ALL_CANDIDATES: &str = "sphere";
/// Exact volumes from the loosest to the tightest, as 000 orders them, with the tight boxes behind the sphere.
const BY_TIGHTNESS: [&str; 5] = ["sphere", TIGHT_BOXES, "dop14", "obb", "hull"];
/// Volumes by the time of a test, as 000 orders them; boxes are tested by the broad phase.
const BY_COST: [&str; 4] = ["sphere", "dop14", "obb", "hull"];
const TIGHT_BOXES: &str = "tight boxes";

/// The rows of volumes of compounds, placed or tested.
fn volumes<'a>(
    rows: &'a ExperimentRows,
    stage: Stage,
    ids: &[&str],
) -> Result<Vec<&'a StageRow>, Outcome> {
    let row = |id: &&str| rows.one(Experiment::Volumes, (stage, *id), "", ALL_CANDIDATES);
    ids.iter().map(row).collect()
}

/// Pairs that a volume passes; the candidates of the tight boxes.
fn passed(rows: &ExperimentRows, id: &str) -> Result<u64, Outcome> {
    let row = match id {
        TIGHT_BOXES => rows.one(Experiment::Volumes, (Stage::Boxes, "tight"), "", "tight")?,
        id => rows.one(Experiment::Volumes, (Stage::Volume, id), "", ALL_CANDIDATES)?,
    };
    Ok(row.passed.unwrap_or(0))
}

/// Each method with the time of a test.
fn times(rows: &[&StageRow]) -> String {
    list(rows, |row| format!("{} {}", row.method, ns_text(row)))
}

fn caching_pays(rows: &ExperimentRows, ids: [&str; 2]) -> Checked {
    let row = |id| rows.one(Experiment::Coherence, (Stage::Narrow, id), "", "tight");
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
    rows.one(Experiment::Radii, (Stage::Volume, id), "", "")
}

/// Misses and false positives of a radius, as shares of the pairs.
fn radius_text(row: &StageRow) -> String {
    let [missed, false_passed] = [row.missed, row.false_passed].map(|n| percent_of(n, row));
    format!("{}: missed {missed}, false {false_passed}", row.method)
}

pub(super) const CLAIMS: &[Claim<Rule>] = &[
    claim("A search for extreme vertices in O(log n) pays from 32 to 64 vertices on").by(
        "000 §2.2; vertices",
        |rows| {
            let of = |method| rows.of_method(Experiment::Vertices, Stage::Narrow, method);
            let (climbing, plain) = (of("sat+climbing")?, of("sat")?);
            let ratios: Vec<(u64, f64)> = climbing
                .iter()
                .zip(&plain)
                .filter_map(|(own, other)| Some((points_of(&own.input)?, ns(own) / ns(other))))
                .collect();
            // The first number from which climbing is faster than projecting all vertices.
            let last_slower = ratios.iter().rposition(|(_, ratio)| *ratio >= 1.0);
            let first = ratios.get(last_slower.map_or(0, |at| at + 1)).map(|(points, _)| *points);
            let texts =
                list(&ratios, |(points, ratio)| format!("{} at {points}", significant(*ratio)));
            let holds_here = first.is_some_and(|points| (32..=64).contains(&points));
            Ok(holds(holds_here, format!("time over that of projecting all: {texts}")))
        },
    ),
    claim("Testing the last step's separating axis first speeds up SAT")
        .by("000 §2.2; coherence", |rows| caching_pays(rows, ["sat", "sat+cached"])),
    claim("Starting from the last direction speeds up GJK")
        .by("002 §6.3; coherence", |rows| caching_pays(rows, ["gjk", "gjk+cached"])),
    claim("Tightness grows from sphere over AABB, k-DOP and OBB to hull").by(
        "000 §5.2.4; volumes",
        |rows| {
            let of = |id: &&'static str| Ok((*id, passed(rows, id)?));
            let all = BY_TIGHTNESS.iter().map(of).collect::<Result<Vec<_>, Outcome>>()?;
            let texts = list(&all, |(id, n)| format!("{id} {n}"));
            let is_ordered = all.is_sorted_by(|a, b| a.1 >= b.1);
            Ok(holds(is_ordered, format!("pairs that pass: {texts}")))
        },
    ),
    claim("The time of a test grows from sphere over k-DOP and OBB to hull").by(
        "000 §5.2.4; volumes",
        |rows| {
            let rows = volumes(rows, Stage::Volume, &BY_COST)?;
            let is_ordered = rows.is_sorted_by(|a, b| ns(a) <= ns(b));
            Ok(holds(is_ordered, format!("a test: {}", times(&rows))))
        },
    ),
    claim("k-DOPs are expensive to build, the more so the greater k is").by(
        "000 §5.2.4; volumes",
        |rows| {
            let dops = volumes(rows, Stage::Place, &["dop14", "dop18", "dop26"])?;
            let others = volumes(rows, Stage::Place, &["obb", "sphere"])?;
            let rises = dops.is_sorted_by(|a, b| ns(a) <= ns(b));
            let is_slower = dops.iter().all(|dop| others.iter().all(|other| ns(dop) > ns(other)));
            let texts = times(&[dops, others].concat());
            Ok(holds(rises && is_slower, format!("placing a body's volume: {texts}")))
        },
    ),
    claim("A volume is a compromise: the tighter it is, the longer it takes").by(
        "002 §6.2; volumes",
        |rows| {
            let [tested, placed] =
                [Stage::Volume, Stage::Place].map(|stage| volumes(rows, stage, &BY_COST));
            let mut figures = Vec::new();
            for (tested, placed) in tested?.into_iter().zip(placed?) {
                figures.push((
                    &tested.method,
                    passed(rows, &tested.method)?,
                    ns(tested) + ns(placed),
                ));
            }
            figures.sort_by_key(|(_, passed, _)| std::cmp::Reverse(*passed));
            let texts = list(&figures, |(id, passed, ns)| {
                format!("{id} passes {passed} in {} ns", significant(*ns))
            });
            Ok(holds(figures.is_sorted_by(|a, b| a.2 <= b.2), texts))
        },
    ),
    claim("A figure of more parts has fewer false contacts").by("000 §6.4; parts", |rows| {
        let row = |id| rows.one(Experiment::Parts, (Stage::Volume, id), FIGURES[2], "");
        let [one, two] = [row(COARSE[0])?, row(COARSE[1])?];
        let text = |row: &StageRow| {
            let [invented, missed] = [row.false_passed, row.missed].map(|n| percent_of(n, row));
            format!("invents contacts in {invented} and misses {missed}")
        };
        let figure =
            format!("of the tests of four parts, one part {}, two parts {}", text(one), text(two));
        Ok(holds(wrong_share(one) > wrong_share(two) && two.false_passed > Some(0), figure))
    }),
    claim("A figure of more parts takes longer to test").by("000 §4.3, §6.4; parts", |rows| {
        let row = |figure| rows.one(Experiment::Parts, (Stage::Narrow, "gjk"), figure, "");
        let rows = FIGURES.into_iter().map(row).collect::<Result<Vec<_>, _>>()?;
        let texts = list(&rows, |row| ns_text(row));
        let rises = rows.is_sorted_by(|a, b| ns(a) < ns(b));
        Ok(holds(rises, format!("gjk on one, two and four parts: {texts}")))
    }),
    claim("With the inscribed radius contacts of corners are found late").by(
        "004, figure 2; radii",
        |rows| {
            let row = radius(rows, "sphere-inside")?;
            Ok(holds(row.missed > Some(0), radius_text(row)))
        },
    ),
    claim("With the circumscribed radius contacts are found before bodies touch").by(
        "004; radii",
        |rows| {
            let row = radius(rows, "sphere")?;
            let is_early = row.false_passed > Some(0) && row.missed == Some(0);
            Ok(holds(is_early, radius_text(row)))
        },
    ),
    claim("The mean of both radii is a compromise").by("004; radii", |rows| {
        let [inside, mean, sphere] = [
            radius(rows, "sphere-inside")?,
            radius(rows, "sphere-between")?,
            radius(rows, "sphere")?,
        ];
        let is_between = mean.missed < inside.missed && mean.false_passed < sphere.false_passed;
        let texts = [inside, mean, sphere].map(radius_text);
        Ok(holds(is_between, texts.join("; ")))
    }),
    claim("Two areas need fewer tests than one table of all obstacles").by("004; areas", |rows| {
        let [table, areas] = [rows.of_areas(TABLES[0])?, rows.of_areas(TABLES[1])?];
        let tests = |row: &SummaryRow| row.tests.unwrap_or(f64::NAN);
        let [of_table, of_areas] = [table, areas].map(|row| significant(tests(row)));
        let figure = format!("tests of a frame: {of_areas} against {of_table}");
        Ok(holds(tests(areas) < tests(table), figure))
    }),
];

//! The rows of `stages.csv`.

use super::figures::Labels;
use super::outcome::Status;
use super::text::seed_form;
use crate::process::Exit;
use serde::{Deserialize, Serialize};
use std::fmt;

/// A stage between the motion of bodies and the response.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize,
)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// The boxes of all bodies are computed.
    #[default]
    Boxes,
    /// The volumes of all bodies are placed.
    Place,
    /// The volumes of candidates are tested.
    Volume,
    /// Candidates are tested exactly.
    Narrow,
    /// Contact sets of touching pairs are found.
    Contact,
    /// First contacts of candidates within a step are found.
    Impact,
}

impl Stage {
    /// All stages, in their order.
    pub const ALL: [Self; 6] =
        [Self::Boxes, Self::Place, Self::Volume, Self::Narrow, Self::Contact, Self::Impact];
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.serialize(f)
    }
}

/// A row of `stages.csv`: one method of one stage on one case, over the measured frames of all repetitions.
///
/// Counts and `ns` are sums. A row that was skipped or is an error has no figures. Figures that do not apply to a
/// stage are `None`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct StageRow {
    /// The run that the row belongs to.
    pub run_id: String,
    /// The input as the user named it, or the shapes of random pairs and how they are placed.
    pub input: String,
    /// Number of bodies; of random pairs, their number.
    pub n: u64,
    /// The seed of what moves.
    #[serde(with = "seed_form")]
    pub seed: Option<u64>,
    /// Id of the algorithm that found the candidates; empty for random pairs.
    pub algorithm: String,
    /// Threads that the stage could use.
    pub threads: u32,
    /// The stage.
    pub stage: Stage,
    /// Id of the box kind, volume, narrow phase or time of impact, or `relative-sweep`. Contacts of touching pairs have
    /// `clip`, those of first contacts `exact` or `approximate`.
    pub method: String,
    /// Id of the kind of boxes whose overlaps are the candidates; empty for random pairs.
    pub box_kind: String,
    /// Bodies, candidates, or touching pairs that the stage had to work on.
    pub tests: Option<u64>,
    /// Of `boxes`: candidates. Else those that passed, or were called touching; of `impact` within the step.
    pub passed: Option<u64>,
    /// Of these, pairs that do not touch: false positives, false alarms.
    pub false_passed: Option<u64>,
    /// Touching pairs that an inexact volume rejected, first contacts that an inexact method did not find.
    pub missed: Option<u64>,
    /// Pairs in the band, where either answer is right: touching or grazing ones.
    pub band: Option<u64>,
    /// Steps of a narrow phase or a time of impact, points of contact sets.
    pub work: Option<u64>,
    /// Pairs that the method gave up.
    pub failures: Option<u64>,
    /// Nanoseconds of all tests.
    pub ns: Option<u64>,
    /// Measured frames per repetition.
    pub frames: u32,
    /// Repetitions.
    pub repeats: u32,
    /// Median over frames of nanoseconds per test.
    pub test_ns: Option<f64>,
    /// Lower end of its bootstrap 95 % interval.
    pub ci_low_test_ns: Option<f64>,
    /// Upper end of that interval.
    pub ci_high_test_ns: Option<f64>,
    /// What became of the method.
    pub status: Status,
    /// Why, unless `status` is ok.
    pub reason: Option<String>,
    /// Which moving objects collide continuously: `bullets`, `all`, or empty for none and for random pairs.
    pub continuous: String,
    /// Random pairs in motion: how far each body moves in a step, in lengths of the pair.
    pub speed: Option<f64>,
    /// How far each body turns in a step, in rad.
    pub spin: Option<f64>,
    /// Mean difference of the times of first contact from the right ones, in steps; of `approximate` the mean distance of
    /// the regions' middles from those of the exact contact points, in sizes of the pair.
    pub mean_error: Option<f64>,
    /// The largest difference or distance.
    pub largest_error: Option<f64>,
}

impl StageRow {
    /// Pairs that touch by the reference, as far as the row knows; those in the band may be among them.
    pub fn right_contacts(&self) -> Option<u64> {
        let others = self.missed.unwrap_or(0);
        Some((self.passed? + others).saturating_sub(self.false_passed.unwrap_or(0)))
    }

    /// What a stage passed, as a share of its tests.
    pub fn passed_share(&self) -> Option<f64> {
        share(self.passed?, self.tests?)
    }

    /// What passed without touching, as a share of what passed.
    pub fn false_share(&self) -> Option<f64> {
        share(self.false_passed?, self.passed?)
    }

    /// How a program ends because of this row.
    pub fn exit(&self) -> Exit {
        self.status.exit(self.reason.as_deref())
    }

    /// The labels of the case that the row belongs to.
    pub fn labels(&self) -> Labels {
        let Self { run_id, input, n, seed, algorithm, threads, .. } = self.clone();
        Labels { run_id, input, n, seed, algorithm, threads }
    }

    /// The row in a few words.
    pub fn name(&self) -> String {
        format!("{} {} on {}", self.stage, self.method, self.group())
    }

    /// What the rows of a table have in common: input, number, seed, threads, kind of boxes.
    pub fn group(&self) -> String {
        let Self { input, n, threads, box_kind, .. } = self;
        let seed = self.seed.map(|seed| format!(", seed {seed}")).unwrap_or_default();
        let s = if *threads == 1 { "" } else { "s" };
        let boxes = match box_kind.as_str() {
            "" => String::new(),
            kind => format!(", {kind} boxes"),
        };
        format!("{input}: n = {n}{seed}, {threads} thread{s}{boxes}")
    }

    /// Whether both stand in one table.
    pub fn is_of_group(&self, other: &Self) -> bool {
        self.labels() == other.labels() && self.box_kind == other.box_kind
    }

    /// Why there are no figures; empty if there are.
    pub fn reason_text(&self) -> String {
        self.reason.clone().unwrap_or_default()
    }
}

fn share(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

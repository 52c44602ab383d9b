//! The parts of the measurement, each with rows of its own, and how much is measured in each.

use super::changes;
use super::inputs::{self, Input, Inputs, What};
use super::piles::Piles;
use crate::cli::SpeedOptions;
use crate::failure::Failure;
use crate::study::{AUTO, CHAMPIONS, FULL_SEARCH};
use broadphase::benchmark::{SimdLimit, limit_simd, simd_name};
use broadphase::registry::{ALGORITHMS, Algorithm};
use measure::Case;
use serde::{Deserialize, Serialize};
use sim::GeneratedKind;
use std::time::Duration;

/// The baseline of the first frames.
pub(super) const PLAIN: &str = "box-pruning";
/// The algorithms that search every frame completely.
pub(super) const SEARCHES: [&str; 2] = [PLAIN, FULL_SEARCH];

/// A part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Part {
    /// A few objects: all of our registry and the peers.
    Small,
    /// All other inputs: our champions and the peers.
    Inputs,
    /// The first frame of a fresh structure.
    Fresh,
    /// The frames in which the motion changes.
    Changes,
    /// Two threads against one.
    Threads,
    /// Instruction sets against each other.
    Simd,
}

impl Part {
    pub(super) const ALL: [Self; 6] =
        [Self::Small, Self::Inputs, Self::Fresh, Self::Changes, Self::Threads, Self::Simd];

    /// The folder of its rows.
    pub(super) fn folder(self) -> &'static str {
        match self {
            Part::Small => "small",
            Part::Inputs => "inputs",
            Part::Fresh => "fresh",
            Part::Changes => "changes",
            Part::Threads => "threads",
            Part::Simd => "simd",
        }
    }

    /// Its name in messages.
    pub(super) fn title(self) -> &'static str {
        match self {
            Part::Small => "few objects",
            Part::Inputs => "every input, with the peers",
            Part::Fresh => "first frames",
            Part::Changes => "changes of motion",
            Part::Threads => "two threads",
            Part::Simd => "instruction sets",
        }
    }

    /// Whether our algorithms are compared with peers.
    pub(super) fn has_peers(self) -> bool {
        matches!(self, Part::Small | Part::Inputs)
    }
}

/// A part, ready to be measured.
pub(super) struct PartPlan {
    pub(super) part: Part,
    pub(super) cases: Vec<Case>,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) threads: Vec<u32>,
    pub(super) repeats: u32,
    pub(super) budget: Duration,
}

/// How much is measured.
pub(super) struct Effort {
    pub(super) inputs: &'static Inputs,
    quick: bool,
    frames: Option<u32>,
    repeats: Option<u32>,
}

impl Effort {
    pub(super) fn new(options: &SpeedOptions) -> Self {
        Self {
            inputs: if options.quick { &inputs::QUICK } else { &inputs::FULL },
            quick: options.quick,
            frames: options.frames,
            repeats: options.repeat,
        }
    }

    fn inputs(&self, part: Part) -> &'static [Input] {
        match part {
            Part::Small => self.inputs.small,
            Part::Inputs => self.inputs.every,
            Part::Fresh => self.inputs.fresh,
            Part::Changes => self.inputs.changes,
            Part::Threads => self.inputs.threads,
            Part::Simd => self.inputs.simd,
        }
    }

    /// Rounds. Six are the fewest with an interval of 95 %; a first frame is short.
    fn repeats(&self, part: Part) -> u32 {
        self.repeats.unwrap_or(match (part, self.quick) {
            (Part::Fresh, _) => 20,
            (_, true) => 3,
            (Part::Small | Part::Changes, false) => 10,
            (_, false) => 6,
        })
    }

    /// Time that a cell may take. A peer that takes longer is skipped, with the reason in its row.
    fn budget(&self) -> Duration {
        Duration::from_secs(if self.quick { 10 } else { 100 })
    }

    /// Frames of warm-up, and frames that count. `auto` takes about thirty frames to learn whether a neighbour
    /// list pays; those are not of the steady state.
    fn frames(&self, part: Part, input: &Input) -> (u32, u32) {
        if part == Part::Fresh {
            return (0, 1);
        }
        // The motion changes in fixed frames.
        if part == Part::Changes {
            return (changes::WARMUP, 3 * changes::STRETCH - changes::WARMUP);
        }
        let (warmup, frames) = match (input.what, input.objects) {
            (_, ..=200) if self.quick => (50, 100),
            _ if self.quick => (30, 15),
            (What::Pile(_), _) => (40, 100),
            (_, ..=200) => (50, 500),
            (_, ..=1_000) => (40, 200),
            (_, ..=5_000) => (40, 100),
            (_, ..=20_000) => (40, 60),
            (_, ..=100_000) => (30, 30),
            // Few enough for the faster peers to end within their budget.
            _ => (4, 8),
        };
        (warmup, self.frames.unwrap_or(frames))
    }

    /// Refuses a word of `only` that names no input.
    pub(super) fn check(&self, only: &[String]) -> Result<(), Failure> {
        let every = || Part::ALL.into_iter().flat_map(|part| self.inputs(part));
        let is_unknown = |word: &&String| !every().any(|input| input.is_called(word));
        let Some(word) = only.iter().find(is_unknown) else { return Ok(()) };
        let kind = |input: &Input| input.name().split(' ').next().unwrap_or_default().to_owned();
        let mut names: Vec<String> = every().map(kind).collect();
        names.sort_unstable();
        names.dedup();
        Err(Failure::Usage(format!(
            "no input is called `{word}`: name one of {}, or one with its number of objects, as \
             gas:20000",
            names.join(", ")
        )))
    }

    /// The parts with an input that a word of `only` names; without words, all parts. Missing traces are
    /// recorded.
    pub(super) fn plans(
        &self,
        only: &[String],
        peers: &[Algorithm],
        piles: &Piles<'_>,
    ) -> Result<Vec<PartPlan>, Failure> {
        let is_wanted =
            |input: &&Input| only.is_empty() || only.iter().any(|word| input.is_called(word));
        let mut plans = Vec::new();
        for part in Part::ALL {
            let inputs = self.inputs(part).iter().filter(is_wanted);
            let cases = inputs.map(|input| self.case(part, input, piles));
            let cases = cases.collect::<Result<Vec<Case>, Failure>>()?;
            if !cases.is_empty() {
                plans.push(PartPlan {
                    part,
                    cases,
                    algorithms: algorithms(part, peers),
                    threads: if part == Part::Threads { vec![1, 2] } else { vec![1] },
                    repeats: self.repeats(part),
                    budget: self.budget(),
                });
            }
        }
        Ok(plans)
    }

    fn case(&self, part: Part, input: &Input, piles: &Piles<'_>) -> Result<Case, Failure> {
        let (warmup, frames) = self.frames(part, input);
        match input.what {
            What::Boxes(kind, moving) => {
                let spec = inputs::spec(kind, moving, input.objects);
                Ok(Case::of_generated(spec, warmup, frames))
            }
            What::Pile(pile) => piles.case(pile, input.objects, warmup, frames),
            What::Changing => {
                let gas = inputs::spec(GeneratedKind::Gas, None, input.objects);
                changes::case(&piles.folder, &gas, warmup, frames)
            }
        }
    }
}

/// The algorithms of a part.
fn algorithms(part: Part, peers: &[Algorithm]) -> Vec<Algorithm> {
    let ours = |ids: &[&str]| -> Vec<Algorithm> {
        ids.iter().filter_map(|id| broadphase::registry::find(id)).copied().collect()
    };
    match part {
        Part::Small => {
            let families = ALGORITHMS.iter().filter(|row| row.variant.is_none());
            families.chain(peers).copied().collect()
        }
        Part::Inputs => ours(&CHAMPIONS).into_iter().chain(peers.iter().copied()).collect(),
        Part::Fresh => ours(&[PLAIN, FULL_SEARCH, AUTO]),
        Part::Changes | Part::Threads => ours(&CHAMPIONS),
        Part::Simd => limited(),
    }
}

/// The vectorised searches under each limit, by the ids of their entries.
const LIMITED: [(&str, &str, SimdLimit); 8] = [
    ("box-pruning, best", PLAIN, SimdLimit::None),
    ("box-pruning, AVX2", PLAIN, SimdLimit::Avx2),
    ("box-pruning, SSE4.2", PLAIN, SimdLimit::Sse4_2),
    ("box-pruning, scalar", PLAIN, SimdLimit::Scalar),
    ("sweep-grid, best", "sweep-grid", SimdLimit::None),
    ("sweep-grid, AVX2", "sweep-grid", SimdLimit::Avx2),
    ("sweep-grid, SSE4.2", "sweep-grid", SimdLimit::Sse4_2),
    ("sweep-grid, scalar", "sweep-grid", SimdLimit::Scalar),
];

/// Entries of [`LIMITED`], without limits that have no effect on this processor.
fn limited() -> Vec<Algorithm> {
    let mut effective: Vec<(&str, SimdLimit)> = Vec::new();
    for limit in SimdLimit::ALL {
        limit_simd(limit);
        if effective.iter().all(|(name, _)| *name != simd_name()) {
            effective.push((simd_name(), limit));
        }
    }
    limit_simd(SimdLimit::None);
    let is_effective = |limit: SimdLimit| effective.iter().any(|(_, other)| *other == limit);
    let entry = |(id, algorithm, limit): (&'static str, &str, SimdLimit)| {
        let entry = broadphase::registry::find(algorithm)?;
        is_effective(limit).then_some(entry.id(id))
    };
    LIMITED.into_iter().filter_map(entry).collect()
}

/// Sets the limit of the entry with this id; entries of other parts have none. The limit is global to the
/// process, so it is set before each repetition.
pub(super) fn limit_for(id: &str) {
    let limit = LIMITED.iter().find(|(row, ..)| *row == id).map(|(.., limit)| *limit);
    limit_simd(limit.unwrap_or_default());
}

/// The algorithm of an entry of [`Part::Simd`], whose id is `ALGORITHM, INSTRUCTION SET`.
pub(super) fn algorithm_of(id: &str) -> &str {
    id.split_once(", ").map_or(id, |(algorithm, _)| algorithm)
}

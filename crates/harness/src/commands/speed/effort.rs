//! How much is measured in each part.

use super::changes;
use super::inputs::{self, Input, Inputs, What};
use super::parts::SpeedPart;
use super::piles::Piles;
use crate::cli::SpeedOptions;
use crate::commands::traces::NamedTrace;
use crate::failure::Failure;
use crate::registry;
use crate::study::CHAMPIONS;
use broadphase::registry::{ALGORITHMS, Algorithm};
use measure::{Case, Program};
use sim::GeneratedKind;
use std::time::Duration;

/// A part, ready to be measured.
pub(super) struct PartPlan {
    pub(super) part: SpeedPart,
    pub(super) cases: Vec<Case>,
    pub(super) algorithms: Vec<Algorithm>,
    pub(super) programs: Vec<Program>,
    pub(super) threads: Vec<u32>,
    pub(super) repeats: u32,
    pub(super) budget: Duration,
}

/// How much is measured.
pub(super) struct SpeedEffort {
    pub(super) inputs: &'static Inputs,
    traces: Vec<NamedTrace>,
    /// Words that choose among the inputs and traces; empty: all.
    only: Vec<String>,
    parts: Vec<SpeedPart>,
    quick: bool,
    frames: Option<u32>,
    repeats: Option<u32>,
    /// The numbers of threads of that part: two, and all of the machine.
    pub(super) threads: Vec<u32>,
    /// Time that a cell may take. A peer or program that takes longer is skipped, with the reason in its row.
    pub(super) budget: Duration,
}

impl SpeedEffort {
    /// Opens the traces of the command line, but no program.
    pub(super) fn new(options: &SpeedOptions) -> Result<Self, Failure> {
        let has_programs = !options.programs.is_empty();
        let wanted = |part: &SpeedPart| match (&options.parts[..], part) {
            ([], SpeedPart::Programs) => has_programs,
            ([], _) => true,
            (named, part) => named.contains(part),
        };
        let parts: Vec<SpeedPart> = SpeedPart::ALL.into_iter().filter(wanted).collect();
        if has_programs != parts.contains(&SpeedPart::Programs) {
            let reason = match has_programs {
                true => "--program has no effect without the part `programs`",
                false => "the part `programs` compares with programs: name them by --program PATH",
            };
            return Err(Failure::Usage(reason.to_owned()));
        }
        let traces = options.traces.iter().map(|path| NamedTrace::open(path));
        Ok(Self {
            inputs: if options.quick { &inputs::QUICK } else { &inputs::FULL },
            traces: traces.collect::<Result<_, Failure>>()?,
            only: options.only.clone(),
            parts,
            quick: options.quick,
            frames: options.frames,
            repeats: options.repeat,
            threads: match std::thread::available_parallelism() {
                Ok(all) if all.get() > 2 => vec![1, 2, all.get() as u32],
                _ => vec![1, 2],
            },
            budget: Duration::from_secs(if options.quick { 10 } else { 100 }),
        })
    }

    /// Whether peers are measured.
    pub(super) fn has_peers(&self) -> bool {
        self.parts.iter().any(|part| part.has_peers() || *part == SpeedPart::Threads)
    }

    fn inputs(&self, part: SpeedPart) -> impl Iterator<Item = &'static Input> {
        let Inputs { small, every, changes, threads } = self.inputs;
        let (first, second): (&[Input], &[Input]) = match part {
            SpeedPart::Small => (small, &[]),
            SpeedPart::Inputs => (every, &[]),
            SpeedPart::Changes => (changes, &[]),
            SpeedPart::Threads => (threads, &[]),
            SpeedPart::Programs => (small, every),
        };
        first.iter().chain(second)
    }

    /// The inputs of a part that `only` names.
    fn wanted_inputs(&self, part: SpeedPart) -> impl Iterator<Item = &'static Input> {
        self.inputs(part).filter(|input| self.is_wanted(|word| input.is_called(word)))
    }

    /// The traces of a part that `only` names.
    fn wanted_traces(&self, part: SpeedPart) -> impl Iterator<Item = &NamedTrace> {
        let traces: &[NamedTrace] = if part.has_traces() { &self.traces } else { &[] };
        traces.iter().filter(|trace| self.is_wanted(|word| trace.is_called(word)))
    }

    fn is_wanted(&self, is_called: impl Fn(&str) -> bool) -> bool {
        self.only.is_empty() || self.only.iter().any(|word| is_called(word))
    }

    /// Rounds. Six are the fewest with an interval of 95 %.
    fn repeats(&self, part: SpeedPart) -> u32 {
        self.repeats.unwrap_or(match (part, self.quick) {
            (_, true) => 3,
            (SpeedPart::Small | SpeedPart::Changes, false) => 10,
            (_, false) => 6,
        })
    }

    /// Frames of warm-up, and frames that count. `auto` takes about thirty frames to learn whether a neighbour
    /// list pays; those are not of the steady state.
    fn frames(&self, part: SpeedPart, input: &Input) -> (u32, u32) {
        // The motion changes in fixed frames.
        if part == SpeedPart::Changes {
            return (changes::WARMUP, 3 * changes::STRETCH - changes::WARMUP);
        }
        let (warmup, frames) = match (input.what, input.objects) {
            (What::Pile(_), _) if !self.quick => (40, 100),
            (_, objects) => self.frames_by_number(objects),
        };
        (warmup, self.frames.unwrap_or(frames))
    }

    fn frames_by_number(&self, objects: u32) -> (u32, u32) {
        match (objects, self.quick) {
            (..=200, true) => (50, 100),
            (_, true) => (30, 15),
            (..=200, false) => (50, 500),
            (..=1_000, false) => (40, 200),
            (..=5_000, false) => (40, 100),
            (..=20_000, false) => (40, 60),
            (..=100_000, false) => (30, 30),
            // Few enough for the faster peers to end within their budget.
            _ => (4, 8),
        }
    }

    /// Frames of warm-up, and frames that count, of a trace: all of it in the full run.
    fn frames_of_trace(&self, trace: &NamedTrace) -> (u32, u32) {
        let (warmup, frames) = self.frames_by_number(trace.objects);
        let warmup = warmup.min(trace.frames / 2);
        let left = trace.frames - warmup;
        let frames = if self.quick { frames } else { left };
        (warmup, self.frames.unwrap_or(frames.min(left)))
    }

    /// Refuses a trace with the name of another input or with too few frames, and a word that names no input.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let every = || SpeedPart::ALL.into_iter().flat_map(|part| self.inputs(part));
        let kind = |input: &Input| input.name().split(' ').next().unwrap_or_default().to_owned();
        let mut names: Vec<String> = every().map(kind).collect();
        for trace in &self.traces {
            if names.contains(&trace.name) {
                return Err(Failure::Usage(format!(
                    "--trace {}: another input is called `{}`: name the file otherwise",
                    trace.path.display(),
                    trace.name
                )));
            }
            names.push(trace.name.clone());
        }
        for trace in self.wanted_traces(SpeedPart::Inputs) {
            let (warmup, frames) = self.frames_of_trace(trace);
            trace.case(warmup, frames)?;
        }
        let is_known = |word: &str| {
            every().any(|input| input.is_called(word))
                || self.traces.iter().any(|trace| trace.is_called(word))
        };
        let Some(word) = self.only.iter().find(|word| !is_known(word)) else {
            let is_empty = |part: SpeedPart| {
                self.wanted_inputs(part).next().is_none()
                    && self.wanted_traces(part).next().is_none()
            };
            return match self.parts.iter().all(|&part| is_empty(part)) {
                true => Err(Failure::Usage("the parts have none of these inputs".to_owned())),
                false => Ok(()),
            };
        };
        names.sort_unstable();
        names.dedup();
        Err(Failure::Usage(format!(
            "no input is called `{word}`: name one of {}, or one with its number of objects, as \
             gas:20000",
            names.join(", ")
        )))
    }

    /// The wanted parts, with the wanted inputs. Missing traces of piles are recorded.
    pub(super) fn plans(
        &self,
        peers: &[Algorithm],
        programs: &[Program],
        piles: &Piles<'_>,
    ) -> Result<Vec<PartPlan>, Failure> {
        let mut plans = Vec::new();
        for &part in &self.parts {
            let cases = self.wanted_inputs(part).map(|input| self.case(part, input, piles));
            let traces = self.wanted_traces(part).map(|trace| {
                let (warmup, frames) = self.frames_of_trace(trace);
                trace.case(warmup, frames)
            });
            let cases = cases.chain(traces).collect::<Result<Vec<Case>, Failure>>()?;
            if !cases.is_empty() {
                plans.push(PartPlan {
                    part,
                    cases,
                    algorithms: algorithms(part, peers),
                    programs: if part == SpeedPart::Programs {
                        programs.to_vec()
                    } else {
                        Vec::new()
                    },
                    threads: if part == SpeedPart::Threads {
                        self.threads.clone()
                    } else {
                        vec![1]
                    },
                    repeats: self.repeats(part),
                    budget: self.budget,
                });
            }
        }
        Ok(plans)
    }

    fn case(&self, part: SpeedPart, input: &Input, piles: &Piles<'_>) -> Result<Case, Failure> {
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
fn algorithms(part: SpeedPart, peers: &[Algorithm]) -> Vec<Algorithm> {
    let ours = |ids: &[&str]| -> Vec<Algorithm> {
        ids.iter().filter_map(|id| broadphase::registry::find(id)).copied().collect()
    };
    match part {
        SpeedPart::Small => {
            let families = ALGORITHMS.iter().filter(|entry| entry.variant.is_none());
            families.chain(peers).copied().collect()
        }
        SpeedPart::Inputs => ours(&CHAMPIONS).into_iter().chain(peers.iter().copied()).collect(),
        SpeedPart::Threads => {
            let threaded = peers.iter().filter(|peer| registry::is_threaded(peer.id)).copied();
            ours(&CHAMPIONS).into_iter().chain(threaded).collect()
        }
        SpeedPart::Changes | SpeedPart::Programs => ours(&CHAMPIONS),
    }
}

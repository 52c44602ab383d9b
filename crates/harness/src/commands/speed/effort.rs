//! How much is measured in each part.

use super::inputs::{Input, Inputs, SpeedPart, What, is_called};
use super::piles::Piles;
use super::{changes, inputs};
use crate::cli::SpeedOptions;
use crate::commands::inputs::NamedTrace;
use crate::failure::Failure;
use crate::registry;
use crate::study::champions;
use broadphase::registry::{ALGORITHMS, Algorithm};
use measure::Case;
use sim::GeneratedKind;
use std::time::Duration;

/// How much is measured.
pub(super) struct SpeedEffort<'a> {
    pub(super) options: &'a SpeedOptions,
    pub(super) inputs: &'static Inputs,
    traces: Vec<NamedTrace>,
    parts: Vec<SpeedPart>,
    /// The numbers of threads of that part: two, and all of the machine.
    pub(super) threads: Vec<u32>,
    /// Time that a cell may take. A peer or program that takes longer is skipped, with the reason in its row.
    pub(super) budget: Duration,
}

impl<'a> SpeedEffort<'a> {
    /// Opens the traces of the command line, but no program.
    pub(super) fn new(options: &'a SpeedOptions) -> Result<Self, Failure> {
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
            options,
            inputs: if options.quick { &inputs::QUICK } else { &inputs::FULL },
            traces: traces.collect::<Result<_, Failure>>()?,
            parts,
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

    fn inputs(&self, part: SpeedPart) -> Vec<&'static Input> {
        let Inputs { small, every, changes, threads } = self.inputs;
        let all: &[&[Input]] = match part {
            SpeedPart::Small => &[small],
            SpeedPart::Inputs => &[every],
            SpeedPart::Changes => &[changes],
            SpeedPart::Threads => &[threads],
            SpeedPart::Programs => &[small, every],
        };
        all.iter().copied().flatten().collect()
    }

    /// The inputs of a part that `--only` names.
    fn wanted_inputs(&self, part: SpeedPart) -> impl Iterator<Item = &'static Input> {
        self.inputs(part).into_iter().filter(|input| self.is_wanted(input.kind(), input.objects))
    }

    /// The traces of a part that `--only` names.
    fn wanted_traces(&self, part: SpeedPart) -> impl Iterator<Item = &NamedTrace> {
        let traces: &[NamedTrace] = if part.has_traces() { &self.traces } else { &[] };
        traces.iter().filter(|trace| self.is_wanted(&trace.name, trace.objects))
    }

    fn is_wanted(&self, name: &str, objects: u32) -> bool {
        let only = &self.options.only;
        only.is_empty() || only.iter().any(|word| is_called(word, name, objects))
    }

    /// Rounds. Six are the fewest with an interval of 95 %.
    pub(super) fn repeats(&self, part: SpeedPart) -> u32 {
        self.options.repeat.unwrap_or(match (part, self.options.quick) {
            (_, true) => 3,
            (SpeedPart::Small | SpeedPart::Changes, false) => 10,
            (_, false) => 6,
        })
    }

    /// The numbers of threads of a part.
    pub(super) fn threads(&self, part: SpeedPart) -> &[u32] {
        if part == SpeedPart::Threads { &self.threads } else { &[1] }
    }

    /// Frames of warm-up, and frames that count. `auto` takes about thirty frames to learn whether a neighbour
    /// list pays; those are not of the steady state.
    fn frames(&self, part: SpeedPart, input: &Input) -> (u32, u32) {
        // The motion changes in fixed frames.
        if part == SpeedPart::Changes {
            return (changes::WARMUP, 3 * changes::STRETCH - changes::WARMUP);
        }
        let (warmup, frames) = match (input.what, input.objects) {
            (What::Pile(_), _) if !self.options.quick => (40, 100),
            (_, objects) => self.frames_by_number(objects),
        };
        (warmup, self.options.frames.unwrap_or(frames))
    }

    fn frames_by_number(&self, objects: u32) -> (u32, u32) {
        match (objects, self.options.quick) {
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

    /// A trace: all of it in the full run.
    fn case_of_trace(&self, trace: &NamedTrace) -> Result<Case, Failure> {
        let (warmup, frames) = self.frames_by_number(trace.objects);
        let warmup = warmup.min(trace.frames / 2);
        let left = trace.frames - warmup;
        let frames = if self.options.quick { frames.min(left) } else { left };
        trace.case(warmup, self.options.frames.unwrap_or(frames))
    }

    /// Refuses a trace with the name of another input or with too few frames, and a word that names no input.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let every = || SpeedPart::ALL.into_iter().flat_map(|part| self.inputs(part));
        let mut names: Vec<&str> = every().map(Input::kind).collect();
        for trace in &self.traces {
            if names.contains(&&*trace.name) {
                return Err(Failure::Usage(format!(
                    "--trace {}: another input is called `{}`: name the file otherwise",
                    trace.path.display(),
                    trace.name
                )));
            }
            names.push(&trace.name);
        }
        for trace in self.wanted_traces(SpeedPart::Inputs) {
            self.case_of_trace(trace)?;
        }
        let inputs = every().map(|input| (input.kind(), input.objects));
        let traces = self.traces.iter().map(|trace| (&*trace.name, trace.objects));
        let all: Vec<(&str, u32)> = inputs.chain(traces).collect();
        let is_known = |word: &str| all.iter().any(|(name, n)| is_called(word, name, *n));
        let Some(word) = self.options.only.iter().find(|word| !is_known(word)) else {
            let has_any = |part: &SpeedPart| {
                self.wanted_inputs(*part).next().is_some()
                    || self.wanted_traces(*part).next().is_some()
            };
            return match self.parts.iter().any(has_any) {
                true => Ok(()),
                false => Err(Failure::Usage("the parts have none of these inputs".to_owned())),
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

    /// The wanted parts that have cases. Missing traces of piles are recorded.
    pub(super) fn cases(&self, piles: &Piles<'_>) -> Result<Vec<(SpeedPart, Vec<Case>)>, Failure> {
        let of_part = |&part: &SpeedPart| {
            let inputs = self.wanted_inputs(part).map(|input| self.case(part, input, piles));
            let traces = self.wanted_traces(part).map(|trace| self.case_of_trace(trace));
            Ok((part, inputs.chain(traces).collect::<Result<Vec<Case>, Failure>>()?))
        };
        let mut parts = self.parts.iter().map(of_part).collect::<Result<Vec<_>, Failure>>()?;
        parts.retain(|(_, cases)| !cases.is_empty());
        Ok(parts)
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
pub(super) fn algorithms(part: SpeedPart, peers: &[Algorithm]) -> Vec<&Algorithm> {
    let champions = || champions().map(|entry| -> &Algorithm { entry });
    match part {
        SpeedPart::Small => {
            let families = ALGORITHMS.iter().filter(|entry| entry.variant.is_none());
            families.chain(peers).collect()
        }
        SpeedPart::Inputs => champions().chain(peers).collect(),
        SpeedPart::Threads => {
            champions().chain(peers.iter().filter(|peer| registry::is_threaded(peer.id))).collect()
        }
        SpeedPart::Changes | SpeedPart::Programs => champions().collect(),
    }
}

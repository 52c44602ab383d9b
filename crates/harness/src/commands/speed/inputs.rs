//! The parts of the measurement, the inputs of each, and how much is measured.

use super::SpeedOptions;
use crate::commands::inputs::{NamedTrace, trace_case};
use crate::failure::Failure;
use crate::page_files::make_folder;
use crate::registry;
use crate::study::{StudyRow, champions};
use broadphase::registry::{ALGORITHMS, Algorithm};
use clap::ValueEnum;
use measure::Case;
use sim::atlas::TIME_STEP;
use sim::{GeneratedBoxes, GeneratedSpec, TraceError, TraceWriter};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A part of the measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SpeedPart {
    /// A few objects: all of our registry and the peers.
    Small,
    /// All other inputs: our champions and the peers.
    Inputs,
    /// The frames in which the motion changes.
    Changes,
    /// Several threads against one: two, and all of the machine.
    Threads,
    /// Every input again, as a trace: our champions and the programs of `--program`.
    Programs,
}

use SpeedPart::{Changes, Inputs, Programs, Small, Threads};

impl SpeedPart {
    pub(super) const ALL: [Self; 5] = [Small, Inputs, Changes, Threads, Programs];

    /// The part of a row; `None` of one that an earlier version measured.
    pub(super) fn of(row: &StudyRow) -> Option<Self> {
        Self::ALL.into_iter().find(|part| part.folder() == row.part)
    }

    /// The folder of its rows, and its word in them.
    pub(super) fn folder(self) -> &'static str {
        ["small", "inputs", "changes", "threads", "programs"][self as usize]
    }

    /// Its name in messages.
    pub(super) fn title(self) -> &'static str {
        match self {
            Small => "few objects",
            Inputs => "every input, with the peers",
            Changes => "changes of motion",
            Threads => "several threads",
            Programs => "every input, with external programs",
        }
    }

    /// Whether our algorithms are compared with peers.
    pub(super) fn has_peers(self) -> bool {
        matches!(self, Small | Inputs)
    }

    /// Whether our algorithms are compared with others: with peers or with programs.
    pub(super) fn has_others(self) -> bool {
        self.has_peers() || self == Programs
    }

    /// The algorithms that are measured.
    pub(super) fn algorithms(self, peers: &[Algorithm]) -> Vec<&Algorithm> {
        let mut all: Vec<&Algorithm> = match self {
            Small => ALGORITHMS.families().collect(),
            _ => champions().collect(),
        };
        all.extend(
            peers.iter().filter(|peer| {
                self.has_peers() || self == Threads && registry::is_threaded(peer.id)
            }),
        );
        all
    }
}

/// The inputs of all parts but the last, as `--boxes` has them. `@` begins the share that moves if it is not the usual one.
pub(super) type PartInputs = [&'static str; 4];

/// The full run.
const FULL: PartInputs = [
    "gas:100 gas:200",
    "gas:1000 gas:5000 gas:20000 gas:100000 gas:1000000 cluster:1000 cluster:100000 stadium:5000 \
     brownian:100000@0.01 brownian:100000@0.05 brownian:100000@0.2 jitter:100000 \
     falling-pile:10000 settled-pile:10000 terdiman:10000 terdiman:100000 statics:20000 \
     plane:100000 line:100000 same-x:100000",
    "rest-gas-rest:20000",
    "gas:100000 gas:1000000 cluster:100000 terdiman:100000",
];

/// The quick run: one of each, with fewer objects.
const QUICK: PartInputs = [
    "gas:100 gas:200",
    "gas:2000 gas:20000 cluster:10000 stadium:5000 brownian:10000@0.01 brownian:10000@0.05 \
     brownian:10000@0.2 jitter:10000 falling-pile:1000 settled-pile:1000 terdiman:10000 \
     statics:5000 plane:10000 line:10000 same-x:10000",
    "rest-gas-rest:5000",
    "gas:20000 terdiman:10000",
];

/// Boxes that algorithms are measured on.
struct Input<'a> {
    /// Its name in the rows, without the number of objects and the share of moving boxes.
    name: &'a str,
    objects: u32,
    moving: Option<f32>,
    /// A trace of the command line.
    trace: Option<&'a NamedTrace>,
}

impl<'a> Input<'a> {
    fn parse(text: &'a str) -> Option<Self> {
        let (name, number) = text.split_once(':')?;
        let (objects, moving) = number.split_once('@').unzip();
        let moving = moving.and_then(|share| share.parse().ok());
        Some(Self { name, objects: objects.unwrap_or(number).parse().ok()?, moving, trace: None })
    }

    fn of_trace(trace: &'a NamedTrace) -> Self {
        Self { name: &trace.name, objects: trace.objects, moving: None, trace: Some(trace) }
    }

    /// Whether a word of `--only` is its name, or that and its number of objects.
    fn is_called(&self, word: &str) -> bool {
        word == self.name || word == format!("{}:{}", self.name, self.objects)
    }
}

/// How much is measured.
pub(super) struct SpeedEffort<'a> {
    pub(super) options: &'a SpeedOptions,
    pub(super) inputs: PartInputs,
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
        let wanted = |part: &SpeedPart| match options.parts.is_empty() {
            true => *part != Programs || has_programs,
            false => options.parts.contains(part),
        };
        let parts: Vec<SpeedPart> = SpeedPart::ALL.into_iter().filter(wanted).collect();
        if has_programs != parts.contains(&Programs) {
            let reason = match has_programs {
                true => "--program has no effect without the part `programs`",
                false => "the part `programs` compares with programs: name them by --program PATH",
            };
            return Err(Failure::Usage(reason.to_owned()));
        }
        let traces = options.traces.iter().map(|path| NamedTrace::open(path));
        let all = std::thread::available_parallelism().map_or(1, |all| all.get() as u32);
        Ok(Self {
            options,
            inputs: if options.quick { QUICK } else { FULL },
            traces: traces.collect::<Result<_, Failure>>()?,
            parts,
            threads: if all > 2 { vec![1, 2, all] } else { vec![1, 2] },
            budget: Duration::from_secs(if options.quick { 10 } else { 100 }),
        })
    }

    /// Whether peers are measured.
    pub(super) fn has_peers(&self) -> bool {
        self.parts.iter().any(|part| part.has_peers() || *part == Threads)
    }

    fn inputs(&self, part: SpeedPart) -> impl Iterator<Item = Input<'_>> {
        let own = match part {
            Programs => &self.inputs[..2],
            part => &self.inputs[part as usize..][..1],
        };
        let has_traces = matches!(part, Inputs | Programs);
        let traces = self.traces.iter().filter(move |_| has_traces).map(Input::of_trace);
        own.iter().flat_map(|text| text.split(' ').filter_map(Input::parse)).chain(traces)
    }

    /// The inputs of a part that `--only` names.
    fn wanted(&self, part: SpeedPart) -> impl Iterator<Item = Input<'_>> {
        let only = &self.options.only;
        let is_named = |input: &Input<'_>| only.iter().any(|word| input.is_called(word));
        self.inputs(part).filter(move |input| only.is_empty() || is_named(input))
    }

    /// Rounds. Six are the fewest with an interval of 95 %.
    pub(super) fn repeats(&self, part: SpeedPart) -> u32 {
        self.options.repeat.unwrap_or(match (part, self.options.quick) {
            (_, true) => 3,
            (Small | Changes, false) => 10,
            (_, false) => 6,
        })
    }

    /// The numbers of threads of a part.
    pub(super) fn threads(&self, part: SpeedPart) -> &[u32] {
        if part == Threads { &self.threads } else { &[1] }
    }

    /// Frames of warm-up, and frames that count. `auto` takes about thirty frames to learn whether a neighbour
    /// list pays; those are not of the steady state.
    fn frames(&self, part: SpeedPart, input: &Input<'_>) -> (u32, u32) {
        let quick = self.options.quick;
        let (warmup, frames) = match (input.objects, quick) {
            // The motion changes in fixed frames.
            _ if part == Changes => {
                return (WARMUP, 3 * STRETCH - WARMUP);
            }
            _ if !quick && PILES.iter().any(|(name, _)| *name == input.name) => (40, 100),
            (..=200, true) => (50, 100),
            (_, true) => (30, 15),
            (..=200, false) => (50, 500),
            (..=1_000, false) => (40, 200),
            (..=5_000, false) => (40, 100),
            (..=20_000, false) => (40, 60),
            (..=100_000, false) => (30, 30),
            // Few enough for the faster peers to end within their budget.
            _ => (4, 8),
        };
        let (warmup, frames) = input.trace.map_or((warmup, frames), |trace| {
            // All of it in the full run.
            let warmup = warmup.min(trace.frames / 2);
            let left = trace.frames - warmup;
            (warmup, if quick { frames.min(left) } else { left })
        });
        (warmup, self.options.frames.unwrap_or(frames))
    }

    /// Refuses a trace with the name of another input or with too few frames, and a word that names no input.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let every = || SpeedPart::ALL.into_iter().flat_map(|part| self.inputs(part));
        for (at, trace) in self.traces.iter().enumerate() {
            let own = every().filter(|input| input.trace.is_none()).map(|input| input.name);
            let mut names = own.chain(self.traces[..at].iter().map(|other| &*other.name));
            if names.any(|name| name == trace.name) {
                return Err(trace.doubled("input"));
            }
            trace.case(self.frames(Inputs, &Input::of_trace(trace)))?;
        }
        let is_unknown = |word: &&String| !every().any(|input| input.is_called(word));
        if let Some(word) = self.options.only.iter().find(is_unknown) {
            let mut names: Vec<&str> = every().map(|input| input.name).collect();
            names.sort_unstable();
            names.dedup();
            return Err(Failure::Usage(format!(
                "no input is called `{word}`: name one of {}, or one with its number of objects, as \
                 gas:20000",
                names.join(", ")
            )));
        }
        match self.parts.iter().any(|part| self.wanted(*part).next().is_some()) {
            true => Ok(()),
            false => Err(Failure::Usage("the parts have none of these inputs".to_owned())),
        }
    }

    /// The wanted parts that have cases. Missing traces of piles are recorded.
    pub(super) fn cases(&self, piles: &Piles<'_>) -> Result<Vec<(SpeedPart, Vec<Case>)>, Failure> {
        let of_part = |&part: &SpeedPart| {
            let cases = self.wanted(part).map(|input| self.case(part, &input, piles));
            Ok((part, cases.collect::<Result<Vec<Case>, Failure>>()?))
        };
        let mut parts = self.parts.iter().map(of_part).collect::<Result<Vec<_>, Failure>>()?;
        parts.retain(|(_, cases)| !cases.is_empty());
        Ok(parts)
    }

    fn case(&self, part: SpeedPart, input: &Input<'_>, piles: &Piles<'_>) -> Result<Case, Failure> {
        let frames = self.frames(part, input);
        let &Input { name, objects, moving, trace } = input;
        if let Some(trace) = trace {
            return trace.case(frames);
        }
        if let Some(pile) = PILES.into_iter().find(|(other, _)| *other == name) {
            return piles.case(pile, objects, frames);
        }
        let spec = |kind: &str| {
            let spec = format!("{kind}:{objects}").parse::<GeneratedSpec>();
            spec.map_err(|error| Failure::Usage(error.to_string()))
        };
        if name == CHANGING {
            return changing(&piles.folder, &spec("gas")?, frames);
        }
        let spec = spec(name)?;
        let moving = moving.unwrap_or(spec.moving);
        Ok(Case::of_generated(GeneratedSpec { moving, ..spec }, frames.0, frames.1))
    }
}

/// Boxes that rest, fly, and rest again, as an input: the cost of the frames after a change of motion.
const CHANGING: &str = "rest-gas-rest";
/// Frames of each of the three stretches.
pub(super) const STRETCH: u32 = 40;
/// Frames of warm-up, within the first rest.
pub(super) const WARMUP: u32 = 30;
/// Frames after a change of which the worst counts, from the first frame of the new motion on. Chosen to
/// include the rebuild of a neighbour list once all objects rest.
pub(super) const AFTER: u32 = 20;
/// The first frames of the trace in `folder`, which is written if it is missing.
fn changing(folder: &Path, gas: &GeneratedSpec, frames: (u32, u32)) -> Result<Case, Failure> {
    let path = folder.join(format!("{CHANGING}-{}-seed-{}.bpt", gas.objects, gas.used_seed()));
    if !path.exists() {
        make_folder(folder)?;
        write(&path, gas).map_err(|e| Failure::Running(e.to_string()))?;
    }
    trace_case(&path, CHANGING, frames)
}

fn write(path: &Path, gas: &GeneratedSpec) -> Result<(), TraceError> {
    let mut gas_boxes = GeneratedBoxes::new(gas);
    let mut writer = TraceWriter::create(path, gas.objects, TIME_STEP)?;
    let mut boxes = Vec::new();
    for frame in 0..3 * STRETCH {
        if frame == 0 || frame / STRETCH == 1 {
            gas_boxes.next_frame(&mut boxes);
        }
        writer.write_frame(&boxes)?;
    }
    writer.finish()
}

/// The name of a pile, and its first step, in steps of 1/60 s.
pub(super) type Pile = (&'static str, u32);

/// In the first, layers of bodies fall and land on each other; the lowest have landed by its first step. In the second, no
/// body travels any more, but all tremble. Some hundred steps later the solver repeats itself: nine of ten of 10,000 boxes
/// are then bitwise equal from step to step, which would be another input.
pub(super) const PILES: [Pile; 2] = [("falling-pile", 60), ("settled-pile", 260)];

/// Steps of each trace.
#[cfg(feature = "peers")]
const STEPS: u32 = 140;

/// The folder of the traces, and the means to record them.
#[cfg_attr(not(feature = "peers"), allow(dead_code, reason = "needed only to record"))]
pub(super) struct Piles<'a> {
    /// Folder of the traces.
    pub(super) folder: PathBuf,
    /// The engine with its version, on which the boxes depend: `rapier3d 0.36.1`.
    pub(super) engine: String,
    pub(super) quiet: bool,
    /// Set by Ctrl-C.
    pub(super) stop: &'a AtomicBool,
}

impl Piles<'_> {
    /// The first frames of a pile's trace.
    fn case(&self, pile: Pile, bodies: u32, frames: (u32, u32)) -> Result<Case, Failure> {
        let path = self.path(pile, bodies);
        if !path.exists() {
            make_folder(&self.folder)?;
            self.record(bodies)?;
        }
        trace_case(&path, pile.0, frames)
    }

    fn path(&self, (name, from): Pile, bodies: u32) -> PathBuf {
        let engine = self.engine.replace(' ', "-");
        self.folder.join(format!("{name}-{bodies}-from-step-{from}-{engine}.bpt"))
    }

    /// Records both traces in one simulation.
    #[cfg(feature = "peers")]
    fn record(&self, bodies: u32) -> Result<(), Failure> {
        use crate::progress::Progress;
        use measure::Observer;
        use std::sync::atomic::Ordering;

        let label = format!("recording a pile of {bodies} bodies with {}", self.engine);
        if !self.quiet {
            crate::console::note(&label);
        }
        let frames = u64::from(PILES[1].1 + STEPS);
        let mut bar = Progress::of_frames(&label, frames, self.quiet);
        let mut goes_on = || {
            bar.frame_done(0);
            !self.stop.load(Ordering::Relaxed)
        };
        let mut pile = peers::Pile::new(bodies);
        let mut step = 0;
        for part in PILES {
            while step < part.1 {
                pile.step();
                step += 1;
                if !goes_on() {
                    return Err(Failure::Stopped);
                }
            }
            let complete = pile
                .record(&self.path(part, bodies), STEPS, &mut goes_on)
                .map_err(|e| Failure::Running(e.to_string()))?;
            if !complete {
                return Err(Failure::Stopped);
            }
            step += STEPS;
        }
        Ok(())
    }

    /// Refuses: the engine is a peer.
    #[cfg(not(feature = "peers"))]
    fn record(&self, _bodies: u32) -> Result<(), Failure> {
        let reason = "piles are recorded with rapier3d, which this build does not have: choose other \
                      inputs by --only, or build with --features peers";
        Err(Failure::Running(reason.to_owned()))
    }
}

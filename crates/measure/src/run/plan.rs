//! How a case is measured, observed, stopped and resumed; and the same as settings in `machine.json`.

use crate::input::{Case, InputError};
use crate::play::{DEFAULT_ORDER_SEED, Observer};
use crate::process::available_memory;
use crate::program::Program;
use crate::rows::{Checksum, FinishedRepetition, Seed};
use crate::stages::{Method, Stages};
use broadphase::registry::Algorithm;
use narrowphase::BoxKind;
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How a case is measured.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The algorithms.
    pub algorithms: &'a [&'a Algorithm],
    /// External programs. They need a case that is a trace of exactly its frames, and are measured with one
    /// thread.
    pub programs: &'a [Program],
    /// Numbers of threads that the algorithms may use; each is a cell of its own.
    pub threads: &'a [u32],
    /// Repetitions of each cell.
    pub repeats: u32,
    /// Seed of the order of measuring, which each case draws for itself.
    pub order_seed: u64,
    /// Time that one cell may take for all its repetitions, motion included.
    pub budget: Option<Duration>,
    /// Bytes that an algorithm may take.
    pub memory_limit: u64,
    /// Whether the pairs that began and ended are found in each frame too, outside of all other
    /// times.
    pub events: bool,
    /// How pair lists are checked, outside the clock.
    pub checks: Checks,
    /// What is timed on the pairs of a scene with bodies, outside of all other times.
    pub stages: Option<Stages<'a>>,
}

/// How the pair lists of all frames are checked, outside the clock. Checksums are compared in both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checks {
    /// Every list is sorted and searched for faults.
    EveryList,
    /// A list is sorted and searched for faults unless its checksum is that of a list of the same
    /// frame that had none. Saves most of the time between frames where many repetitions show the
    /// same boxes. Lists that a world responds to are sorted anyway.
    UnknownLists,
}

/// An algorithm of this process, or a program.
#[derive(Clone, Copy)]
pub(crate) enum Contender<'a> {
    Algorithm(&'a Algorithm),
    Program(&'a Program),
}

impl<'a> Contender<'a> {
    pub(crate) fn id(self) -> &'a str {
        match self {
            Contender::Algorithm(algorithm) => algorithm.id,
            Contender::Program(program) => program.id(),
        }
    }
}

impl<'a> Plan<'a> {
    /// Algorithms alone, without a budget, within the memory that is available, and with every pair list checked.
    pub fn new(algorithms: &'a [&'a Algorithm], threads: &'a [u32], repeats: u32) -> Self {
        Self {
            algorithms,
            programs: &[],
            threads,
            repeats,
            order_seed: DEFAULT_ORDER_SEED,
            budget: None,
            memory_limit: available_memory(),
            events: false,
            checks: Checks::EveryList,
            stages: None,
        }
    }

    /// Algorithms of this plan for a short trial: search and response alone, on these numbers of threads.
    pub(super) fn trial(&self, threads: &'a [u32]) -> Self {
        let checks = Checks::UnknownLists;
        Self { threads, checks, budget: None, stages: None, events: false, ..*self }
    }

    /// The id and the number of threads of every cell, in the order of
    /// [`MeasuredCase::cells`](crate::MeasuredCase::cells).
    pub fn cells(&self) -> impl Iterator<Item = (&'a str, u32)> + use<'a> {
        self.contenders().map(|(contender, threads)| (contender.id(), threads))
    }

    /// What is measured in every cell, and on how many threads.
    pub(crate) fn contenders(&self) -> impl Iterator<Item = (Contender<'a>, u32)> + use<'a> {
        let Self { algorithms, programs, threads, .. } = *self;
        let on = move |threads| algorithms.iter().map(move |&a| (Contender::Algorithm(a), threads));
        let programs = programs.iter().map(|program| (Contender::Program(program), 1));
        threads.iter().flat_map(move |&threads| on(threads)).chain(programs)
    }

    pub(crate) fn budget_ns(&self) -> Option<u64> {
        self.budget.map(|budget| u64::try_from(budget.as_nanos()).unwrap_or(u64::MAX))
    }
}

/// The observer of a measurement, its stop flag, and what was measured before.
pub struct Watch<'a> {
    /// Follows the measurement.
    pub observer: &'a mut dyn Observer,
    /// Ends the measurement when it is set, within a frame: as soon as the algorithm checks it.
    pub stop: &'a AtomicBool,
    /// Repetitions that were measured before, by a process that was killed: they are not measured
    /// again. One that is not of the plan, not whole, or there twice is ignored.
    pub finished: Vec<FinishedRepetition>,
}

/// The settings of cases, for `machine.json`.
///
/// # Errors
///
/// If a trace cannot be read.
pub fn case_settings<'a>(cases: impl IntoIterator<Item = &'a Case>) -> Result<Value, InputError> {
    let settings = |case: &Case| {
        let mut settings = json!({
            "input": case.input,
            "n": case.n,
            "seed": case.seed.map(Seed),
            "warmup": case.warmup,
            "frames": case.frames,
            "content": Checksum(case.content_hash()?),
        });
        if case.box_kind != BoxKind::Tight {
            settings["box_kind"] = case.box_kind.id().into();
        }
        Ok(settings)
    };
    cases.into_iter().map(settings).collect()
}

/// Everything that the figures of a run depend on, machine and build aside, for `machine.json`.
///
/// # Errors
///
/// If a trace or a program cannot be read.
pub fn run_settings(cases: &[Case], plan: &Plan<'_>) -> Result<Value, InputError> {
    let mut settings = json!({
        "cases": case_settings(cases)?,
        "algorithms": plan.algorithms.iter().map(|entry| entry.id).collect::<Vec<_>>(),
        "threads": plan.threads,
        "repeat": plan.repeats,
        "order_seed": Seed(plan.order_seed),
        "budget_s": plan.budget.map(|budget| budget.as_secs_f64()),
    });
    // Left out unless asked for, so that runs of earlier versions can be resumed.
    if plan.events {
        settings["events"] = true.into();
    }
    if cases.iter().any(Case::has_bodies) {
        match plan.stages {
            None => {}
            Some(Stages::Chain { volume, narrow }) => {
                settings["stages"] = json!({ "volume": volume.id, "narrow": narrow.id });
            }
            Some(Stages::Each(methods)) => {
                let name = |method: &Method| format!("{} {}", method.stage(), method.name());
                settings["stages"] = methods.iter().map(name).collect();
            }
        }
    }
    if !plan.programs.is_empty() {
        let program = |program: &Program| {
            Ok(json!({ "id": program.id(), "content": Checksum(program.content_hash()?) }))
        };
        let programs = plan.programs.iter().map(program).collect::<Result<Vec<_>, InputError>>()?;
        settings["programs"] = programs.into();
    }
    Ok(settings)
}

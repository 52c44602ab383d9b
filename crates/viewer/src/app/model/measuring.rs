//! The measurement of all algorithms over the whole input, and its page.

use super::Model;
use crate::measuring::{Job, Measuring, MeasuringState, Ranking};
use crate::simulation::{EngineState, Notice, Order};
use broadphase::registry::Algorithm;
use measure::{Case, DEFAULT_WARMUP};
use sim::Scene;

/// Frames that count of a motion without an end: ten seconds of most scenes.
const FRAMES: u32 = 600;

impl Model {
    /// Stops the motion, and requests a measurement.
    pub(super) fn measure_all(&mut self) {
        if self.is_measuring() {
            return;
        }
        self.end_pictures();
        self.obey_order(Order::Run(false));
        let program = std::iter::once(env!("CARGO_PKG_NAME").to_owned());
        let arguments = std::env::args_os().skip(1);
        let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
        let job = Job {
            case: self.whole_input(),
            algorithms: self.to_be_measured(),
            threads: self.snapshot.engine.threads as u32,
            parent: self.folder.clone(),
            // A comment, for those who paste it into a shell.
            command_line: program
                .chain(arguments)
                .chain(["#".to_owned(), "Measure all".to_owned()])
                .collect(),
        };
        self.measuring = Some(Measuring::requested(job, self.platform.clock));
    }

    /// Stops the measurement.
    pub(super) fn stop_measuring(&mut self) {
        self.measuring.as_mut().into_iter().for_each(Measuring::stop);
    }

    /// Whether a measurement runs, which a search would disturb; says so.
    pub(super) fn refuses_work(&mut self) -> bool {
        let is_measuring = self.is_measuring();
        if is_measuring {
            self.report(
                "a measurement is running, and a search would disturb it: press Stop measuring first",
            );
        }
        is_measuring
    }

    pub(super) fn is_measuring(&self) -> bool {
        self.measuring.as_ref().is_some_and(Measuring::is_running)
    }

    /// Begins a requested measurement once the simulation rests. Drops one that failed or was stopped, and the ranking of a
    /// scene that has changed since.
    pub(in crate::app) fn follow_measuring(&mut self) -> Option<MeasuringState> {
        let EngineState { running, orders_done, failed, .. } = self.snapshot.engine;
        let rests = !running
            && (self.snapshot.search.searched || failed)
            && orders_done >= self.simulation.orders_sent()
            && self.simulation.at_work().is_none();
        let measuring = self.measuring.as_mut()?;
        if measuring.waits() && rests {
            measuring.begin(self.platform);
        }
        let state = measuring.state();
        let recipe = &*self.snapshot.input.recipe;
        let is_of_this =
            |ranking: &Ranking| ranking.case.scene().is_none_or(|scene| scene == recipe);
        let ended = match &state {
            MeasuringState::Running(_) => return Some(state),
            MeasuringState::Done(ranking) if is_of_this(ranking) => return Some(state),
            MeasuringState::Done(_) => None,
            MeasuringState::Failed(reason) => Some(Notice::Problem(reason.clone())),
            MeasuringState::Stopped => {
                Some(Notice::Done("measuring was stopped; nothing of it is kept".to_owned()))
            }
        };
        self.measuring = None;
        ended.into_iter().for_each(|notice| self.notify(notice));
        None
    }

    /// Every family, and others that take part in the comparison.
    fn to_be_measured(&self) -> Vec<&'static Algorithm> {
        let mut all: Vec<&'static Algorithm> = self.snapshot.offered.families().collect();
        let compared = self.snapshot.compared.iter().map(|other| other.algorithm);
        for algorithm in std::iter::once(self.snapshot.algorithm).chain(compared) {
            if all.iter().all(|known| known.id != algorithm.id) {
                all.push(algorithm);
            }
        }
        all
    }

    /// The present input with all of its frames, or the first ones of a motion without an end.
    fn whole_input(&self) -> Case {
        let Some(boxes) = self.scene_file.boxes() else {
            let recipe = &*self.snapshot.input.recipe;
            let Scene { objects, seed, .. } = *recipe;
            // These have columns of their own.
            let edited = *recipe != Scene { objects, seed, ..(*self.saved_scene).clone() };
            let mark = if edited { " (edited)" } else { "" };
            let name = format!("{}{mark}", self.snapshot.input.label);
            return Case::of_scene(name, recipe.clone(), DEFAULT_WARMUP, FRAMES);
        };
        let recorded = self.snapshot.motion.recording.and_then(|recording| recording.frames);
        // As `harness run` divides them.
        let [warmup, frames] = match recorded {
            Some(all) => {
                let warmup = DEFAULT_WARMUP.min(all / 10);
                [warmup, all - warmup]
            }
            None => [DEFAULT_WARMUP, FRAMES],
        };
        let mut case = boxes.clone();
        (case.warmup, case.frames) = (warmup, frames);
        case
    }

    /// Writes the page where other exports go, and keeps the tables that it is made from.
    pub(super) fn report_measured(&mut self) {
        let state = self.measuring.as_ref().map(Measuring::state);
        let Some(MeasuringState::Done(ranking)) = state else {
            return self
                .report("there is no finished measurement of this input: press Measure all first");
        };
        let path = self.export_path("-report.html");
        let written = ranking.page().map_err(|error| error.to_string()).and_then(|page| {
            let written = self.platform.files.write(&path, page.as_bytes());
            written.map_err(|error| format!("cannot write the report {}: {error}", path.display()))
        });
        if written.is_ok() {
            ranking.keep_folder();
        }
        self.written("report", &path, written);
    }
}

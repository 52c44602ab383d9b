//! The piles: traces of a physics engine, recorded if they are missing.

use crate::commands::inputs::trace_case;
use crate::failure::Failure;
use crate::page_files::make_folder;
use measure::Case;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

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
    pub(super) fn case(
        &self,
        pile: Pile,
        bodies: u32,
        warmup: u32,
        frames: u32,
    ) -> Result<Case, Failure> {
        let path = self.path(pile, bodies);
        if !path.exists() {
            make_folder(&self.folder)?;
            self.record(bodies)?;
        }
        trace_case(&path, pile.0, warmup, frames)
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
        bar.finish();
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

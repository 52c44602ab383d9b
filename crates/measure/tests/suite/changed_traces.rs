//! A trace that is replaced while it is measured or verified is reported as changed, not as a fault of an algorithm.

use crate::common::{NEVER, TickingClock, crowded_scene, plan, row, verify_plan};
use measure::{
    Case, FinishedRepetition, InputError, Instruments, Observer, OutputError, RunError, Watch,
    measure_case_watched, record_case, verify_case,
};
use sim::Scene;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const FRAMES: u32 = 4;

/// A trace, and another one of equal length.
fn traces() -> (TempDir, [PathBuf; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let paths = ["a.bpt", "b.bpt"].map(|name| folder.path().join(name));
    for (path, seed) in paths.iter().zip([1, 2]) {
        let scene = Scene { seed, ..crowded_scene() };
        let case = Case::of_scene("crowded", scene, 0, FRAMES);
        record_case(&case, row("bsp"), path, true, &mut (), &NEVER).unwrap();
    }
    assert_ne!(fs::read(&paths[0]).unwrap(), fs::read(&paths[1]).unwrap());
    (folder, paths)
}

/// A moment of a measurement.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    /// This number of frames are done.
    Frames(u32),
    /// This number of repetitions are done.
    Repetitions(u32),
}

/// Renames the second trace to the first at a moment.
struct Replacer<'a> {
    paths: &'a [PathBuf; 2],
    at: Moment,
    frames: u32,
    kept: u32,
}

impl<'a> Replacer<'a> {
    fn new(paths: &'a [PathBuf; 2], at: Moment) -> Self {
        Self { paths, at, frames: 0, kept: 0 }
    }

    fn reached(&self, moment: Moment) {
        if self.at == moment {
            fs::rename(&self.paths[1], &self.paths[0]).unwrap();
        }
    }
}

impl Observer for Replacer<'_> {
    fn frame_done(&mut self, _: u32) {
        self.frames += 1;
        self.reached(Moment::Frames(self.frames));
    }

    fn repetition_done(&mut self, _: &FinishedRepetition) -> Result<(), OutputError> {
        self.kept += 1;
        self.reached(Moment::Repetitions(self.kept));
        Ok(())
    }
}

fn case(path: &Path) -> Case {
    Case::of_trace("a.bpt", path.to_owned(), crowded_scene().objects as usize, 0, FRAMES)
}

#[track_caller]
fn assert_changed<T>(result: Result<T, RunError>) {
    match result {
        Err(RunError::Input(InputError::Changed { name })) => assert_eq!(name, "a.bpt"),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("the change went unnoticed"),
    }
}

#[test]
fn repetition_of_a_replaced_trace_is_not_kept() {
    let algorithms = [row("brute-force"), row("bsp")];
    let plan = plan(&algorithms, 2);
    // Within the first repetition, between two, within the last one, and behind it.
    for (at, kept) in [
        (Moment::Frames(2), 0),
        (Moment::Repetitions(1), 1),
        (Moment::Frames(3 * FRAMES + 2), 3),
        (Moment::Repetitions(4), 4),
    ] {
        let (_folder, paths) = traces();
        let (clock, case) = (TickingClock::new(), case(&paths[0]));
        let mut replacer = Replacer::new(&paths, at);
        let watch = Watch { observer: &mut replacer, stop: &NEVER, finished: Vec::new() };
        assert_changed(measure_case_watched(&case, &plan, Instruments::new(&clock, None), watch));
        assert_eq!(replacer.kept, kept, "{at:?}");
    }
}

#[test]
fn replaced_trace_is_not_verified() {
    let algorithms = [row("brute-force"), row("bsp")];
    for frame in 1..=FRAMES {
        let (_folder, paths) = traces();
        let case = case(&paths[0]);
        let plan = verify_plan(&algorithms);
        let mut replacer = Replacer::new(&paths, Moment::Frames(frame));
        assert_changed(verify_case(&case, &plan, &mut replacer));
    }
}

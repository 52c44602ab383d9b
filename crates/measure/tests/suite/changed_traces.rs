//! A trace that is replaced or cut short while it is measured or verified is reported as changed, not as a fault of an
//! algorithm.

use crate::common::{NEVER, TickingClock, crowded_scene, plan, row, verify_plan};
use measure::{
    Case, FinishedRepetition, Instruments, Observer, OutputError, RunError, Watch,
    measure_case_watched, record_case, verify_case,
};
use sim::Scene;
use std::fs;
use std::path::PathBuf;
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

/// Changes the first trace once this number of frames and of repetitions are done.
struct Replacer<'a> {
    paths: &'a [PathBuf; 2],
    /// Within its last frame. Else the second trace takes its name.
    cuts: bool,
    at: [u32; 2],
    done: [u32; 2],
}

impl Replacer<'_> {
    fn count(&mut self, what: usize) {
        self.done[what] += 1;
        if self.done == self.at {
            let [path, other] = self.paths;
            if self.cuts {
                let file = fs::File::options().write(true).open(path).unwrap();
                file.set_len(fs::metadata(path).unwrap().len() - 10).unwrap();
            } else {
                fs::rename(other, path).unwrap();
            }
        }
    }
}

impl Observer for Replacer<'_> {
    fn frame_done(&mut self, _: u32) {
        self.count(0);
    }

    fn repetition_done(&mut self, _: &FinishedRepetition) -> Result<(), OutputError> {
        self.count(1);
        Ok(())
    }
}

#[test]
fn changed_trace_is_neither_measured_nor_verified() {
    let algorithms = [row("brute-force"), row("bsp")];
    let measure = |case: &Case, observer: &mut dyn Observer| {
        let (clock, plan) = (TickingClock::new(), plan(&algorithms, 2));
        let watch = Watch { observer, stop: &NEVER, finished: Vec::new() };
        measure_case_watched(case, &plan, Instruments::new(&clock, None), watch).map(drop)
    };
    let verify = |case: &Case, observer: &mut dyn Observer| {
        verify_case(case, &verify_plan(&algorithms), observer).map(drop)
    };
    type Run<'a> = &'a dyn Fn(&Case, &mut dyn Observer) -> Result<(), RunError>;
    // Within the first repetition, between two, within the last one, and behind it.
    let (measure, verify): (Run<'_>, Run<'_>) = (&measure, &verify);
    for (run, at) in [
        (measure, [2, 0]),
        (measure, [FRAMES, 1]),
        (measure, [3 * FRAMES + 2, 3]),
        (measure, [4 * FRAMES, 4]),
        (verify, [1, 0]),
        (verify, [FRAMES, 0]),
    ] {
        for cuts in [false, true] {
            let (_folder, paths) = traces();
            let objects = crowded_scene().objects as usize;
            let case = Case::of_trace("a.bpt", paths[0].clone(), objects, 0, FRAMES);
            let mut replacer = Replacer { paths: &paths, cuts, at, done: [0; 2] };
            let error = run(&case, &mut replacer).unwrap_err();
            assert!(matches!(error, RunError::Input(_)), "{at:?}: {error:?}");
            assert_eq!(error.to_string(), "a.bpt: the file changed during the run");
            assert_eq!(replacer.done[1], at[1], "its repetition is not kept");
        }
    }
}

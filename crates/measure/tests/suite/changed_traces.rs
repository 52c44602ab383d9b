//! A trace that is replaced or cut short while it is measured or verified is reported as changed, not as a fault of an
//! algorithm.

use crate::common::{NEVER, TickingClock, crowded_scene, plan, row};
use measure::{
    Case, FinishedRepetition, Instruments, Observer, OutputError, Watch, measure_case_watched,
    record_case, verify_case,
};
use sim::Scene;
use std::fs;
use std::path::Path;

const FRAMES: u32 = 4;

/// Records one of two traces of equal length.
fn record(folder: &Path, seed: u64) -> Case {
    let case = Case::of_scene("crowded", Scene { seed, ..crowded_scene() }, 0, FRAMES);
    let path = folder.join(format!("{seed}.bpt"));
    record_case(&case, row("bsp"), &path, true, &mut (), &NEVER).unwrap()
}

/// Changes the first trace once this number of frames and of repetitions are done.
struct Replacer<'a> {
    folder: &'a Path,
    /// Within its last frame. Else the second trace takes its name.
    cuts: bool,
    at: [u32; 2],
    done: [u32; 2],
}

impl Replacer<'_> {
    fn count(&mut self, what: usize) {
        self.done[what] += 1;
        let path = self.folder.join("1.bpt");
        if self.done == self.at && self.cuts {
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_len(fs::metadata(path).unwrap().len() - 10).unwrap();
        } else if self.done == self.at {
            fs::rename(self.folder.join("2.bpt"), path).unwrap();
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
    // Within the first repetition, between two, within the last one, and behind it.
    for (verifies, at) in [
        (false, [2, 0]),
        (false, [FRAMES, 1]),
        (false, [3 * FRAMES + 2, 3]),
        (false, [4 * FRAMES, 4]),
        (true, [1, 0]),
        (true, [2 * FRAMES, 0]),
    ] {
        for cuts in [false, true] {
            let folder = tempfile::tempdir().unwrap();
            let folder = folder.path();
            let [case, _] = [1, 2].map(|seed| record(folder, seed));
            let mut replacer = Replacer { folder, cuts, at, done: [0; 2] };
            let (clock, plan) = (TickingClock::new(), plan(&algorithms, 2));
            let watch = Watch { observer: &mut replacer, stop: &NEVER, finished: Vec::new() };
            let error = if verifies {
                verify_case(&case, row("brute-force"), &plan, &clock, watch).map(drop)
            } else {
                measure_case_watched(&case, &plan, Instruments::new(&clock, None), watch).map(drop)
            };
            let error = error.unwrap_err().to_string();
            assert_eq!(error, "crowded: the file changed during the run", "{at:?}");
            assert_eq!(replacer.done[1], at[1], "its repetition is not kept");
        }
    }
}

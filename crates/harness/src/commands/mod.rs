//! The commands, a file each, and what they share.

pub(crate) mod list;
pub(crate) mod plot;
pub(crate) mod record;
pub(crate) mod report;
pub(crate) mod run;
#[cfg(test)]
mod tests;
pub(crate) mod thesis;
pub(crate) mod verify;

use crate::cli::Playing;
use crate::console;
use crate::failure::Failure;
use measure::{Case, CaseOptions, Input, available_memory};

/// The cases that the inputs make, all of them readable and small enough to be held.
fn cases(playing: &Playing, warmup: Option<u32>, quiet: bool) -> Result<Vec<Case>, Failure> {
    let mut inputs = Vec::new();
    for path in without_repeats(&playing.inputs) {
        let input = Input::open(&path)?;
        if !quiet {
            input.warnings.iter().for_each(|warning| console::note(warning.trim_end()));
        }
        inputs.push(input);
    }
    if !playing.objects.is_empty() && !inputs.iter().any(Input::is_scene) {
        let reason = "--objects is for scenes: the number of a trace's objects is in its file";
        return Err(Failure::Usage(reason.to_owned()));
    }
    let options = CaseOptions {
        objects: without_repeats(&playing.objects),
        seed: playing.seed,
        warmup,
        frames: playing.frames,
    };
    let mut cases = Vec::new();
    for input in &inputs {
        cases.extend(input.cases(&options)?);
    }
    let available = available_memory();
    cases.iter().try_for_each(|case| case.check_memory(available))?;
    Ok(cases)
}

/// The items in their order, each once: a case that is asked for twice is measured once.
fn without_repeats<T: Clone + PartialEq>(items: &[T]) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for item in items {
        if !kept.contains(item) {
            kept.push(item.clone());
        }
    }
    kept
}

//! The cases that a command line names.

use crate::cli::Playing;
use crate::console;
use crate::failure::Failure;
use measure::{BoxesSpec, Case, CaseOptions, Input, available_memory};
use sim::{TraceReader, is_terminal_control};
use std::collections::HashSet;
use std::path::{Path, PathBuf};

/// Most frames of all repetitions of one cell: they are held until the cell is done.
const MAX_FRAMES_PER_CELL: u64 = 5_000_000;

/// The cases of all inputs.
pub(crate) fn cases(
    playing: &Playing,
    warmup: Option<u32>,
    measures: bool,
    quiet: bool,
) -> Result<Vec<Case>, Failure> {
    cases_of(&inputs(playing, measures, quiet)?, &playing.options(warmup, playing.frames))
}

impl Playing {
    /// The parts of the inputs that are played.
    pub(super) fn options(&self, warmup: Option<u32>, frames: Option<u32>) -> CaseOptions {
        CaseOptions { objects: without_repeats(&self.objects), seed: self.seed, warmup, frames }
    }
}

/// All inputs, which were opened.
///
/// With `measures` a seed draws the order of measuring too, and always has an effect.
pub(super) fn inputs(
    playing: &Playing,
    measures: bool,
    quiet: bool,
) -> Result<Vec<Input>, Failure> {
    let mut inputs = open(&playing.inputs, quiet)?;
    for spec in without_repeats(&playing.boxes) {
        inputs.push(Input::boxes(spec.with_moving(playing.moving)));
    }
    if !playing.boxes.is_empty() {
        check_moving(&playing.boxes, playing.moving)?;
    }
    if inputs.is_empty() {
        let reason = "name an <INPUT>: a scene file, a trace (.bpt), or --boxes NAME:N";
        return Err(Failure::Usage(reason.to_owned()));
    }
    if !playing.objects.is_empty() && !inputs.iter().any(Input::is_scene) {
        let reason = "--objects is for scenes: a trace has its number in its file, and generated \
                      boxes in their name";
        return Err(Failure::Usage(reason.to_owned()));
    }
    if !measures {
        check_seed(&inputs, playing.seed)?;
    }
    Ok(inputs)
}

/// The cases of inputs. Refuses those with rows of the same labels.
pub(crate) fn cases_of(inputs: &[Input], options: &CaseOptions) -> Result<Vec<Case>, Failure> {
    let cases = inputs.iter().map(|input| input.cases(options));
    let cases = cases.collect::<Result<Vec<Vec<Case>>, _>>()?.concat();
    let mut seen = HashSet::new();
    match cases.iter().find(|case| !seen.insert((&case.input, case.n, case.seed))) {
        None => Ok(cases),
        Some(Case { input, n, .. }) => Err(Failure::Usage(format!(
            "two inputs would be `{input}`, n = {n} in the results: name the file otherwise"
        ))),
    }
}

/// Opens files, each once, and prints the warnings about them.
pub(crate) fn open(paths: &[PathBuf], quiet: bool) -> Result<Vec<Input>, Failure> {
    let open = |path: PathBuf| {
        let input = Input::open(&path)?;
        let warnings = input.warnings.iter().filter(|_| !quiet);
        warnings.for_each(|warning| console::note(warning.trim_end()));
        Ok(input)
    };
    without_repeats(paths).into_iter().map(open).collect()
}

/// Refuses cases that do not fit into memory.
pub(crate) fn check_memory(cases: &[Case]) -> Result<(), Failure> {
    let available = available_memory();
    Ok(cases.iter().try_for_each(|case| case.check_memory(available))?)
}

/// Refuses a share of moving boxes where it cannot be chosen.
fn check_moving(boxes: &[BoxesSpec], moving: Option<f32>) -> Result<(), Failure> {
    if moving.is_none() || boxes.iter().any(BoxesSpec::takes_moving) {
        return Ok(());
    }
    let reason = |spec: &BoxesSpec| match spec {
        BoxesSpec::Generated(_) => format!("{} stands still", spec.name()),
        BoxesSpec::Cell(_) => format!("{} has its own share", spec.name()),
    };
    let reasons: Vec<String> = boxes.iter().map(reason).collect();
    Err(Failure::Usage(format!("--moving has no effect: {}", reasons.join(", "))))
}

/// Refuses a seed without effect: traces and `terdiman` are fixed.
fn check_seed(inputs: &[Input], seed: Option<u64>) -> Result<(), Failure> {
    if seed.is_none() || inputs.iter().any(Input::has_seed) {
        return Ok(());
    }
    let names: Vec<&str> = inputs.iter().map(|input| input.name.as_str()).collect();
    Err(Failure::Usage(format!("--seed has no effect: {} is always the same", names.join(", "))))
}

/// Refuses more frames than can be held.
pub(crate) fn check_length(cases: &[Case], repeats: u32) -> Result<(), Failure> {
    check_frames(cases.iter().map(Case::total_frames), repeats)
}

/// Refuses more frames than can be held; `frames` are those of each case.
pub(crate) fn check_frames(frames: impl Iterator<Item = u32>, repeats: u32) -> Result<(), Failure> {
    match frames.map(|frames| u64::from(frames) * u64::from(repeats)).max() {
        Some(most) if most > MAX_FRAMES_PER_CELL => Err(Failure::Usage(format!(
            "{most} frames in {repeats} repetitions are too many: the rows of one algorithm are \
             held in memory, at most {MAX_FRAMES_PER_CELL}"
        ))),
        _ => Ok(()),
    }
}

/// The items in their order, each once: a case that is asked for twice is measured once.
pub(crate) fn without_repeats<T: Clone + PartialEq>(items: &[T]) -> Vec<T> {
    let mut kept: Vec<T> = Vec::new();
    for item in items {
        if !kept.contains(item) {
            kept.push(item.clone());
        }
    }
    kept
}

/// A trace, by the name of its file.
pub(crate) struct NamedTrace {
    /// Its name in the rows, without the number of objects.
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) objects: u32,
    pub(super) frames: u32,
}

impl NamedTrace {
    pub(super) fn open(path: &Path) -> Result<Self, Failure> {
        let wrong = |reason: &str| Failure::Usage(format!("--trace {}: {reason}", path.display()));
        if !path.extension().is_some_and(|e| e.eq_ignore_ascii_case("bpt")) {
            return Err(wrong("a trace's name ends in .bpt"));
        }
        let name = path.file_stem().and_then(|name| name.to_str());
        let name = name.ok_or_else(|| wrong("its name is no text"))?.to_owned();
        if name.contains(|c: char| is_terminal_control(c) || matches!(c, ',' | ':' | '|' | '`')) {
            return Err(wrong(
                "its name must not contain `,`, `:`, `|`, a backtick or control characters",
            ));
        }
        let reader = TraceReader::open(path).map_err(measure::InputError::from)?;
        let (objects, frames) = (reader.objects(), reader.frames());
        Ok(Self { name, path: path.to_owned(), objects, frames })
    }

    /// Its first frames: those of warm-up, and those that count. Refused where it has not as many.
    pub(super) fn case(&self, frames: (u32, u32)) -> Result<Case, Failure> {
        trace_case(&self.path, &self.name, frames)
    }

    /// The error where another input has its name.
    pub(super) fn doubled(&self, other: &str) -> Failure {
        let (path, name) = (self.path.display(), &self.name);
        Failure::Usage(format!(
            "--trace {path}: another {other} is called `{name}`: name the file otherwise"
        ))
    }
}

/// The first frames of a trace, by a name in the rows: those of warm-up, and those that count. Refused where it has not as
/// many.
pub(super) fn trace_case(path: &Path, name: &str, frames: (u32, u32)) -> Result<Case, Failure> {
    let (warmup, frames) = (Some(frames.0), Some(frames.1));
    let options = CaseOptions { warmup, frames, ..CaseOptions::default() };
    let mut case = Input::open(path)?.cases(&options)?.remove(0);
    name.clone_into(&mut case.input);
    Ok(case)
}

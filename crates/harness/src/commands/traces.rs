//! The traces of the option `--trace`: inputs of `speed` and `atlas`.

use crate::failure::Failure;
use measure::{Case, CaseOptions, Input};
use sim::{TraceReader, is_terminal_control};
use std::path::{Path, PathBuf};

/// A trace, by the name of its file.
pub(in crate::commands) struct NamedTrace {
    /// Its name in the rows, without the number of objects.
    pub(in crate::commands) name: String,
    pub(in crate::commands) path: PathBuf,
    pub(in crate::commands) objects: u32,
    pub(in crate::commands) frames: u32,
}

impl NamedTrace {
    pub(in crate::commands) fn open(path: &Path) -> Result<Self, Failure> {
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

    /// Its first frames. Refused where it has not as many.
    pub(in crate::commands) fn case(&self, warmup: u32, frames: u32) -> Result<Case, Failure> {
        trace_case(&self.path, &self.name, warmup, frames)
    }
}

/// The first frames of a trace, by a name in the rows. Refused where it has not as many.
pub(in crate::commands) fn trace_case(
    path: &Path,
    name: &str,
    warmup: u32,
    frames: u32,
) -> Result<Case, Failure> {
    let (warmup, frames) = (Some(warmup), Some(frames));
    let options = CaseOptions { warmup, frames, ..CaseOptions::default() };
    let mut case = Input::open(path)?.cases(&options)?.remove(0);
    name.clone_into(&mut case.input);
    Ok(case)
}

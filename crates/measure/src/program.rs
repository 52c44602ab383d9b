//! External programs, measured as algorithms are: they read a trace, and report a line for each frame.

use crate::input::{InputError, WatchedFile};
use crate::rows::label;
use sim::is_terminal_control;
use std::fs;
use std::path::Path;

/// A program that searches the boxes of a trace. It is called with the trace's path, and prints a line
/// for each frame: nanoseconds of update and search, number of pairs, and the checksum of the pair list
/// in 16 hexadecimal digits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    id: String,
    file: WatchedFile,
}

impl Program {
    /// The program at `path`.
    ///
    /// # Errors
    ///
    /// Where it is no file, cannot be read or executed, or has a name that is no text.
    pub fn open(path: &Path) -> Result<Self, String> {
        let wrong = |reason: String| format!("{}: {reason}", path.display());
        // A path without a folder would be searched for in PATH.
        let absolute = path.canonicalize().map_err(|e| wrong(format!("no program: {e}")))?;
        let metadata = fs::metadata(&absolute).map_err(|e| wrong(format!("no program: {e}")))?;
        if !metadata.is_file() {
            return Err(wrong("no program: it is no file".to_owned()));
        }
        if !is_executable(&metadata) {
            return Err(wrong("the file is not executable".to_owned()));
        }
        fs::File::open(&absolute).map_err(|e| wrong(format!("the file cannot be read: {e}")))?;
        let name = path.file_name().and_then(|name| name.to_str()).map(str::trim);
        let is_text = |name: &&str| !name.is_empty() && !name.contains(is_terminal_control);
        let id = name.filter(is_text).ok_or_else(|| wrong("its name is no text".to_owned()))?;
        let id = label(id.trim_end_matches(".exe").to_owned());
        Ok(Self { id, file: WatchedFile::new(absolute) })
    }

    /// Its name in the rows: that of its file.
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Its file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// A hash of its file, by which a resumed run recognises it.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read.
    pub fn content_hash(&self) -> Result<u64, InputError> {
        self.file.content_hash(&self.path().display().to_string())
    }

    /// Refuses a program whose file has changed since it was opened.
    pub(crate) fn check_unchanged(&self) -> Result<(), InputError> {
        self.file.check(&self.path().display().to_string())
    }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt;
    metadata.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_metadata: &fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_an_executable_file_is_a_program() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("searches");
        let refusal = |path: &Path| Program::open(path).unwrap_err();
        assert!(refusal(&file).contains("searches: no program: "), "{}", refusal(&file));
        assert!(refusal(folder.path()).ends_with("no program: it is no file"));
        fs::write(&file, "#!/bin/sh\n").unwrap();
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            assert!(refusal(&file).ends_with("the file is not executable"));
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        let program = Program::open(&file).unwrap();
        assert_eq!((program.id(), program.path().is_absolute()), ("searches", true));
    }
}

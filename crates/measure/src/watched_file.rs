//! A trace or a program, which must stay as it is while it is measured.

use crate::InputError;
use same_file::Handle;
use sim::open_regular;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// A file, and what it was when it was named.
///
/// All repetitions of a case show the same boxes, and run the same programs. A trace that is replaced or
/// overwritten between two of them would look like an algorithm that finds other pairs, and a program that is
/// built again like one whose times vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchedFile {
    path: PathBuf,
    /// `None` where it could not be opened.
    was: Option<Arc<State>>,
}

/// A file at a moment. The open handle keeps the system from giving its identity to another file.
#[derive(Debug, PartialEq, Eq)]
struct State {
    handle: Handle,
    length: u64,
    modified: Option<SystemTime>,
}

impl State {
    fn of(path: &Path) -> io::Result<Self> {
        let handle = Handle::from_file(open_regular(path)?)?;
        let metadata = handle.as_file().metadata()?;
        Ok(Self { handle, length: metadata.len(), modified: metadata.modified().ok() })
    }
}

impl WatchedFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        let was = State::of(&path).ok().map(Arc::new);
        Self { path, was }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses a file that has changed since it was named; `name` is how the user calls it.
    pub(crate) fn check(&self, name: &str) -> Result<(), InputError> {
        let changed = || InputError::Changed { name: name.to_owned() };
        match &self.was {
            Some(was) if State::of(&self.path).is_ok_and(|now| now == **was) => Ok(()),
            Some(_) => Err(changed()),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn changed_file_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.bpt");
        let is_unchanged = |change: &dyn Fn()| {
            fs::write(&path, b"one").unwrap();
            let file = WatchedFile::new(path.clone());
            change();
            file.check("a.bpt").is_ok()
        };
        assert!(is_unchanged(&|| {}));
        assert!(!is_unchanged(&|| fs::write(&path, b"longer").unwrap()));
        assert!(!is_unchanged(&|| fs::remove_file(&path).unwrap()));
        assert!(!is_unchanged(&|| {
            let copy = folder.path().join("copy");
            fs::write(&copy, b"one").unwrap();
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            fs::File::options().write(true).open(&copy).unwrap().set_modified(modified).unwrap();
            fs::rename(&copy, &path).unwrap();
        }));
        assert!(!is_unchanged(&|| {
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }));
    }
}

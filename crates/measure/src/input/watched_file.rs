//! A trace or a program, which must stay as it is while it is measured.

use super::error::InputError;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A file, and what it was when it was named. Bytes that were overwritten by as many, with the old time set again, are not
/// noticed.
///
/// All repetitions of a case show the same boxes, and run the same programs. A trace that is replaced or
/// overwritten between two of them would look like an algorithm that finds other pairs, and a program that is
/// built again like one whose times vary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct WatchedFile {
    path: PathBuf,
    /// `None` where there was none.
    was: Option<State>,
}

/// A file at a moment: device and number on it, when it was made where the system keeps that (it may give the number of a
/// removed file to another one), length, and time of the last change. It is not kept open: a run may have more traces than
/// a process may open files.
type State = ((u64, u64), Option<SystemTime>, u64, Option<SystemTime>);

fn state_of(path: &Path) -> io::Result<State> {
    let metadata = fs::metadata(path)?;
    #[cfg(unix)]
    let number = {
        use std::os::unix::fs::MetadataExt;
        (metadata.dev(), metadata.ino())
    };
    #[cfg(not(unix))]
    let number = (0, 0);
    Ok((number, metadata.created().ok(), metadata.len(), metadata.modified().ok()))
}

impl WatchedFile {
    pub(crate) fn new(path: PathBuf) -> Self {
        let was = state_of(&path).ok();
        Self { path, was }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// Refuses a file that has changed since it was named; `name` is how the user calls it.
    pub(crate) fn check(&self, name: &str) -> Result<(), InputError> {
        let name = name.to_owned();
        match (&self.was, state_of(&self.path)) {
            (Some(was), Ok(now)) if *was == now => Ok(()),
            (None, Err(source)) => Err(InputError::Unreadable { name, source }),
            _ => Err(InputError::Changed { name }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{self, Metadata};

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
        assert!(is_unchanged(&|| fs::hard_link(&path, folder.path().join("link")).unwrap()));
        assert!(!is_unchanged(&|| fs::write(&path, b"longer").unwrap()));
        assert!(!is_unchanged(&|| fs::remove_file(&path).unwrap()));
        assert!(!is_unchanged(&|| {
            let copy = folder.path().join("copy");
            fs::write(&copy, b"one").unwrap();
            let modified = fs::metadata(&path).unwrap().modified().unwrap();
            fs::File::options().write(true).open(&copy).unwrap().set_modified(modified).unwrap();
            fs::rename(&copy, &path).unwrap();
        }));
        // The number of the removed file may be given to this one.
        #[cfg(unix)]
        assert!(!is_unchanged(&|| {
            let was = fs::metadata(&path).unwrap();
            let modified = was.modified().unwrap();
            // The clock of the file system may be slow: until it shows another time.
            let is_same =
                |now: &Metadata| now.created().is_ok_and(|c| Some(c) == was.created().ok());
            loop {
                fs::remove_file(&path).unwrap();
                fs::write(&path, b"two").unwrap();
                if !is_same(&fs::metadata(&path).unwrap()) {
                    break;
                }
            }
            fs::File::options().write(true).open(&path).unwrap().set_modified(modified).unwrap();
        }));
        assert!(!is_unchanged(&|| {
            let file = fs::File::options().write(true).open(&path).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        }));
    }
}

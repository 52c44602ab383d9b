//! Files.

use super::System;
use measure::{Input, InputError};
use sim::{AtomicFile, read_regular};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Reads and writes files by their paths.
pub trait Files: Sync {
    /// Opens a scene or a trace.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is wrong.
    fn open(&self, path: &Path) -> Result<Input, InputError>;

    /// The folder that paths without one are in.
    ///
    /// # Errors
    ///
    /// If it is gone.
    fn folder(&self) -> io::Result<PathBuf> {
        std::env::current_dir()
    }

    /// Reads a file of at most this many bytes.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is longer.
    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>>;

    /// Writes a file, whole or not at all, and the folders that it is in.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Keeps a file that the user has not asked for: where a written one is downloaded, in memory alone.
    ///
    /// # Errors
    ///
    /// As [`write`](Self::write).
    fn keep(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.write(path, bytes)
    }

    /// Creates a folder and those that it is in, unless they are there.
    ///
    /// # Errors
    ///
    /// If it cannot be created.
    fn create_folder(&self, folder: &Path) -> io::Result<()>;

    /// Removes a file, unless there is none.
    ///
    /// # Errors
    ///
    /// If it cannot be removed.
    fn remove(&self, path: &Path) -> io::Result<()>;

    /// Whether there is a file or a folder.
    fn exists(&self, path: &Path) -> bool;

    /// The names of the files in a folder; none if there is no such folder.
    fn names(&self, folder: &Path) -> Vec<PathBuf>;

    /// The address that opens the state of a query; `None` unless this is a page.
    fn address(&self, _query: &str) -> Option<String> {
        None
    }
}

impl Files for System {
    fn open(&self, path: &Path) -> Result<Input, InputError> {
        Input::open(path)
    }

    fn read(&self, path: &Path, most: u64) -> io::Result<Vec<u8>> {
        read_regular(path, most)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder)?;
        }
        let mut file = AtomicFile::create_through_link(path)?;
        file.write_all(bytes)?;
        file.commit()
    }

    fn create_folder(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn exists(&self, path: &Path) -> bool {
        path.exists()
    }

    fn names(&self, folder: &Path) -> Vec<PathBuf> {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.file_name().into()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn permissions_links_and_write_protection_are_kept() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let directory = tempfile::tempdir().unwrap();
        let [path, link] = ["a.scene", "link.scene"].map(|name| directory.path().join(name));
        let permissions = |mode| fs::Permissions::from_mode(mode);
        let mode = || fs::metadata(&path).unwrap().permissions().mode() & 0o777;

        System.write(&path, b"one").unwrap();
        assert_eq!(mode() & 0o600, 0o600);
        fs::set_permissions(&path, permissions(0o640)).unwrap();
        symlink(&path, &link).unwrap();
        System.write(&link, b"two").unwrap();
        assert_eq!(mode(), 0o640);
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");

        fs::set_permissions(&path, permissions(0o444)).unwrap();
        assert!(System.write(&path, b"three").is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "two");
        let mut names = System.names(directory.path());
        names.sort();
        assert_eq!(names, ["a.scene", "link.scene"].map(PathBuf::from), "nothing else is left");
    }
}

//! Files that appear whole or not at all.

use crate::refuse_irregular;
use crate::unfinished::Unfinished;
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

/// A file under a temporary name in the directory of its target; dropped without
/// [`commit`](Self::commit), it leaves nothing.
#[derive(Debug)]
pub struct AtomicFile {
    file: BufWriter<File>,
    /// Removes the file when it is dropped.
    temporary: TempPath,
    target: PathBuf,
    /// Whether a file that is at the target when this is complete is replaced.
    replaces: bool,
    _unfinished: Unfinished,
}

/// Refuses a symbolic link, whether or not it leads to a file: what it leads to was not named, and may be
/// anything.
///
/// # Errors
///
/// Where `path` is a link.
pub fn refuse_link(path: &Path) -> io::Result<()> {
    if path.is_symlink() {
        return Err(io::Error::other(
            "it is a symbolic link, which is not written through: remove it, or choose another name",
        ));
    }
    Ok(())
}

/// The folder of a file: an empty parent is the folder that the program stands in.
fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

impl AtomicFile {
    /// Opens a temporary file beside `target`.
    ///
    /// # Errors
    ///
    /// If the folder cannot be written, or a directory, a symbolic link or a write-protected file is in the
    /// way. It is found here, before the work whose result would be lost.
    pub fn create(target: &Path) -> io::Result<Self> {
        refuse_link(target)?;
        Self::beside(target.to_owned())
    }

    /// [`create`](Self::create) for a file that its user edits: where `target` is a link, it stays one, and the
    /// file that it leads to is replaced.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create). A link must lead to a file.
    pub fn create_through_link(target: &Path) -> io::Result<Self> {
        match fs::canonicalize(target) {
            Ok(target) => Self::beside(target),
            Err(_) => Self::create(target),
        }
    }

    fn beside(target: PathBuf) -> io::Result<Self> {
        // A rename would replace a pipe or a device by a file, and ignore the protection.
        refuse_irregular(&target)?;
        let permissions = fs::metadata(&target).ok().map(|present| present.permissions());
        if permissions.as_ref().is_some_and(Permissions::readonly) {
            let error = io::ErrorKind::PermissionDenied;
            return Err(io::Error::new(error, "the file is write-protected"));
        }
        let mut builder = tempfile::Builder::new();
        builder.prefix(".unfinished-");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            // As for any new file, less the umask; temporary files are private otherwise.
            builder.permissions(Permissions::from_mode(0o666));
        }
        // Only the kind, and later the file alone: the text names the temporary file, which the user does not
        // know.
        let (file, unfinished) = Unfinished::make(|| builder.tempfile_in(folder_of(&target)))
            .map_err(|error| io::Error::from(error.kind()))?;
        let (file, temporary) = file.into_parts();
        if let Some(permissions) = permissions {
            file.set_permissions(permissions)?;
        }
        let file = BufWriter::new(file);
        Ok(Self { file, temporary, target, replaces: true, _unfinished: unfinished })
    }

    /// [`create`](Self::create), after missing folders are made.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create), and where a folder cannot be made.
    pub fn create_with_folder(target: &Path) -> io::Result<Self> {
        fs::create_dir_all(folder_of(target)).map_err(|error| match error.kind() {
            // A file is in the way. "exists" would not say why that is wrong.
            io::ErrorKind::AlreadyExists => io::ErrorKind::NotADirectory.into(),
            _ => error,
        })?;
        Self::create(target)
    }

    /// Chooses whether [`commit`](Self::commit) replaces a file that is there by then, or fails. Another program may have
    /// written one since this was created.
    pub fn replacing(self, replaces: bool) -> Self {
        Self { replaces, ..self }
    }

    /// Overwrites bytes that were written before; only [`commit`](Self::commit) may follow.
    pub(crate) fn patch(&mut self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        self.file.seek(SeekFrom::Start(offset))?;
        self.file.write_all(bytes)
    }

    /// Renames the file to its target, and replaces any file there, unless [`replacing`](Self::replacing) forbids it.
    ///
    /// # Errors
    ///
    /// If the last bytes cannot be written, or a file must not be replaced; a file at the target is then untouched.
    pub fn commit(mut self) -> io::Result<()> {
        self.file.flush()?;
        // Otherwise a crash of the machine could leave the new name with the old blocks.
        self.file.get_ref().sync_all()?;
        self.commit_unsynced()
    }

    /// [`commit`](Self::commit) without waiting for the disk. If the machine crashes soon, the file may be damaged, which
    /// its reader has to notice.
    ///
    /// # Errors
    ///
    /// As [`commit`](Self::commit).
    pub fn commit_unsynced(mut self) -> io::Result<()> {
        self.file.flush()?;
        if self.replaces {
            return Ok(self.temporary.persist(&self.target)?);
        }
        let Err(failed) = self.temporary.persist_noclobber(&self.target) else { return Ok(()) };
        let is_free = fs::symlink_metadata(&self.target)
            .is_err_and(|error| error.kind() == io::ErrorKind::NotFound);
        match failed.error.kind() {
            io::ErrorKind::AlreadyExists => {
                let text = "another program has written this file meanwhile, which is not replaced";
                Err(io::Error::new(io::ErrorKind::AlreadyExists, text))
            }
            // Some shared and network folders have neither links nor a rename that replaces nothing.
            _ if is_free => Ok(failed.path.persist(&self.target)?),
            _ => Err(failed.error),
        }
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn device_file_is_not_replaced() {
        let refusal = AtomicFile::create(Path::new("/dev/null")).unwrap_err();
        assert_eq!(refusal.to_string(), "it is no regular file");
    }

    #[test]
    fn file_that_appeared_meanwhile_is_kept_unless_replacing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let written = |replaces: bool, meanwhile: &str| {
            let _ = fs::remove_file(&path);
            let mut file = AtomicFile::create(&path).unwrap().replacing(replaces);
            file.write_all(b"ours").unwrap();
            if !meanwhile.is_empty() {
                fs::write(&path, meanwhile).unwrap();
            }
            let end = file.commit().map_err(|error| error.to_string());
            (end, fs::read_to_string(&path).unwrap())
        };
        let (refusal, content) = written(false, "theirs");
        assert!(refusal.unwrap_err().starts_with("another program has written this file"));
        assert_eq!(content, "theirs");
        assert_eq!(written(true, "theirs"), (Ok(()), "ours".to_owned()));
        assert_eq!(written(false, ""), (Ok(()), "ours".to_owned()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "no temporary file is left");
    }

    #[test]
    fn link_is_not_written_through_unless_its_user_edits_it() {
        let folder = tempfile::tempdir().unwrap();
        let [file, link, dangling] =
            ["file", "link", "dangling"].map(|name| folder.path().join(name));
        fs::write(&file, "precious").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        std::os::unix::fs::symlink(folder.path().join("missing"), &dangling).unwrap();
        for path in [&link, &dangling] {
            let refusal = AtomicFile::create(path).unwrap_err().to_string();
            assert!(refusal.starts_with("it is a symbolic link, "), "{refusal}");
        }
        assert!(AtomicFile::create_through_link(&dangling).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "precious");
        let mut edited = AtomicFile::create_through_link(&link).unwrap();
        edited.write_all(b"edited").unwrap();
        edited.commit().unwrap();
        assert!(link.is_symlink() && dangling.is_symlink());
        assert_eq!(fs::read_to_string(&file).unwrap(), "edited");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
    }
}

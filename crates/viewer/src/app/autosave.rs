//! Unsaved edits: each window keeps them in a file of its own, which the next start offers.

use super::following_file::FollowingFile;
use crate::panel::UnsavedEdits;
use crate::platform::{Files, Platform, System};
use measure::RunId;
use sim::{Scene, SceneDocument};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Maximum of windows that are open at the same time and keep their edits.
const MAX_WINDOWS: u32 = 64;

/// Begin of the first line of such a file: a comment with the path of the scene and the date.
const HEAD: &str = "# Unsaved edits of ";

/// A scene with edits that its file lacks.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct EditedScene {
    /// The file, or the name of a scene without one.
    pub(super) path: PathBuf,
    pub(super) scene: Arc<Scene>,
}

impl EditedScene {
    /// Writes the scene into a file that can be offered.
    ///
    /// # Errors
    ///
    /// A message of one line if it cannot be written.
    pub(super) fn write(&self, files: &dyn Files, path: &Path) -> Result<UnsavedEdits, String> {
        let scene = self.path.display().to_string().replace(['\n', '\r'], " ");
        let date = RunId::now().date();
        let document = SceneDocument::from_scene(&self.scene).map_err(|e| e.to_string());
        let text =
            document.map(|document| format!("{HEAD}{scene} at {date}\n{}", document.to_text()));
        let written =
            text.and_then(|text| files.keep(path, text.as_bytes()).map_err(|e| e.to_string()));
        let path = path.to_owned();
        match written {
            Ok(()) => Ok(UnsavedEdits { scene: self.path.clone(), date: shown(&date), path }),
            Err(e) => Err(format!("the unsaved edits are not kept in {}: {e}", path.display())),
        }
    }
}

/// The file of a window with its unsaved edits, of which there are none yet.
pub(super) fn file(
    path: Option<PathBuf>,
    platform: Platform,
) -> FollowingFile<Option<EditedScene>> {
    FollowingFile::new("unsaved edits", path, platform, follow, None)
}

/// Writes the unsaved edits of a window into its file, or removes the file if there are none.
///
/// # Errors
///
/// A message of one line if it cannot be written or removed.
fn follow(edited: &Option<EditedScene>, files: &dyn Files, path: &Path) -> Result<(), String> {
    match edited {
        Some(edited) => edited.write(files, path).map(drop),
        None => files.remove(path).map_err(|e| format!("cannot remove {}: {e}", path.display())),
    }
}

/// Reserves a file in a folder for the edits of this process, until it ends in whatever way. Returns its path, and the edits
/// that windows have left which are no longer open. Each is returned to one process alone.
///
/// Places are numbered. A place is taken by a lock, which the system drops with its process.
pub(super) fn claim(folder: &Path) -> (Option<PathBuf>, Vec<UnsavedEdits>) {
    let (mut own, mut left) = (None, Vec::new());
    // Without a folder, no lock can be created.
    let _ = fs::create_dir_all(folder);
    for place in 0..MAX_WINDOWS {
        let path = folder.join(format!("{place}.scene"));
        if own.is_some() && !path.exists() {
            continue;
        }
        let lock = File::create(path.with_extension("lock"));
        let Some(lock) = lock.ok().filter(|lock| lock.try_lock().is_ok()) else { continue };
        left.extend(take(&path));
        if own.is_none() && !path.exists() {
            own = Some(path);
            std::mem::forget(lock);
        }
    }
    (own, left)
}

/// Moves the edits of an ended window to where they are not offered again; `None` if there are none.
fn take(path: &Path) -> Option<UnsavedEdits> {
    let bytes = System.read(path, SceneDocument::MAX_BYTES).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let head = text.lines().next().and_then(|line| line.strip_prefix(HEAD));
    let (scene, date) = head.and_then(|head| head.rsplit_once(" at ")).unwrap_or(("a scene", ""));
    let kept = path.with_file_name(format!("left-{}.scene", RunId::now()));
    fs::rename(path, &kept).ok()?;
    Some(UnsavedEdits { scene: scene.into(), date: shown(date), path: kept })
}

/// A date as the user reads it: `2026-11-30 12:31 UTC`.
fn shown(date: &str) -> String {
    let to_minute = date.get(..16).unwrap_or("an unknown date");
    format!("{} UTC", to_minute.replace('T', " "))
}

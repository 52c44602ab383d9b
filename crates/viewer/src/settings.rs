//! Settings that last from one run to the next.

use crate::camera::OrbitCamera;
use crate::one_line::one_line;
use crate::panel::Bookmark;
use crate::platform::Files;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::io;
use std::path::{Path, PathBuf};

/// Maximum of scene files in the list of recent ones.
const MAX_RECENT: usize = 8;

/// Maximum of bookmarks of all scenes. The oldest are dropped. 1,000 have about 200 kB, of at most [`MAX_BYTES`].
const MAX_BOOKMARKS: usize = 1000;

/// The longest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

/// The settings. Entries that a file lacks have their defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// Width and height of the window in points.
    pub window: [f32; 2],
    /// Dark or light colours.
    pub dark: bool,
    /// Whether drawing waits for the screen.
    pub vsync: bool,
    /// Whether the program that opens without a scene file suggests things to try.
    pub suggestions: bool,
    /// Recent scene files, newest first.
    pub recent_scenes: Vec<PathBuf>,
    /// The camera of the first of them.
    pub camera: Option<OrbitCamera>,
    /// Bookmarks of all scenes, those of the scene that changed last at the end.
    pub bookmarks: Vec<SavedBookmark>,
}

/// A bookmark with its scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedBookmark {
    scene: PathBuf,
    #[serde(flatten)]
    bookmark: Bookmark,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            window: [1280.0, 720.0],
            dark: true,
            vsync: true,
            suggestions: true,
            recent_scenes: Vec::new(),
            camera: None,
            bookmarks: Vec::new(),
        }
    }
}

impl Settings {
    /// The file's path on this platform; `None` if the platform has no such folder.
    pub fn path() -> Option<PathBuf> {
        #[cfg(target_family = "wasm")]
        let path = Some("viewer.toml".into());
        #[cfg(not(target_family = "wasm"))]
        let path = directories::ProjectDirs::from("", "", "broad-phase")
            .map(|folders| folders.config_dir().join("viewer.toml"));
        path
    }

    /// Reads a file. A missing one gives the defaults. An invalid one is copied to another that ends in `.bad`, because
    /// the next [`write`](Self::write) replaces it.
    ///
    /// # Errors
    ///
    /// If it cannot be read, is too long or is invalid.
    pub fn read(files: &dyn Files, path: &Path) -> Result<Self, SettingsError> {
        let shown = path.display();
        let bytes = match files.read(path, MAX_BYTES) {
            Ok(bytes) => bytes,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(e) => {
                let message = format!(
                    "cannot read the settings {shown}: {e}; the defaults are used, and no settings are stored"
                );
                return Err(SettingsError { message, may_replace: false });
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let (at, what) = match (toml::from_str::<Self>(&text), &text) {
            (Ok(settings), Cow::Borrowed(_)) => return Ok(settings.limited()),
            (Ok(_), Cow::Owned(_)) => {
                (text.find('\u{fffd}').unwrap_or_default(), "expected text in UTF-8".to_owned())
            }
            (Err(error), _) => {
                (error.span().map_or(0, |span| span.start), one_line(error.message()))
            }
        };
        let bad = path.with_added_extension("bad");
        let kept = files.write(&bad, &bytes);
        let outcome = match &kept {
            Ok(()) => format!("the old ones are kept in {}", bad.display()),
            Err(e) => format!(
                "and no settings are stored: the old ones cannot be kept in {}: {e}",
                bad.display()
            ),
        };
        let (line, column) = place(&text, at);
        let message = format!("{shown}:{line}:{column}: {what}; the defaults are used, {outcome}");
        Err(SettingsError { message, may_replace: kept.is_ok() })
    }

    /// The defaults, with these bookmarks: they are the user's work.
    pub fn reset(self) -> Self {
        Self { bookmarks: self.bookmarks, ..Self::default() }
    }

    /// Limits the numbers to those that a window supports.
    fn limited(mut self) -> Self {
        let usable = |side: f32| if side.is_finite() { side.clamp(320.0, 16_384.0) } else { 720.0 };
        self.window = self.window.map(usable);
        self.recent_scenes.truncate(MAX_RECENT);
        self
    }

    /// Writes the file, whole or not at all.
    ///
    /// # Errors
    ///
    /// A message of one line if it cannot be written.
    pub fn write(&self, files: &dyn Files, path: &Path) -> Result<(), String> {
        let error = |e: &dyn std::fmt::Display| {
            format!("cannot write the settings {}: {e}", path.display())
        };
        let text = toml::to_string_pretty(self).map_err(|e| error(&e))?;
        files.write(path, text.as_bytes()).map_err(|e| error(&e))
    }

    /// Adds a scene file to the recent ones, or makes it the first of them.
    pub fn remember_scene(&mut self, path: &Path) {
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if self.recent_scenes.first() != Some(&path) {
            self.camera = None;
        }
        self.recent_scenes.retain(|known| *known != path);
        self.recent_scenes.insert(0, path);
        self.recent_scenes.truncate(MAX_RECENT);
    }

    /// Stores the bookmarks of the first of the recent scenes.
    pub fn remember_bookmarks(&mut self, bookmarks: &[Bookmark]) {
        let Some(scene) = self.recent_scenes.first() else { return };
        if self.own_bookmarks().eq(bookmarks) {
            return;
        }
        self.bookmarks.retain(|saved| saved.scene != *scene);
        let own = bookmarks.iter().cloned();
        let own = own.map(|bookmark| SavedBookmark { scene: scene.clone(), bookmark });
        self.bookmarks.extend(own);
        let excess = self.bookmarks.len().saturating_sub(MAX_BOOKMARKS);
        self.bookmarks.drain(..excess);
    }

    /// The stored bookmarks of that scene.
    pub fn bookmarks(&self) -> Vec<Bookmark> {
        self.own_bookmarks().cloned().collect()
    }

    fn own_bookmarks(&self) -> impl Iterator<Item = &Bookmark> {
        let own = |saved: &&SavedBookmark| self.recent_scenes.first() == Some(&saved.scene);
        self.bookmarks.iter().filter(own).map(|saved| &saved.bookmark)
    }
}

/// Settings that are not read.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsError {
    /// One line: what is wrong, and where the file is kept.
    pub message: String,
    /// Whether the file may be replaced, because it is kept.
    pub may_replace: bool,
}

/// Line and column of a byte, both from 1.
fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    (line, column)
}

#[cfg(test)]
mod tests;

//! Settings that last from one run to the next.

mod saved;

use crate::camera::OrbitCamera;
use crate::panel::Bookmark;
use crate::platform::Files;
use crate::session::Methods;
use directories::ProjectDirs;
use narrowphase::BoxKind;
use saved::OfScene;
use serde::{Deserialize, Serialize};
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
    /// Id of the bounding volume for bodies. One that is not known is the default.
    pub volume: String,
    /// Id of the narrow phase for bodies.
    pub narrow: String,
    /// Id of how the boxes of bodies for the broad phase are computed.
    pub box_kind: String,
    /// Recent scene files, newest first.
    pub recent_scenes: Vec<PathBuf>,
    /// The camera of the last scene.
    pub camera: Option<OfScene<OrbitCamera>>,
    /// Bookmarks of all scenes, those of the scene that changed last at the end.
    pub bookmarks: Vec<OfScene<Bookmark>>,
}

impl Default for Settings {
    fn default() -> Self {
        let methods = Methods::default();
        Self {
            window: [1280.0, 720.0],
            dark: true,
            vsync: true,
            suggestions: true,
            volume: methods.volume.id.to_owned(),
            narrow: methods.narrow.id.to_owned(),
            box_kind: BoxKind::default().id().to_owned(),
            recent_scenes: Vec::new(),
            camera: None,
            bookmarks: Vec::new(),
        }
    }
}

impl Settings {
    /// The file's path on this platform; `None` if the platform has no such folder.
    pub fn path() -> Option<PathBuf> {
        let folders = ProjectDirs::from("", "", "broad-phase")?;
        Some(folders.config_dir().join("viewer.toml"))
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
        let ((line, column), what) = match Self::parse(&bytes) {
            Ok(settings) => return Ok(settings.limited()),
            Err(wrong) => wrong,
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
        let message = format!("{shown}:{line}:{column}: {what}; the defaults are used, {outcome}");
        Err(SettingsError { message, may_replace: kept.is_ok() })
    }

    /// Parses a file, or returns where and why it is invalid.
    fn parse(bytes: &[u8]) -> Result<Self, ((usize, usize), String)> {
        let text = std::str::from_utf8(bytes).map_err(|e| {
            let before = String::from_utf8_lossy(&bytes[..e.valid_up_to()]);
            (place(&before, before.len()), "expected text in UTF-8".to_owned())
        })?;
        toml::from_str(text).map_err(|e| {
            let start = e.span().map_or(0, |span| span.start);
            (place(text, start), e.message().replace('\n', " "))
        })
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
        files.write_with_folder(path, text.as_bytes()).map_err(|e| error(&e))
    }

    /// The methods for bodies.
    pub fn methods(&self) -> Methods {
        Methods::of_ids(&self.volume, &self.narrow)
    }

    /// Stores the methods for bodies. An inexact volume, which misses pairs, is for the present session alone.
    pub fn remember_methods(&mut self, methods: Methods) {
        if methods.volume.exact {
            self.volume = methods.volume.id.to_owned();
        }
        self.narrow = methods.narrow.id.to_owned();
    }

    /// How the boxes of bodies are computed; the default where the id is not known.
    pub fn box_kind(&self) -> BoxKind {
        BoxKind::find(&self.box_kind).unwrap_or_default()
    }

    /// Stores how the boxes of bodies are computed.
    pub fn remember_box_kind(&mut self, kind: BoxKind) {
        self.box_kind = kind.id().to_owned();
    }

    /// Adds a scene file to the recent ones.
    pub fn remember_scene(&mut self, path: &Path) {
        let path = full(path);
        self.recent_scenes.retain(|known| *known != path);
        self.recent_scenes.insert(0, path);
        self.recent_scenes.truncate(MAX_RECENT);
    }

    /// Stores the camera of a scene.
    pub fn remember_camera(&mut self, scene: &Path, camera: &OrbitCamera) {
        self.camera = Some(OfScene::new(&full(scene), *camera));
    }

    /// The stored camera, if it belongs to this scene.
    pub fn camera_of(&self, scene: &Path) -> Option<OrbitCamera> {
        let scene = full(scene);
        Some(self.camera.as_ref().filter(|saved| saved.is_of(&scene))?.kept)
    }

    /// Stores the bookmarks of a scene.
    pub fn remember_bookmarks(&mut self, scene: &Path, bookmarks: &[Bookmark]) {
        let scene = full(scene);
        self.bookmarks.retain(|saved| !saved.is_of(&scene));
        let own = bookmarks.iter().cloned();
        self.bookmarks.extend(own.map(|bookmark| OfScene::new(&scene, bookmark)));
        let excess = self.bookmarks.len().saturating_sub(MAX_BOOKMARKS);
        self.bookmarks.drain(..excess);
    }

    /// The stored bookmarks of a scene.
    pub fn bookmarks_of(&self, scene: &Path) -> Vec<Bookmark> {
        let scene = full(scene);
        let saved = self.bookmarks.iter().filter(|saved| saved.is_of(&scene));
        saved.map(|saved| saved.kept.clone()).collect()
    }
}

/// The path of a scene from the root, or as it is where there is no such file.
fn full(scene: &Path) -> PathBuf {
    scene.canonicalize().unwrap_or_else(|_| scene.to_owned())
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

//! Settings that last from one run to the next.

mod saved;

use crate::camera::OrbitCamera;
use crate::panel::Bookmark;
use crate::platform::Files;
use crate::session::Methods;
use directories::ProjectDirs;
use narrowphase::BoxKind;
use narrowphase::impact::Exactness;
use saved::{SavedBookmark, SavedCamera};
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};
use toml::{Table, Value};

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
    /// Id of the method for first contacts within a step, with its parameter.
    pub impact: String,
    /// Id of how the boxes of bodies for the broad phase are computed.
    pub box_kind: String,
    /// Recent scene files, newest first.
    pub recent_scenes: Vec<PathBuf>,
    /// The camera of the last scene.
    pub camera: Option<SavedCamera>,
    /// Bookmarks of all scenes, those of the scene that changed last at the end.
    pub bookmarks: Vec<SavedBookmark>,
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
            impact: methods.impact.to_string(),
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
                return Err(SettingsError { message, may_replace: false, rest: Box::default() });
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
        let message =
            format!("{shown}:{line}:{column}: {what}; this entry has its default now, {outcome}");
        Err(SettingsError {
            message,
            may_replace: kept.is_ok(),
            rest: Box::new(valid_part(&bytes)),
        })
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
        Methods::of_ids(&self.volume, &self.narrow).with_impact(&self.impact)
    }

    /// Stores the methods for bodies. An inexact volume or time of impact, which misses pairs, is for the present session
    /// alone.
    pub fn remember_methods(&mut self, methods: Methods) {
        if methods.volume.exact {
            self.volume = methods.volume.id.to_owned();
        }
        self.narrow = methods.narrow.id.to_owned();
        if methods.impact.kind.exactness != Exactness::Never {
            self.impact = methods.impact.to_string();
        }
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
        self.camera = Some(SavedCamera::of(&full(scene), camera));
    }

    /// The stored camera, if it belongs to this scene and its numbers are valid.
    pub fn camera_of(&self, scene: &Path) -> Option<OrbitCamera> {
        let scene = full(scene);
        self.camera.as_ref().filter(|saved| saved.is_of(&scene))?.camera()
    }

    /// Stores the bookmarks of a scene.
    pub fn remember_bookmarks(&mut self, scene: &Path, bookmarks: &[Bookmark]) {
        let scene = full(scene);
        self.bookmarks.retain(|saved| !saved.is_of(&scene));
        self.bookmarks.extend(bookmarks.iter().map(|bookmark| SavedBookmark::of(&scene, bookmark)));
        let excess = self.bookmarks.len().saturating_sub(MAX_BOOKMARKS);
        self.bookmarks.drain(..excess);
    }

    /// The stored bookmarks of a scene. Those with an invalid number are left out.
    pub fn bookmarks_of(&self, scene: &Path) -> Vec<Bookmark> {
        let scene = full(scene);
        let saved = self.bookmarks.iter().filter(|saved| saved.is_of(&scene));
        saved.filter_map(SavedBookmark::bookmark).collect()
    }
}

/// The path of a scene from the root, or as it is where there is no such file.
fn full(scene: &Path) -> PathBuf {
    scene.canonicalize().unwrap_or_else(|_| scene.to_owned())
}

/// The settings of an invalid file without its invalid entries. Of a list, such as the bookmarks, the valid ones remain.
fn valid_part(bytes: &[u8]) -> Settings {
    let text = String::from_utf8_lossy(bytes);
    let is_valid = |key: &str, value: &Value| {
        Settings::deserialize(Table::from_iter([(key.to_owned(), value.clone())])).is_ok()
    };
    let mut table: Table = toml::from_str(&text).unwrap_or_default();
    table.retain(|key, value| {
        if let (false, Value::Array(items)) = (is_valid(key, value), &mut *value) {
            items.retain(|item| is_valid(key, &Value::Array(vec![item.clone()])));
        }
        is_valid(key, value)
    });
    Settings::deserialize(table).unwrap_or_default().limited()
}

/// Settings that are not read.
#[derive(Clone, Debug, PartialEq)]
pub struct SettingsError {
    /// One line: what is wrong, and where the file is kept.
    pub message: String,
    /// Whether the file may be replaced, because it is kept.
    pub may_replace: bool,
    /// The entries of the file that are valid, with defaults for the others.
    pub rest: Box<Settings>,
}

/// Line and column of a byte, both from 1.
fn place(text: &str, byte: usize) -> (usize, usize) {
    let before = text.get(..byte).unwrap_or(text);
    let line = before.matches('\n').count() + 1;
    let column = before.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    (line, column)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::System;
    use sim::scene::CameraPose;
    use std::fs;

    #[test]
    fn settings_survive_the_round_trip() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new/viewer.toml");
        assert_eq!(Settings::read(&System, &path), Ok(Settings::default()));
        let mut settings = Settings { dark: false, window: [900.0, 500.0], ..Settings::default() };
        for number in 0..10 {
            settings.remember_scene(&folder.path().join(format!("{number}.scene")));
        }
        settings.remember_scene(&folder.path().join("5.scene"));
        let methods = Methods::of_ids("dop18", "sat");
        settings.remember_methods(methods);
        let inexact = narrowphase::volume::VOLUMES.iter().find(|kind| !kind.exact).unwrap();
        settings.remember_methods(Methods { volume: inexact, ..methods });
        settings.remember_box_kind(BoxKind::Rotated);
        let camera = OrbitCamera::from_pose(CameraPose { yaw: 7.0, pitch: -3.0, distance: 2.5 });
        settings.remember_camera(Path::new("a.scene"), &camera);
        let bookmark = |name: &str, step| Bookmark {
            name: name.to_owned(),
            step,
            objects: 7,
            seed: u64::MAX,
            camera,
        };
        settings.remember_bookmarks(Path::new("a.scene"), &[bookmark("old", 1)]);
        settings.remember_bookmarks(Path::new("b.scene"), &[bookmark("of b", 2)]);
        let own = [bookmark("\"fall\" = ü", 12), bookmark("", 0)];
        settings.remember_bookmarks(Path::new("a.scene"), &own);
        settings.write(&System, &path).unwrap();
        let read = Settings::read(&System, &path).unwrap();
        assert_eq!(read, settings);
        assert_eq!((read.methods(), Settings::default().methods()), (methods, Methods::default()));
        assert_eq!(read.box_kind(), BoxKind::Rotated);
        let unknown = Settings { box_kind: "fog".to_owned(), ..read.clone() };
        assert_eq!([unknown, Settings::default()].map(|of| of.box_kind()), [BoxKind::Tight; 2]);
        assert_eq!(read.recent_scenes.len(), MAX_RECENT);
        assert!(read.recent_scenes[0].ends_with("5.scene"));
        assert_eq!(read.camera_of(Path::new("a.scene")), Some(camera));
        assert_eq!(read.camera_of(Path::new("b.scene")), None);
        let stored =
            ["a", "b", "c"].map(|name| read.bookmarks_of(&Path::new(name).with_extension("scene")));
        assert_eq!(stored, [own.to_vec(), vec![bookmark("of b", 2)], vec![]]);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        let reset = read.reset();
        assert_eq!((reset.dark, reset.bookmarks_of(Path::new("a.scene"))), (true, own.to_vec()));
    }

    #[test]
    fn invalid_settings_are_reported_with_line_and_column() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("viewer.toml");
        fs::write(&path, "dark = true\nvsync = 7\n").unwrap();
        let message = Settings::read(&System, &path).unwrap_err().message;
        assert!(message.contains("viewer.toml:2:9: "), "{message}");
        assert_eq!(message.lines().count(), 1);
        fs::write(&path, b"dark = true\n# \xff\n").unwrap();
        let message = Settings::read(&System, &path).unwrap_err().message;
        assert!(message.contains("viewer.toml:2:3: expected text in UTF-8; "), "{message}");
        fs::write(&path, "window = [nan, 1e9]\nunknown = 1").unwrap();
        assert_eq!(Settings::read(&System, &path).unwrap().window, [720.0, 16_384.0]);
    }

    /// Reads settings that are not valid. Returns where they are kept.
    fn kept(path: &Path) -> PathBuf {
        let error = Settings::read(&System, path).unwrap_err();
        assert!(error.may_replace && error.message.lines().count() == 1, "{error:?}");
        error.message.rsplit_once("the old ones are kept in ").unwrap().1.into()
    }

    #[test]
    fn invalid_file_is_kept_before_it_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("viewer.toml");
        for mine in ["dark = false\nvsync = 7\n", "dark = 3\n"] {
            fs::write(&path, mine).unwrap();
            let bad = kept(&path);
            assert_eq!(bad, folder.path().join("viewer.toml.bad"));
            Settings::default().write(&System, &path).unwrap();
            assert_eq!(Settings::read(&System, &path), Ok(Settings::default()));
            assert_eq!(fs::read_to_string(bad).unwrap(), mine, "the last one is kept");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn file_that_cannot_be_kept_or_read_is_not_to_be_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("viewer.toml");
        let refused = |why: &str| {
            let error = Settings::read(&System, &path).unwrap_err();
            assert!(!error.may_replace && error.message.contains(why), "{error:?}");
            assert_eq!(error.message.lines().count(), 1);
        };
        fs::create_dir(&path).unwrap();
        refused("it is a folder; ");
        fs::remove_dir(&path).unwrap();
        #[cfg(unix)]
        {
            // A reader that opens it waits for ever.
            let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
            assert!(made.success());
            refused("it is no regular file; ");
            fs::remove_file(&path).unwrap();
        }
        fs::File::create(&path).unwrap().set_len(4 * MAX_BYTES).unwrap();
        refused("it has more than 1048576 bytes; ");
        fs::write(&path, "dark = -1\n").unwrap();
        fs::create_dir(folder.path().join("viewer.toml.bad")).unwrap();
        refused("no settings are stored: the old ones cannot be kept in ");
    }

    #[test]
    fn invalid_entries_leave_the_valid_ones() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("viewer.toml");
        let camera = OrbitCamera::default();
        let bookmark =
            |name: &str| Bookmark { name: name.to_owned(), step: 3, objects: 7, seed: 1, camera };
        let mut settings = Settings { dark: false, window: [900.0, 500.0], ..Settings::default() };
        settings.remember_bookmarks(Path::new("a.scene"), &[bookmark("one"), bookmark("two")]);
        settings.write(&System, &path).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let damaged =
            text.replacen("step = 3", "step = \"x\"", 1).replace("vsync = true", "vsync = 7");
        fs::write(&path, damaged).unwrap();
        let error = Settings::read(&System, &path).unwrap_err();
        settings.remember_bookmarks(Path::new("a.scene"), &[bookmark("two")]);
        assert_eq!(*error.rest, settings);
        fs::write(&path, "dark = [").unwrap();
        assert_eq!(*Settings::read(&System, &path).unwrap_err().rest, Settings::default());
    }

    #[test]
    fn failure_to_write_is_reported() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let message = Settings::default().write(&System, &file.join("viewer.toml")).unwrap_err();
        assert!(message.starts_with("cannot write the settings"), "{message}");
    }
}

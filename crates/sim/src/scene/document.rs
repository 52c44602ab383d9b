//! The scene file itself, kept without loss.

use super::check::fill_last_share;
use super::error::{SceneError, Warning};
use super::fault::Fault;
use super::model::Scene;
use super::parse::{Element, Parsed, parse};
use super::write::rewrite;
use crate::printable::printable;
use crate::regular_file::open_unpacked;
use std::io::Read;
use std::path::Path;

/// A scene file: its [`Scene`], and the text with comments and order kept, and spacing too in lines that do not change.
///
/// ```
/// let text = b"# the smallest scene\ni -1.0 -1.0 -1.0  2.0 2.0 2.0  100 t\n";
/// let mut document = sim::SceneDocument::parse("smallest.scene", text)?;
/// let mut scene = document.scene().clone();
/// scene.sources[0].size.z = 3.0;
/// scene.speed = 1.5;
/// document.set_scene(scene)?;
/// assert_eq!(
///     document.to_text(),
///     "# the smallest scene\ni -1 -1 -1  2 2 3  100 t\n#!speed 1.5\n"
/// );
/// # Ok::<(), sim::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneDocument {
    name: String,
    text: String,
    scene: Scene,
    elements: Vec<Element>,
    warnings: Vec<Warning>,
}

impl SceneDocument {
    /// The longest file that is read, in bytes: some 200,000 balls.
    pub const MAX_BYTES: u64 = 16 << 20;

    /// Reads a scene file. A larger file than [`Self::MAX_BYTES`] is refused unread.
    ///
    /// # Errors
    ///
    /// If it is no regular file or cannot be read, and as [`Self::parse`].
    pub fn read(path: &Path) -> Result<Self, SceneError> {
        let name = printable(&path.display().to_string()).into_owned();
        let unreadable =
            |error| SceneError::whole_file(&name, format!("cannot read the scene file: {error}"));
        let file = open_unpacked(path).map_err(unreadable)?;
        check_length(&name, file.metadata().map_err(unreadable)?.len())?;
        let mut bytes = Vec::new();
        // The file may grow meanwhile.
        file.take(Self::MAX_BYTES + 1).read_to_end(&mut bytes).map_err(unreadable)?;
        Self::parse(&name, &bytes)
    }

    /// Reads the content of a scene file; errors call it `name`.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, SceneError> {
        check_length(name, bytes.len() as u64)?;
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::from_text(name, text.to_owned()),
            Err(error) => Err(not_utf8(name, bytes, error.valid_up_to())),
        }
    }

    /// A new file for `scene`; settings at their default are left out.
    ///
    /// # Errors
    ///
    /// As [`Self::set_scene`].
    pub fn from_scene(scene: &Scene) -> Result<Self, SceneError> {
        let mut document = Self {
            name: String::from("new scene"),
            text: String::new(),
            scene: Scene::default(),
            elements: Vec::new(),
            warnings: Vec::new(),
        };
        document.set_scene(scene.clone())?;
        Ok(document)
    }

    fn from_text(name: &str, text: String) -> Result<Self, SceneError> {
        match parse(&text) {
            Ok(Parsed { scene, elements, warnings }) => {
                let warnings = warnings.into_iter().map(|w| Warning::new(name, &text, w)).collect();
                Ok(Self { name: name.to_owned(), text, scene, elements, warnings })
            }
            Err(fault) => Err(SceneError::new(name, &text, *fault)),
        }
    }

    /// The scene that the file describes.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Warnings about what was ignored, in the order of the file.
    pub fn warnings(&self) -> &[Warning] {
        &self.warnings
    }

    /// The file's text: byte for byte what was read, as long as the scene is not changed.
    pub fn to_text(&self) -> String {
        self.text.clone()
    }

    /// Changes the file so that it describes `scene`. Only what changed is rewritten: other lines stay as
    /// they are, removed elements lose their line, new ones follow the last of their kind.
    ///
    /// The share of the last source is not taken from `scene`: it becomes the remainder of 100.
    ///
    /// # Errors
    ///
    /// If no file can describe `scene`, because it has no source, for example, or a number out of its range.
    /// The error shows the line as it would be written. Nothing is changed then.
    pub fn set_scene(&mut self, mut scene: Scene) -> Result<(), SceneError> {
        // Shares above 100 are reported from the text, like everything else that is wrong.
        let _ = fill_last_share(&mut scene.sources);
        let text = rewrite(&self.text, &self.elements, &mut self.scene, &mut scene);
        check_length(&self.name, text.len() as u64)?;
        let document = Self::from_text(&self.name, text)?;
        if document.scene != scene {
            // A name with blanks is read otherwise, and so is an obstacle with a third side.
            let is_known = |warning: &Warning| {
                self.warnings.iter().any(|known| known.message() == warning.message())
            };
            let warned = document.warnings.iter().find(|warning| !is_known(warning));
            let warned = warned.map(Warning::message);
            let why = warned.unwrap_or("it would be read as another one");
            let message = format!("no file can describe the scene: {why}");
            return Err(SceneError::whole_file(&self.name, message));
        }
        *self = document;
        Ok(())
    }
}

fn check_length(name: &str, bytes: u64) -> Result<(), SceneError> {
    if bytes <= SceneDocument::MAX_BYTES {
        return Ok(());
    }
    let message = format!(
        "expected a scene file of {} MiB at most, found {bytes} bytes",
        SceneDocument::MAX_BYTES >> 20
    );
    Err(SceneError::whole_file(name, message))
}

/// The error of a file whose first `valid` bytes, and no more, are UTF-8.
fn not_utf8(name: &str, bytes: &[u8], valid: usize) -> SceneError {
    let line = bytes[valid..].split(|&byte| byte == b'\n').next().unwrap_or_default();
    let good = String::from_utf8_lossy(&bytes[..valid]);
    let mark = good.len()..good.len() + char::REPLACEMENT_CHARACTER.len_utf8();
    let text = format!("{good}{}", String::from_utf8_lossy(line));
    let byte = bytes.get(valid).copied().unwrap_or_default();
    let message = format!("expected UTF-8 text, found the byte 0x{byte:02x}");
    let mut fault = Fault::new(mark, message, "not UTF-8");
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        fault = fault.help("this looks like UTF-16: save it as UTF-8");
    }
    SceneError::new(name, &text, *fault)
}

//! The scene file itself, kept without loss.

use super::check::fill_last_share;
use super::fault::{Fault, SceneDiagnostic};
use super::model::Scene;
use super::parse::{Element, Parsed, parse};
use super::write::rewrite;
use crate::printable::printable;
use crate::regular_file::read_regular;
use annotate_snippets::Level;
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
/// # Ok::<(), sim::SceneDiagnostic>(())
/// ```
#[derive(Clone, Debug)]
pub struct SceneDocument {
    name: String,
    text: String,
    scene: Scene,
    elements: Vec<Element>,
    warnings: Vec<SceneDiagnostic>,
}

impl SceneDocument {
    /// The longest file that is read, in bytes: some 200,000 balls.
    pub const MAX_BYTES: u64 = 16 << 20;

    /// Reads a scene file.
    ///
    /// # Errors
    ///
    /// If it is no regular file, is larger than [`Self::MAX_BYTES`] or cannot be read, and as [`Self::parse`].
    pub fn read(path: &Path) -> Result<Self, SceneDiagnostic> {
        let name = printable(&path.display().to_string()).into_owned();
        let bytes = read_regular(path, Self::MAX_BYTES).map_err(|error| {
            SceneDiagnostic::whole_file(&name, format!("cannot read the scene file: {error}"))
        })?;
        Self::parse(&name, &bytes)
    }

    /// Reads the content of a scene file; errors call it `name`.
    ///
    /// # Errors
    ///
    /// The first fault.
    pub fn parse(name: &str, bytes: &[u8]) -> Result<Self, SceneDiagnostic> {
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
    pub fn from_scene(scene: &Scene) -> Result<Self, SceneDiagnostic> {
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

    fn from_text(name: &str, text: String) -> Result<Self, SceneDiagnostic> {
        let diagnostic = |level, fault| SceneDiagnostic::new(level, name, &text, fault);
        let Parsed { scene, elements, warnings, .. } =
            parse(&text).map_err(|fault| diagnostic(Level::ERROR, *fault))?;
        let warnings =
            warnings.into_iter().map(|fault| diagnostic(Level::WARNING, fault)).collect();
        Ok(Self { name: name.to_owned(), text, scene, elements, warnings })
    }

    /// The scene that the file describes.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// Warnings about what was ignored, in the order of the file.
    pub fn warnings(&self) -> &[SceneDiagnostic] {
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
    pub fn set_scene(&mut self, mut scene: Scene) -> Result<(), SceneDiagnostic> {
        fill_last_share(&mut scene.sources);
        let text = rewrite(&self.text, &self.elements, &mut self.scene, &mut scene);
        check_length(&self.name, text.len() as u64)?;
        let document = Self::from_text(&self.name, text)?;
        if document.scene != scene {
            // A name with blanks is read otherwise, and so is an obstacle with a third side.
            let is_known = |warning: &SceneDiagnostic| {
                self.warnings.iter().any(|known| known.message() == warning.message())
            };
            let warned = document.warnings.iter().find(|warning| !is_known(warning));
            let warned = warned.map(SceneDiagnostic::message);
            let why = warned.unwrap_or("it would be read as another one");
            let message = format!("no file can describe the scene: {why}");
            return Err(SceneDiagnostic::whole_file(&self.name, message));
        }
        *self = document;
        Ok(())
    }
}

fn check_length(name: &str, bytes: u64) -> Result<(), SceneDiagnostic> {
    if bytes <= SceneDocument::MAX_BYTES {
        return Ok(());
    }
    let message = format!(
        "expected a scene file of {} MiB at most, found {bytes} bytes",
        SceneDocument::MAX_BYTES >> 20
    );
    Err(SceneDiagnostic::whole_file(name, message))
}

/// The error of a file whose first `valid` bytes, and no more, are UTF-8.
fn not_utf8(name: &str, bytes: &[u8], valid: usize) -> SceneDiagnostic {
    let byte = bytes.get(valid).copied().unwrap_or_default();
    let message = format!("expected UTF-8 text, found the byte 0x{byte:02x}");
    // A replacement character stands for what is no text.
    let text = String::from_utf8_lossy(bytes);
    let mark = valid..valid + char::REPLACEMENT_CHARACTER.len_utf8();
    let is_utf16 = bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]);
    let help = is_utf16.then_some("this looks like UTF-16: save it as UTF-8");
    let fault = Fault::new(mark, message, "not UTF-8").with_help(help);
    SceneDiagnostic::new(Level::ERROR, name, &text, *fault)
}

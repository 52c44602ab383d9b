//! Inputs: scene files, traces and generated boxes, and the cases that they become.

mod case;
mod files;
mod pair_motion;
mod random_pairs;

pub use case::Case;
pub(crate) use case::CaseContent;
pub(crate) use files::{GrowingHash, WatchedFile, hash};
pub use pair_motion::PairMotion;
pub(crate) use random_pairs::PlacedPairs;
pub use random_pairs::{PairsSpec, PairsSpecError, RandomPairs};

use crate::rows::label;
use sim::atlas::{BoxesNameError, Cell};
use sim::trace::{begins_as_trace, is_trace};
use sim::{
    GeneratedSpec, Scene, SceneDiagnostic, SceneDocument, TraceError, printable, refuse_packed,
};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// Frames of a scene or of generated boxes that count, unless the options say otherwise.
pub const DEFAULT_FRAMES: u32 = 100;
/// Frames that warm up, unless the options say otherwise.
pub const DEFAULT_WARMUP: u32 = 10;

/// An opened scene file or trace, or boxes to generate.
#[derive(Debug)]
pub struct Input {
    /// Its name as the user gave it.
    pub name: String,
    /// What is doubtful about the file without being an error.
    pub warnings: Vec<String>,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Scene(Box<SceneDocument>),
    Trace { file: WatchedFile, objects: usize, frames: u32 },
    Boxes(BoxesSpec),
}

/// Boxes that are named on a command line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BoxesSpec {
    /// A kind and a number of objects: `NAME:N`.
    Generated(GeneratedSpec),
    /// A cell of the atlas: `atlas:SEED:NUMBER`.
    Cell(Cell),
}

impl FromStr for BoxesSpec {
    type Err = BoxesNameError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "atlas" || text.starts_with("atlas:") {
            return Ok(Self::Cell(text.parse()?));
        }
        text.parse().map(Self::Generated)
    }
}

impl BoxesSpec {
    /// The name of the kind with its moving share, or of the cell.
    pub fn name(&self) -> String {
        match self {
            Self::Generated(spec) => spec.name(),
            Self::Cell(cell) => cell.name(),
        }
    }

    /// Whether a share of moving objects can be chosen: a cell has its own, and `terdiman` stands
    /// still.
    pub fn takes_moving(&self) -> bool {
        matches!(self, Self::Generated(spec) if spec.moves())
    }

    /// The same boxes, with the share `moving` of them moving where that can be chosen.
    pub fn with_moving(mut self, moving: Option<f32>) -> Self {
        if let (Self::Generated(spec), Some(moving)) = (&mut self, moving) {
            spec.moving = moving;
        }
        self
    }
}

/// Overrides of what an input says.
#[derive(Clone, Debug, Default)]
pub struct CaseOptions {
    /// Numbers of a scene's generated objects, one case each; empty: the scene's own. Other inputs
    /// keep theirs.
    pub objects: Vec<u32>,
    /// Seed of scenes and of generated boxes.
    pub seed: Option<u64>,
    /// Frames that warm up.
    pub warmup: Option<u32>,
    /// Frames that count.
    pub frames: Option<u32>,
}

impl Input {
    /// Opens a trace, which is named `.bpt` or begins as one, or else a scene file.
    ///
    /// # Errors
    ///
    /// Where the file cannot be read, or is wrong.
    pub fn open(path: &Path) -> Result<Self, InputError> {
        if is_named_as_trace(path) || is_trace(path) {
            return Self::of_trace(WatchedFile::new(path.to_owned()));
        }
        Ok(Self::of_document(path, SceneDocument::read(path)?))
    }

    /// A trace or a scene that is in memory, under the name of a file.
    ///
    /// # Errors
    ///
    /// If it is wrong.
    pub fn of_bytes(path: &Path, bytes: impl Into<Arc<[u8]>>) -> Result<Self, InputError> {
        let (name, bytes) = (name_of(path), bytes.into());
        refuse_packed(path, &bytes).map_err(|source| InputError::unreadable(&name, &source))?;
        if is_named_as_trace(path) || begins_as_trace(&bytes) {
            return Self::of_trace(WatchedFile::held(path.to_owned(), bytes));
        }
        Ok(Self::of_document(path, SceneDocument::parse(&name, &bytes)?))
    }

    fn of_trace(file: WatchedFile) -> Result<Self, InputError> {
        let reader = file.trace()?;
        let (objects, frames) = (reader.objects() as usize, reader.frames());
        let (name, warnings) = (name_of(file.path()), Vec::new());
        Ok(Self { name, warnings, kind: Kind::Trace { file, objects, frames } })
    }

    fn of_document(path: &Path, document: SceneDocument) -> Self {
        let warnings = document.warnings().iter().map(ToString::to_string).collect();
        Self { name: name_of(path), warnings, kind: Kind::Scene(Box::new(document)) }
    }

    /// Boxes to be generated.
    pub fn boxes(spec: BoxesSpec) -> Self {
        Self { name: spec.name(), warnings: Vec::new(), kind: Kind::Boxes(spec) }
    }

    /// Whether this is a trace, whose boxes and number of frames are fixed.
    pub fn is_trace(&self) -> bool {
        matches!(self.kind, Kind::Trace { .. })
    }

    /// The number of frames of a trace; other inputs move on without end.
    pub fn frames(&self) -> Option<u32> {
        match self.kind {
            Kind::Trace { frames, .. } => Some(frames),
            Kind::Scene(_) | Kind::Boxes(_) => None,
        }
    }

    /// The scene file, with its comments, if this is one.
    pub fn document(&self) -> Option<&SceneDocument> {
        match &self.kind {
            Kind::Scene(document) => Some(document),
            Kind::Trace { .. } | Kind::Boxes(_) => None,
        }
    }

    /// Whether this is a scene, whose number of objects and seed can be chosen.
    pub fn is_scene(&self) -> bool {
        matches!(self.kind, Kind::Scene(_))
    }

    /// Whether a seed changes it: a trace and the golden case are fixed, and the name of a cell
    /// contains its seed.
    pub fn has_seed(&self) -> bool {
        match &self.kind {
            Kind::Scene(_) => true,
            Kind::Trace { .. } | Kind::Boxes(BoxesSpec::Cell(_)) => false,
            Kind::Boxes(BoxesSpec::Generated(spec)) => {
                let other = GeneratedSpec { seed: spec.seed ^ 1, ..*spec };
                spec.used_seed() != other.used_seed()
            }
        }
    }

    /// The cases of this input: one for each number of objects.
    ///
    /// A cell of the atlas plays its own number of frames without warm-up unless the options say
    /// otherwise. A trace is played as long as it is unless the options say otherwise, with at most a
    /// tenth of it to warm up.
    ///
    /// # Errors
    ///
    /// Where a trace is shorter than the options ask for.
    pub fn cases(&self, options: &CaseOptions) -> Result<Vec<Case>, CaseError> {
        let warmup = options.warmup.unwrap_or(DEFAULT_WARMUP);
        let frames = options.frames.unwrap_or(DEFAULT_FRAMES);
        let case = match &self.kind {
            Kind::Scene(document) => {
                let scene = document.scene();
                let (own, seed) = ([scene.objects], options.seed.unwrap_or(scene.seed));
                let numbers = if options.objects.is_empty() { &own[..] } else { &options.objects };
                let case = |&objects: &u32| {
                    let scene = Scene { objects, seed, ..scene.clone() };
                    Case::of_scene(self.name.clone(), scene, warmup, frames)
                };
                return Ok(numbers.iter().map(case).collect());
            }
            Kind::Boxes(BoxesSpec::Cell(cell)) => {
                let case = Case::of_cell(*cell);
                let warmup = options.warmup.unwrap_or(case.warmup);
                Case { warmup, frames: options.frames.unwrap_or(case.frames), ..case }
            }
            Kind::Boxes(BoxesSpec::Generated(spec)) => {
                let seed = options.seed.unwrap_or(spec.seed);
                Case::of_generated(GeneratedSpec { seed, ..*spec }, warmup, frames)
            }
            &Kind::Trace { ref file, objects, frames: available } => {
                let warmup = options.warmup.unwrap_or(DEFAULT_WARMUP.min(available / 10));
                let frames = options.frames.unwrap_or(available.saturating_sub(warmup));
                let total = u64::from(warmup) + u64::from(frames);
                if frames == 0 || total > u64::from(available) {
                    return Err(CaseError(format!(
                        "{} has {available} frames, but {warmup} warm-up and {} measured frames are \
                         asked for; take fewer",
                        self.name,
                        frames.max(1)
                    )));
                }
                Case::of_watched(self.name.clone(), file.clone(), objects, [warmup, frames])
            }
        };
        Ok(vec![case])
    }
}

/// The name of a file in rows and messages.
fn name_of(path: &Path) -> String {
    label(printable(&path.display().to_string()).into_owned())
}

fn is_named_as_trace(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("bpt"))
}

/// An input that cannot be read or played.
#[derive(Debug, thiserror::Error)]
pub enum InputError {
    /// The scene file is wrong.
    #[error(transparent)]
    Scene(#[from] SceneDiagnostic),
    /// The trace is wrong.
    #[error(transparent)]
    Trace(#[from] TraceError),
    /// A frame has more pairs than can be held.
    #[error("{input}, {reason}")]
    TooManyPairs {
        /// The input as the user named it.
        input: String,
        /// The frame, and how many fit.
        reason: String,
    },
    /// A file cannot be read or has changed, or a frame is missing or has a bad box.
    #[error("{0}")]
    Unplayable(String),
}

impl InputError {
    /// A trace or a program cannot be read.
    pub(crate) fn unreadable(name: &str, source: &std::io::Error) -> Self {
        Self::Unplayable(format!("cannot read {name}: {source}"))
    }

    /// The trace has fewer frames than it had at first.
    pub(crate) fn ended(input: &str, frame: u32) -> Self {
        Self::Unplayable(format!("{input}: the trace ends before frame {frame}"))
    }
}

/// Options that an input cannot follow, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct CaseError(String);

/// A case that cannot be held, in words.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct MemoryError(pub(crate) String);

/// What the name of an input in the rows says.
#[derive(Clone, Debug, PartialEq)]
pub struct InputName {
    /// A file, a kind of generated boxes, or a cell of the atlas.
    pub kind: String,
    /// Share of the objects that moves, 0 to 1: the kind's usual one unless the name has another.
    pub moving: f32,
}

impl InputName {
    /// Reads [`GeneratedSpec::name`], `brownian --moving 0.1`. Any other name is a kind of which all
    /// objects move. A number of worlds after it is none of its parts.
    pub fn read(name: &str) -> Self {
        let name = name.split(" --worlds ").next().unwrap_or(name);
        let is_share = |share: &f32| (0.0..=1.0).contains(share);
        let split = name
            .split_once(" --moving ")
            .and_then(|(kind, share)| Some((kind, share.trim().parse().ok().filter(is_share)?)));
        let (kind, moving) = match split {
            Some((kind, moving)) => (kind, Some(moving)),
            None => (name, None),
        };
        let usual = || spec(kind, 1).map_or(1.0, |spec| spec.moving);
        Self { kind: kind.to_owned(), moving: moving.unwrap_or_else(usual) }
    }

    /// The generated boxes of this name; `None` where it names no kind of them.
    pub fn boxes(&self, objects: u64) -> Option<GeneratedSpec> {
        Some(GeneratedSpec { moving: self.moving, ..spec(&self.kind, objects)? })
    }
}

fn spec(kind: &str, objects: u64) -> Option<GeneratedSpec> {
    format!("{kind}:{objects}").parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_a_trace_by_name_or_content_else_a_scene() {
        let opened = |name: &str, bytes: &[u8]| {
            let opened = Input::of_bytes(Path::new(name), bytes);
            opened.map(|input| (input.name.clone(), input.frames())).map_err(|e| e.to_string())
        };
        let mut trace = b"BPTRACE1".to_vec();
        trace.extend([1, 2, 0.5f32.to_bits(), 0].map(u32::to_le_bytes).as_flattened());
        trace.extend([0; 48]);
        for name in ["a.bpt", "renamed"] {
            assert_eq!(opened(name, &trace), Ok((name.to_owned(), Some(2))));
        }
        let scene = b"i -1 -1 -1  2 2 2  100 t\n";
        assert_eq!(opened("a.scene", scene), Ok(("a.scene".to_owned(), None)));
        for (name, bytes, problem) in [
            ("a.bpt", &b""[..], "a.bpt: byte 0: expected the magic `BPTRACE1`, found ``"),
            ("a.bpt", &trace[..40], "a.bpt: expected 72 bytes for 2 frames of 1 boxes, found 40"),
            ("a.png", b"\x89PNG\r\n\x1a\n", "--> a.png:1:1"),
            ("a.scene", b"\x1f\x8b\x08", "cannot read a.scene: it is compressed by gzip: "),
            ("a.scene", b"# a\ni 4 x\n", "--> a.scene:2:5"),
        ] {
            let error = opened(name, bytes).unwrap_err();
            assert!(error.contains(problem), "{error}");
        }
        let case = |bytes: Vec<u8>| {
            let input = Input::of_bytes(Path::new("a.bpt"), bytes).unwrap();
            input.cases(&CaseOptions::default()).unwrap().remove(0)
        };
        let hash = case(trace.clone()).content_hash().unwrap();
        trace[71] = 1;
        assert_ne!(case(trace).content_hash().unwrap(), hash);
    }

    #[test]
    fn name_gives_kind_and_moving_share() {
        let read = |name| {
            let InputName { kind, moving } = InputName::read(name);
            (kind, moving)
        };
        assert_eq!(read("brownian --moving 0.25"), ("brownian".to_owned(), 0.25));
        assert_eq!(read("brownian --moving 0.25 --worlds 40"), ("brownian".to_owned(), 0.25));
        assert_eq!(read("brownian"), ("brownian".to_owned(), 1.0));
        assert_eq!(read("statics"), ("statics".to_owned(), 0.1));
        for other in ["a --moving b", "a --moving NaN", "a --moving 7", "random.scene"] {
            assert_eq!(read(other), (other.to_owned(), 1.0));
        }
    }
}

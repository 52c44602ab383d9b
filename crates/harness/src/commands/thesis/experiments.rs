//! The experiments, their scenes, and the amount that is measured.

use super::ThesisOptions;
use crate::failure::Failure;
use crate::study::built_in;
use sim::Scene;
use sim::scene::Radius;

/// Inputs of E1 and E2 in the rows: the random scene, drawn or not.
const DRAWN: &str = "random, drawn";
const NOT_DRAWN: &str = "random";
/// The input of E3.
const SETTLED: &str = "fer";
/// The two looks of E5 and of E6: the random scene, drawn with fewer and with more triangles, plain and shaded.
pub(super) const TRIANGLES: [&str; 2] = ["random, 20 triangles", "random, 80 triangles"];
pub(super) const SHADING: [&str; 2] = ["random, plain", "random, shaded"];
/// Prefixes of the inputs of E7: a speed, units/s; a radius.
pub(super) const SPEED: &str = "random, speed ";
pub(super) const RADIUS: &str = "random, radius ";
/// Speeds of E7, units/s.
pub(super) const SPEEDS: [f32; 5] = [0.1, 0.25, 0.5, 1.0, 2.0];
/// Radii of E7.
pub(super) const RADII: [f32; 5] = [0.005, 0.01, 0.02, 0.03, 0.04];

/// An experiment with rows of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Experiment {
    /// E1: random, drawn.
    RandomDrawn,
    /// E2: random, not drawn.
    Random,
    /// E3: FER, not drawn.
    Fer,
    /// E4: pictures of scenes and trees; has no rows.
    Pictures,
    /// E5: 20 against 80 triangles.
    Triangles,
    /// E6: shading on and off.
    Shading,
    /// E7: speed and size of the objects.
    SpeedAndSize,
}

use Experiment::{Fer, Pictures, Random, RandomDrawn, Shading, SpeedAndSize, Triangles};

/// All of them: the number, which is also the folder's name, whether it takes a graphics adapter, and a short description.
pub(super) const EXPERIMENTS: [(Experiment, &str, bool, &str); 7] = [
    (RandomDrawn, "E1", true, "random scene, drawn, 20 triangles per sphere, not shaded"),
    (Random, "E2", false, "random scene, not drawn"),
    (Fer, "E3", false, "FER, not drawn, after the objects have been set free"),
    (Pictures, "E4", true, "pictures of scenes and trees"),
    (Triangles, "E5", true, "random scene, drawn, bsp, 20 against 80 triangles per sphere"),
    (Shading, "E6", true, "random scene, drawn, bsp, 20 triangles, plain against shaded"),
    (SpeedAndSize, "E7", false, "random scene, not drawn, other speeds and sizes"),
];

impl Experiment {
    /// The input in its rows, if it has only one.
    pub(super) fn input(self) -> &'static str {
        match self {
            Self::RandomDrawn => DRAWN,
            Self::Fer => SETTLED,
            _ => NOT_DRAWN,
        }
    }
}

/// A scene of the thesis, built in so that the command runs in any folder: its name, and its text.
pub(super) type BuiltIn = (&'static str, &'static str);

pub(super) const RANDOM: BuiltIn =
    ("random.scene", include_str!("../../../../../scenes/random.scene"));
pub(super) const FER: BuiltIn = ("fer.scene", include_str!("../../../../../scenes/fer.scene"));
pub(super) const WINDOW: BuiltIn =
    ("fig-6-4.scene", include_str!("../../../../../scenes/fig-6-4.scene"));
pub(super) const STAIRS: BuiltIn =
    ("stepenice.scene", include_str!("../../../../../scenes/stepenice.scene"));
pub(super) const FALL: BuiltIn = ("pad.scene", include_str!("../../../../../scenes/pad.scene"));

/// A scene with this number of objects.
pub(super) fn scene_of((name, text): BuiltIn, objects: u32) -> Result<Scene, Failure> {
    Ok(Scene { objects, ..built_in(name, text)? })
}

/// The variants of the random scene for E7, with their names.
pub(super) fn varied(objects: u32) -> Result<Vec<(String, Scene)>, Failure> {
    let scene = scene_of(RANDOM, objects)?;
    let of_speed = |speed: f32| (format!("{}{speed}", SPEED), Scene { speed, ..scene.clone() });
    let of_radius = |radius: f32| {
        let scene = Scene { radius: Radius::Equal(radius), ..scene.clone() };
        (format!("{}{radius}", RADIUS), scene)
    };
    Ok(SPEEDS.map(of_speed).into_iter().chain(RADII.map(of_radius)).collect())
}

/// Numbers of objects of the full run. Each step of the trees' depth (250, 500, 1000, 2000, 4000) has a
/// number on either side, so that a jump can be distinguished from growth.
const NUMBERS: [u32; 22] = [
    50, 100, 150, 200, 249, 250, 300, 400, 499, 500, 700, 999, 1000, 1500, 1999, 2000, 2500, 3000,
    3500, 3999, 4000, 5000,
];
/// The fewest that exercise every figure and every claim.
const QUICK_NUMBERS: [u32; 14] =
    [50, 100, 249, 250, 300, 499, 500, 999, 1000, 1999, 2000, 3999, 4000, 5000];
/// Numbers of objects for the experiments that compare two ways of drawing.
const DRAWN_PAIRS: [u32; 7] = [50, 100, 300, 1000, 2000, 3000, 5000];
/// Simulated seconds after which the sources of FER are gone and the objects flow through the letters.
const FER_SETTLED: f32 = 2.0;

/// The numbers of objects, frames and repetitions.
#[derive(Clone, Debug)]
#[cfg_attr(
    not(feature = "draw"),
    allow(dead_code, reason = "experiments with rendering are left out")
)]
pub(super) struct ThesisPlan {
    /// Numbers of objects of the figures over n.
    pub(super) numbers: Vec<u32>,
    /// Numbers of objects where two ways of drawing are compared.
    pub(super) drawn_pairs: Vec<u32>,
    /// Number of objects where speed and size vary.
    pub(super) varied_number: u32,
    /// Frames that count, without rendering.
    pub(super) frames: u32,
    /// Frames that count, with rendering.
    pub(super) drawn_frames: u32,
    /// Frames before those that count.
    pub(super) warmup: u32,
    /// Frames before those that count, on FER.
    pub(super) fer_warmup: u32,
    /// Repetitions without rendering.
    pub(super) repeats: u32,
    /// Repetitions with rendering.
    pub(super) drawn_repeats: u32,
}

impl ThesisPlan {
    /// The full or the quick run, changed by the options.
    pub(super) fn new(options: &ThesisOptions) -> Self {
        let either = |quick: u32, full: u32| if options.quick { quick } else { full };
        let mut chosen = options.objects.clone();
        chosen.sort_unstable();
        chosen.dedup();
        let numbers = |quick: &[u32], full: &[u32]| match options.quick {
            _ if !chosen.is_empty() => chosen.clone(),
            true => quick.to_vec(),
            false => full.to_vec(),
        };
        let middle = chosen.get(chosen.len() / 2).copied();
        let (frames, repeats) = (options.frames, options.repeat);
        Self {
            numbers: numbers(&QUICK_NUMBERS, &NUMBERS),
            drawn_pairs: numbers(&[50, 1000, 5000], &DRAWN_PAIRS),
            varied_number: middle.unwrap_or(either(1000, 2000)),
            frames: frames.unwrap_or(either(20, 100)),
            drawn_frames: frames.unwrap_or(either(5, 60)),
            warmup: either(3, 20),
            fer_warmup: settled_frames() + either(0, 30),
            repeats: repeats.unwrap_or(either(1, 5)),
            drawn_repeats: repeats.unwrap_or(either(1, 3)),
        }
    }
}

/// Frames of 1/60 s until the objects of FER are free.
fn settled_frames() -> u32 {
    (FER_SETTLED * 60.0) as u32 + 5
}

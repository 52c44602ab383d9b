//! The amount that is measured.

use crate::cli::ThesisOptions;

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

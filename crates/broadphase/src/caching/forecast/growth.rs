//! How costs grow with the volume of boxes.

/// Exponent by which the cost of a build grows with the volume of boxes, before one was seen.
const BUILD: f32 = 0.35;

/// Largest exponent that is learnt at once.
const MAX: f32 = 1.5;

/// Exponents by which candidate pairs, and the cost of a build, grow with the volume of boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    /// Candidate pairs in relation to pairs.
    pub(super) candidates: Exponent,
    /// Cost of a build in relation to a full search.
    pub(super) build: Exponent,
}

impl Default for Growth {
    fn default() -> Self {
        Self { candidates: Exponent(1.0), build: Exponent(BUILD) }
    }
}

/// An exponent that is learnt.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exponent(f32);

impl Exponent {
    /// The ratio where fat AABBs have `volume` times that of boxes.
    pub(super) fn ratio(self, volume: f32) -> f32 {
        volume.powf(self.0)
    }

    /// Moves half of the way to the exponent that a ratio shows.
    pub(super) fn learn(&mut self, volume: f32, ratio: f32) {
        if volume > 1.0 && ratio > 1.0 {
            self.0 += ((ratio.ln() / volume.ln()).min(MAX) - self.0) * 0.5;
        }
    }
}

//! How costs grow with the volume of boxes.

/// Exponent by which the cost of a build grows with the volume of boxes, before one was seen.
const BUILD: f32 = 0.35;

/// Exponents by which candidate pairs, and the cost of a build, grow with the volume of boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    candidates: f32,
    build: f32,
}

impl Default for Growth {
    fn default() -> Self {
        Self { candidates: 1.0, build: BUILD }
    }
}

impl Growth {
    /// Candidate pairs in relation to pairs, where fat AABBs have `volume` times that of boxes.
    pub(super) fn candidates(self, volume: f32) -> f32 {
        volume.powf(self.candidates)
    }

    /// Cost of a build in relation to a full search.
    pub(super) fn build(self, volume: f32) -> f32 {
        volume.powf(self.build)
    }

    pub(super) fn learn_candidates(&mut self, volume: f32, ratio: f32) {
        learn(&mut self.candidates, volume, ratio);
    }

    pub(super) fn learn_build(&mut self, volume: f32, ratio: f32) {
        learn(&mut self.build, volume, ratio);
    }
}

/// Moves an exponent half of the way to the one that a ratio shows.
fn learn(exponent: &mut f32, volume: f32, ratio: f32) {
    if volume > 1.05 && ratio > 1.0 {
        *exponent += ((ratio.ln() / volume.ln()).clamp(0.1, 1.5) - *exponent) * 0.5;
    }
}

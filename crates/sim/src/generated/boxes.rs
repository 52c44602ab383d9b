//! Generated boxes in motion.

use super::bodies::Bodies;
use super::kind::GeneratedKind;
use super::spec::GeneratedSpec;
use super::{layout, terdiman};
use crate::placing::{Placing, PlacingEnded, unwatched};
use broadphase::{Aabb, Layer};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// Simulated seconds from frame to frame.
pub const TIME_STEP: f32 = 1.0 / 60.0;

/// Stream of the random numbers that decide which boxes move.
const MOVERS: u64 = 1;

/// Generated boxes in motion.
#[derive(Clone, Debug)]
pub struct GeneratedBoxes {
    bodies: Bodies,
    layers: Vec<Layer>,
    rng: ChaCha8Rng,
    begun: bool,
}

impl GeneratedBoxes {
    /// Boxes at their start.
    pub fn new(spec: &GeneratedSpec) -> Self {
        unwatched(|placing| Self::place(spec, placing))
    }

    /// [`new`](Self::new), followed by an observer that may end it.
    ///
    /// # Errors
    ///
    /// Where the observer ends it.
    pub fn place(spec: &GeneratedSpec, placing: &mut Placing<'_>) -> Result<Self, PlacingEnded> {
        let mut rng = ChaCha8Rng::seed_from_u64(spec.used_seed());
        let mut bodies = match spec.kind {
            GeneratedKind::Terdiman => terdiman::bodies(spec.objects, placing)?,
            _ => layout::bodies(spec.kind, spec.objects, &mut rng, placing)?,
        };
        // From a stream of their own, so that the start does not depend on the moving share.
        let mut movers = ChaCha8Rng::seed_from_u64(spec.used_seed());
        movers.set_stream(MOVERS);
        bodies.stop_all_but(spec.moving, &mut movers);
        let layers = match spec.kind {
            GeneratedKind::Statics => bodies.layers(),
            _ => Vec::new(),
        };
        Ok(Self { bodies, layers, rng, begun: false })
    }

    /// Layers, index = object, the same in all frames; empty where every box meets every other.
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Fills `boxes` with those of the next frame, index = object. The first frame is the start.
    pub fn next_frame(&mut self, boxes: &mut Vec<Aabb>) {
        if self.begun {
            self.bodies.step(TIME_STEP, &mut self.rng);
        }
        self.begun = true;
        self.bodies.boxes(boxes);
    }
}

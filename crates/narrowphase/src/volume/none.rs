//! No bounding volume.

use glam::DQuat;

use super::{Outline, Placed, Volume};

/// All candidates pass.
pub(super) struct NoVolumes;

impl Volume for NoVolumes {
    fn width(&self) -> usize {
        1
    }

    fn place(&self, _: usize, _: f64, _: DQuat, _: &mut [f64]) {}

    fn overlap(&self, _: &Placed, _: &Placed) -> bool {
        true
    }

    fn volume(&self, _: &Placed) -> Option<f64> {
        None
    }

    fn outline(&self, _: &Placed) -> Outline {
        Outline::Faces(Vec::new())
    }
}

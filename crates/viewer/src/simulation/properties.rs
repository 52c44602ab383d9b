//! Properties of the objects on which the speed of algorithms depends.

use crate::session::Session;
use glam::Vec3;

/// What the present boxes are like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    /// Objects that are present.
    pub objects: usize,
    /// The share that moves, 0 to 1, of those whose motion is known; `None` in the first frame of a recording.
    pub movers: Option<f32>,
    /// The 95th percentile of their longest sides over the 5th, at least 1; infinite if many are points.
    pub size_spread: f32,
    /// Overlapping pairs per object; `None` before the search.
    pub pairs_per_object: Option<f32>,
}

impl Properties {
    /// Measures the present boxes; `None` if no object is present.
    pub(super) fn of(session: &Session) -> Option<Self> {
        let boxes = session.motion().boxes();
        let present = || boxes.iter().enumerate().filter(|(_, bounds)| !bounds.is_empty());
        let mut sides: Vec<f32> =
            present().map(|(_, bounds)| bounds.size().max_element()).collect();
        let objects = sides.len();
        let last = objects.checked_sub(1)?;
        let (mut known, mut moving) = (0_usize, 0_usize);
        for velocity in present().filter_map(|(object, _)| session.motion().velocity(object)) {
            known += 1;
            moving += usize::from(velocity != Vec3::ZERO);
        }
        let mut percentile =
            |percent: usize| *sides.select_nth_unstable_by(last * percent / 100, f32::total_cmp).1;
        let (small, large) = (percentile(5), percentile(95));
        let pairs = session.found().filter(|_| session.is_searched()).map(|found| found.pairs);
        Some(Self {
            objects,
            movers: (known > 0).then(|| moving as f32 / known as f32),
            size_spread: if large > small { large / small } else { 1.0 },
            pairs_per_object: pairs.map(|pairs| pairs as f32 / objects as f32),
        })
    }
}

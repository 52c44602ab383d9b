//! Properties of the objects on which the speed of algorithms depends.

use crate::session::Session;
use glam::Vec3;

/// What the present boxes are like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Properties {
    /// Objects that are present.
    pub objects: usize,
    /// The share of them that moves, 0 to 1.
    pub movers: f32,
    /// The 95th percentile of their longest sides over the 5th, at least 1; infinite if many are points.
    pub size_spread: f32,
    /// Overlapping pairs per object; `None` before the search.
    pub pairs_per_object: Option<f32>,
}

impl Properties {
    /// Measures the present boxes; `None` if no object is present.
    pub(super) fn of(session: &Session) -> Option<Self> {
        let boxes = session.boxes();
        let present = || boxes.iter().enumerate().filter(|(_, bounds)| !bounds.is_empty());
        let mut sides: Vec<f32> =
            present().map(|(_, bounds)| bounds.size().max_element()).collect();
        let objects = sides.len();
        let last = objects.checked_sub(1)?;
        let moving = present().filter(|(object, _)| session.velocity(*object) != Vec3::ZERO);
        let mut percentile =
            |percent: usize| *sides.select_nth_unstable_by(last * percent / 100, f32::total_cmp).1;
        let (small, large) = (percentile(5), percentile(95));
        let pairs = session.found().filter(|_| session.is_searched()).map(|found| found.pairs);
        Some(Self {
            objects,
            movers: moving.count() as f32 / objects as f32,
            size_spread: if large > small { large / small } else { 1.0 },
            pairs_per_object: pairs.map(|pairs| pairs as f32 / objects as f32),
        })
    }
}

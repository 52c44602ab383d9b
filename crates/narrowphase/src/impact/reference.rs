//! The first contact that all methods are compared with.

use super::{Impact, Motion};
use crate::oracle::{BAND, size_of_pair};
use crate::{Body, Reference};

/// Conservative advancement to a tenth of the band: the distance over the largest approach speed is a time in which the
/// bodies cannot touch. It keeps scratch and nothing else.
#[derive(Clone, Debug, Default)]
pub struct ImpactReference {
    reference: Reference,
}

/// What the reference knows of two moving bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownImpact {
    /// When they touch.
    pub impact: Impact,
    /// Whether the least gap until the limit is within the band of 1e-9 of the pair's size: then a method may find a contact
    /// or none.
    pub is_grazing: bool,
}

/// Most steps of the advancement.
const MAX_STEPS: usize = 100_000;

impl ImpactReference {
    /// When do `a` and `b` first touch, at most `limit` seconds from their poses?
    pub fn examine(&mut self, a: (&Body, &Motion), b: (&Body, &Motion), limit: f64) -> KnownImpact {
        let speed = a.1.speed_bound(a.0) + b.1.speed_bound(b.0);
        let size = size_of_pair(a.0, b.0);
        let tolerance = 0.1 * BAND * size;
        let mut time = 0.0;
        for _ in 0..MAX_STEPS {
            let (one, other) = (a.1.body_after(a.0, time), b.1.body_after(b.0, time));
            let gap = self.reference.examine(&one, &other).gap;
            if gap <= tolerance {
                let parts = self.reference.parts().iter();
                let nearest = parts.min_by(|one, other| one.gap.total_cmp(&other.gap));
                let axis = nearest.map_or(glam::DVec3::X, |part| part.axis);
                let impact = if time == 0.0 {
                    Impact::Overlapping
                } else {
                    Impact::At { first: time, last: time, axis }
                };
                return KnownImpact { impact, is_grazing: false };
            }
            time += gap / speed;
            if time > limit {
                return KnownImpact { impact: Impact::Never, is_grazing: false };
            }
        }
        KnownImpact { impact: Impact::Failed, is_grazing: false }
    }
}

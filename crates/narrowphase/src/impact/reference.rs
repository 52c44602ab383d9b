//! The first contact that all methods are compared with.

use super::advancement::{Advancement, Targets};
use super::moving_pair::MovingPair;
use super::{Impact, Motion};
use crate::body::Body;
use crate::pair::BAND;
use glam::DVec3;

/// Steps along the axis of the gap, each of which the bodies cannot meet in, until the gap is rounding.
///
/// For bodies that do not rotate a step ends where the axis has its first time: the last axis is the one with the largest
/// first time of all, and the gap there is the residual. It keeps scratch and nothing else. Where it finds a contact it
/// does not search for the parting: `last` is `first`.
#[derive(Clone, Debug, Default)]
pub struct ImpactReference {
    advancement: Advancement,
}

/// The reference's answer for two moving bodies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KnownImpact {
    /// When they touch.
    pub impact: Impact,
    /// Whether bodies larger or smaller by the band of 1e-9 of the pair's size have another kind of [`Impact`]: they touch
    /// within the limit or do not, at the start or later. Then a method may find either.
    pub is_grazing: bool,
}

/// The search ends at a gap below this fraction of the band. The distance of the static reference has half the digits.
const TOLERANCE: f64 = 0.02;

impl ImpactReference {
    /// When do `a` and `b` first touch, at most `limit` seconds from their poses?
    ///
    /// [`Impact::Failed`] for the input of which [`TimeOfImpact::find`](super::TimeOfImpact::find) says so, and where
    /// bodies rotate so often within the limit that all steps are not enough.
    pub fn examine(&mut self, a: (&Body, &Motion), b: (&Body, &Motion), limit: f64) -> KnownImpact {
        let times = MovingPair::new(a, b, limit).and_then(|moving| self.times(&moving));
        let Some(Times { outer, touching, inner, axis }) = times else {
            return KnownImpact { impact: Impact::Failed, is_grazing: false };
        };
        let impact = if touching == 0.0 {
            Impact::Overlapping
        } else if touching.is_finite() {
            Impact::At { first: touching, last: touching, axis }
        } else {
            Impact::Never
        };
        let kind = |time: f64| (time == 0.0, time.is_finite());
        KnownImpact { impact, is_grazing: kind(outer) != kind(inner) }
    }

    /// `None` if a search does not end.
    fn times(&mut self, moving: &MovingPair) -> Option<Times> {
        let band = BAND * moving.size();
        let mut times = Times::NEVER;
        let Some(start) = moving.spheres_touch(2.0 * band) else { return Some(times) };
        for i in 0..moving.a().shape.parts().len() {
            for j in 0..moving.b().shape.parts().len() {
                self.times_of_parts(moving, [i, j], start, &mut times)?;
            }
        }
        Some(times)
    }

    /// Lowers the times to those of two parts.
    fn times_of_parts(
        &mut self,
        moving: &MovingPair,
        parts: [usize; 2],
        from: f64,
        times: &mut Times,
    ) -> Option<()> {
        let band = BAND * moving.size();
        // Later than a certain contact nothing counts.
        let until = moving.limit().min(times.inner);
        let gaps = [band, 0.0, -band];
        let targets = Targets { gaps, tolerance: TOLERANCE * band, from, until };
        let passage = self.advancement.pass(moving, parts, targets);
        let [mut outer, mut touching, inner] = passage.times;
        if passage.is_unresolved {
            let (time, gap) = passage.end;
            let is_near = gap.abs() <= 3.0 * band;
            if !is_near {
                return None;
            }
            // Near the band for as long as all steps lasted: either answer is right.
            touching = if outer.is_finite() { touching.min(time) } else { touching };
            outer = outer.min(time);
        }
        times.outer = times.outer.min(outer);
        times.inner = times.inner.min(inner);
        if touching < times.touching {
            (times.touching, times.axis) = (touching, passage.axis);
        }
        Some(())
    }
}

/// When the gap of two bodies is first at most the band, 0, and minus the band; infinite for never within the limit.
#[derive(Clone, Copy, Debug)]
struct Times {
    outer: f64,
    touching: f64,
    inner: f64,
    /// The axis of the gap at `touching`.
    axis: DVec3,
}

impl Times {
    const NEVER: Self = Self {
        outer: f64::INFINITY,
        touching: f64::INFINITY,
        inner: f64::INFINITY,
        axis: DVec3::X,
    };
}

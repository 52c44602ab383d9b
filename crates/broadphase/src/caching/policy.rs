//! Policies: how far boxes are enlarged, and which objects are not cached.

use crate::Aabb;
use glam::Vec3A;

/// A rule by which boxes are enlarged.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Policy {
    /// The margin on every side, in mean sides of the median box; 0 where only resting objects are cached.
    pub(super) margin: f32,
    /// Frames for which the box is swept along the object's motion.
    pub(super) frames: f32,
    /// Whether resting objects have a margin, too. Else their fat AABB is their box, and their pairs need no
    /// test.
    pub(super) is_for_resting: bool,
}

const fn margin(margin: f32) -> Policy {
    Policy { margin, frames: 0.0, is_for_resting: false }
}

const fn swept(margin: f32, frames: f32) -> Policy {
    Policy { margin, frames, is_for_resting: false }
}

const fn for_all(margin: f32) -> Policy {
    Policy { margin, frames: 0.0, is_for_resting: true }
}

/// Number of policies.
pub(super) const POLICIES: usize = 9;

/// The policies from which one is chosen. Without `swept(0.06, 12.0)`, single cells of the atlas take 1.2 to 1.35 times
/// as long, without `for_all(0.08)` one takes 1.5 times, without `swept(0.03, 6.0)` a settled pile 1.14, without
/// `swept(0.02, 3.0)` `cluster` 1.19. Margins of 0.03 and 0.2 gain nothing.
pub(super) const ALL: [Policy; POLICIES] = [
    margin(0.0),
    margin(0.08),
    margin(0.45),
    swept(0.02, 3.0),
    swept(0.03, 6.0),
    swept(0.06, 12.0),
    swept(0.1, 24.0),
    for_all(0.08),
    for_all(0.25),
];

/// The policy that caches resting objects only.
pub(super) const RESTING: usize = 0;

/// The policy before much motion is known.
pub(super) const FIRST: usize = 1;

/// Largest margin of a box, in its own mean sides. Else a box far smaller than the median one would have
/// many candidate pairs.
const OWN_MARGIN: f32 = 0.6;

/// Furthest sweep along each axis: in mean sides of the median box, and in the box's own. Clamped
/// on each axis: a bound on its length needs a square root (gas 5,000: 0.090 instead of 0.073 ms).
const FARTHEST: f32 = 2.5;
const OWN_FARTHEST: f32 = 8.0;

/// An object that would escape within this many frames is not cached.
pub(super) const MIN_LIFE: f32 = 1.5;

/// An object rests once it has not changed for this many frames. That is detected at most `REST`
/// frames later.
pub(super) const REST: u32 = 3;

/// The class of an object in a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    /// Moves within a fat AABB.
    Slow,
    /// Rested until the cache was built. Its fat AABB is its box.
    Resting,
    /// Not cached: it would soon escape.
    Fast,
}

/// A policy, applied to a scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inflation {
    pub(super) policy: Policy,
    /// Units.
    margin: f32,
    farthest: f32,
}

impl Inflation {
    /// `side` is the mean side of the median box, units.
    pub(super) fn new(policy: Policy, side: f32) -> Self {
        let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
        let (margin, farthest) = (finite(policy.margin * side), finite(FARTHEST * side));
        Self { policy, margin, farthest }
    }

    /// The class of an object and its fat AABB, given its box and its motion in units a frame, if that is
    /// known. The fat AABB of an absent object is empty.
    #[inline(always)]
    pub(super) fn inflate(&self, b: &Aabb, motion: Option<Vec3A>) -> (Class, Aabb) {
        if b.is_empty() {
            return (Class::Slow, Aabb::EMPTY);
        }
        let is_resting = motion == Some(Vec3A::ZERO);
        if is_resting && !self.policy.is_for_resting {
            return (Class::Resting, *b);
        }
        let motion = motion.unwrap_or(Vec3A::ZERO);
        if self.policy.margin == 0.0 || !motion.is_finite() {
            return (Class::Fast, Aabb::EMPTY);
        }
        let (margin, ahead) = self.reach(b, motion);
        if escapes(MIN_LIFE, motion, margin, ahead) {
            return (Class::Fast, Aabb::EMPTY);
        }
        let (min, max) = (Vec3A::from(b.min), Vec3A::from(b.max));
        let low = min - margin + ahead.min(Vec3A::ZERO);
        let high = max + margin + ahead.max(Vec3A::ZERO);
        // Bounds near the largest number must not become infinite, and the box stays inside.
        let low = low.max(Vec3A::MIN).min(min);
        let high = high.min(Vec3A::MAX).max(max);
        (Class::Slow, Aabb::new(low.into(), high.into()))
    }

    /// The margin of a box, and how far it is swept.
    #[inline(always)]
    fn reach(&self, b: &Aabb, motion: Vec3A) -> (f32, Vec3A) {
        let side = mean_side(b);
        let farthest = Vec3A::splat(self.farthest.min(side * OWN_FARTHEST));
        let ahead = (motion * self.policy.frames).clamp(-farthest, farthest);
        (self.margin.min(side * OWN_MARGIN), ahead)
    }

    /// Whether an object with this motion escapes within some frames.
    pub(super) fn escapes_within(&self, frames: f32, b: &Aabb, motion: Vec3A) -> bool {
        let (margin, ahead) = self.reach(b, motion);
        motion != Vec3A::ZERO
            && (self.policy.margin == 0.0 || escapes(frames, motion, margin, ahead))
    }
}

/// Whether an object leaves its fat AABB within some frames.
#[inline(always)]
fn escapes(frames: f32, motion: Vec3A, margin: f32, ahead: Vec3A) -> bool {
    (motion.abs() * frames).cmpgt(ahead.abs() + margin).any()
}

/// The mean side of a box, units; 0 where that is not finite.
pub(super) fn mean_side(b: &Aabb) -> f32 {
    let side = b.size().element_sum() / 3.0;
    if side.is_finite() { side } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn fat_aabbs_contain_their_boxes_and_are_bounded() {
        let ground = Aabb::new(Vec3::splat(-1e6), Vec3::splat(1e6));
        let largest = Aabb::new(Vec3::MIN, Vec3::MAX);
        let pebble = Aabb::around_sphere(Vec3::ZERO, 0.001);
        let usual = Aabb::around_sphere(Vec3::ONE, 0.5);
        for policy in ALL {
            for side in [0.0, 1.0, 1e6, f32::INFINITY, f32::NAN] {
                let inflation = Inflation::new(policy, side);
                for b in [ground, largest, pebble, usual] {
                    for motion in [0.0, 0.01, 3.0, 1e30].map(Vec3A::splat) {
                        let (class, fat) = inflation.inflate(&b, Some(motion));
                        if class == Class::Fast {
                            assert!(fat.is_empty());
                            continue;
                        }
                        assert!(fat.is_finite() && fat.union(&b) == fat, "{policy:?}: {fat:?}");
                        let grown = (fat.size() - b.size()).max_element() / b.size().max_element();
                        let most = OWN_FARTHEST + 2.0 * OWN_MARGIN;
                        assert!(b == largest || grown <= most * 1.01, "{policy:?}: by {grown}");
                    }
                }
            }
        }
    }

    #[test]
    fn classes_follow_from_motion() {
        let b = Aabb::around_sphere(Vec3::ZERO, 0.5);
        let class = |policy: Policy, motion: f32| {
            let motion = Some(Vec3A::X * motion);
            let (class, fat) = Inflation::new(policy, 1.0).inflate(&b, motion);
            (class, if class == Class::Fast { 0.0 } else { fat.max.x - b.max.x })
        };
        assert_eq!(class(margin(0.0), 0.0), (Class::Resting, 0.0));
        assert_eq!(class(margin(0.0), 1e-9), (Class::Fast, 0.0));
        assert_eq!(class(margin(0.25), 0.0), (Class::Resting, 0.0));
        assert_eq!(class(for_all(0.25), 0.0), (Class::Slow, 0.25));
        assert_eq!(class(margin(0.25), 0.1), (Class::Slow, 0.25));
        assert_eq!(class(margin(0.25), 0.2), (Class::Fast, 0.0));
        assert_eq!(class(swept(0.25, 4.0), 0.25), (Class::Slow, 1.25));
        assert_eq!(class(swept(0.25, 40.0), 0.25), (Class::Slow, 0.25 + FARTHEST));
        assert_eq!(class(margin(0.25), f32::INFINITY), (Class::Fast, 0.0));
    }
}

//! Two algorithms that find different pairs.

use broadphase::{Algorithm, Frame, Pair};
use measure::{PairFault, first_difference, own_fault};
use std::fmt;

/// The first pair on which the algorithm that runs and a shadow of it differ.
#[derive(Clone, Copy, Debug)]
pub struct Disagreement {
    /// The step in which they did, counted from 1.
    pub step: u64,
    /// The algorithm that is wrong.
    pub wrong: &'static Algorithm,
    /// The one that it was compared with.
    pub other: &'static Algorithm,
    /// What is wrong with its list.
    pub fault: PairFault,
}

impl Disagreement {
    /// Compares two sorted lists of the same frame; `None` where they are the same.
    ///
    /// The boxes themselves judge which of the two is wrong.
    pub(super) fn between(
        running: (&'static Algorithm, &[Pair]),
        shadow: (&'static Algorithm, &[Pair]),
        frame: &Frame<'_>,
        step: u64,
    ) -> Option<Self> {
        if running.1 == shadow.1 {
            return None;
        }
        let of = |wrong: &'static Algorithm, other, fault| Self { step, wrong, other, fault };
        if let Some(fault) = own_fault(frame, running.1) {
            return Some(of(running.0, shadow.0, fault));
        }
        if let Some(fault) = own_fault(frame, shadow.1) {
            return Some(of(shadow.0, running.0, fault));
        }
        // All pairs of both are right: one of them lacks a pair of the other.
        Some(match first_difference(running.1, shadow.1)? {
            PairFault::Extra(pair) => of(running.0, shadow.0, PairFault::Missing(pair)),
            fault => of(shadow.0, running.0, fault),
        })
    }

    /// The pair itself.
    pub fn pair(&self) -> Pair {
        self.fault.pair()
    }
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { step, wrong, other, fault } = self;
        write!(f, "step {step}: {} is wrong: {fault} (compared with {})", wrong.name, other.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::{Aabb, Layer, find};
    use glam::Vec3;

    #[test]
    fn the_boxes_judge_who_is_wrong() {
        let at = |x: f32| Aabb::around_sphere(Vec3::X * x, 0.5);
        let boxes = [at(0.0), at(0.5), at(9.0), at(0.5)];
        let layers = [Layer::ALL, Layer::STATIC, Layer::ALL, Layer::STATIC];
        let frame = Frame::new(&boxes, 0.1).layered(&layers);
        let (bsp, kd) = (find("bsp").unwrap(), find("kd-tree").unwrap());
        let (near, far) = (Pair::new(0, 1), Pair::new(0, 2));
        let judge = |running: &[Pair], shadow: &[Pair]| {
            Disagreement::between((bsp, running), (kd, shadow), &frame, 7)
                .map(|d| (d.wrong.id, d.fault))
        };
        assert_eq!(judge(&[near], &[near]), None);
        assert_eq!(judge(&[near], &[]), Some(("kd-tree", PairFault::Missing(near))));
        assert_eq!(judge(&[], &[near]), Some(("bsp", PairFault::Missing(near))));
        assert_eq!(judge(&[near, far], &[near]), Some(("bsp", PairFault::Extra(far))));
        assert_eq!(judge(&[near], &[near, far]), Some(("kd-tree", PairFault::Extra(far))));
        assert_eq!(judge(&[near], &[near, near]), Some(("kd-tree", PairFault::Duplicate(near))));
        assert_eq!(judge(&[near, near], &[near]), Some(("bsp", PairFault::Duplicate(near))));
        let still = Pair::new(1, 3);
        assert_eq!(judge(&[near], &[near, still]), Some(("kd-tree", PairFault::Forbidden(still))));
        let beyond = Pair::new(1, 5);
        assert_eq!(
            judge(&[near], &[near, beyond]),
            Some(("kd-tree", PairFault::Malformed(beyond)))
        );
    }
}

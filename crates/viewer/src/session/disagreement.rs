//! Two algorithms that find different pairs.

use broadphase::{Aabb, Algorithm, Pair};
use measure::{PairFault, first_difference};
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
    /// Compares two sorted lists of the same boxes; `None` where they are the same.
    ///
    /// The boxes themselves judge which of the two is wrong.
    pub(super) fn between(
        running: (&'static Algorithm, &[Pair]),
        shadow: (&'static Algorithm, &[Pair]),
        boxes: &[Aabb],
        step: u64,
    ) -> Option<Self> {
        let fault = first_difference(running.1, shadow.1)?;
        let overlap = |pair: Pair| {
            let [a, b] = [pair.a, pair.b].map(|object| boxes.get(object as usize));
            pair.a < pair.b && a.zip(b).is_some_and(|(a, b)| a.overlaps(b))
        };
        // As the shadow's fault, if the list of the running one is right.
        let shadow_is_wrong = match fault {
            PairFault::Missing(pair) => overlap(pair),
            PairFault::Extra(pair) => !overlap(pair),
            PairFault::Duplicate(_) | PairFault::Malformed(_) => true,
        };
        let ((right, _), (wrong, _)) =
            if shadow_is_wrong { (running, shadow) } else { (shadow, running) };
        let fault = match fault {
            _ if shadow_is_wrong => fault,
            // Reported by the running one alone: twice, or though the boxes lie apart.
            PairFault::Missing(pair) if overlap(pair) => PairFault::Duplicate(pair),
            PairFault::Missing(pair) => PairFault::Extra(pair),
            PairFault::Extra(pair) => PairFault::Missing(pair),
            other => other,
        };
        Some(Self { step, wrong, other: right, fault })
    }

    /// The pair itself.
    pub fn pair(&self) -> Pair {
        match self.fault {
            PairFault::Missing(pair)
            | PairFault::Extra(pair)
            | PairFault::Duplicate(pair)
            | PairFault::Malformed(pair) => pair,
        }
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
    use broadphase::find;
    use glam::Vec3;

    #[test]
    fn the_boxes_judge_who_is_wrong() {
        let at = |x: f32| Aabb::around_sphere(Vec3::X * x, 0.5);
        let boxes = [at(0.0), at(0.5), at(9.0)];
        let (bsp, kd) = (find("bsp").unwrap(), find("kd-tree").unwrap());
        let (near, far) = (Pair::new(0, 1), Pair::new(0, 2));
        let judge = |running: &[Pair], shadow: &[Pair]| {
            Disagreement::between((bsp, running), (kd, shadow), &boxes, 7)
                .map(|d| (d.wrong.id, d.fault))
        };
        assert_eq!(judge(&[near], &[near]), None);
        assert_eq!(judge(&[near], &[]), Some(("kd-tree", PairFault::Missing(near))));
        assert_eq!(judge(&[], &[near]), Some(("bsp", PairFault::Missing(near))));
        assert_eq!(judge(&[near, far], &[near]), Some(("bsp", PairFault::Extra(far))));
        assert_eq!(judge(&[near], &[near, far]), Some(("kd-tree", PairFault::Extra(far))));
        assert_eq!(judge(&[near], &[near, near]), Some(("kd-tree", PairFault::Duplicate(near))));
        assert_eq!(judge(&[near, near], &[near]), Some(("bsp", PairFault::Duplicate(near))));
        let beyond = Pair::new(1, 5);
        assert_eq!(judge(&[near], &[near, beyond]), Some(("kd-tree", PairFault::Extra(beyond))));
    }
}

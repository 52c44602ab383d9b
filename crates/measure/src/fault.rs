//! What can be wrong with a pair list.

use broadphase::{Frame, Pair};

/// The first fault of a pair list, in the order of the sorted list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PairFault {
    /// An overlapping pair was not reported.
    #[error("pair {0} is missing")]
    Missing(Pair),
    /// A pair was reported whose boxes do not overlap.
    #[error("pair {0} is reported, yet its boxes do not overlap")]
    Extra(Pair),
    /// A pair was reported whose objects do not meet, though their boxes overlap.
    #[error("pair {0} is reported, yet the layers of its objects do not meet")]
    Forbidden(Pair),
    /// A pair was reported more than once.
    #[error("pair {0} is reported more than once")]
    Duplicate(Pair),
    /// The ids are not those of two objects, the lower first.
    #[error("pair {0} is reported, which is no pair of two objects, the lower id first")]
    Malformed(Pair),
}

impl PairFault {
    /// The pair itself.
    pub fn pair(&self) -> Pair {
        match *self {
            PairFault::Missing(pair)
            | PairFault::Extra(pair)
            | PairFault::Forbidden(pair)
            | PairFault::Duplicate(pair)
            | PairFault::Malformed(pair) => pair,
        }
    }

    /// The same fault of a list of this frame: of a pair too many, the frame tells why it is none.
    pub fn in_frame(self, frame: &Frame<'_>) -> Self {
        match self {
            PairFault::Extra(pair) => own_fault(frame, &[pair]).unwrap_or(self),
            _ => self,
        }
    }
}

/// The first difference between two sorted lists: the right one, and the one found.
pub fn first_difference(expected: &[Pair], found: &[Pair]) -> Option<PairFault> {
    let same = expected.iter().zip(found).take_while(|(e, f)| e == f).count();
    match (expected.get(same), found.get(same)) {
        (None, None) => None,
        (_, Some(&f)) if same > 0 && found[same - 1] == f => Some(PairFault::Duplicate(f)),
        (Some(&e), Some(&f)) if f < e => Some(PairFault::Extra(f)),
        (Some(&e), _) => Some(PairFault::Missing(e)),
        (None, Some(&f)) => Some(PairFault::Extra(f)),
    }
}

/// The first fault that a sorted list shows by itself: all but a missing pair.
///
/// Linear in the list, so every frame can afford it, and no list that passes makes the response
/// reach beyond the objects.
pub fn own_fault(frame: &Frame<'_>, pairs: &[Pair]) -> Option<PairFault> {
    let boxes = frame.boxes;
    let mut previous = None;
    for &pair in pairs {
        if pair.a >= pair.b || pair.b as usize >= boxes.len() {
            return Some(PairFault::Malformed(pair));
        }
        if previous == Some(pair) {
            return Some(PairFault::Duplicate(pair));
        }
        if !boxes[pair.a as usize].overlaps(&boxes[pair.b as usize]) {
            return Some(PairFault::Extra(pair));
        }
        if !frame.admits(pair.a, pair.b) {
            return Some(PairFault::Forbidden(pair));
        }
        previous = Some(pair);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::{Aabb, Layer};
    use glam::Vec3;

    const A: Pair = Pair { a: 0, b: 1 };
    const B: Pair = Pair { a: 0, b: 2 };
    const C: Pair = Pair { a: 1, b: 2 };

    #[test]
    fn the_first_difference_is_named() {
        let right = [A, B, C];
        assert_eq!(first_difference(&right, &right), None);
        assert_eq!(first_difference(&[], &[]), None);
        for (found, fault) in [
            (&[A, C][..], PairFault::Missing(B)),
            (&[A, B], PairFault::Missing(C)),
            (&[], PairFault::Missing(A)),
            (&[A, A, B, C], PairFault::Duplicate(A)),
            (&[A, B, C, C], PairFault::Duplicate(C)),
            (&[A, B, C, Pair { a: 1, b: 3 }], PairFault::Extra(Pair { a: 1, b: 3 })),
        ] {
            assert_eq!(first_difference(&right, found), Some(fault));
        }
        assert_eq!(first_difference(&[A, C], &[A, B, C]), Some(PairFault::Extra(B)));
    }

    #[test]
    fn a_list_betrays_all_but_a_missing_pair() {
        let at = |x: f32| Aabb::around_sphere(Vec3::X * x, 0.5);
        let boxes = [at(0.0), at(0.5), at(9.0)];
        let frame = Frame::new(&boxes, 0.1);
        assert_eq!(own_fault(&frame, &[A]), None);
        assert_eq!(own_fault(&frame, &[]), None);
        assert_eq!(own_fault(&frame, &[A, A]), Some(PairFault::Duplicate(A)));
        assert_eq!(own_fault(&frame, &[A, B]), Some(PairFault::Extra(B)));
        let still = frame.layered(&[Layer::STATIC; 3]);
        assert_eq!(own_fault(&still, &[A]), Some(PairFault::Forbidden(A)));
        assert_eq!(own_fault(&still, &[B]), Some(PairFault::Extra(B)), "it is none in any layer");
        for bad in [Pair { a: 1, b: 0 }, Pair { a: 1, b: 1 }, Pair { a: 0, b: 3 }] {
            assert_eq!(own_fault(&frame, &[bad]), Some(PairFault::Malformed(bad)));
        }
    }

    #[test]
    fn the_frame_tells_why_a_pair_is_too_many() {
        let boxes = [0.0, 0.5, 9.0].map(|x| Aabb::around_sphere(Vec3::X * x, 0.5));
        let frame = Frame::new(&boxes, 0.1).layered(&[Layer::STATIC; 2]);
        let named = |fault: PairFault| fault.in_frame(&frame);
        assert_eq!(named(PairFault::Extra(A)), PairFault::Forbidden(A));
        assert_eq!(named(PairFault::Extra(B)), PairFault::Extra(B));
        let beyond = Pair { a: 0, b: 7 };
        assert_eq!(named(PairFault::Extra(beyond)), PairFault::Malformed(beyond));
        assert_eq!(named(PairFault::Missing(A)), PairFault::Missing(A));
    }
}

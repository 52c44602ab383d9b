//! Faults of a pair list.

use crate::{Frame, Pair};

/// A fault of a pair list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PairFault {
    /// An overlapping pair was not reported.
    #[error("pair {0} is missing")]
    Missing(Pair),
    /// A pair was reported whose boxes do not overlap.
    #[error("pair {0} is reported, yet its boxes do not overlap")]
    Extra(Pair),
    /// A pair was reported whose layers do not meet, though its boxes overlap.
    #[error("pair {0} is reported, yet the layers of its objects do not meet")]
    Forbidden(Pair),
    /// A pair was reported more than once.
    #[error("pair {0} is reported more than once")]
    Duplicate(Pair),
    /// The ids are not those of two objects of the frame, the lower first.
    #[error(
        "pair {0} is reported, yet is no pair of two objects: expected the lower id first, both of the frame"
    )]
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

    /// The same fault, with the reason why an [`Extra`](Self::Extra) pair is none in this frame: its
    /// boxes, its layers or its ids.
    pub fn in_frame(self, frame: &Frame<'_>) -> Self {
        match self {
            PairFault::Extra(pair) => check_pairs(frame, &[pair]).err().unwrap_or(self),
            _ => self,
        }
    }
}

/// Finds the first fault of a sorted list that shows without the right list: any but a missing pair.
///
/// Linear in the list, so that every frame can afford it. The ids of a list that passes are within
/// the frame's objects.
///
/// # Errors
///
/// The first fault, in the order of the list.
pub fn check_pairs(frame: &Frame<'_>, pairs: &[Pair]) -> Result<(), PairFault> {
    let boxes = frame.boxes;
    let mut previous = None;
    for &pair in pairs {
        if pair.a >= pair.b || pair.b as usize >= boxes.len() {
            return Err(PairFault::Malformed(pair));
        }
        if previous == Some(pair) {
            return Err(PairFault::Duplicate(pair));
        }
        if !boxes[pair.a as usize].overlaps(&boxes[pair.b as usize]) {
            return Err(PairFault::Extra(pair));
        }
        if !frame.admits(pair.a, pair.b) {
            return Err(PairFault::Forbidden(pair));
        }
        previous = Some(pair);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aabb, Layer};
    use glam::Vec3;

    const A: Pair = Pair { a: 0, b: 1 };
    const B: Pair = Pair { a: 0, b: 2 };

    #[test]
    fn every_fault_but_a_missing_pair_is_found() {
        let at = |x: f32| Aabb::around_sphere(Vec3::X * x, 0.5);
        let boxes = [at(0.0), at(0.5), at(9.0)];
        let frame = Frame::new(&boxes);
        assert_eq!(check_pairs(&frame, &[A]), Ok(()));
        assert_eq!(check_pairs(&frame, &[]), Ok(()), "a missing pair does not show");
        assert_eq!(check_pairs(&frame, &[A, A]), Err(PairFault::Duplicate(A)));
        assert_eq!(check_pairs(&frame, &[A, B]), Err(PairFault::Extra(B)));
        let still = frame.layered(&[Layer::STATIC; 3]);
        assert_eq!(check_pairs(&still, &[A]), Err(PairFault::Forbidden(A)));
        assert_eq!(check_pairs(&still, &[B]), Err(PairFault::Extra(B)), "a pair in no layer");
        for bad in [Pair { a: 1, b: 0 }, Pair { a: 1, b: 1 }, Pair { a: 0, b: 3 }] {
            assert_eq!(check_pairs(&frame, &[bad]), Err(PairFault::Malformed(bad)));
        }
    }

    #[test]
    fn the_frame_gives_the_reason_of_an_additional_pair() {
        let boxes = [0.0, 0.5, 9.0].map(|x| Aabb::around_sphere(Vec3::X * x, 0.5));
        let frame = Frame::new(&boxes).layered(&[Layer::STATIC; 2]);
        let named = |fault: PairFault| fault.in_frame(&frame);
        assert_eq!(named(PairFault::Extra(A)), PairFault::Forbidden(A));
        assert_eq!(named(PairFault::Extra(B)), PairFault::Extra(B));
        let beyond = Pair { a: 0, b: 7 };
        assert_eq!(named(PairFault::Extra(beyond)), PairFault::Malformed(beyond));
        assert_eq!(named(PairFault::Missing(A)), PairFault::Missing(A));
    }
}

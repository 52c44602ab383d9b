//! Compares two pair lists.

use super::PairFault;
use crate::{Frame, Pair};
use std::fmt;

/// Where a pair list comes from. The head of a message about it.
#[derive(Clone, Copy)]
pub struct PairListOrigin<'a> {
    /// Id of the algorithm.
    pub algorithm: &'a str,
    /// The input, with its seed where it has one.
    pub input: &'a dyn fmt::Display,
    /// Number of the frame, from 0.
    pub number: usize,
    /// The frame itself: its boxes and layers explain a fault.
    pub frame: Frame<'a>,
}

impl PairListOrigin<'_> {
    /// Panics with the [`Difference`] between two sorted lists, unless they are the same.
    #[track_caller]
    pub fn assert_same(self, expected: &[Pair], found: &[Pair]) {
        if let Some(difference) = Difference::between(expected, found) {
            panic!("{}", Difference { source: Some(self), ..difference });
        }
    }
}

/// Two sorted pair lists that differ: the expected one, and the one found.
///
/// It borrows the lists. No method allocates, and each is linear in the lengths of the lists.
#[derive(Clone, Copy)]
pub struct Difference<'a> {
    expected: &'a [Pair],
    found: &'a [Pair],
    source: Option<PairListOrigin<'a>>,
}

impl<'a> Difference<'a> {
    /// Compares two sorted lists; `None` where they are the same.
    pub fn between(expected: &'a [Pair], found: &'a [Pair]) -> Option<Self> {
        debug_assert!(expected.is_sorted() && found.is_sorted(), "the lists are not sorted");
        (expected != found).then_some(Self { expected, found, source: None })
    }

    /// Faults of the list found, in the order of the pairs. An additional pair is an
    /// [`Extra`](PairFault::Extra) one; [`in_frame`](PairFault::in_frame) gives the reason.
    pub fn faults(&self) -> impl Iterator<Item = PairFault> + use<'a> {
        let (mut expected, mut found, mut previous) = (self.expected, self.found, None);
        std::iter::from_fn(move || {
            while let ([e, expected_rest @ ..], [f, found_rest @ ..]) = (expected, found)
                && e == f
            {
                (expected, found, previous) = (expected_rest, found_rest, Some(*f));
            }
            let (e, f) = (expected.first().copied(), found.first().copied());
            if let Some(e) = e
                && f.is_none_or(|f| e < f)
            {
                expected = &expected[1..];
                return Some(PairFault::Missing(e));
            }
            let f = f?;
            found = &found[1..];
            let is_doubled = previous.replace(f) == Some(f);
            Some(if is_doubled { PairFault::Duplicate(f) } else { PairFault::Extra(f) })
        })
    }

    /// The first of the [`faults`](Self::faults).
    pub fn first(&self) -> PairFault {
        self.faults().next().expect("lists that differ have a fault")
    }
}

impl fmt::Display for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut first = self.first();
        if let Some(PairListOrigin { algorithm, input, number, frame }) = &self.source {
            write!(f, "{algorithm} on {input}, frame {number}: ")?;
            first = first.in_frame(frame);
        }
        let [mut missing, mut additional, mut doubled] = [0usize; 3];
        for fault in self.faults() {
            match fault {
                PairFault::Missing(_) => missing += 1,
                PairFault::Duplicate(_) => doubled += 1,
                _ => additional += 1,
            }
        }
        let (found, expected) = (self.found.len(), self.expected.len());
        write!(f, "{first}; {found} pairs instead of {expected}: ")?;
        write!(f, "{missing} missing, {additional} additional, {doubled} doubled")?;
        let boxes = self.source.map_or(&[][..], |source| source.frame.boxes);
        for object in [first.pair().a, first.pair().b] {
            if let Some(b) = boxes.get(object as usize) {
                write!(f, "; box {object} from {} to {}", b.min, b.max)?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Difference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aabb, Layer};
    use glam::Vec3;

    const A: Pair = Pair { a: 0, b: 1 };
    const B: Pair = Pair { a: 0, b: 2 };
    const C: Pair = Pair { a: 1, b: 2 };
    const D: Pair = Pair { a: 1, b: 3 };

    fn faults(expected: &[Pair], found: &[Pair]) -> Vec<PairFault> {
        let difference = Difference::between(expected, found);
        difference.map_or(Vec::new(), |difference| {
            assert_eq!(difference.faults().next(), Some(difference.first()));
            difference.faults().collect()
        })
    }

    #[test]
    fn every_planted_fault_is_found_and_none_in_equal_lists() {
        use PairFault::{Duplicate, Extra, Missing};
        for (expected, found, wanted) in [
            (&[][..], &[][..], &[][..]),
            (&[A, B, C, D], &[A, B, C, D], &[]),
            (&[A, B, C], &[A, C], &[Missing(B)]),
            (&[A, B, C], &[A, B], &[Missing(C)]),
            (&[A, B, C], &[], &[Missing(A), Missing(B), Missing(C)]),
            (&[A, C], &[A, B, C], &[Extra(B)]),
            (&[A, B], &[A, B, D], &[Extra(D)]),
            (&[], &[A, B], &[Extra(A), Extra(B)]),
            (&[A, B, C], &[A, A, B, C], &[Duplicate(A)]),
            (&[A, B, C], &[A, B, C, C, C], &[Duplicate(C), Duplicate(C)]),
            (&[A], &[A, B, B], &[Extra(B), Duplicate(B)]),
            (&[A, C], &[B, D], &[Missing(A), Extra(B), Missing(C), Extra(D)]),
            (&[A, B, C], &[A, A, C, D], &[Duplicate(A), Missing(B), Extra(D)]),
        ] {
            assert_eq!(faults(expected, found), wanted, "{expected:?} {found:?}");
        }
    }

    #[test]
    #[should_panic(
        expected = "kd-tree on gas of seed 7, frame 3: pair (0, 1) is reported more than once; 4 pairs \
                    instead of 3: 1 missing, 1 additional, 1 doubled; box 0 from [-1, -1, -1] to \
                    [1, 1, 1]; box 1 from [0, -1, -1] to [2, 1, 1]"
    )]
    fn a_failed_assertion_states_source_and_boxes() {
        let boxes = [0.0, 1.0, 2.0].map(|x| Aabb::around_sphere(Vec3::X * x, 1.0));
        let frame = Frame::new(&boxes);
        let input = &format_args!("gas of seed {}", 7);
        let source = PairListOrigin { algorithm: "kd-tree", input, number: 3, frame };
        source.assert_same(&[A], &[A]);
        source.assert_same(&[A, B, C], &[A, A, C, D]);
    }

    #[test]
    #[should_panic(expected = "frame 0: pair (0, 1) is reported, yet the layers of its objects")]
    fn a_failed_assertion_states_why_a_pair_is_additional() {
        let boxes = [Aabb::new(Vec3::ZERO, Vec3::ONE); 2];
        let frame = Frame::new(&boxes).layered(&[Layer::STATIC; 2]);
        PairListOrigin { algorithm: "bsp", input: &"statics", number: 0, frame }
            .assert_same(&[], &[A]);
    }
}

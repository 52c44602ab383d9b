//! Boxes that move along lines within a step: which of them touch at any time of it.
//!
//! The union of a box's places is a box too, so any algorithm finds the pairs of such *swept boxes*. Some of these pairs are
//! false: the boxes pass the same place at other times. The exact set follows from the relative displacement of each pair.

mod fraction;

use crate::pair::retain_from;
use crate::{Aabb, BoxError, BroadPhase, Frame, Limits, Pair, check_boxes};
use fraction::{Bounds, Difference};
use glam::Vec3;

/// Why boxes and their displacements are refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SweptError {
    /// A box is bad by itself.
    #[error(transparent)]
    Box(#[from] BoxError),
    /// A coordinate of a displacement is not a number, or infinite.
    #[error("object {object}: its displacement is not finite")]
    Displacement {
        /// Id of the object: the index of its box.
        object: usize,
    },
    /// A box ends beyond the largest number.
    #[error("object {object}: its box ends at an infinite place")]
    Infinite {
        /// Id of the object: the index of its box.
        object: usize,
    },
    /// Each box has one displacement.
    #[error("{boxes} boxes have {displacements} displacements")]
    Count {
        /// Number of boxes.
        boxes: usize,
        /// Number of displacements.
        displacements: usize,
    },
}

/// Fills `swept` with the boxes around all places of boxes that move by `displacements`, each along a line at a constant
/// speed. Bounds are rounded outwards. An empty box stays empty.
///
/// # Errors
///
/// The first bad box or displacement. `swept` is then of no use.
pub fn swept_boxes(
    boxes: &[Aabb],
    displacements: &[Vec3],
    swept: &mut Vec<Aabb>,
) -> Result<(), SweptError> {
    check(boxes, displacements)?;
    swept.clear();
    for (object, (start, way)) in boxes.iter().zip(displacements).enumerate() {
        if start.is_empty() {
            swept.push(Aabb::EMPTY);
            continue;
        }
        let mut whole = *start;
        for (axis, way) in way.to_array().into_iter().enumerate() {
            // A sum is rounded by less than the distance to the next number.
            if way < 0.0 {
                whole.min[axis] = (start.min[axis] + way).next_down();
            } else if way > 0.0 {
                whole.max[axis] = (start.max[axis] + way).next_up();
            }
        }
        if !whole.is_finite() {
            return Err(SweptError::Infinite { object });
        }
        swept.push(whole);
    }
    Ok(())
}

/// Appends all pairs of closed boxes that touch at some time while each moves by its displacement: exactly those, without
/// rounding. `algorithm` finds the pairs of the swept boxes, of which those that pass at other times are left out.
///
/// The pairs are in the order in which the algorithm reports them. Returns how many pairs the swept boxes have.
///
/// # Errors
///
/// As [`swept_boxes`]. Nothing is appended then.
///
/// ```
/// use broadphase::{Aabb, Auto, Pair, glam::Vec3, swept_pairs};
///
/// // Two cars that meet in the middle of the step, and one that crosses their way before them.
/// let boxes = [-4.0, 4.0, 0.0].map(|x| Aabb::around_sphere(Vec3::X * x, 0.5));
/// let displacements = [Vec3::X * 8.0, Vec3::X * -8.0, Vec3::Y * 8.0];
/// let (mut auto, mut pairs) = (Auto::default(), Vec::new());
/// let candidates = swept_pairs(&boxes, &displacements, &mut auto, &mut pairs)?;
/// assert_eq!((candidates, &pairs[..]), (3, &[Pair::new(0, 1)][..]));
/// # Ok::<(), broadphase::SweptError>(())
/// ```
pub fn swept_pairs(
    boxes: &[Aabb],
    displacements: &[Vec3],
    algorithm: &mut dyn BroadPhase,
    pairs: &mut Vec<Pair>,
) -> Result<usize, SweptError> {
    swept_pairs_within(boxes, displacements, algorithm, Limits::NONE, pairs)
}

/// As [`swept_pairs`], within limits, whose bound counts the pairs of the swept boxes: pairs are missing if it ends early.
///
/// # Errors
///
/// As [`swept_boxes`].
pub fn swept_pairs_within(
    boxes: &[Aabb],
    displacements: &[Vec3],
    algorithm: &mut dyn BroadPhase,
    limits: Limits<'_>,
    pairs: &mut Vec<Pair>,
) -> Result<usize, SweptError> {
    let mut swept = Vec::with_capacity(boxes.len());
    swept_boxes(boxes, displacements, &mut swept)?;
    let first = pairs.len();
    let frame = Frame::new(&swept).within(limits);
    algorithm.pairs(&frame, pairs);
    let candidates = pairs.len() - first;
    retain_from(pairs, first, |pair| touch(boxes, displacements, *pair));
    Ok(candidates)
}

/// [`swept_pairs`] by testing every pair: the definition, to compare with. The pairs are sorted.
///
/// # Errors
///
/// As [`swept_boxes`], but for boxes that end at an infinite place: they are allowed.
pub fn swept_pairs_by_definition(
    boxes: &[Aabb],
    displacements: &[Vec3],
    pairs: &mut Vec<Pair>,
) -> Result<(), SweptError> {
    check(boxes, displacements)?;
    let count = boxes.len() as u32;
    let all = (0..count).flat_map(|a| (a + 1..count).map(move |b| Pair { a, b }));
    pairs.extend(all.filter(|pair| touch(boxes, displacements, *pair)));
    Ok(())
}

fn check(boxes: &[Aabb], displacements: &[Vec3]) -> Result<(), SweptError> {
    check_boxes(boxes)?;
    if boxes.len() != displacements.len() {
        let (boxes, displacements) = (boxes.len(), displacements.len());
        return Err(SweptError::Count { boxes, displacements });
    }
    match displacements.iter().position(|way| !way.is_finite()) {
        Some(object) => Err(SweptError::Displacement { object }),
        None => Ok(()),
    }
}

/// As [`touch_moving`], for a pair of objects.
fn touch(boxes: &[Aabb], displacements: &[Vec3], pair: Pair) -> bool {
    let objects = [pair.a as usize, pair.b as usize];
    touch_moving(objects.map(|object| &boxes[object]), objects.map(|object| displacements[object]))
}

/// Whether two closed boxes touch at a time from 0 to 1: whether the times at which they overlap on each axis, which are
/// intervals, have one in common.
pub(crate) fn touch_moving([a, b]: [&Aabb; 2], [way_a, way_b]: [Vec3; 2]) -> bool {
    if a.is_empty() || b.is_empty() {
        return false;
    }
    let mut times = Bounds::UNIT;
    (0..3).all(|axis| {
        let (way_a, way_b) = (way_a[axis], way_b[axis]);
        // Each begins before the other one ends.
        times.limit(Difference::new(a.min[axis], b.max[axis]), Difference::new(way_a, way_b))
            && times.limit(Difference::new(b.min[axis], a.max[axis]), Difference::new(way_b, way_a))
    })
}

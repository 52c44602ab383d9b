//! The adapters, a file each, and what they share.

pub(crate) mod bvh;
mod candidates;
mod changes;
pub(crate) mod obvhs;
pub(crate) mod packed;
mod parry;
pub(crate) mod parry_kept;
pub(crate) mod parry_rebuilt;
mod parry_wear;
pub(crate) mod rapier;
pub(crate) mod rstar;

use broadphase::{Aabb, Frame};

/// Whether the pool in which a frame is searched has several threads.
fn has_threads() -> bool {
    rayon::current_num_threads() > 1
}

/// The typical side of the boxes, for structures that need it in advance: the median of their mean sides.
///
/// Never 0: for points, a thousandth of the space that they fill. `None` while all objects are absent.
fn typical_side(boxes: &[Aabb]) -> Option<f32> {
    let present = boxes.iter().filter(|b| !b.is_empty());
    let mut sides: Vec<f32> = present.map(|b| b.size().element_sum() / 3.0).collect();
    let middle = sides.len().checked_sub(1)? / 2;
    let (_, &mut median, _) = sides.select_nth_unstable_by(middle, f32::total_cmp);
    let of_space = Aabb::bounds(boxes).size().max_element() * 1e-3;
    [median, of_space, 1.0].into_iter().find(|&side| side > 0.0)
}

/// The present boxes of a frame, by object.
fn present<'a>(frame: &Frame<'a>) -> impl Iterator<Item = (usize, &'a Aabb)> + Clone + use<'a> {
    frame.boxes.iter().enumerate().filter(|(_, b)| !b.is_empty())
}

//! A few of many boxes, to know what the others are like.

use crate::Aabb;
use crate::pair::mix;

/// One box in so many is drawn by those who look at boxes now and then, but at least and at most these,
/// or up to twice as many: a look must cost little beside the search of a frame, since the frame in
/// which it comes is as slow as both.
const SHARE: usize = 32;
const FEWEST_AND_MOST: [usize; 2] = [64, 1024];

/// The most boxes that [`few`] draws.
pub(crate) const MOST: usize = 2 * FEWEST_AND_MOST[1];

/// As [`sample`], of as many boxes as a look takes.
pub(crate) fn few(boxes: &[Aabb]) -> (usize, impl Iterator<Item = (usize, &Aabb)>) {
    let [fewest, most] = FEWEST_AND_MOST;
    sample(boxes, (boxes.len() / SHARE).clamp(fewest, most))
}

/// About so many boxes with their numbers, one drawn from each of as many runs of equal length, which
/// is returned too.
///
/// Not every so many-th: those may be of another kind than the others.
pub(crate) fn sample(
    boxes: &[Aabb],
    wanted: usize,
) -> (usize, impl Iterator<Item = (usize, &Aabb)>) {
    let run = (boxes.len() / wanted).max(1);
    let drawn = move |first: usize| {
        let end = boxes.len().min(first + run);
        let object = first + mix(first as u64) as usize % (end - first);
        (object, &boxes[object])
    };
    (run, (0..boxes.len()).step_by(run).map(drawn))
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn each_run_gives_one_and_not_always_the_first() {
        let boxes: Vec<_> =
            (0..1000).map(|i| Aabb::new(Vec3::splat(i as f32), Vec3::MAX)).collect();
        let (run, drawn) = sample(&boxes, 60);
        let drawn: Vec<_> = drawn.collect();
        assert!(drawn.iter().all(|(at, b)| boxes[*at] == **b));
        let drawn: Vec<_> = drawn.into_iter().map(|(at, _)| at).collect();
        assert_eq!((run, drawn.len()), (16, 63));
        assert!(drawn.iter().enumerate().all(|(number, at)| at / run == number));
        let first = drawn.iter().filter(|at| **at % run == 0).count();
        assert!((1..20).contains(&first), "{first} of 63");
        assert_eq!(sample(&boxes[..3], 60).1.count(), 3);
        assert_eq!(sample(&[], 60).1.count(), 0);
        assert_eq!(few(&boxes).1.count(), 67);
        assert!(few(&boxes.repeat(65)).1.count() <= MOST);
    }
}

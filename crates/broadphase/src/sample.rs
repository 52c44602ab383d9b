//! A few of many boxes, to know what the others are like.

use crate::Aabb;
use crate::pair::mix;

/// One box in about so many is drawn by those who look at boxes now and then, but not many fewer or more
/// than these. A look must cost little beside the search of a frame, since the frame in which it comes
/// takes as long as both together.
const SHARE: usize = 32;
const FEWEST_AND_MOST: [usize; 2] = [64, 1024];

/// Room for the boxes that [`few`] draws of so many or a few more, which does not change with their
/// number from frame to frame.
pub(crate) fn room(boxes: usize) -> usize {
    // A run has at least as many boxes as the share says, so that cutting its fraction off makes a
    // thirty-second more of them.
    let most = FEWEST_AND_MOST[1] + FEWEST_AND_MOST[1] / SHARE;
    most.min((boxes + 1).next_power_of_two())
}

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
    }

    #[test]
    fn there_is_room_for_the_few_of_any_number() {
        let boxes = vec![Aabb::EMPTY; 70_000];
        let mut most = 0;
        for n in (0..3_000).chain((3_000..70_000).step_by(7)).chain([33_791]) {
            let drawn = few(&boxes[..n]).1.count();
            assert!(drawn <= room(n), "{drawn} of {n}");
            most = most.max(drawn);
        }
        assert_eq!(most, room(70_000), "there is more room than any number asks for");
    }
}

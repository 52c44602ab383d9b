//! A sample of the boxes, for estimates that cost little.

use crate::Aabb;
use crate::mix::mix;

/// A small sample takes about every `SHARE`-th box. It must cost little compared with the search of a
/// frame: the frame that takes it pays for both.
const SHARE: usize = 32;

/// Bounds of the number of boxes in a small sample, which a rounding may exceed slightly.
const BOUNDS: [usize; 2] = [64, 1024];

/// Room for a small sample of `boxes` boxes or a few more. It rarely changes with a number of
/// boxes that changes from frame to frame.
pub(crate) fn room(boxes: usize) -> usize {
    // A run has at least `SHARE` boxes where this bound matters. Rounding its length down makes at most
    // 1/32 more runs.
    let most = BOUNDS[1] + BOUNDS[1] / SHARE;
    most.min((boxes + 1).next_power_of_two())
}

/// Length of the runs from which a small sample takes one box each: about every [`SHARE`]-th box.
pub(crate) fn few_run(boxes: usize) -> usize {
    let [fewest, most] = BOUNDS;
    run_for(boxes, (boxes / SHARE).clamp(fewest, most))
}

fn run_for(boxes: usize, wanted: usize) -> usize {
    (boxes / wanted).max(1)
}

/// Samples about `wanted` boxes: a random one of each run of equal length, with its id.
///
/// Not every `n`-th box: these may differ from the others in kind.
pub(crate) fn sample(boxes: &[Aabb], wanted: usize) -> impl Iterator<Item = (usize, &Aabb)> {
    in_runs(boxes, run_for(boxes.len(), wanted))
}

/// A random box of each run of some length, with its id.
pub(crate) fn in_runs(boxes: &[Aabb], run: usize) -> impl Iterator<Item = (usize, &Aabb)> {
    let drawn = move |first: usize| {
        let end = boxes.len().min(first + run);
        let object = first + mix(first as u64) as usize % (end - first);
        (object, &boxes[object])
    };
    (0..boxes.len()).step_by(run).map(drawn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn each_run_gives_one_box_not_always_the_first() {
        let boxes: Vec<_> =
            (0..1000).map(|i| Aabb::new(Vec3::splat(i as f32), Vec3::MAX)).collect();
        let (run, drawn) = (run_for(1000, 60), sample(&boxes, 60));
        let drawn: Vec<_> = drawn.collect();
        assert!(drawn.iter().all(|(at, b)| boxes[*at] == **b));
        let drawn: Vec<_> = drawn.into_iter().map(|(at, _)| at).collect();
        assert_eq!((run, drawn.len()), (16, 63));
        assert!(drawn.iter().enumerate().all(|(number, at)| at / run == number));
        let first = drawn.iter().filter(|at| **at % run == 0).count();
        assert!((1..20).contains(&first), "{first} of 63");
        assert_eq!(sample(&boxes[..3], 60).count(), 3);
        assert_eq!(sample(&[], 60).count(), 0);
        assert_eq!(in_runs(&boxes, few_run(boxes.len())).count(), 67);
    }

    #[test]
    fn room_holds_the_sample_of_any_number_of_boxes() {
        let boxes = vec![Aabb::EMPTY; 70_000];
        let mut most = 0;
        for n in (0..3_000).chain((3_000..70_000).step_by(7)).chain([33_791]) {
            let drawn = in_runs(&boxes[..n], few_run(n)).count();
            assert!(drawn <= room(n), "{drawn} of {n}");
            most = most.max(drawn);
        }
        assert_eq!(most, room(70_000), "there is more room than any sample takes");
    }
}

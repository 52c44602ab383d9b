//! Bounds on the number of pairs: exact, of every search, and of no consequence for the next frame.

use crate::common::{inputs, pairs_by_definition, plain, pool, run_frame};
use broadphase::query::{Query, QueryTree, lists_of_each};
use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{
    Aabb, Auto, Frame, Join, Layer, Limits, Pair, PairLimit, Space, WorldBoxes, WorldPairs, Worlds,
    swept_pairs_within,
};
use glam::Vec3;
use std::sync::atomic::AtomicBool;

#[test]
fn bound_is_exact_and_the_next_frame_is_too() {
    let mut exceeded = 0;
    // Half of the objects are static.
    let layers: Vec<_> = (0..75).flat_map(|_| [Layer::STATIC, Layer::ALL]).collect();
    for (name, frames) in inputs(150, 15, 8) {
        for entry in ALGORITHMS {
            let mut algorithm = entry.create(&Settings::new(150)).unwrap();
            for (number, boxes) in frames.iter().enumerate() {
                let frame = plain(boxes).layered(if number < 8 { &[] } else { &layers });
                let mut expected = pairs_by_definition(boxes);
                expected.retain(|pair| frame.admits(pair.a, pair.b));
                // Exactly enough, one too few, half of them, none, no bound.
                let all = expected.len();
                let most = [all, all.saturating_sub(1), all / 2, 0, usize::MAX][number % 5];
                let limit = PairLimit::new(most);
                let found = run_frame(&mut *algorithm, &frame.most_pairs(&limit));
                let case = format!("{} on {name}, frame {number}, {limit:?}", entry.id);
                assert_eq!(limit.is_exceeded(), all > most, "{case}");
                assert!(limit.is_exceeded() || found == expected, "{case}");
                exceeded += usize::from(limit.is_exceeded());
            }
        }
    }
    assert!(exceeded > 1000, "{exceeded} frames");
}

/// Structures may hold the pairs of an earlier frame, or of a search that was stopped.
#[test]
fn warm_structures_keep_the_bound_and_recover() {
    let boxes = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); 600];
    let (frame, stop) = (Frame::new(&boxes), AtomicBool::new(true));
    let expected = pairs_by_definition(&boxes);
    for entry in ALGORITHMS {
        let mut algorithm = entry.create(&Settings::new(600)).unwrap();
        for _ in 0..3 {
            assert!(run_frame(&mut *algorithm, &frame) == expected, "{}", entry.id);
        }
        let limit = PairLimit::new(10);
        let found = run_frame(&mut *algorithm, &frame.most_pairs(&limit));
        assert!(limit.is_exceeded() && found.len() < 50_000, "{}: {}", entry.id, found.len());
        // Stopped in the update or in the search alone.
        for [update, search] in [[true, false], [false, true]] {
            let stopped = |is| if is { frame.stopped_by(&stop) } else { frame };
            algorithm.update(&stopped(update));
            algorithm.find_pairs(&stopped(search), &mut Vec::new());
            algorithm.find_pairs(&frame, &mut Vec::new());
            assert!(run_frame(&mut *algorithm, &frame) == expected, "{}: stopped", entry.id);
        }
    }
}

#[test]
fn bound_counts_the_tasks_of_all_threads() {
    let (_, mut frames) = inputs(6000, 3, 9).swap_remove(0);
    frames[1] = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); 6000];
    let expected = [0, 2].map(|at| pairs_by_definition(&frames[at]));
    pool(3).install(|| {
        for entry in ALGORITHMS {
            let mut algorithm = entry.create(&Settings::new(6000)).unwrap();
            let mut frame = |boxes, most| {
                let limit = PairLimit::new(most);
                let found = run_frame(&mut *algorithm, &Frame::new(boxes).most_pairs(&limit));
                (found, limit.is_exceeded())
            };
            assert!(frame(&frames[0], expected[0].len()) == (expected[0].clone(), false));
            let (found, is_exceeded) = frame(&frames[1], 20_000);
            // The hits of a part, and of a row of each object, in each thread.
            let most = 20_000 + 3 * (20_000 + 2 * 16_384);
            assert!(is_exceeded && found.len() <= most, "{}: {} pairs", entry.id, found.len());
            assert!(frame(&frames[2], expected[1].len()) == (expected[1].clone(), false));
        }
    });
}

/// Calls a search, which returns how many results it found, with a bound below and one at their number.
fn assert_bounded(results: usize, mut search: impl FnMut(Limits<'_>) -> usize) {
    for most in [results, results / 50, results] {
        let limit = PairLimit::new(most);
        let found = search(Limits::NONE.most_pairs(&limit));
        assert_eq!(limit.is_exceeded(), results > most);
        let is_ended = found <= most + 200_000 && most < results;
        assert!(found == results || is_ended, "{found} of {most}");
    }
}

#[test]
fn join_worlds_queries_and_swept_pairs_are_bounded() {
    let boxes = vec![Aabb::around_sphere(Vec3::ZERO, 1.0); 1500];
    let (n, all) = (boxes.len(), boxes.len() * (boxes.len() - 1) / 2);
    let (small, excluded) = ([0, 500, 1000, 1500], [Pair::new(2, 5), Pair::new(2, 6)]);
    let of_small = 3 * 500 * 499 / 2;
    let small = WorldBoxes::new(&boxes, &small);
    let search = || {
        let mut join = Join::default();
        assert_bounded(n * n, |limits| {
            let mut pairs = Vec::new();
            join.find_pairs_within(&boxes, &boxes, limits, &mut pairs);
            pairs.len()
        });
        let (mut worlds, mut found) = (Worlds::default(), WorldPairs::default());
        for (results, input) in [
            (of_small, small),
            (of_small + n * 500, small.shared(&boxes[..500])),
            (all - 2, WorldBoxes::new(&boxes, &[0, 1500]).excluded(&[&excluded])),
        ] {
            assert_bounded(results, |limits| {
                worlds.find_pairs(&input.within(limits), &mut found).unwrap();
                assert_eq!(found.worlds(), input.worlds());
                found.pairs().len()
            });
        }
        let mut tree = QueryTree::default();
        tree.update(&boxes);
        assert_bounded(n * n, |limits| {
            let answer = |probe: &Aabb, hits: &mut _| tree.all(probe, hits);
            let lists = lists_of_each(&boxes, limits, answer);
            assert_eq!((lists.starts.len(), lists.starts[n]), (n + 1, lists.items.len()));
            lists.items.len()
        });
        let (mut auto, ways) = (Auto::default(), vec![Vec3::X; n]);
        assert_bounded(all, |limits| {
            let mut pairs = Vec::new();
            swept_pairs_within(&boxes, &ways, &mut auto, limits, &mut pairs).unwrap();
            pairs.len()
        });
    };
    [1, 2].iter().for_each(|threads| pool(*threads).install(search));
}

#[test]
fn step_that_is_ended_early_is_no_step() {
    let mut space = Space::new();
    let mut insert =
        |x| space.insert(Aabb::around_sphere(Vec3::X * x, 1.0), Layer::ALL, 0).unwrap();
    let ids = [0.0, 1.0, 1.5].map(&mut insert);
    assert_eq!(space.step().began().count(), 3);
    space.set_box(ids[2], Aabb::around_sphere(Vec3::X * 9.0, 1.0)).unwrap();
    let limit = PairLimit::new(0);
    assert!(space.step_within(Limits::NONE.most_pairs(&limit)).is_none());
    space.remove(ids[0]).unwrap();
    let limit = PairLimit::new(0);
    let mut step = space.step_within(Limits::NONE.most_pairs(&limit)).unwrap();
    assert_eq!((step.pairs().count(), step.ended().count()), (0, 3));
}

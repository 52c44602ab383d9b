//! Bounds on the number of pairs: exact, of every search, and of no consequence for the next frame.

use crate::common::{inputs, pairs_by_definition, plain, run_frame};
use broadphase::query::{Query, QueryTree, lists_of_each};
use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{
    Aabb, Auto, Frame, Join, Layer, Limits, Pair, PairLimit, Space, WorldBoxes, WorldPairs, Worlds,
    swept_pairs_within,
};
use glam::Vec3;

/// Boxes that all overlap.
fn heap(n: usize) -> Vec<Aabb> {
    vec![Aabb::new(Vec3::ZERO, Vec3::ONE); n]
}

fn on_threads<T: Send>(threads: usize, run: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(run)
}

/// Half of the objects are static.
fn layers(n: usize) -> Vec<Layer> {
    (0..n).map(|i| if i % 2 == 0 { Layer::STATIC } else { Layer::ALL }).collect()
}

#[test]
fn bound_is_exact_and_the_next_frame_is_too() {
    let mut exceeded = 0;
    for (name, frames) in inputs(150, 15, 8) {
        let layers = layers(150);
        for entry in ALGORITHMS {
            let mut algorithm = entry.create(&Settings::new(150)).unwrap();
            for (number, boxes) in frames.iter().enumerate() {
                let frame = plain(boxes).layered(if number < 8 { &[] } else { &layers });
                let mut expected = pairs_by_definition(boxes);
                expected.retain(|pair| frame.admits(pair.a, pair.b));
                // Exactly enough, one too few, half of them, none, no bound.
                let few = [1, expected.len() / 2, expected.len()];
                let limit = match number % 5 {
                    0 => PairLimit::new(expected.len()),
                    4 => PairLimit::new(usize::MAX),
                    of => PairLimit::new(expected.len().saturating_sub(few[of - 1])),
                };
                let found = run_frame(&mut *algorithm, &frame.most_pairs(&limit));
                let case = format!("{} on {name}, frame {number}, {limit:?}", entry.id);
                assert_eq!(limit.is_exceeded(), expected.len() > limit.most(), "{case}");
                assert!(limit.is_exceeded() || found == expected, "{case}");
                exceeded += usize::from(limit.is_exceeded());
            }
        }
    }
    assert!(exceeded > 1000, "{exceeded} frames");
}

#[test]
fn bound_counts_the_tasks_of_all_threads() {
    let (_, mut frames) = inputs(6000, 3, 9).swap_remove(0);
    frames[1] = heap(6000);
    let expected: Vec<_> = [0, 2].map(|at| pairs_by_definition(&frames[at])).into();
    on_threads(3, || {
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

#[test]
fn pairs_that_a_filter_refuses_are_not_counted() {
    let boxes = heap(1000);
    let mut layers = vec![Layer::STATIC; boxes.len()];
    layers[7] = Layer::ALL;
    for threads in [1, 2] {
        for entry in ALGORITHMS {
            let mut algorithm = entry.create(&Settings::new(boxes.len())).unwrap();
            for _ in 0..3 {
                let limit = PairLimit::new(boxes.len() - 1);
                let frame = Frame::new(&boxes).layered(&layers).most_pairs(&limit);
                let found = on_threads(threads, || run_frame(&mut *algorithm, &frame));
                let found = (found.len(), limit.is_exceeded());
                assert_eq!(found, (boxes.len() - 1, false), "{} on {threads} threads", entry.id);
            }
        }
    }
}

/// Calls a search, which returns how many results it found, with a bound below and one at their number.
fn assert_bounded(results: usize, spare: usize, mut search: impl FnMut(Limits<'_>) -> usize) {
    for most in [results, results / 50, results] {
        let limit = PairLimit::new(most);
        let found = search(Limits::NONE.most_pairs(&limit));
        assert_eq!(limit.is_exceeded(), results > most);
        assert!(found == results || found <= most + spare && most < results, "{found} of {most}");
    }
}

#[test]
fn join_worlds_queries_and_swept_pairs_are_bounded() {
    let boxes = heap(3000);
    let (n, all) = (boxes.len(), boxes.len() * (boxes.len() - 1) / 2);
    for threads in [1, 2] {
        on_threads(threads, || {
            let mut join = Join::default();
            assert_bounded(n * n, 200_000, |limits| {
                let mut pairs = Vec::new();
                join.find_pairs_within(&boxes, &boxes, limits, &mut pairs);
                pairs.len()
            });
            let mut worlds = (Worlds::default(), WorldPairs::default());
            let mut bounded = |results, input: WorldBoxes<'_>| {
                assert_bounded(results, 200_000, |limits| {
                    worlds.0.find_pairs(&input.within(limits), &mut worlds.1).unwrap();
                    assert_eq!(worlds.1.worlds(), input.worlds());
                    worlds.1.pairs().len()
                });
            };
            let small: Vec<_> = (0..=30).map(|world| world * 100).collect();
            bounded(30 * 100 * 99 / 2, WorldBoxes::new(&boxes, &small));
            bounded(
                30 * 100 * 99 / 2 + n * 500,
                WorldBoxes::new(&boxes, &small).shared(&boxes[..500]),
            );
            let excluded = [Pair::new(2, 5), Pair::new(2, 6)];
            let large = WorldBoxes::new(&boxes, &[0, 3000]);
            bounded(all - 2, large.excluded(&[&excluded]));
            let mut tree = QueryTree::default();
            tree.update(&boxes);
            assert_bounded(n * n, 200_000, |limits| {
                let answer = |probe: &Aabb, hits: &mut _| tree.all(probe, hits);
                let lists = lists_of_each(&boxes, limits, answer);
                assert_eq!(lists.starts.len(), n + 1);
                assert_eq!(lists.starts[n], lists.items.len());
                lists.items.len()
            });
            let (mut auto, ways) = (Auto::default(), vec![Vec3::X; n]);
            assert_bounded(all, 200_000, |limits| {
                let mut pairs = Vec::new();
                swept_pairs_within(&boxes, &ways, &mut auto, limits, &mut pairs).unwrap();
                pairs.len()
            });
        });
    }
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

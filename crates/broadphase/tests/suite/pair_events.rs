//! Pair events agree with set differences of the frames' pairs.

use crate::common::{inputs, plain, run_frame};
use broadphase::benchmark::Difference;
use broadphase::registry::{Settings, find};
use broadphase::{Aabb, Layer, Pair, PairEvents};
use glam::Vec3;
use proptest::prelude::*;
use rand::seq::SliceRandom;
use std::collections::HashSet;

/// Pair events, compared after every frame with the set differences.
#[derive(Default)]
struct Watched {
    events: PairEvents,
    before: HashSet<Pair>,
    began: usize,
    ended: usize,
}

impl Watched {
    #[track_caller]
    fn advance(&mut self, pairs: &[Pair]) {
        let now: HashSet<Pair> = pairs.iter().copied().collect();
        let sorted = |set: std::collections::hash_set::Difference<'_, Pair, _>| {
            let mut list: Vec<Pair> = set.copied().collect();
            list.sort();
            list
        };
        let began = sorted(now.difference(&self.before));
        let ended = sorted(self.before.difference(&now));
        self.events.advance(pairs);
        assert_same("began", self.events.began(), &began);
        assert_same("ended", self.events.ended(), &ended);
        assert!(self.events.pairs().is_sorted() && self.events.pairs().len() == pairs.len());
        self.began += began.len();
        self.ended += ended.len();
        self.before = now;
    }
}

#[track_caller]
fn assert_same(what: &str, found: &[Pair], expected: &[Pair]) {
    if let Some(difference) = Difference::between(expected, found) {
        panic!("pairs that {what}: {difference}");
    }
}

#[test]
fn events_of_moving_boxes_equal_set_differences() {
    for (input, frames) in inputs(900, 12, 3) {
        let mut rng = crate::common::rng(5);
        let mut watched = Watched::default();
        let (mut most, mut last) = (0, 0);
        for boxes in &frames {
            let mut pairs = crate::common::pairs_by_definition(boxes);
            pairs.shuffle(&mut rng);
            watched.advance(&pairs);
            (most, last) = (most.max(pairs.len()), pairs.len());
        }
        assert_eq!(
            watched.began - watched.ended,
            last,
            "{input}: began - ended is not the number of pairs"
        );
        if ["gas", "objects come and go", "number changes", "teleports"].contains(&input) {
            assert!(most > 256 && watched.ended > 200, "{input}: {} ended", watched.ended);
        }
    }
}

#[test]
fn all_pairs_begin_in_the_first_frame_with_pairs() {
    let mut watched = Watched::default();
    watched.advance(&[]);
    assert!(watched.events.began().is_empty() && watched.events.ended().is_empty());
    let all = [Pair::new(4, 5), Pair::new(0, 9), Pair::new(0, 2)];
    watched.advance(&all);
    assert_eq!(watched.events.began(), [all[2], all[1], all[0]]);
    watched.advance(&all);
    assert!(watched.events.began().is_empty() && watched.events.ended().is_empty());
    watched.advance(&[]);
    assert_eq!(watched.events.ended().len(), 3);
}

#[test]
fn pairs_of_vanished_objects_and_changed_layers_end() {
    let cube = Aabb::new(Vec3::ZERO, Vec3::ONE);
    let (here, gone) = ([cube; 3], [cube, Aabb::EMPTY, cube]);
    let still = [Layer::ALL, Layer::STATIC, Layer::STATIC];
    let mut algorithm = find("bsp").unwrap().create(&Settings::new(3)).unwrap();
    let mut events = PairEvents::default();
    let [ab, ac, bc] = [Pair::new(0, 1), Pair::new(0, 2), Pair::new(1, 2)];
    let mut expect = |boxes: &[Aabb], layers: &[Layer], began: &[Pair], ended: &[Pair]| {
        events.advance(&run_frame(&mut *algorithm, &plain(boxes).layered(layers)));
        assert_eq!((events.began(), events.ended()), (began, ended));
    };
    expect(&here, &[], &[ab, ac, bc], &[]);
    expect(&gone, &[], &[], &[ab, bc]);
    expect(&here, &[], &[ab, bc], &[]);
    expect(&here, &still, &[], &[bc]);
    expect(&here, &[], &[bc], &[]);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Few ids, so that pairs come again; lists shorter and longer than the threshold of the radix sort.
    #[test]
    fn events_of_unsorted_random_lists_are_exact(
        frames in prop::collection::vec(
            prop::collection::hash_set((0u32..40, 0u32..40), 0..600), 1..6),
        shift in prop_oneof![Just(0u32), Just(2040), Just(1 << 21), Just(u32::MAX - 40)],
    ) {
        let mut watched = Watched::default();
        for frame in frames {
            // The order of a hash set is random.
            let pairs: HashSet<Pair> = frame
                .into_iter()
                .filter(|(i, j)| i != j)
                .map(|(i, j)| Pair::new(i, j + shift * u32::from(j > i)))
                .collect();
            watched.advance(&pairs.into_iter().collect::<Vec<_>>());
        }
    }
}

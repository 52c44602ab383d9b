//! Fat AABBs, cached pairs and escapes.

use crate::common::{pairs_by_definition, plain, run_frame};
use crate::inspect::frames::{boxes_of, escapes, for_each_frame_with, lattice, pairs_of};
use broadphase::inspect::{BoxMark, CacheState, Overlay};
use broadphase::registry::{Settings, find};
use broadphase::{Aabb, Pair};
use std::collections::{HashMap, HashSet};

#[test]
fn fat_aabbs_contain_their_objects_while_these_are_cached() {
    let mut seen = HashMap::<CacheState, usize>::new();
    for_each_frame_with(Overlay::FatBoxes, &[1, 10, 250], |_, name, algorithm, boxes| {
        let fat_boxes = boxes_of(algorithm, Overlay::FatBoxes);
        let objects: HashSet<u32> = fat_boxes.iter().map(|fat| fat.object).collect();
        assert_eq!(objects.len(), fat_boxes.len(), "{name}: an object is shown twice");
        for BoxMark { object, bounds, role } in fat_boxes {
            let state = CacheState::ALL[role];
            let b = boxes[object as usize];
            let is_inside = b.is_empty() || bounds.union(&b) == bounds;
            match state {
                CacheState::Resting => assert_eq!(bounds, b, "{name}: object {object} rests"),
                CacheState::Slow => assert!(
                    is_inside && !bounds.is_empty(),
                    "{name}: {object} is not in its fat AABB"
                ),
                CacheState::Moving | CacheState::Stale => {}
            }
            *seen.entry(state).or_default() += 1;
        }
        let is_cached = !objects.is_empty();
        let lost = (0..).zip(boxes).find(|(object, b)| !b.is_empty() && !objects.contains(object));
        assert!(!is_cached || lost.is_none(), "{name}: {lost:?} is not shown");
    });
    assert!(CacheState::ALL.iter().all(|state| seen.contains_key(state)), "{seen:?}");
}

#[test]
fn cached_pairs_are_of_fat_aabbs_that_overlap() {
    let mut resting = 0;
    for_each_frame_with(Overlay::CachedPairs, &[3, 120], |_, name, algorithm, boxes| {
        let states = boxes_of(algorithm, Overlay::FatBoxes).into_iter();
        let states: HashMap<u32, BoxMark> = states.map(|fat| (fat.object, fat)).collect();
        let cached = pairs_of(algorithm, Overlay::CachedPairs);
        let state = |object: u32| CacheState::ALL[states[&object].role];
        let found: HashSet<Pair> = pairs_by_definition(boxes).into_iter().collect();
        resting += cached.values().filter(|role| **role == 1).count();
        for (pair, role) in cached {
            let both = [pair.a, pair.b].map(|object| states[&object]);
            let rest = [pair.a, pair.b].into_iter().all(|of| state(of) == CacheState::Resting);
            assert!(role == 0 || (rest && found.contains(&pair)), "{name}: {pair:?} rests");
            assert!(both[0].bounds.overlaps(&both[1].bounds), "{name}: {pair:?}");
        }
    });
    assert!(resting > 1000, "{resting}");
}

#[test]
fn object_beyond_its_fat_aabb_escapes_in_that_frame_alone() {
    for id in ["neighbour-list", "bvh-incremental"] {
        let mut boxes = lattice();
        let mut algorithm = find(id).unwrap().create(&Settings::new(boxes.len())).unwrap();
        for _ in 0..4 {
            run_frame(&mut *algorithm, &plain(&boxes));
        }
        assert_eq!(escapes(&*algorithm), [], "{id}");
        boxes[17] = Aabb::around_sphere(boxes[17].center() + 0.5, 0.2);
        run_frame(&mut *algorithm, &plain(&boxes));
        assert_eq!(escapes(&*algorithm), [17], "{id}");
        run_frame(&mut *algorithm, &plain(&boxes));
        assert_eq!(escapes(&*algorithm), [], "{id}");
    }
}

//! Fat AABBs, cached pairs and escapes.

use crate::common::{pairs_by_definition, plain, run_frame};
use crate::inspect::frames::{for_each_frame_with, lattice};
use broadphase::inspect::{CacheState, CachedPair, FatBox, Overlay};
use broadphase::registry::{Settings, find};
use broadphase::{Aabb, BroadPhase, Pair};
use std::collections::{HashMap, HashSet};

fn fat_boxes(algorithm: &dyn BroadPhase) -> Vec<FatBox> {
    let mut boxes = Vec::new();
    algorithm.inspect().fat_boxes(&mut |fat| boxes.push(fat));
    boxes
}

#[test]
fn fat_aabbs_contain_their_objects_while_these_are_cached() {
    let mut seen = HashMap::<CacheState, usize>::new();
    for_each_frame_with(Overlay::FatBoxes, &[1, 10, 250], |_, name, algorithm, boxes| {
        let fat_boxes = fat_boxes(algorithm);
        let objects: HashSet<u32> = fat_boxes.iter().map(|fat| fat.object).collect();
        assert_eq!(objects.len(), fat_boxes.len(), "{name}: an object is shown twice");
        for FatBox { object, bounds, state } in fat_boxes {
            let b = boxes[object as usize];
            let is_inside = b.is_empty() || bounds.union(&b) == bounds;
            match state {
                CacheState::Resting => assert_eq!(bounds, b, "{name}: object {object} rests"),
                CacheState::Slow => assert!(is_inside, "{name}: {object} is not in its fat AABB"),
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
fn pairs_are_cached_or_have_a_moving_object() {
    let mut cached_and_found = 0;
    for_each_frame_with(Overlay::CachedPairs, &[3, 120], |_, name, algorithm, boxes| {
        let states: HashMap<u32, FatBox> =
            fat_boxes(algorithm).into_iter().map(|fat| (fat.object, fat)).collect();
        let mut cached = HashMap::new();
        algorithm.inspect().cached_pairs(&mut |CachedPair { pair, is_resting }| {
            assert_eq!(cached.insert(pair, is_resting), None, "{name}: {pair:?} is cached twice");
        });
        if states.is_empty() {
            assert!(cached.is_empty(), "{name}");
            return;
        }
        let state = |object: u32| states[&object].state;
        let is_searched = |object| matches!(state(object), CacheState::Moving | CacheState::Stale);
        let found: HashSet<Pair> = pairs_by_definition(boxes).into_iter().collect();
        for pair in &found {
            let is_known = cached.contains_key(pair) || is_searched(pair.a) || is_searched(pair.b);
            assert!(is_known, "{name}: {pair:?} is neither cached nor searched for");
            cached_and_found += usize::from(cached.contains_key(pair));
        }
        for (pair, is_resting) in cached {
            let both = [pair.a, pair.b].map(|object| states[&object]);
            let rest = both.iter().all(|fat| fat.state == CacheState::Resting);
            assert!(!is_resting || (rest && found.contains(&pair)), "{name}: {pair:?} rests");
            assert!(both[0].bounds.overlaps(&both[1].bounds), "{name}: {pair:?}");
        }
    });
    assert!(cached_and_found > 3000, "{cached_and_found}");
}

#[test]
fn object_beyond_its_fat_aabb_escapes_in_that_frame_alone() {
    for id in ["neighbour-list", "bvh-incremental", "bvh-incremental+object"] {
        let mut boxes = lattice();
        let mut algorithm = find(id).unwrap().create(&Settings::new(boxes.len())).unwrap();
        let escapes = |algorithm: &dyn BroadPhase| {
            let mut escaped = Vec::new();
            algorithm.inspect().escapes(&mut |object| escaped.push(object));
            escaped
        };
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

//! Fat AABBs, cached pairs and escapes.

use crate::common::{plain, run_frame};
use crate::inspect::counters::work;
use crate::inspect::frames::{Now, Seen, changes, fat_aabbs, lattice, pairs_of};
use broadphase::Aabb;
use broadphase::inspect::{BoxMark, CacheState, Change, Overlay};
use broadphase::registry::{Settings, find};

/// While objects are cached, each has a fat AABB, which contains it unless it moves.
pub(crate) fn check_fat_aabbs(now: &Now<'_>, seen: &mut Seen) {
    let Now { name, algorithm, boxes, .. } = *now;
    let fat_aabbs = fat_aabbs(algorithm);
    for (object, BoxMark { bounds, role, .. }) in &fat_aabbs {
        let state = CacheState::ALL[*role];
        let b = boxes[*object as usize];
        let is_right = match state {
            CacheState::Resting => *bounds == b,
            CacheState::Slow => !bounds.is_empty() && (b.is_empty() || bounds.union(&b) == *bounds),
            CacheState::Moving | CacheState::Stale => true,
        };
        assert!(is_right, "{name}: {object} is not in its fat AABB, {state:?}");
        seen.add(format!("objects: {state:?}"), 1);
    }
    let mut present = (0..).zip(boxes).filter(|(_, b)| !b.is_empty());
    let lost = present.find(|(object, _)| !fat_aabbs.contains_key(object));
    assert!(fat_aabbs.is_empty() || lost.is_none(), "{name}: {lost:?} is not shown");
}

/// The fat AABBs of a cached pair overlap; if both objects rest, it is a pair.
pub(crate) fn check_pairs(now: &Now<'_>, seen: &mut Seen) {
    let Now { name, algorithm, pairs, .. } = *now;
    let cached = pairs_of(algorithm, Overlay::CachedPairs);
    let fat_aabbs = fat_aabbs(algorithm);
    for (pair, role) in cached {
        let [a, b] = [pair.a, pair.b].map(|object| fat_aabbs[&object]);
        let rest = [a, b].iter().all(|fat| CacheState::ALL[fat.role] == CacheState::Resting);
        let is_found = || pairs.binary_search(&pair).is_ok();
        assert!(role == 0 || (rest && is_found()), "{name}: {pair:?} rests");
        assert!(a.bounds.overlaps(&b.bounds), "{name}: {pair:?}");
        seen.add("pairs at rest", role);
    }
}

#[test]
fn resting_object_costs_nothing_and_escapes_in_one_frame() {
    for id in ["neighbour-list", "bvh-incremental", "sap-incremental", "auto"] {
        let mut boxes = lattice();
        let mut algorithm = find(id).unwrap().build(&Settings::new(boxes.len()));
        let mut escapes = |boxes: &[Aabb]| {
            run_frame(&mut *algorithm, &plain(boxes));
            let is_escape = |change: &Change| matches!(change, Change::Escape(_));
            let escapes: Vec<_> = changes(&*algorithm).into_iter().filter(is_escape).collect();
            let work = work(&*algorithm);
            let of_motion = ["exchanges", "reinsertions", "rotations", "objects sought"];
            (escapes, of_motion.map(|what| work.get(what).copied().unwrap_or(0)))
        };
        (0..3).for_each(|_| _ = escapes(&boxes));
        assert_eq!(escapes(&boxes), (vec![], [0; 4]), "{id}");
        boxes[17] = Aabb::around_sphere(boxes[17].center() + 0.5, 0.2);
        let expected = if id == "sap-incremental" { vec![] } else { vec![Change::Escape(17)] };
        assert_eq!(escapes(&boxes).0, expected, "{id}");
        assert_eq!(escapes(&boxes).0, [], "{id}");
    }
}

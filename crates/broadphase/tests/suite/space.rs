//! Objects by handle. Random operations are compared with brute force by the property `space`.

use broadphase::query::{Query, Ray, Sphere};
use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{Aabb, BoxFault, Layer, ObjectId, ObjectPair, Space, SpaceError};
use glam::Vec3;
use std::sync::Barrier;
use std::thread;

/// A cube with side 1 at a place on the x axis.
fn cube(x: f32) -> Aabb {
    Aabb::new(Vec3::X * x, Vec3::X * x + 1.0)
}

/// Adds cubes in a row that touch their neighbours. The caller's number of each is its place.
fn insert_row(space: &mut Space, cubes: u8) -> Vec<ObjectId> {
    let insert = |at: u8| space.insert(cube(f32::from(at)), Layer::ALL, u64::from(at)).unwrap();
    (0..cubes).map(insert).collect()
}

/// The callers' numbers of pairs, the lower first, sorted.
fn users(pairs: impl Iterator<Item = ObjectPair>) -> Vec<[u64; 2]> {
    let mut users: Vec<_> = pairs
        .map(|pair| {
            let [a, b] = pair.users;
            [a.min(b), a.max(b)]
        })
        .collect();
    users.sort_unstable();
    users
}

#[test]
fn removed_and_foreign_ids_are_refused_by_every_call() {
    let (mut space, mut other) = (Space::new(), Space::new());
    let (ids, foreign) = (insert_row(&mut space, 3), insert_row(&mut other, 3)[0]);
    assert_eq!(other.slot(foreign), space.slot(ids[0]));
    assert_eq!(space.remove(ids[1]), Ok(1));
    let newer = space.insert(cube(1.0), Layer::ALL, 9).unwrap();
    assert_eq!(space.slot(newer), Ok(1), "no step came between");
    for id in [ids[1], foreign] {
        let error = SpaceError::NoObject(id);
        assert_eq!(space.remove(id), Err(error), "removed twice, or elsewhere");
        assert_eq!(space.set_box(id, cube(7.0)), Err(error));
        assert_eq!(space.set_layer(id, Layer::STATIC), Err(error));
        assert_eq!(space.user(id), Err(error));
        assert_eq!(space.box_of(id), Err(error));
        assert_eq!(space.layer_of(id), Err(error));
        assert!(!space.contains(id));
        assert!(error.to_string().contains("it was removed, or is of another space"));
    }
    assert_eq!(space.ids().collect::<Vec<_>>(), [ids[0], newer, ids[2]]);
    assert_eq!(users(space.step().pairs()), [[0, 9], [2, 9]]);
}

#[test]
fn threads_that_share_a_space_hit_its_objects() {
    const CUBES: u8 = 90;
    let mut space = Space::new();
    let ids = insert_row(&mut space, CUBES);
    space.remove(ids[7]).unwrap();
    let start = &Barrier::new(2);
    // Before any step; the second round refits what the first one built.
    for _ in 0..2 {
        let shared = &space;
        let cast_down = move || {
            // Both need the tree at once.
            start.wait();
            let query = shared.query();
            let hit = |at: u8| {
                let ray = Ray::new(Vec3::new(f32::from(at) + 0.5, 5.0, 0.5), Vec3::NEG_Y);
                shared.id_at(query.first(&ray)?.object)
            };
            (0..CUBES).map(hit).collect::<Vec<_>>()
        };
        let hits = thread::scope(|scope| {
            [scope.spawn(cast_down), scope.spawn(cast_down)].map(|it| it.join().unwrap())
        });
        for hits in hits {
            for (at, hit) in hits.into_iter().enumerate() {
                assert_eq!(hit, Some(ids[at]).filter(|_| at != 7), "cube {at}");
            }
        }
        space.step();
    }
}

#[test]
fn queries_are_of_the_boxes_as_they_are() {
    let mut space = Space::new();
    let [a, b] = [insert_row(&mut space, 2)[0], insert_row(&mut space, 1)[0]];
    let at = |space: &Space, x: f32| {
        let mut hits = Vec::new();
        space.query().all(&cube(x + 0.25), &mut hits);
        hits.sort_unstable();
        hits.iter().map(|hit| space.id_at(hit.object).unwrap()).collect::<Vec<_>>()
    };
    assert_eq!(at(&space, -0.5), [a, b], "before a step");
    space.step();
    space.set_box(a, cube(9.0)).unwrap();
    assert_eq!([at(&space, -0.5), at(&space, 9.0)], [[b], [a]], "moved");
    space.remove(b).unwrap();
    assert_eq!(at(&space, -0.5), [], "removed");
    let c = space.insert(cube(-2.0), Layer::STATIC, 0).unwrap();
    assert_eq!(at(&space, -2.0), [c], "inserted");
}

#[test]
fn tree_of_queries_exists_only_while_it_is_queried() {
    let mut space = Space::new();
    (0..5).for_each(|_| _ = insert_row(&mut space, 100));
    let mut steps = |count: usize, queries: bool| {
        for _ in 0..count {
            space.step();
            if queries {
                space.query().first(&Sphere::unbounded(Vec3::ZERO)).unwrap();
            }
        }
        space.heap_bytes()
    };
    let before = steps(90, false);
    assert!(steps(1, true) > before + 500 * 24, "no tree");
    assert!(steps(30, false) > before + 500 * 24, "dropped too soon");
    assert_eq!(steps(15, false), before, "the tree is still there");
    assert!(steps(1, true) > before, "no tree");
}

#[test]
fn slots_are_reused_after_a_step() {
    let mut space = Space::new();
    let ids = insert_row(&mut space, 100);
    space.step();
    space.remove(ids[5]).unwrap();
    space.remove(ids[3]).unwrap();
    assert!(space.id_at(3).is_none() && space.boxes()[3] == Aabb::EMPTY);
    let slot = |space: &mut Space| {
        let id = space.insert(cube(0.5), Layer::ALL, 0).unwrap();
        space.slot(id).unwrap()
    };
    assert_eq!(slot(&mut space), 100, "both slots were in the last step");
    space.step();
    assert_eq!([slot(&mut space), slot(&mut space), slot(&mut space)], [3, 5, 101]);
}

/// In waves: many cubes, far apart but for those that stay, which touch.
#[test]
fn space_that_was_large_has_slots_for_its_objects_only() {
    for entry in ALGORITHMS {
        let mut space = Space::with(entry.create(&Settings::new(200)).unwrap());
        let mut stay = Vec::new();
        for wave in 0..3u8 {
            let insert = |space: &mut Space, at: u16| {
                let (at, is_last) = (f32::from(at), at == 150);
                let b = if is_last { cube(f32::from(wave) + 0.5) } else { cube(9.0 + 2.0 * at) };
                space.insert(b, Layer::ALL, u64::from(wave)).unwrap()
            };
            let ids: Vec<_> = (0..=150).map(|at| insert(&mut space, at)).collect();
            space.step();
            let last = *ids.last().unwrap();
            ids[..150].iter().for_each(|id| _ = space.remove(*id).unwrap());
            stay.push(last);
            space.step();
            // Moves in the step that closes the slots up.
            space.set_box(last, cube(f32::from(wave))).unwrap();
            let mut step = space.step();
            assert_eq!(step.began().len(), usize::from(wave > 0), "{}", entry.id);
            assert_eq!(step.ended().len(), 0, "{}", entry.id);
            assert_eq!(space.ids().collect::<Vec<_>>(), stay, "{}", entry.id);
            assert_eq!((space.boxes().len(), space.layers().len()), (stay.len(), stay.len()));
            for (at, id) in (0..).zip(&stay) {
                assert_eq!((space.user(*id), space.slot(*id)), (Ok(at.into()), Ok(at)));
                assert_eq!(space.box_of(*id), Ok(cube(at as f32)));
            }
            assert!(ids[..150].iter().all(|id| !space.contains(*id)));
        }
        assert_eq!(users(space.step().pairs()), [[0, 1], [1, 2]], "{}", entry.id);
        assert_eq!(space.remove(stay[1]), Ok(1));
        assert_eq!(users(space.step().ended()), [[0, 1], [1, 2]], "{}", entry.id);
    }
}

#[test]
fn full_space_refuses_an_object_until_a_step_has_freed_a_slot() {
    let mut space = Space::new().max_slots(3);
    let ids = insert_row(&mut space, 3);
    let full = Err(SpaceError::Full { limit: 3 });
    assert_eq!(space.insert(cube(0.0), Layer::ALL, 3), full);
    assert_eq!((space.len(), space.boxes().len()), (3, 3));
    space.step();
    space.remove(ids[0]).unwrap();
    assert_eq!(space.insert(cube(0.0), Layer::ALL, 3), full);
    space.step();
    let id = space.insert(cube(0.0), Layer::ALL, 3).unwrap();
    assert_eq!(space.slot(id), Ok(0));
}

#[test]
fn bad_boxes_are_refused_and_empty_ones_are_absent_objects() {
    let mut space = Space::new();
    let ids = insert_row(&mut space, 2);
    let nan = Aabb::new(Vec3::ZERO, Vec3::new(1.0, f32::NAN, 1.0));
    let endless = Aabb::new(Vec3::ZERO, Vec3::new(1.0, f32::INFINITY, 1.0));
    for (bad, fault) in [(nan, BoxFault::NotANumber), (endless, BoxFault::Infinite)] {
        let error = SpaceError::BadBox(fault);
        assert_eq!(space.insert(bad, Layer::ALL, 5), Err(error));
        assert_eq!(space.set_box(ids[0], bad), Err(error));
        assert!(error.to_string().starts_with("expected a finite or an empty box: "));
    }
    assert_eq!((space.len(), space.box_of(ids[0])), (2, Ok(cube(0.0))));
    assert_eq!(users(space.step().began()), [[0, 1]]);
    let inverted = Aabb::new(Vec3::ONE, Vec3::ZERO);
    for absent in [Aabb::EMPTY, inverted] {
        space.set_box(ids[0], absent).unwrap();
        assert_eq!(users(space.step().ended()), [[0, 1]]);
        assert_eq!((space.len(), space.box_of(ids[0])), (2, Ok(absent)));
        space.set_box(ids[0], cube(0.0)).unwrap();
        assert_eq!(users(space.step().began()), [[0, 1]]);
    }
}

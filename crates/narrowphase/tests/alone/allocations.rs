//! A steady frame allocates nothing: tests of all narrow phases, the reference, and contact sets.

use crate::ALLOCATOR;
use glam::DVec3;
use narrowphase::contact::{ContactMemory, Contacts};
use narrowphase::impact::{ImpactContacts, ImpactReference, Motion, TIMES_OF_IMPACT};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::{Body, PairCache, Pose, Reference, Shape, narrow};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats_alloc::Region;

/// Runs `frame` twice, and fails if the second time allocates.
fn assert_steady(what: &str, mut frame: impl FnMut()) {
    frame();
    let region = Region::new(ALLOCATOR);
    frame();
    let change = region.change();
    assert_eq!(change.allocations + change.reallocations, 0, "{what} allocates: {change:?}");
}

pub(crate) fn steady_frame_allocates_nothing() {
    let rod = Shape::cuboid(DVec3::new(0.2, 1.6, 0.2)).unwrap();
    let aside = Pose { position: DVec3::X * 0.5, ..Pose::IDENTITY };
    let shapes = [
        Shape::sphere(0.5).unwrap(),
        Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap(),
        Shape::hull(16, 3).unwrap(),
        Shape::cylinder(0.5, 1.0, 16).unwrap(),
        Shape::capsule(0.3, 1.0).unwrap(),
        Shape::compound(&[(&rod, Pose::IDENTITY), (&rod, aside)]).unwrap(),
    ];
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut uniform = || random.random::<f64>();
    let mut pairs = Vec::new();
    for a in &shapes {
        for b in &shapes {
            for placing in Placing::ALL {
                let [first, second] = random_poses(a, b, placing, &mut uniform);
                pairs.push((Body::new(a, first), Body::new(b, second)));
            }
        }
    }
    for kind in narrow::NARROW_PHASES {
        let mut method = (kind.build)();
        let mut caches = vec![PairCache::default(); pairs.len()];
        assert_steady(kind.id, || {
            for ((a, b), cache) in pairs.iter().zip(&mut caches) {
                method.test(a, b, cache);
            }
        });
    }
    let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
    let mut memories = vec![ContactMemory::default(); pairs.len()];
    assert_steady("reference and contacts", || {
        for ((a, b), memory) in pairs.iter().zip(&mut memories) {
            reference.examine(a, b);
            contacts.find(a, b, reference.parts());
            memory.mark(&mut contacts);
        }
    });
    println!("no allocation in a steady frame of {} pairs", pairs.len());
}

pub(crate) fn steady_search_for_impacts_allocates_nothing() {
    let rod = Shape::cuboid(DVec3::new(0.2, 1.6, 0.2)).unwrap();
    let aside = Pose { position: DVec3::X * 0.5, ..Pose::IDENTITY };
    let shapes = [
        Shape::sphere(0.5).unwrap(),
        Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap(),
        Shape::hull(16, 3).unwrap(),
        Shape::capsule(0.3, 1.0).unwrap(),
        Shape::compound(&[(&rod, Pose::IDENTITY), (&rod, aside)]).unwrap(),
    ];
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let mut uniform = || random.random::<f64>();
    let mut pairs = Vec::new();
    for a in &shapes {
        for b in &shapes {
            for spin in [DVec3::ZERO, DVec3::new(1.0, -2.0, 3.0)] {
                let [first, second] = random_poses(a, b, Placing::Uniform, &mut uniform);
                let velocity = DVec3::new(uniform(), uniform(), uniform()) * 4.0;
                let motion = Motion { velocity, spin };
                let before = motion.pose_after(&second, -0.5);
                pairs.push((Body::new(a, first), Body::new(b, before), motion));
            }
        }
    }
    // The library allocates for bodies that overlap or rotate.
    for kind in TIMES_OF_IMPACT.iter() {
        let mut method = (kind.build)(4);
        assert_steady(kind.id, || {
            for (a, b, motion) in &pairs {
                method.find((a, &Motion::NONE), (b, motion), 1.0);
            }
        });
    }
    let (mut reference, mut contacts) = (ImpactReference::default(), ImpactContacts::default());
    let mut touching = 0;
    assert_steady("reference and contact sets", || {
        for (a, b, motion) in &pairs {
            let (a, b) = ((a, &Motion::NONE), (b, motion));
            let known = reference.examine(a, b, 1.0);
            touching += contacts.find(a, b, known.impact).sets().len();
        }
    });
    assert!(touching > pairs.len() / 2, "{touching}");
}

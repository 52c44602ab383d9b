//! A steady frame allocates nothing: all volumes, narrow phases, searches for first contacts, the references, and contact
//! sets. In a process without other threads: the allocator counts the calls of each.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

use glam::{DQuat, DVec3};
use libtest_mimic::{Arguments, Failed, Trial};
use narrowphase::contact::{ContactMemory, Contacts};
use narrowphase::impact::{ImpactContacts, ImpactReference, Motion, TIMES_OF_IMPACT};
use narrowphase::random_pairs::{Placing, random_poses};
use narrowphase::volume::{Placed, VOLUMES};
use narrowphase::{Body, BoxKind, PairCache, Pose, Reference, Shape, narrow};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};
use std::alloc::System;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    // One after the other, in this thread.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let tests = vec![
        Trial::test("steady_tests_and_contacts_allocate_nothing", tests_and_contacts),
        Trial::test("steady_search_for_impacts_allocates_nothing", impacts),
        Trial::test("placing_and_testing_volumes_allocates_nothing", volumes),
    ];
    libtest_mimic::run(&arguments, tests).exit_code()
}

/// Runs `frame` twice, and fails if the second time allocates.
fn assert_steady(what: &str, mut frame: impl FnMut()) {
    frame();
    let region = Region::new(ALLOCATOR);
    frame();
    let change = region.change();
    assert_eq!(change.allocations + change.reallocations, 0, "{what} allocates: {change:?}");
    drop(std::hint::black_box(Box::new(0)));
    assert_eq!(region.change().allocations, 1, "the counter counts nothing");
}

fn shapes() -> [Shape; 5] {
    let rod = Shape::cuboid(DVec3::new(0.2, 1.6, 0.2)).unwrap();
    let aside = Pose { position: DVec3::X * 0.5, ..Pose::IDENTITY };
    [
        Shape::sphere(0.5).unwrap(),
        Shape::cuboid(DVec3::new(1.0, 2.0, 4.0)).unwrap(),
        Shape::hull(16, 3).unwrap(),
        Shape::capsule(0.3, 1.0).unwrap(),
        Shape::compound(&[(&rod, Pose::IDENTITY), (&rod, aside)]).unwrap(),
    ]
}

/// Bodies of all pairs of shapes in each placing, and motions of the second ones.
fn pairs<'a>(shapes: &'a [Shape], placings: &[Placing]) -> Vec<[(Body<'a>, Motion); 2]> {
    let mut random = ChaCha8Rng::seed_from_u64(4);
    let mut uniform = || random.random::<f64>();
    let mut pairs = Vec::new();
    for (a, b) in shapes.iter().flat_map(|a| shapes.iter().map(move |b| (a, b))) {
        for (at, placing) in placings.iter().enumerate() {
            let [first, second] = random_poses(a, b, *placing, &mut uniform);
            let velocity = DVec3::new(uniform(), uniform(), uniform()) * 4.0;
            let motion = Motion { velocity, spin: DVec3::new(1.0, -2.0, 3.0) * (at % 2) as f64 };
            pairs.push([(Body::new(a, first), Motion::NONE), (Body::new(b, second), motion)]);
        }
    }
    pairs
}

fn tests_and_contacts() -> Result<(), Failed> {
    let shapes = shapes();
    let pairs = pairs(&shapes, &Placing::ALL);
    for kind in narrow::NARROW_PHASES {
        let mut method = (kind.build)();
        let mut caches = vec![PairCache::default(); pairs.len()];
        assert_steady(kind.id, || {
            for ([(a, _), (b, _)], cache) in pairs.iter().zip(&mut caches) {
                method.test(a, b, cache);
            }
        });
    }
    let (mut reference, mut contacts) = (Reference::new(), Contacts::new());
    let mut memory = ContactMemory::default();
    assert_steady("reference and contacts", || {
        for [(a, _), (b, _)] in &pairs {
            reference.examine(a, b);
            contacts.find(a, b, reference.parts());
            memory.mark(&mut contacts);
        }
    });
    Ok(())
}

fn impacts() -> Result<(), Failed> {
    let shapes = shapes();
    let mut pairs = pairs(&shapes, &[Placing::Uniform; 2]);
    for [_, (b, motion)] in &mut pairs {
        *b = motion.body_after(b, -0.5);
    }
    for kind in TIMES_OF_IMPACT {
        let mut method = (kind.build)(4);
        assert_steady(kind.id, || {
            for [(a, one), (b, other)] in &pairs {
                method.find((a, one), (b, other), 1.0);
            }
        });
    }
    let (mut reference, mut contacts) = (ImpactReference::default(), ImpactContacts::default());
    let mut touching = 0;
    assert_steady("reference and contact sets", || {
        for [(a, one), (b, other)] in &pairs {
            let known = reference.examine((a, one), (b, other), 1.0);
            touching += contacts.find((a, one), (b, other), known.impact).sets().len();
        }
    });
    assert!(touching > pairs.len() / 2, "{touching}");
    Ok(())
}

fn volumes() -> Result<(), Failed> {
    let shapes = shapes();
    for kind in VOLUMES {
        let volume = (kind.fit)(&shapes, false);
        let mut numbers = vec![0.0; shapes.len() * volume.width()];
        assert_steady(kind.id, || {
            for (shape, numbers) in numbers.chunks_exact_mut(volume.width()).enumerate() {
                volume.place(shape, 1.0, DQuat::from_rotation_y(0.3), numbers);
            }
            let placed = |(shape, numbers)| Placed {
                shape,
                position: DVec3::splat(0.6 * shape as f64),
                numbers,
            };
            let all = || numbers.chunks_exact(volume.width()).enumerate().map(placed);
            let overlaps = all().flat_map(|a| all().map(move |b| (a, b)));
            assert!(overlaps.filter(|(a, b)| volume.overlap(a, b)).count() >= shapes.len());
        });
    }
    for kind in BoxKind::ALL {
        assert_steady(kind.id(), || {
            let mut bodies = shapes.iter().map(|shape| Body::new(shape, Pose::IDENTITY));
            assert!(bodies.all(|body| body.bounds(kind).half_size().x > 0.0));
        });
    }
    Ok(())
}

//! Placing and testing bounding volumes, and the boxes of bodies, allocate nothing.

use crate::ALLOCATOR;
use glam::{DQuat, DVec3};
use narrowphase::volume::{Placed, VOLUMES};
use narrowphase::{Body, BoxKind, Pose, Shape};

pub(crate) fn placing_and_testing_volumes_allocates_nothing() {
    let cube = Shape::cuboid(DVec3::ONE).unwrap();
    let pose = Pose { position: DVec3::X, rotation: DQuat::from_rotation_z(0.3) };
    let compound = Shape::compound(&[(&cube, Pose::IDENTITY), (&cube, pose)]).unwrap();
    let shapes = [cube, compound, Shape::hull(64, 1).unwrap()];
    let allocations = || ALLOCATOR.stats().allocations + ALLOCATOR.stats().reallocations;
    for kind in VOLUMES {
        let before = allocations();
        let volume = (kind.fit)(&shapes, false);
        let mut numbers = vec![0.0; 3 * volume.width()];
        assert!(allocations() > before, "the counter counts nothing");
        let before = allocations();
        let mut overlaps = 0;
        for frame in 0..10 {
            let rotation = DQuat::from_rotation_y(f64::from(frame));
            for (shape, numbers) in numbers.chunks_exact_mut(volume.width()).enumerate() {
                volume.place(shape, 1.0, rotation, numbers);
            }
            let placed = |shape: usize| {
                let numbers = &numbers[shape * volume.width()..][..volume.width()];
                Placed { shape, position: DVec3::splat(0.6 * shape as f64), numbers }
            };
            for (a, b) in [(0, 1), (1, 2), (0, 2)] {
                overlaps += u32::from(volume.overlap(&placed(a), &placed(b)));
            }
        }
        assert_eq!(allocations(), before, "{}: {overlaps} overlaps", kind.id);
    }
    let before = allocations();
    for kind in BoxKind::ALL {
        for shape in &shapes {
            assert!(Body::new(shape, pose).bounds(kind).half_size().x > 0.0);
        }
    }
    assert_eq!(allocations(), before);
}

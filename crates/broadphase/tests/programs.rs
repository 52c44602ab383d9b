//! The algorithms for programs find the pairs of the definition: the only test of the crate's interface without its feature
//! `families`.

use broadphase::algorithms::{BoxPruning, BruteForce, NeighbourList, RestGrid, SweepGrid};
use broadphase::glam::Vec3;
use broadphase::{Aabb, Auto, BroadPhase, Frame, Layer, Pair, sort_pairs};
use rand::{RngExt, SeedableRng};

/// Boxes that drift at speeds of their own in frames of other numbers. Every ninth is absent.
fn frame(number: u8) -> Vec<Aabb> {
    let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(7);
    let mut vector = || Vec3::from([(); 3].map(|()| rng.random_range(-1.0..1.0)));
    let count = 700 + usize::from(number % 5) * 60;
    let draw = |id: usize| {
        let (center, velocity) = (vector() * 4.0, vector() * 0.02 * (id % 3) as f32);
        let b = Aabb::around_sphere(center + velocity * f32::from(number), 0.3);
        if id % 9 == 8 { Aabb::EMPTY } else { b }
    };
    (0..count).map(draw).collect()
}

#[test]
fn algorithms_for_programs_find_the_pairs_of_the_definition() {
    let mut algorithms: [Box<dyn BroadPhase>; 6] = [
        Box::<Auto>::default(),
        Box::<SweepGrid>::default(),
        Box::<RestGrid>::default(),
        Box::<NeighbourList>::default(),
        Box::<BoxPruning>::default(),
        Box::<BruteForce>::default(),
    ];
    let layer = |id: u32| if id.is_multiple_of(4) { Layer::STATIC } else { Layer::ALL };
    let layers: Vec<_> = (0..600).map(layer).collect();
    for number in 0..40 {
        let boxes = frame(number);
        let frame = Frame::new(&boxes).layered(&layers);
        let n = boxes.len() as u32;
        let all = (0..n).flat_map(|a| (a + 1..n).map(move |b| Pair { a, b }));
        let overlap = |pair: &Pair| boxes[pair.a as usize].overlaps(&boxes[pair.b as usize]);
        let admitted = all.filter(|pair| overlap(pair) && frame.admits(pair.a, pair.b));
        let expected: Vec<_> = admitted.collect();
        assert!(expected.len() > 100, "{} pairs", expected.len());
        for (place, algorithm) in algorithms.iter_mut().enumerate() {
            let mut pairs = Vec::new();
            algorithm.pairs(&frame, &mut pairs);
            algorithm.validate(&frame);
            sort_pairs(&mut pairs);
            assert_eq!(pairs, expected, "algorithm {place}, frame {number}");
        }
    }
}

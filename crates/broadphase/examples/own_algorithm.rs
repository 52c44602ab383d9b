//! An algorithm of one's own behind the trait, compared with the reference in every frame.
//!
//! ```text
//! sweep-x finds the pairs of brute-force in 20 frames
//! ```

use broadphase::benchmark::{PairListOrigin, mix};
use broadphase::glam::Vec3;
use broadphase::registry::{self, Algorithm, CreateError, Kind, Settings};
use broadphase::{Aabb, BroadPhase, Counters, Frame, Pair};

/// Sorts the boxes along x, and tests each with those that begin before it ends. Time O(n log n + t) for t
/// overlaps on x.
#[derive(Default)]
struct SweepX {
    /// Present objects, sorted by the lower bound of their boxes. Kept, so that steady frames hardly allocate.
    order: Vec<u32>,
    tests: u64,
}

impl BroadPhase for SweepX {
    fn update(&mut self, frame: &Frame<'_>) {
        let boxes = frame.boxes;
        self.order.clear();
        self.order.extend((0..boxes.len() as u32).filter(|&id| !boxes[id as usize].is_empty()));
        self.order
            .sort_unstable_by(|&i, &j| boxes[i as usize].min.x.total_cmp(&boxes[j as usize].min.x));
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.tests = 0;
        for (at, &i) in self.order.iter().enumerate() {
            // A search that may take long is left early where its pairs are no longer wanted.
            if frame.is_stopped() {
                return;
            }
            let a = &frame.boxes[i as usize];
            for &j in &self.order[at + 1..] {
                let b = &frame.boxes[j as usize];
                if b.min.x > a.max.x {
                    break;
                }
                self.tests += 1;
                // Layers may forbid a pair.
                if a.overlaps(b) && frame.admits(i, j) {
                    pairs.push(Pair::new(i, j));
                }
            }
        }
    }

    fn counters(&self) -> Counters {
        Counters { tests: self.tests, ..Counters::default() }
    }

    fn heap_bytes(&self) -> usize {
        self.order.capacity() * size_of::<u32>()
    }

    fn validate(&self, frame: &Frame<'_>) {
        let begin = |id: u32| frame.boxes[id as usize].min.x;
        assert!(self.order.is_sorted_by(|&i, &j| begin(i) <= begin(j)), "the order is not sorted");
    }
}

/// Describes it to programs that list algorithms, and creates it.
const ENTRY: Algorithm = Algorithm {
    name: "Sweep along x",
    summary: "sorts the boxes along x, and tests those that overlap there",
    source: "Baraff 1992 (sort and sweep)",
    memory: |n| n * 4,
    ..Algorithm::new("sweep-x", Kind::Sorting, |_| Box::<SweepX>::default())
};

const OBJECTS: u64 = 500;
const FRAMES: u64 = 20;

fn main() -> Result<(), CreateError> {
    let reference = &registry::ALGORITHMS[0];
    let settings = Settings::new(OBJECTS as usize);
    let mut algorithms = [reference.create(&settings)?, ENTRY.create(&settings)?];
    for number in 0..FRAMES {
        let boxes: Vec<Aabb> = (0..OBJECTS).map(|object| random_box(object, number)).collect();
        let frame = Frame::new(&boxes);
        let [expected, found] = algorithms.each_mut().map(|algorithm| {
            let mut pairs = Vec::new();
            algorithm.pairs(&frame, &mut pairs);
            algorithm.validate(&frame);
            pairs.sort_unstable();
            pairs
        });
        assert!(expected.len() > 100, "hardly a pair");
        // A difference is a panic that names the frame, the first differing pair, and its boxes.
        let input = &"500 random boxes";
        PairListOrigin { algorithm: ENTRY.id, input, number: number as usize, frame }
            .assert_same(&expected, &found);
    }
    println!("{} finds the pairs of {} in {FRAMES} frames", ENTRY.id, reference.id);
    Ok(())
}

/// A box at a random place; every eighth object is absent.
fn random_box(object: u64, frame: u64) -> Aabb {
    let coordinate = |axis: u64| (mix(mix(mix(object) ^ frame) ^ axis) % 5000) as f32 / 1000.0;
    if mix(object ^ frame).is_multiple_of(8) {
        return Aabb::EMPTY;
    }
    Aabb::around_sphere(Vec3::new(coordinate(0), coordinate(1), coordinate(2)), 0.3)
}

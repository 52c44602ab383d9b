//! Every algorithm, on programs of frames.

mod number;
mod program;

pub(crate) use number::{coordinate, point, sides};
pub(crate) use program::{Program, corner_and_sides, layer};

use arbitrary::Unstructured;
use broadphase::benchmark::PairListOrigin;
use broadphase::registry::ALGORITHMS;
use broadphase::{Frame, Pair};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::OnceLock;

/// Most pairs of all frames: a program ends before the frame that exceeds it. 140 objects may all overlap.
const MAX_PAIRS: usize = 10_000;

/// Every algorithm reports the pairs of the definition in every frame, on one thread and on two, and its
/// structure stays valid.
pub(crate) fn check(bytes: &[u8]) {
    let program = Program::decode(&mut Unstructured::new(bytes));
    let mut pairs = 0;
    let expected = program.frames().map(|frame| pairs_by_definition(&frame));
    let expected: Vec<Vec<Pair>> = expected
        .take_while(|found| {
            pairs += found.len();
            pairs <= MAX_PAIRS
        })
        .collect();
    pool(program.threads()).install(|| {
        for entry in ALGORITHMS {
            let mut algorithm = program.create(entry);
            for ((number, frame), expected) in program.frames().enumerate().zip(&expected) {
                let mut found = Vec::new();
                algorithm.update(&frame);
                algorithm.validate(&frame);
                algorithm.find_pairs(&frame, &mut found);
                algorithm.validate(&frame);
                if frame.is_stopped() {
                    continue;
                }
                found.sort_unstable();
                PairListOrigin { algorithm: entry.id, input: &"the program", number, frame }
                    .assert_same(expected, &found);
            }
        }
    });
}

/// Sorted pairs by the definition, every box against every other. No code of an algorithm is involved,
/// nor the check of layers that they use.
pub(crate) fn pairs_by_definition(frame: &Frame<'_>) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for (j, b) in (0..).zip(frame.boxes) {
        for (i, a) in (0..j).zip(frame.boxes) {
            let (this, other) = (frame.layer(i), frame.layer(j));
            let masks = this.mask & (1 << other.group) != 0 && other.mask & (1 << this.group) != 0;
            if a.overlaps(b) && masks && !(this.is_static && other.is_static) {
                pairs.push(Pair { a: i, b: j });
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// The pool of one thread or of two.
fn pool(threads: usize) -> &'static ThreadPool {
    static POOLS: [OnceLock<ThreadPool>; 2] = [OnceLock::new(), OnceLock::new()];
    POOLS[threads - 1].get_or_init(|| {
        ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can be started")
    })
}

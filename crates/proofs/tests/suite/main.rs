//! All methods, on all kinds of shapes, at poses where they are likely to fail.
//!
//! `NARROW_PAIRS=N` sets the number of poses of each pair of shapes and placing.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod answers;
mod checks;
mod contacts;
mod exact_times;
mod impacts;
mod shapes;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random numbers from 0 to 1, the same on every machine.
pub fn random_numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    move || random.random::<f64>()
}

/// How many poses of each pair of shapes and placing.
pub fn pairs_of_each() -> usize {
    std::env::var("NARROW_PAIRS").map_or(4, |count| count.parse().expect("a number"))
}

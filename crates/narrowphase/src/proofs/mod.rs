//! All narrow phases, on all kinds of shapes, at poses where methods are likely to fail.
//!
//! `NARROW_PAIRS=N` sets the number of poses of each pair of shapes and placing.

mod answers;
mod contacts;
mod exact_times;
mod hit_rate;
mod impacts;
mod inexact_impacts;
mod shapes;
mod tilting;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Random numbers from 0 to 1, the same on every machine.
pub(crate) fn random_numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    move || random.random::<f64>()
}

/// How many poses of each pair of shapes and placing.
pub(crate) fn pairs_of_each() -> usize {
    std::env::var("NARROW_PAIRS").map_or(4, |count| count.parse().expect("a number"))
}

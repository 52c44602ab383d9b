//! Random numbers: drawn at the start, hashed in each frame.

use broadphase::benchmark::mix;
use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// Stateless random numbers, by object and frame.
#[derive(Clone, Copy, Debug)]
pub(super) struct Noise {
    key: u64,
}

impl Noise {
    /// Noise that is independent of any other.
    pub(super) fn new(rng: &mut ChaCha8Rng) -> Self {
        Self { key: rng.random() }
    }

    /// 64 random bits for an object in a frame.
    pub(super) fn bits(self, frame: u32, object: u32) -> u64 {
        mix(self.key ^ (u64::from(frame) << 32 | u64::from(object)))
    }

    /// A point uniform in the cube of side 2 about the origin.
    pub(super) fn vec3(self, frame: u32, object: u32) -> Vec3 {
        vec3_of(self.bits(frame, object))
    }
}

/// A point uniform in the cube of side 2 about the origin, from the lowest 63 of 64 random bits.
pub(super) fn vec3_of(bits: u64) -> Vec3 {
    // 21 bits are exact in a float.
    let coordinate = |shift: u32| (bits >> shift & 0x1f_ffff) as f32 / (1 << 20) as f32 - 1.0;
    Vec3::new(coordinate(0), coordinate(21), coordinate(42))
}

/// Whether an event of this chance happens, from the lowest 32 of 64 random bits.
pub(super) fn happens(bits: u64, chance: f64) -> bool {
    (bits & 0xffff_ffff) < (chance.clamp(0.0, 1.0) * 4_294_967_296.0) as u64
}

/// An index below `count`, which must not be 0.
pub(super) fn draw_index(count: usize, rng: &mut ChaCha8Rng) -> usize {
    index_of(rng.random(), count)
}

/// An index below `count`, which must not be 0, from the highest 32 of 64 random bits.
pub(super) fn index_of(bits: u64, count: usize) -> usize {
    (((bits >> 32) * count as u64) >> 32) as usize
}

/// A number whose logarithm is uniform.
pub(super) fn draw_log_uniform(low: f64, high: f64, rng: &mut ChaCha8Rng) -> f64 {
    low * libm::exp(rng.random::<f64>() * libm::log(high / low))
}

//! Random numbers that are the same on every machine.

use glam::Vec3;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// A point uniform in the cube of side 2 about the origin.
pub(crate) fn draw_vec3(rng: &mut ChaCha8Rng) -> Vec3 {
    Vec3::from(std::array::from_fn(|_| 2.0 * rng.random::<f32>() - 1.0))
}

/// A direction uniform on the unit sphere: that of a point in it, `shortest` the square of its least distance from the middle.
pub(crate) fn draw_direction(shortest: f32, rng: &mut ChaCha8Rng) -> Vec3 {
    loop {
        let v = draw_vec3(rng);
        let squared = v.length_squared();
        if (shortest..=1.0).contains(&squared) {
            return v / squared.sqrt();
        }
    }
}

/// A number from the standard normal distribution, by the polar method (Marsaglia, Bray 1964), which
/// needs no trigonometry.
pub(crate) fn draw_normal(rng: &mut ChaCha8Rng) -> f32 {
    loop {
        let x = 2.0 * rng.random::<f32>() - 1.0;
        let y = 2.0 * rng.random::<f32>() - 1.0;
        let squared = x * x + y * y;
        if squared > 0.0 && squared < 1.0 {
            return x * (-2.0 * libm::logf(squared) / squared).sqrt();
        }
    }
}

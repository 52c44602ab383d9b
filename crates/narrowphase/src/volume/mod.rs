//! Bounding volumes: a cheap test between the broad phase's boxes and the narrow phase.
//!
//! A volume is fitted to each shape once, placed for each body in every frame, and tested for each
//! candidate. A volume that is *exact* contains its body, so it never rejects bodies that touch. For the rounding of a
//! placement and a test, it is larger than fitted by 1e-12 of the body's bounding radius.
//!
//! ```
//! use glam::{DQuat, DVec3};
//! use narrowphase::{Shape, volume::{self, Placed}};
//!
//! let shapes = [Shape::cuboid(DVec3::ONE)?, Shape::sphere(1.0)?];
//! let boxes = (volume::find("obb").unwrap().fit)(&shapes, false);
//! let mut numbers = vec![0.0; 2 * boxes.width()];
//! for (shape, numbers) in numbers.chunks_exact_mut(boxes.width()).enumerate() {
//!     boxes.place(shape, 1.0, DQuat::IDENTITY, numbers);
//! }
//! let (cube, ball) = numbers.split_at(boxes.width());
//! let cube = Placed { shape: 0, position: DVec3::ZERO, numbers: cube };
//! let ball = Placed { shape: 1, position: DVec3::X * 1.6, numbers: ball };
//! assert!(!boxes.overlap(&cube, &ball));
//! # Ok::<(), narrowphase::shape::ShapeError>(())
//! ```

mod dop;
mod hull;
mod oriented_box;
mod outline;
mod registry;
mod smallest_ball;
mod sphere;

use glam::{DQuat, DVec3};

pub use outline::Outline;
pub use registry::{VOLUMES, VolumeKind, VolumeProperties, find};

/// The volumes of one kind, fitted to the shapes of a world.
///
/// A placed volume is a slice of numbers that the caller keeps, so that bodies can be placed by
/// several threads.
pub trait Volume: Send + Sync {
    /// The numbers of a placed volume, at least 1.
    fn width(&self) -> usize;

    /// Writes the volume of a body of shape `shape`, an index into the shapes that this was fitted
    /// to. The numbers are relative to the body's position.
    ///
    /// # Panics
    ///
    /// If there is no such shape, or `numbers` is shorter than [`width`](Self::width).
    fn place(&self, shape: usize, scale: f64, rotation: DQuat, numbers: &mut [f64]);

    /// Whether two placed volumes have a common point. All is computed relative to the first.
    ///
    /// # Panics
    ///
    /// If numbers are shorter than [`width`](Self::width).
    fn overlap(&self, a: &Placed, b: &Placed) -> bool;

    /// The exact volume, to be divided by the body's for the *volume ratio*. `None` where the
    /// volume is all of space.
    fn volume(&self, placed: &Placed) -> Option<f64>;

    /// The outline, in the world.
    fn outline(&self, placed: &Placed) -> Outline;

    /// Centre and radius in the world, where the volume is a sphere or a circle.
    fn ball(&self, _placed: &Placed) -> Option<(DVec3, f64)> {
        None
    }
}

/// The placed volume of a body.
#[derive(Clone, Copy, Debug)]
pub struct Placed<'a> {
    /// Index of the body's shape.
    pub shape: usize,
    /// The body's position.
    pub position: DVec3,
    /// The numbers that [`Volume::place`] wrote.
    pub numbers: &'a [f64],
}

impl Placed<'_> {
    fn numbers<const N: usize>(&self) -> &[f64; N] {
        self.numbers.first_chunk().expect("numbers of a volume of another width")
    }
}

/// All candidates pass.
struct NoVolumes;

impl Volume for NoVolumes {
    fn width(&self) -> usize {
        1
    }

    fn place(&self, _: usize, _: f64, _: DQuat, _: &mut [f64]) {}

    fn overlap(&self, _: &Placed, _: &Placed) -> bool {
        true
    }

    fn volume(&self, _: &Placed) -> Option<f64> {
        None
    }

    fn outline(&self, _: &Placed) -> Outline {
        Outline::Faces(Vec::new())
    }
}

#[cfg(test)]
mod tests;

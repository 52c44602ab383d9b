//! Settings of a scene that have a type of their own.

use super::lines::{self, text_of};
use glam::{DVec3, Vec3};
use std::fmt;

/// The distribution of the radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radius {
    /// All the same.
    Equal(f32),
    /// Uniform between two bounds.
    Uniform(f32, f32),
    /// Log-uniform between two bounds: equally many in every octave.
    LogUniform(f32, f32),
}

impl Radius {
    /// The largest possible radius.
    pub fn largest(&self) -> f32 {
        match *self {
            Radius::Equal(r) => r,
            Radius::Uniform(a, b) | Radius::LogUniform(a, b) => a.max(b),
        }
    }
}

/// The acceleration of all objects that move: a pull along -z in the four strengths of the panel, or any vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gravity {
    /// None.
    Off,
    /// 0.5 units/s².
    Weak,
    /// 1.5 units/s².
    Medium,
    /// 4 units/s².
    Strong,
    /// An acceleration in units/s².
    Vector(Vec3),
}

impl Gravity {
    /// The strengths, weakest first.
    pub const ALL: [Gravity; 4] = [Gravity::Off, Gravity::Weak, Gravity::Medium, Gravity::Strong];

    /// Acceleration along -z, in units/s².
    pub fn acceleration(self) -> f32 {
        match self {
            Gravity::Off => 0.0,
            Gravity::Weak => 0.5,
            Gravity::Medium => 1.5,
            Gravity::Strong => 4.0,
            Gravity::Vector(vector) => -vector.z,
        }
    }

    /// The acceleration itself, in units/s².
    pub fn vector(self) -> DVec3 {
        match self {
            Gravity::Vector(vector) => vector.as_dvec3(),
            // Added to a sum, -0 changes no bit of it, 0 the sign of -0.
            _ => DVec3::new(-0.0, -0.0, -f64::from(self.acceleration())),
        }
    }
}

/// As in a scene file.
impl fmt::Display for Gravity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text_of(*self, lines::gravity))
    }
}

/// Number of triangles of a drawn sphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangles {
    /// An icosahedron.
    Twenty = 20,
    /// An icosahedron, subdivided once.
    Eighty = 80,
}

impl Triangles {
    /// The number itself.
    pub fn count(self) -> u32 {
        self as u32
    }
}

/// A camera on an orbit about the origin, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraPose {
    /// Degrees about z; at 0 the camera stands on the -y side and sees x to the right.
    pub yaw: f32,
    /// Degrees above the x-y plane, within -89..=89.
    pub pitch: f32,
    /// Distance from the origin.
    pub distance: f32,
}

impl Default for CameraPose {
    fn default() -> Self {
        Self { yaw: 25.0, pitch: 20.0, distance: 4.5 }
    }
}

//! Poses of two bodies at random: as candidates of a broad phase, and where methods are likely to
//! fail.

use std::f64::consts::TAU;

use glam::{DQuat, DVec3};

use crate::body::{Body, Pose};
use crate::bounds::Bounds;
use crate::reference::Reference;
use crate::shape::Shape;

/// Where the second body of a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placing {
    /// All poses at which the tight boxes overlap are equally likely: what a broad phase finds in a
    /// uniform crowd.
    Uniform,
    /// As `Uniform`, then moved to a gap between 1e-2 and 1e-7 of the size, or as much overlap.
    Near,
    /// As `Uniform`, then moved to a gap between 1e-8 and 1e-13 of the size, or as much overlap, or
    /// to none.
    Touching,
    /// The centres are nearly in one place.
    Deep,
    /// Axes of both are parallel, or nearly: by angles down to 1e-12. Centres often lie on a common
    /// axis or plane.
    Parallel,
}

impl Placing {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Uniform, Self::Near, Self::Touching, Self::Deep, Self::Parallel];

    /// Its name on command lines.
    #[must_use]
    pub fn id(self) -> &'static str {
        match self {
            Self::Uniform => "uniform",
            Self::Near => "near",
            Self::Touching => "touching",
            Self::Deep => "deep",
            Self::Parallel => "parallel",
        }
    }

    /// The one with this name.
    #[must_use]
    pub fn find(id: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|placing| placing.id() == id)
    }
}

/// Poses of two shapes. `uniform` gives random numbers from 0 to 1, exclusive.
///
/// ```
/// use glam::DVec3;
/// use narrowphase::{Shape, random_pairs::{Placing, random_poses}};
///
/// let cube = Shape::cuboid(DVec3::ONE)?;
/// let mut numbers = [0.3, 0.8, 0.1, 0.6, 0.9].into_iter().cycle();
/// let poses = random_poses(&cube, &cube, Placing::Deep, &mut || numbers.next().unwrap());
/// assert!(poses[0].position.distance(poses[1].position) < 0.5);
/// # Ok::<(), narrowphase::shape::ShapeError>(())
/// ```
pub fn random_poses(
    a: &Shape,
    b: &Shape,
    placing: Placing,
    uniform: &mut impl FnMut() -> f64,
) -> [Pose; 2] {
    let radii = a.bounding_radius() + b.bounding_radius();
    match placing {
        Placing::Uniform => candidates(a, b, uniform),
        Placing::Near | Placing::Touching => {
            let [first, second] = candidates(a, b, uniform);
            let least = if placing == Placing::Near { [2.0, 5.0] } else { [8.0, 5.0] };
            let size = libm::exp10(-least[0] - least[1] * uniform());
            let sign = (uniform() * 3.0).floor() - 1.0;
            let sign = if placing == Placing::Near && sign == 0.0 { 1.0 } else { sign };
            [first, moved_to_gap(a, b, first, second, sign * size * radii)]
        }
        Placing::Deep => {
            let position = in_cube(uniform) * (0.1 * radii);
            [turned(uniform), Pose { position, ..turned(uniform) }]
        }
        Placing::Parallel => {
            let first = turned(uniform);
            [first, parallel(&first, radii, uniform)]
        }
    }
}

/// A point of the cube from -1 to 1.
pub(crate) fn in_cube(uniform: &mut (impl FnMut() -> f64 + ?Sized)) -> DVec3 {
    DVec3::new(uniform(), uniform(), uniform()) * 2.0 - DVec3::ONE
}

/// At the origin. All orientations are equally likely (Shoemake 1992).
pub(crate) fn turned(uniform: &mut (impl FnMut() -> f64 + ?Sized)) -> Pose {
    let share = uniform();
    let [first, second] = [0, 1].map(|_| libm::sincos(uniform() * TAU));
    let (one, other) = ((1.0 - share).sqrt(), share.sqrt());
    let rotation =
        DQuat::from_xyzw(one * first.0, one * first.1, other * second.0, other * second.1);
    Pose { position: DVec3::ZERO, rotation: rotation.normalize() }
}

/// All poses at which the tight boxes overlap are equally likely. So orientations are accepted as
/// often as there are positions for them.
fn candidates(a: &Shape, b: &Shape, uniform: &mut impl FnMut() -> f64) -> [Pose; 2] {
    let most = 2.0 * (a.bounding_radius() + b.bounding_radius());
    loop {
        let [first, second] = [turned(uniform), turned(uniform)];
        let one = Bounds::of_parts(a.parts(), &first, 1.0);
        let other = Bounds::of_parts(b.parts(), &second, 1.0);
        let (low, high) = (one.min - other.max, one.max - other.min);
        let share = DVec3::new(uniform(), uniform(), uniform());
        if uniform() <= ((high - low) / most).element_product() {
            return [first, Pose { position: low + (high - low) * share, ..second }];
        }
    }
}

/// The same on every machine. `axis` is a unit vector.
fn rotation_about(axis: DVec3, angle: f64) -> DQuat {
    let (sine, cosine) = libm::sincos(angle / 2.0);
    let along = axis * sine;
    DQuat::from_xyzw(along.x, along.y, along.z, cosine)
}

/// The second body, moved along the axis of least separation until the gap is as asked for. A
/// compound may meet another part on the way: then it is moved again.
fn moved_to_gap(a: &Shape, b: &Shape, first: Pose, mut second: Pose, gap: f64) -> Pose {
    let mut reference = Reference::new();
    for _ in 0..4 {
        reference.examine(&Body::new(a, first), &Body::new(b, second));
        let Some(nearest) = reference.nearest() else { break };
        second.position += nearest.axis * (gap - nearest.gap);
        if reference.parts().len() == 1 {
            break;
        }
    }
    second
}

fn parallel(first: &Pose, radii: f64, uniform: &mut impl FnMut() -> f64) -> Pose {
    let mut quarter = |axis: DVec3| rotation_about(axis, TAU / 4.0 * (uniform() * 4.0).floor());
    let quarters = quarter(DVec3::X) * quarter(DVec3::Y) * quarter(DVec3::Z);
    let axis = in_cube(uniform).try_normalize().unwrap_or(DVec3::X);
    // Exactly parallel as often as not.
    let angle = libm::exp10(-4.0 - 8.0 * uniform()) * (uniform() * 2.0).floor();
    let tilt = rotation_about(axis, angle);
    let mut coordinate = || match (uniform() * 4.0) as u32 {
        0 => 0.0,
        1 => (uniform() * 9.0).floor() / 4.0 - 1.0,
        _ => uniform() * 2.0 - 1.0,
    };
    let local = DVec3::new(coordinate(), coordinate(), coordinate()) * (radii * 0.6);
    Pose {
        position: first.rotation * local,
        rotation: (first.rotation * quarters * tilt).normalize(),
    }
}

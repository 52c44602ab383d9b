//! Poses of two bodies at random: as candidates of a broad phase, and where methods are likely to
//! fail.

use std::f64::consts::TAU;

use glam::{DMat3, DQuat, DVec3};

use crate::{Body, Pose, Reference, Shape};

/// Where the second body of a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Placing {
    /// Random orientations, and a position at which the tight boxes overlap.
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
    let first = Pose { position: DVec3::ZERO, rotation: random_rotation(uniform) };
    match placing {
        Placing::Uniform => [first, among_candidates(a, b, &first, uniform)],
        Placing::Near | Placing::Touching => {
            let second = among_candidates(a, b, &first, uniform);
            let least = if placing == Placing::Near { [2.0, 5.0] } else { [8.0, 5.0] };
            let size = 10f64.powf(-least[0] - least[1] * uniform());
            let sign = (uniform() * 3.0).floor() - 1.0;
            let sign = if placing == Placing::Near && sign == 0.0 { 1.0 } else { sign };
            [first, moved_to_gap(a, b, first, second, sign * size * radii)]
        }
        Placing::Deep => {
            let position = in_cube(uniform) * (0.1 * radii);
            [first, Pose { position, rotation: random_rotation(uniform) }]
        }
        Placing::Parallel => [first, parallel(&first, radii, uniform)],
    }
}

/// A point of the cube from -1 to 1.
fn in_cube(uniform: &mut impl FnMut() -> f64) -> DVec3 {
    DVec3::new(uniform(), uniform(), uniform()) * 2.0 - DVec3::ONE
}

/// All orientations are equally likely (Shoemake 1992).
fn random_rotation(uniform: &mut impl FnMut() -> f64) -> DQuat {
    let (share, first, second) = (uniform(), uniform() * TAU, uniform() * TAU);
    let (one, other) = ((1.0 - share).sqrt(), share.sqrt());
    let [x, y] = [one * first.sin(), one * first.cos()];
    DQuat::from_xyzw(x, y, other * second.sin(), other * second.cos()).normalize()
}

/// A random orientation, and all positions equally likely at which the tight boxes overlap.
fn among_candidates(a: &Shape, b: &Shape, first: &Pose, uniform: &mut impl FnMut() -> f64) -> Pose {
    let rotation = random_rotation(uniform);
    let [low_a, high_a] = extent(a, first.rotation);
    let [low_b, high_b] = extent(b, rotation);
    let (low, high) = (low_a - high_b, high_a - low_b);
    let share = DVec3::new(uniform(), uniform(), uniform());
    Pose { position: low + (high - low) * share, rotation }
}

/// The tight box of a rotated shape.
fn extent(shape: &Shape, rotation: DQuat) -> [DVec3; 2] {
    let turn = DMat3::from_quat(rotation);
    let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
    for part in shape.parts() {
        for vertex in part.core().vertices() {
            let at = turn * *vertex;
            low = low.min(at - part.radius());
            high = high.max(at + part.radius());
        }
    }
    [low, high]
}

/// The second body, moved along the axis of least separation until the gap is as asked for. A
/// compound may meet another part on the way: then it is moved again.
fn moved_to_gap(a: &Shape, b: &Shape, first: Pose, mut second: Pose, gap: f64) -> Pose {
    let mut reference = Reference::new();
    for _ in 0..4 {
        reference.examine(&Body::new(a, first), &Body::new(b, second));
        let parts = reference.parts().iter();
        let Some(nearest) = parts.min_by(|one, other| one.gap.total_cmp(&other.gap)) else { break };
        second.position += nearest.axis * (gap - nearest.gap);
        if reference.parts().len() == 1 {
            break;
        }
    }
    second
}

fn parallel(first: &Pose, radii: f64, uniform: &mut impl FnMut() -> f64) -> Pose {
    let mut quarter =
        |axis: DVec3| DQuat::from_axis_angle(axis, TAU / 4.0 * (uniform() * 4.0).floor());
    let quarters = quarter(DVec3::X) * quarter(DVec3::Y) * quarter(DVec3::Z);
    let axis = in_cube(uniform).try_normalize().unwrap_or(DVec3::X);
    // Exactly parallel as often as not.
    let angle = 10f64.powf(-4.0 - 8.0 * uniform()) * (uniform() * 2.0).floor();
    let tilt = DQuat::from_axis_angle(axis, angle);
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

//! Moving bodies: points with half sides, as a structure of arrays.

use super::random::{index_of, vec3_of};
use broadphase::Aabb;
use broadphase::benchmark::mix;
use glam::Vec3;

/// How far from another object a displaced object appears, in usual sides on each axis.
const LANDING: f32 = 3.0;

/// Bodies by centre, half sides, velocity and home.
///
/// The vertices of a sheet are bodies without half sides, relative to their places in the sheet.
#[derive(Clone, Debug, Default)]
pub(super) struct Bodies {
    pub(super) centers: Vec<Vec3>,
    pub(super) halves: Vec<Vec3>,
    /// Displacement per frame, or other state of the motion.
    pub(super) velocities: Vec<Vec3>,
    /// The place a body jitters about, orbits, lands on, or started at.
    pub(super) homes: Vec<Vec3>,
}

impl Bodies {
    /// Bodies at rest.
    pub(super) fn at_rest(centers: Vec<Vec3>, halves: Vec<Vec3>) -> Self {
        let velocities = vec![Vec3::ZERO; centers.len()];
        let homes = centers.clone();
        Self { centers, halves, velocities, homes }
    }

    /// The walls within which bodies stay, for those listed.
    pub(super) fn walls(&self, listed: &[u32]) -> Walls {
        let centers = listed.iter().map(|&i| self.centers[i as usize]);
        let space = centers.fold(Aabb::EMPTY, |all, c| all.union(&Aabb::new(c, c)));
        match space.is_empty() {
            true => Walls { low: Vec3::ZERO, high: Vec3::ZERO },
            false => Walls { low: space.min, high: space.max },
        }
    }

    /// Moves a body next to one of `others`, both drawn from random bits; it takes over that body's
    /// motion.
    pub(super) fn displace(
        &mut self,
        body: usize,
        others: &[u32],
        axes: Vec3,
        walls: Walls,
        bits: u64,
    ) {
        let Some(&other) = others.get(index_of(bits, others.len())) else { return };
        let offset = vec3_of(mix(bits)) * LANDING * axes;
        let home = walls.clamp(self.homes[other as usize] + offset);
        let shift = home - self.homes[other as usize];
        self.centers[body] = walls.clamp(self.centers[other as usize] + shift);
        self.velocities[body] = self.velocities[other as usize];
        self.homes[body] = home;
    }
}

/// The space in which centres stay.
#[derive(Clone, Copy, Debug)]
pub(super) struct Walls {
    pub(super) low: Vec3,
    pub(super) high: Vec3,
}

impl Walls {
    /// The nearest point within the walls.
    pub(super) fn clamp(self, point: Vec3) -> Vec3 {
        point.max(self.low).min(self.high)
    }

    /// Walls moved outwards by this distance on each axis.
    pub(super) fn widened(self, by: Vec3) -> Self {
        Self { low: self.low - by, high: self.high + by }
    }

    /// The middle between the walls.
    pub(super) fn middle(self) -> Vec3 {
        (self.low + self.high) * 0.5
    }

    /// Half the largest distance of two opposite walls.
    pub(super) fn half_extent(self) -> f32 {
        ((self.high - self.low) * 0.5).max_element()
    }

    /// Advances a point by its velocity; a wall reflects both.
    pub(super) fn fly(self, point: &mut Vec3, velocity: &mut Vec3) {
        let ahead = *point + *velocity;
        let (above, below) = (ahead.cmpgt(self.high), ahead.cmplt(self.low));
        let inside = Vec3::select(above, self.high * 2.0 - ahead, ahead);
        let inside = Vec3::select(below, self.low * 2.0 - ahead, inside);
        *point = self.clamp(inside);
        *velocity = Vec3::select(above | below, -*velocity, *velocity);
    }
}

//! Places of the rails of sorted lists: next to the scene, with no part of it behind them.

use crate::camera::OrbitCamera;
use crate::picture::End;
use crate::simulation::Snapshot;
use broadphase::{Aabb, Axis};
use glam::Vec3;

/// The place of an axis' list: next to the scene, with no part of the scene behind it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Rail {
    /// The nearest edge of the scene; 0 along the axis.
    edge: Vec3,
    /// Direction away from the scene, as long as the scene's longest side.
    out: Vec3,
}

/// The rails of a scene, and those of the picked object's leaf; an empty scene has none.
#[derive(Clone, Copy, Debug)]
pub struct Rails {
    scene: Option<[Rail; 3]>,
    leaf: Option<[Rail; 3]>,
}

impl Rails {
    /// The rails as seen by a camera.
    pub fn of(snapshot: &Snapshot, camera: &OrbitCamera) -> Self {
        let scene = snapshot.objects.space;
        let leaf = snapshot.drawing.leaf.unwrap_or(scene);
        Self { scene: rails(scene, camera), leaf: rails_beside(leaf, scene, camera) }
    }

    /// The place of the end of a line in the scene.
    pub fn place(&self, end: End) -> Option<Vec3> {
        match end {
            End::At(place) => Some(place),
            End::Rail { axis, place, distance, of_leaf } => {
                let rails = if of_leaf { self.leaf } else { self.scene };
                let Rail { edge, out } = rails?[axis.index()];
                let mut point = edge + out * distance;
                point[axis.index()] = place;
                Some(point)
            }
        }
    }
}

/// The rails of a scene, as seen by a camera; an empty scene has none.
///
/// Each lies on an edge of the outline, in the plane of that adjacent face which the camera sees
/// more from the front.
fn rails(bounds: Aabb, camera: &OrbitCamera) -> Option<[Rail; 3]> {
    if bounds.is_empty() || !bounds.is_finite() {
        return None;
    }
    let eye = camera.eye() - bounds.center();
    let length = bounds.size().max_element();
    let is_above = |axis: usize| eye[axis] >= 0.0;
    let near = |axis: usize| if is_above(axis) { bounds.max[axis] } else { bounds.min[axis] };
    let far = |axis: usize| if is_above(axis) { bounds.min[axis] } else { bounds.max[axis] };
    let toward = |axis: usize| if is_above(axis) { length } else { -length };
    Some(Axis::ALL.map(|axis| {
        let (mut edge, mut out) = (Vec3::ZERO, Vec3::ZERO);
        // The edge is on the near side of one axis, and on the far side of the other.
        let (on_near, on_far) = match axis {
            Axis::X => (1, 2),
            Axis::Y => (0, 2),
            Axis::Z if eye.y.abs() >= eye.x.abs() => (1, 0),
            Axis::Z => (0, 1),
        };
        (edge[on_near], edge[on_far]) = (near(on_near), far(on_far));
        if eye[on_near].abs() >= eye[on_far].abs() {
            out[on_far] = -toward(on_far);
        } else {
            out[on_near] = toward(on_near);
        }
        Rail { edge, out }
    }))
}

/// The rails of a part of a scene, with lanes as high as those of the whole.
fn rails_beside(part: Aabb, scene: Aabb, camera: &OrbitCamera) -> Option<[Rail; 3]> {
    let height = scene.size().max_element();
    let rails = rails(part, camera)?;
    Some(rails.map(|rail| Rail { out: rail.out.normalize_or_zero() * height, ..rail }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::scene::CameraPose;

    #[test]
    fn rails_lie_beside_the_scene_and_its_parts_from_any_direction() {
        let scene = Aabb::new(Vec3::NEG_ONE, Vec3::ONE);
        let leaf = Aabb::new(Vec3::new(0.5, -1.0, 0.0), Vec3::new(1.0, -0.25, 1.0));
        for part in [scene, leaf] {
            assert_beside(part, scene);
        }
        assert_eq!(rails(Aabb::EMPTY, &OrbitCamera::default()), None);
    }

    fn assert_beside(part: Aabb, scene: Aabb) {
        let size = glam::Vec2::new(800.0, 600.0);
        for yaw in -7..7 {
            for pitch in [-80.0, -30.0, 0.0, 25.0, 80.0] {
                let yaw = yaw as f32 * 25.0 + 3.0;
                let camera = OrbitCamera::from_pose(CameraPose { yaw, pitch, distance: 7.0 });
                let leaf = rails_beside(part, scene, &camera);
                for (axis, rail) in Axis::ALL.into_iter().zip(leaf.unwrap()) {
                    let place = part.center()[axis.index()];
                    let end = End::Rail { axis, place, distance: 0.2, of_leaf: true };
                    let middle = Rails { scene: None, leaf }.place(end).unwrap();
                    let seen = camera.project(middle, size).unwrap();
                    let ray = camera.ray_through(seen, size);
                    let ray = broadphase::query::Ray::new(ray.origin, ray.direction);
                    assert_eq!(ray.enters(&part), None, "{rail:?} at {yaw}, {pitch}");
                }
            }
        }
    }
}

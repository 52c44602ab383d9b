//! The camera: it orbits a target, with z up.

use broadphase::{Aabb, Axis};
use glam::camera::rh;
use glam::{Mat4, Vec2, Vec3};
use serde::{Deserialize, Serialize};
use sim::scene::CameraPose;

/// Vertical field of view. At the default distance of 4.5 the cube of side 2 just fits at any
/// rotation.
const FOV_Y: f32 = 45.0_f32.to_radians();
/// Largest pitch in degrees. At 90 the up direction would be undefined.
const MAX_PITCH: f32 = 89.0;
/// Range of the distance from eye to target, for zooming and for a scene's pose.
const DISTANCES: std::ops::RangeInclusive<f32> = 1e-3..=1e6;
/// Largest absolute value of a camera's numbers. No scene is visible from farther away.
pub const FARTHEST: f32 = 1e6;
/// Rotation by a drag: 1200 pixels turn the camera once around.
const DEGREES_PER_PIXEL: f32 = 0.3;
/// A view within this angle of an axis counts as along it. The steepest pitch is 1° from the vertical.
const SIDE_ANGLE: f32 = 1.5_f32.to_radians();
/// Factor of the distance for each zoom step.
const ZOOM_STEP: f32 = 1.1;
/// Least distance from which points are framed: that of a single one must not be 0.
const MIN_FRAMED: f32 = 0.02;
/// Factor of the distance from which they just fit, for a margin.
const FRAME: f32 = 1.05;

/// The part of a picture in which the scene is seen, as where panels cover the rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FreePart {
    /// Its middle, in shares of half of the picture's width and height, from the picture's middle to the right and
    /// upwards.
    pub middle: Vec2,
    /// The height of the view in shares of the picture's height: the view is square at least.
    pub scale: f32,
}

impl FreePart {
    /// All of the picture.
    pub const WHOLE: Self = Self { middle: Vec2::ZERO, scale: 1.0 };
}

/// A camera on a sphere around its target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "SavedCamera", into = "SavedCamera")]
pub struct OrbitCamera {
    /// The point that it orbits, in the middle of the [`FreePart`].
    pub target: Vec3,
    free: FreePart,
    yaw: f32,
    pitch: f32,
    distance: f32,
}

/// A camera in the settings.
#[derive(Serialize, Deserialize)]
struct SavedCamera {
    target: [f32; 3],
    yaw: f32,
    pitch: f32,
    distance: f32,
}

impl From<OrbitCamera> for SavedCamera {
    fn from(camera: OrbitCamera) -> Self {
        let CameraPose { yaw, pitch, distance } = camera.pose();
        Self { target: camera.target.to_array(), yaw, pitch, distance }
    }
}

impl From<SavedCamera> for OrbitCamera {
    /// Limits the numbers to those from which a scene is visible.
    fn from(SavedCamera { target, yaw, pitch, distance }: SavedCamera) -> Self {
        let usable = |n: f32| if n.is_nan() { 0.0 } else { n.clamp(-FARTHEST, FARTHEST) };
        let [yaw, pitch, distance] = [yaw, pitch, distance].map(usable);
        let mut camera = Self::from_pose(CameraPose { yaw, pitch, distance });
        camera.target = target.map(usable).into();
        camera
    }
}

/// One end of an axis: where the scene can be viewed from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Side {
    /// The axis.
    pub axis: Axis,
    /// Whether it is the positive end.
    pub is_positive: bool,
}

impl Side {
    /// All six.
    pub const ALL: [Side; 6] = [
        Side { axis: Axis::X, is_positive: true },
        Side { axis: Axis::X, is_positive: false },
        Side { axis: Axis::Y, is_positive: true },
        Side { axis: Axis::Y, is_positive: false },
        Side { axis: Axis::Z, is_positive: true },
        Side { axis: Axis::Z, is_positive: false },
    ];

    /// The other end of the axis.
    pub fn opposite(self) -> Self {
        Self { is_positive: !self.is_positive, ..self }
    }

    /// Unit vector from the origin to this side.
    pub fn direction(self) -> Vec3 {
        let axis = Vec3::AXES[self.axis.index()];
        if self.is_positive { axis } else { -axis }
    }
}

/// A half-line, for picking.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Its start: the eye.
    pub origin: Vec3,
    /// Unit vector along it.
    pub direction: Vec3,
}

impl Default for OrbitCamera {
    fn default() -> Self {
        Self::from_pose(CameraPose::default())
    }
}

impl OrbitCamera {
    /// The camera of a scene, with the origin as its target.
    pub fn from_pose(pose: CameraPose) -> Self {
        Self {
            target: Vec3::ZERO,
            free: FreePart::WHOLE,
            yaw: pose.yaw,
            pitch: pose.pitch.clamp(-MAX_PITCH, MAX_PITCH),
            distance: pose.distance.clamp(*DISTANCES.start(), *DISTANCES.end()),
        }
    }

    /// The pose as a scene file holds it, without the target.
    pub fn pose(&self) -> CameraPose {
        CameraPose { yaw: self.yaw, pitch: self.pitch, distance: self.distance }
    }

    /// The same camera whose view is in a part of the picture. It is moved and scaled: no perspective changes.
    pub fn within(self, free: FreePart) -> Self {
        Self { free, ..self }
    }

    /// Distance from the eye to the target.
    pub fn distance(&self) -> f32 {
        self.distance
    }

    /// The position of the camera.
    pub fn eye(&self) -> Vec3 {
        self.target + self.backward() * self.distance
    }

    /// Rotates as if the scene were dragged by `pixels` (y down).
    pub fn orbit(&mut self, pixels: Vec2) {
        self.yaw = (self.yaw - pixels.x * DEGREES_PER_PIXEL).rem_euclid(360.0);
        self.pitch = (self.pitch + pixels.y * DEGREES_PER_PIXEL).clamp(-MAX_PITCH, MAX_PITCH);
    }

    /// Rotates to look from a side towards the target: with x to the right from above and from below, otherwise with
    /// z upwards.
    pub fn look_from(&mut self, side: Side) {
        (self.yaw, self.pitch) = match (side.axis, side.is_positive) {
            (Axis::X, true) => (90.0, 0.0),
            (Axis::X, false) => (270.0, 0.0),
            (Axis::Y, true) => (180.0, 0.0),
            (Axis::Y, false) => (0.0, 0.0),
            (Axis::Z, true) => (0.0, MAX_PITCH),
            (Axis::Z, false) => (0.0, -MAX_PITCH),
        };
    }

    /// Whether it looks from a side, nearly along its axis.
    pub fn looks_from(&self, side: Side) -> bool {
        self.backward().dot(side.direction()) > SIDE_ANGLE.cos()
    }

    /// A direction in view space: x right, y up, z towards the eye.
    pub fn in_view(&self, direction: Vec3) -> Vec3 {
        Vec3::from_array(self.axes().map(|axis| axis.dot(direction)))
    }

    /// Moves the target so that the scene at its depth follows a drag by `pixels` (y down) in a
    /// picture of the given height.
    pub fn pan(&mut self, pixels: Vec2, viewport_height: f32) {
        let units_per_pixel = 2.0 * self.distance * (FOV_Y / 2.0).tan() / viewport_height.max(1.0);
        let [right, up, _] = self.axes();
        self.target += (up * pixels.y - right * pixels.x) * units_per_pixel;
    }

    /// Moves nearer by a number of wheel steps, or away if negative. It never reaches the target.
    pub fn zoom(&mut self, steps: f32) {
        self.distance =
            (self.distance * ZOOM_STEP.powf(-steps)).clamp(*DISTANCES.start(), *DISTANCES.end());
    }

    /// Makes all of some points visible, with their middle as the target, without rotating. Infinite ones are ignored.
    pub fn frame(&mut self, points: &[Vec3], aspect: f32) {
        let finite = points.iter().filter(|point| point.is_finite());
        let all = finite.fold(Aabb::EMPTY, |all, point| all.union(&Aabb::new(*point, *point)));
        if !all.is_empty() {
            self.target = all.center();
            self.distance = MIN_FRAMED;
            self.back_off(points, aspect);
            self.distance = (FRAME * self.distance).min(*DISTANCES.end());
        }
    }

    /// Moves away until all of some points are visible, without rotating. Infinite ones are ignored.
    pub fn back_off(&mut self, points: &[Vec3], aspect: f32) {
        let half_height = (FOV_Y / 2.0).tan();
        let half_width = half_height * usable(aspect);
        for point in points.iter().filter(|point| point.is_finite()) {
            let seen = self.in_view(*point - self.target);
            let needed = seen.z + (seen.x.abs() / half_width).max(seen.y.abs() / half_height);
            self.distance = self.distance.max(needed).min(*DISTANCES.end());
        }
    }

    /// Distance of a point from the eye along the view; negative behind it.
    pub fn depth(&self, point: Vec3) -> f32 {
        (self.eye() - point).dot(self.backward())
    }

    /// World to view space: x right, y up, the view along -z.
    pub fn view(&self) -> Mat4 {
        rh::view::look_at_mat4(self.eye(), self.target, Vec3::Z)
    }

    /// View space to clip space, depth 0 (near) to 1 (infinitely far), for a picture `aspect` times
    /// as wide as high.
    pub fn projection(&self, aspect: f32) -> Mat4 {
        // The near plane is proportional to the distance: depth precision is the same at all zooms.
        // There is no far plane, so that nothing is clipped behind.
        let near = self.distance * 0.01;
        let centred = rh::proj::directx::perspective_infinite(FOV_Y, usable(aspect), near);
        let FreePart { middle, scale } = self.free;
        let scaled = Mat4::from_scale(Vec3::new(scale, scale, 1.0));
        Mat4::from_translation(middle.extend(0.0)) * scaled * centred
    }

    /// World to clip space.
    pub fn view_projection(&self, aspect: f32) -> Mat4 {
        self.projection(aspect) * self.view()
    }

    /// Where a point appears in a picture of `size` pixels (y down); `None` behind the eye.
    pub fn project(&self, point: Vec3, size: Vec2) -> Option<Vec2> {
        let clip = self.view_projection(size.x / size.y) * point.extend(1.0);
        (clip.w > 0.0).then(|| {
            let ndc = Vec2::new(clip.x, -clip.y) / clip.w;
            (ndc * 0.5 + 0.5) * size
        })
    }

    /// The half-line of all points that appear at `pixel` (y down) of a picture of `size` pixels.
    pub fn ray_through(&self, pixel: Vec2, size: Vec2) -> Ray {
        let half_height = (FOV_Y / 2.0).tan();
        let half_width = half_height * usable(size.x / size.y);
        let FreePart { middle, scale } = self.free;
        let ndc = pixel / size.max(Vec2::ONE) * 2.0 - 1.0 - middle * Vec2::new(1.0, -1.0);
        let ndc = ndc / scale;
        let [right, up, backward] = self.axes();
        let direction = right * (ndc.x * half_width) - up * (ndc.y * half_height) - backward;
        Ray { origin: self.eye(), direction: direction.normalize() }
    }

    /// Interpolates to another camera by a share, 0 to 1, along the shorter rotation. Returns the
    /// goal itself if the rest of the way would not be visible.
    pub fn toward(&self, goal: &Self, share: f32) -> Self {
        let turn = (goal.yaw - self.yaw + 180.0).rem_euclid(360.0) - 180.0;
        let zoom = (goal.distance / self.distance).ln();
        let left = turn.abs() + (goal.pitch - self.pitch).abs();
        let shift = self.target.distance(goal.target) / goal.distance;
        if left < 0.01 && zoom.abs() < 1e-4 && shift < 1e-4 {
            return *goal;
        }
        Self {
            target: self.target.lerp(goal.target, share),
            free: goal.free,
            yaw: (self.yaw + turn * share).rem_euclid(360.0),
            pitch: self.pitch + (goal.pitch - self.pitch) * share,
            distance: self.distance * (zoom * share).exp(),
        }
    }

    /// Unit vector from the target to the eye.
    pub fn backward(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.to_radians().sin_cos();
        Vec3::new(sin_yaw * cos_pitch, -cos_yaw * cos_pitch, sin_pitch)
    }

    /// Right, up and backward, orthonormal.
    fn axes(&self) -> [Vec3; 3] {
        let backward = self.backward();
        let right = Vec3::Z.cross(backward).normalize();
        [right, backward.cross(right), backward]
    }
}

/// The corners of a box: bit 0 of the place is the upper end on x, bit 1 on y, bit 2 on z.
pub(crate) fn corners(b: &Aabb) -> [Vec3; 8] {
    std::array::from_fn(|place| {
        let end =
            |bit: usize, axis: usize| if place & bit != 0 { b.max[axis] } else { b.min[axis] };
        Vec3::new(end(1, 0), end(2, 1), end(4, 2))
    })
}

/// An aspect without zero and NaN: a minimised window has no height.
fn usable(aspect: f32) -> f32 {
    if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 }
}

#[cfg(test)]
mod tests;

//! The camera: it orbits a target, with z up.

use broadphase::{Aabb, Axis};
use glam::camera::rh;
use glam::{Mat4, Vec2, Vec3};
use sim::scene::CameraPose;

/// Vertical field of view. At the default distance of 4.5 the cube of side 2 just fits at any
/// rotation.
const FOV_Y: f32 = 45.0_f32.to_radians();
/// Largest pitch in degrees. At 90 the up direction would be undefined.
const MAX_PITCH: f32 = 89.0;
/// Range of the distance from eye to target, for zooming and for a scene's pose.
const DISTANCES: std::ops::RangeInclusive<f32> = 1e-3..=1e6;
/// Rotation by a drag: 1200 pixels turn the camera once around.
const DEGREES_PER_PIXEL: f32 = 0.3;
/// A view within this angle of an axis counts as along it. The steepest pitch is 1° from the vertical.
const SIDE_ANGLE: f32 = 1.5_f32.to_radians();
/// Factor of the distance for each zoom step.
const ZOOM_STEP: f32 = 1.1;

/// A camera on a sphere around its target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitCamera {
    /// The point that it orbits, in the middle of the picture unless [`moved_to`](Self::moved_to) elsewhere.
    pub target: Vec3,
    /// Where the target appears, as shares of half of the picture's width and height, from its middle to the right
    /// and upwards.
    middle: Vec2,
    yaw: f32,
    pitch: f32,
    distance: f32,
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
            middle: Vec2::ZERO,
            yaw: pose.yaw,
            pitch: pose.pitch.clamp(-MAX_PITCH, MAX_PITCH),
            distance: pose.distance.clamp(*DISTANCES.start(), *DISTANCES.end()),
        }
    }

    /// The pose as a scene file holds it, without the target.
    pub fn pose(&self) -> CameraPose {
        CameraPose { yaw: self.yaw, pitch: self.pitch, distance: self.distance }
    }

    /// The same camera whose target appears elsewhere in the picture, as where a legend covers a part of it. Shares of half
    /// of the picture, from its middle to the right and upwards. Only the picture moves: no perspective changes.
    pub fn moved_to(self, middle: Vec2) -> Self {
        Self { middle, ..self }
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

    /// Makes all of `bounds` visible, with its middle as the target, without rotating. An empty or
    /// unbounded box changes nothing.
    pub fn frame(&mut self, bounds: Aabb, aspect: f32) {
        let radius = bounds.size().length() / 2.0;
        if bounds.is_empty() || !radius.is_finite() {
            return;
        }
        let half_height = (FOV_Y / 2.0).tan();
        let half_angle = half_height.min(half_height * usable(aspect)).atan();
        self.target = bounds.center();
        // The distance to a single point must not be 0.
        self.distance =
            (radius.max(1e-2) / half_angle.sin()).clamp(*DISTANCES.start(), *DISTANCES.end());
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
        Mat4::from_translation(self.middle.extend(0.0)) * centred
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
        let ndc = pixel / size.max(Vec2::ONE) * 2.0 - 1.0 - self.middle * Vec2::new(1.0, -1.0);
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
            middle: goal.middle,
            yaw: (self.yaw + turn * share).rem_euclid(360.0),
            pitch: self.pitch + (goal.pitch - self.pitch) * share,
            distance: self.distance * (zoom * share).exp(),
        }
    }

    /// Unit vector from the target to the eye.
    fn backward(&self) -> Vec3 {
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

/// An aspect without zero and NaN: a minimised window has no height.
fn usable(aspect: f32) -> f32 {
    if aspect.is_finite() && aspect > 0.0 { aspect } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Vec2 = Vec2::new(1280.0, 720.0);

    fn camera(yaw: f32, pitch: f32, distance: f32) -> OrbitCamera {
        OrbitCamera::from_pose(CameraPose { yaw, pitch, distance })
    }

    fn assert_near(a: Vec2, b: Vec2) {
        assert!((a - b).length() < 0.05, "{a} is not {b}");
    }

    #[test]
    fn target_is_in_the_middle_of_the_picture_at_any_pose() {
        for (yaw, pitch) in [(0.0, 0.0), (25.0, 20.0), (180.0, 89.0), (-90.0, -89.0)] {
            let mut camera = camera(yaw, pitch, 3.0);
            camera.target = Vec3::new(1.0, -2.0, 0.5);
            assert_near(camera.project(camera.target, SIZE).unwrap(), SIZE / 2.0);
        }
    }

    #[test]
    fn moved_picture_is_the_same_elsewhere() {
        let centred = camera(25.0, 20.0, 3.0);
        let moved = centred.moved_to(Vec2::new(-0.25, 0.1));
        for point in [Vec3::ZERO, Vec3::X, Vec3::new(0.3, -0.5, 0.2)] {
            let [before, after] = [centred, moved].map(|c| c.project(point, SIZE).unwrap());
            assert_near(after - before, Vec2::new(-0.25, -0.1) * SIZE / 2.0);
            let ray = moved.ray_through(after, SIZE);
            let beside = (point - ray.origin).cross(ray.direction).length();
            assert!(beside < 1e-4, "a click on {point} passes it at {beside}");
        }
        assert_eq!(moved.moved_to(Vec2::ZERO), centred);
    }

    #[test]
    fn at_yaw_0_x_points_right_y_away_and_z_up() {
        let camera = camera(0.0, 0.0, 4.0);
        assert!((camera.eye() - Vec3::new(0.0, -4.0, 0.0)).length() < 1e-5);
        let middle = SIZE / 2.0;
        let right = camera.project(Vec3::X, SIZE).unwrap();
        assert!(right.x > middle.x + 100.0 && (right.y - middle.y).abs() < 0.05, "{right}");
        let up = camera.project(Vec3::Z, SIZE).unwrap();
        assert!(up.y < middle.y - 100.0 && (up.x - middle.x).abs() < 0.05, "{up}");
        let depth = |p: Vec3| camera.view_projection(1.0).project_point3(p).z;
        assert!(depth(Vec3::Y) > depth(Vec3::ZERO));
        assert!((0.0..=1.0).contains(&depth(Vec3::Y * 1e5)));
        assert_eq!(camera.project(Vec3::Y * -5.0, SIZE), None);
    }

    #[test]
    fn at_yaw_90_the_camera_is_on_the_x_side() {
        assert!((camera(90.0, 0.0, 2.0).eye() - Vec3::X * 2.0).length() < 1e-5);
    }

    #[test]
    fn camera_looks_from_each_side() {
        for side in Side::ALL {
            let mut camera = camera(123.0, -45.0, 3.0);
            camera.target = Vec3::new(1.0, 2.0, 3.0);
            assert!(!camera.looks_from(side));
            camera.look_from(side);
            let expected = camera.target + side.direction() * 3.0;
            assert!(camera.eye().distance(expected) < 0.06, "{side:?}: {}", camera.eye());
            assert!(camera.looks_from(side) && !camera.looks_from(side.opposite()), "{side:?}");
            assert!(camera.in_view(side.direction()).z > 0.99, "{side:?}");
            // Above and below, x is to the right; elsewhere z is upwards.
            let seen = match side.axis {
                Axis::Z => camera.in_view(Vec3::X).x,
                _ => camera.in_view(Vec3::Z).y,
            };
            assert!((seen - 1.0).abs() < 1e-6, "{side:?}: {seen}");
        }
    }

    #[test]
    fn front_of_the_scene_follows_a_drag() {
        let mut camera = camera(10.0, 5.0, 4.0);
        let front = camera.backward();
        let before = camera.project(front, SIZE).unwrap();
        camera.orbit(Vec2::new(30.0, 20.0));
        let after = camera.project(front, SIZE).unwrap();
        assert!(after.x > before.x && after.y > before.y, "{before} to {after}");
    }

    #[test]
    fn pitch_stops_short_of_the_poles() {
        let mut camera = camera(0.0, 500.0, 4.0);
        assert_eq!(camera.pose().pitch, 89.0);
        camera.orbit(Vec2::new(0.0, -1e6));
        assert_eq!(camera.pose().pitch, -89.0);
        assert!(camera.view_projection(1.0).is_finite());
    }

    #[test]
    fn panned_point_stays_under_the_pointer() {
        let mut camera = camera(33.0, -12.0, 4.0);
        let grabbed = camera.target;
        let drag = Vec2::new(123.0, -45.0);
        camera.pan(drag, SIZE.y);
        assert_near(camera.project(grabbed, SIZE).unwrap(), SIZE / 2.0 + drag);
    }

    #[test]
    fn zoom_neither_passes_nor_inverts_the_target() {
        let mut camera = camera(0.0, 0.0, 4.0);
        camera.zoom(1.0);
        assert!(camera.distance() < 4.0);
        camera.zoom(-1.0);
        assert!((camera.distance() - 4.0).abs() < 1e-4);
        camera.zoom(1e6);
        assert!(camera.distance() > 0.0 && camera.eye().y < 0.0);
        assert_near(camera.project(camera.target, SIZE).unwrap(), SIZE / 2.0);
        camera.zoom(-1e6);
        assert!(camera.distance().is_finite());
    }

    #[test]
    fn pose_survives_the_round_trip() {
        let pose = CameraPose { yaw: 25.0, pitch: -20.0, distance: 4.5 };
        assert_eq!(OrbitCamera::from_pose(pose).pose(), pose);
    }

    #[test]
    fn eased_camera_takes_the_shorter_rotation_and_arrives() {
        let goal = camera(10.0, 30.0, 2.0);
        let mut eased = camera(350.0, -30.0, 8.0);
        let halfway = eased.toward(&goal, 0.5);
        assert!((halfway.yaw - 0.0).abs() < 1e-3 || (halfway.yaw - 360.0).abs() < 1e-3);
        assert!((halfway.pitch, halfway.distance()) == (0.0, 4.0), "{halfway:?}");
        for _ in 0..60 {
            eased = eased.toward(&goal, 0.3);
            assert!(eased.view_projection(1.5).is_finite());
        }
        assert_eq!(eased, goal);
        assert_eq!(goal.toward(&goal, 0.3), goal);
    }

    #[test]
    fn framed_box_is_wholly_visible() {
        let bounds = Aabb::new(Vec3::new(-3.0, 1.0, 0.0), Vec3::new(5.0, 2.0, 9.0));
        for aspect in [0.5, 1.0, 2.0] {
            let size = Vec2::new(720.0 * aspect, 720.0);
            let mut camera = camera(40.0, 30.0, 1.0);
            camera.frame(bounds, aspect);
            for corner in 0..8 {
                let pick = |bit: usize, axis: usize| {
                    if corner >> bit & 1 == 0 { bounds.min[axis] } else { bounds.max[axis] }
                };
                let corner = Vec3::new(pick(0, 0), pick(1, 1), pick(2, 2));
                let seen = camera.project(corner, size).unwrap();
                let inside = seen.cmpge(Vec2::ZERO).all() && seen.cmple(size).all();
                assert!(inside, "{corner} at {seen} of {size}");
            }
        }
    }

    #[test]
    fn empty_or_unbounded_box_is_not_framed() {
        let before = OrbitCamera::default();
        let mut camera = before;
        camera.frame(Aabb::EMPTY, 1.0);
        camera.frame(Aabb::new(Vec3::NEG_INFINITY, Vec3::INFINITY), 1.0);
        assert_eq!(camera, before);
        camera.frame(Aabb::new(Vec3::ONE, Vec3::ONE), 1.0);
        assert_eq!(camera.target, Vec3::ONE);
        assert!(camera.distance() > 0.0);
    }

    #[test]
    fn ray_passes_through_the_points_of_its_pixel() {
        let mut camera = camera(70.0, 35.0, 6.0);
        camera.target = Vec3::new(0.3, 0.2, -0.1);
        for pixel in [Vec2::new(640.0, 360.0), Vec2::new(3.0, 700.0), Vec2::new(1000.0, 20.0)] {
            let ray = camera.ray_through(pixel, SIZE);
            assert!((ray.direction.length() - 1.0).abs() < 1e-5);
            assert_near(camera.project(ray.origin + ray.direction * 7.0, SIZE).unwrap(), pixel);
        }
    }

    #[test]
    fn window_without_height_gives_no_nan() {
        let camera = OrbitCamera::default();
        assert!(camera.view_projection(0.0).is_finite());
        assert!(camera.view_projection(f32::NAN).is_finite());
        assert!(camera.ray_through(Vec2::ZERO, Vec2::ZERO).direction.is_finite());
    }
}

//! The camera of the window, which follows the mouse smoothly.

use crate::camera::OrbitCamera;

/// Time constant in seconds: after it, 37 % of the way is left.
const EASING_SECONDS: f32 = 0.05;

/// Longest time between two pictures that counts, in seconds, so that the camera does not jump
/// after a longer one.
const LONGEST_SECONDS: f32 = 0.1;

/// The camera that is shown, on its way to the one that the mouse moves.
#[derive(Debug)]
pub(super) struct EasedCamera {
    pub(super) goal: OrbitCamera,
    pub(super) shown: OrbitCamera,
    eased_at_ns: u64,
}

impl EasedCamera {
    pub(super) fn new(camera: OrbitCamera, now_ns: u64) -> Self {
        Self { goal: camera, shown: camera, eased_at_ns: now_ns }
    }

    /// Moves the shown camera towards its goal, at the same speed at every frame rate.
    pub(super) fn ease(&mut self, now_ns: u64) {
        let passed_ns = now_ns.saturating_sub(self.eased_at_ns);
        let seconds = (passed_ns as f32 / 1e9).min(LONGEST_SECONDS);
        self.eased_at_ns = now_ns;
        self.shown = self.shown.toward(&self.goal, 1.0 - (-seconds / EASING_SECONDS).exp());
    }

    pub(super) fn is_moving(&self) -> bool {
        self.shown != self.goal
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec2;

    #[test]
    fn camera_reaches_its_goal_at_any_frame_rate() {
        for period_ns in [2_000_000, 16_000_000, 500_000_000] {
            let mut camera = EasedCamera::new(OrbitCamera::default(), 0);
            camera.goal.orbit(Vec2::new(100.0, 20.0));
            assert!(camera.is_moving());
            (1..=1000).for_each(|picture| camera.ease(picture * period_ns));
            assert_eq!(camera.shown, camera.goal, "{period_ns} ns");
        }
    }
}

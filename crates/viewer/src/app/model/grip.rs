//! The picked object, dragged by the mouse in the plane of the view.

use super::Model;
use crate::camera::Ray;
use crate::simulation::Order;
use crate::view::Row;
use glam::Vec3;
use sim::Pull;

/// An object in the grip of the mouse.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grip {
    object: u32,
    /// Where it was grasped: the plane through this point is parallel to the picture.
    at: Vec3,
    normal: Vec3,
    /// From there to its centre.
    to_center: Vec3,
    /// It is pulled.
    pub(super) pulls: bool,
}

impl Grip {
    /// Where a ray meets the plane; `None` if it does not, or far behind all.
    fn on_plane(&self, ray: Ray) -> Option<Vec3> {
        let along = (self.at - ray.origin).dot(self.normal) / ray.direction.dot(self.normal);
        let point = ray.origin + ray.direction * along;
        (along > 0.0 && point.is_finite()).then_some(point)
    }
}

impl Model {
    /// Grasps the picked object where a ray meets its bounding sphere. Returns whether it does: other drags move the camera,
    /// and static objects and recordings are not moved.
    pub(super) fn grip(&mut self, ray: Ray) -> bool {
        self.grip = self.grip_on(ray);
        self.grip.is_some()
    }

    fn grip_on(&self, ray: Ray) -> Option<Grip> {
        let picked = self.snapshot.picked.as_ref()?;
        let is_shown =
            self.panel.view.picked == Some(picked.object) && self.panel.view.shows(Row::Objects);
        if !is_shown || !picked.moves || self.is_measuring() {
            return None;
        }
        let center = picked.center;
        let nearest = ray.origin + ray.direction * (center - ray.origin).dot(ray.direction);
        let is_met = nearest.distance(center) <= picked.radius?;
        let normal = self.camera.shown.backward();
        let plane =
            Grip { object: picked.object, at: center, normal, to_center: Vec3::ZERO, pulls: false };
        let at = plane.on_plane(ray).filter(|_| is_met)?;
        Some(Grip { at, to_center: center - at, ..plane })
    }

    /// Pulls the grasped object to where a ray meets its plane; lets go of one that was pulled if there is none.
    pub(super) fn pull(&mut self, ray: Option<Ray>) {
        let Some(grip) = &mut self.grip else { return };
        let Some(ray) = ray else {
            if std::mem::take(&mut grip.pulls) {
                self.grip = None;
                self.simulation.order(Order::Pull(None));
            }
            return;
        };
        if let Some(point) = grip.on_plane(ray) {
            grip.pulls = true;
            let pull = Pull { object: grip.object, to: point + grip.to_center };
            self.simulation.order(Order::Pull(Some(pull)));
        }
    }
}

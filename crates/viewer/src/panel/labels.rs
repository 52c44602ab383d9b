//! The labels of a drawing, at their places in the scene.

use super::widgets::MIN_TEXT;
use crate::camera::{OrbitCamera, corners};
use crate::composer::Rails;
use crate::picture::{Anchor, Label};
use crate::simulation::Snapshot;
use crate::view::{Row, View};
use broadphase::Aabb;
use egui::{Align2, Color32, FontId, Painter, Rect, Ui, vec2};
use glam::{Vec2, Vec3};

/// Distance of the numbers of boxes that share a corner, in points.
const STEP_ALONG: f32 = 18.0;

/// Height of the letters of the scene's labels, in points.
const LABEL_TEXT: f32 = 14.0;

/// Opacity of the farthest label.
const FAINTEST: f32 = 0.3;

pub(super) fn show(ui: &Ui, scene: Rect, snapshot: &Snapshot, options: &View, camera: OrbitCamera) {
    let visuals = ui.visuals();
    let labels =
        Labels { painter: ui.painter_at(scene), scene, camera, shadow: visuals.window_fill };
    let ink = visuals.strong_text_color();
    let rails = Rails::of(snapshot, &camera);
    let space = snapshot.objects.space;
    let of_scene = snapshot.input.scene.labels.iter().filter(|_| options.shows(Row::Labels));
    for label in of_scene {
        labels.write(label.position, &label.words.join(" "), LABEL_TEXT, ink);
    }
    let groups = snapshot.drawing.groups(options);
    for Label { at, text, size } in groups.flat_map(|group| &group.labels) {
        let size = size.unwrap_or(MIN_TEXT);
        let faded = |at: Vec3| ink.gamma_multiply(nearness(at, space, &labels.camera));
        match at {
            Anchor::Near(at) => labels.write(*at, text, size, faded(*at)),
            Anchor::Corner(bounds, depth) => {
                labels.write_at_edge(bounds, *depth, text, faded(bounds.center()));
            }
            Anchor::At(end) => {
                if let Some(at) = rails.place(*end) {
                    labels.write(at, text, size, ink);
                }
            }
        }
    }
}

/// Writes on the scene.
struct Labels {
    painter: Painter,
    scene: Rect,
    camera: OrbitCamera,
    shadow: Color32,
}

impl Labels {
    /// Writes at the upper left corner of a box as it is seen. Boxes below it may share that corner: the deeper, the further
    /// along the edge to the right.
    fn write_at_edge(&self, bounds: &Aabb, depth: u32, text: &str, color: Color32) {
        let scene = Vec2::new(self.scene.width(), self.scene.height());
        let seen = corners(bounds).map(|corner| self.camera.project(corner, scene));
        let Some(first) = upper_left(&seen) else { return };
        // The neighbours of a corner differ in one bit.
        let neighbours = [1, 2, 4].map(|bit| seen[first ^ bit]);
        let Some(from) = seen[first] else { return };
        let to_the_right = neighbours.into_iter().flatten().max_by(|a, b| a.x.total_cmp(&b.x));
        let Some(edge) = to_the_right.map(|to| to - from) else { return };
        let along = (STEP_ALONG * (depth as f32 + 0.5)).min(0.8 * edge.length());
        let at = from + edge.normalize_or_zero() * along;
        self.write_seen(at, text, MIN_TEXT, color);
    }

    fn write(&self, at: Vec3, text: &str, size: f32, color: Color32) {
        let scene = Vec2::new(self.scene.width(), self.scene.height());
        if let Some(at) = self.camera.project(at, scene) {
            self.write_seen(at, text, size, color);
        }
    }

    /// Writes at a place in the scene's rectangle.
    fn write_seen(&self, at: Vec2, text: &str, size: f32, color: Color32) {
        let at = self.scene.min + vec2(at.x, at.y);
        let font = FontId::proportional(size);
        // An outline keeps it legible over spheres of any colour.
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            let beside = at + vec2(x, y);
            self.painter.text(beside, Align2::CENTER_CENTER, text, font.clone(), self.shadow);
        }
        self.painter.text(at, Align2::CENTER_CENTER, text, font, color);
    }
}

/// The place of the corner that is seen furthest to the upper left; `None` if none is seen.
fn upper_left(seen: &[Option<Vec2>; 8]) -> Option<usize> {
    let seen = seen.iter().enumerate().filter_map(|(place, at)| Some((place, at.as_ref()?)));
    seen.min_by(|a, b| (a.1.x + a.1.y).total_cmp(&(b.1.x + b.1.y))).map(|(place, _)| place)
}

/// The opacity of a label: full at the near side of the scene, faint at the far side.
fn nearness(at: Vec3, scene: Aabb, camera: &OrbitCamera) -> f32 {
    let radius = 0.5 * scene.size().length();
    if !radius.is_finite() {
        return 1.0;
    }
    let distance = camera.eye().distance(at) - camera.eye().distance(scene.center());
    let share = 0.5 - 0.5 * distance / radius.max(f32::MIN_POSITIVE);
    FAINTEST + (1.0 - FAINTEST) * share.clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn far_labels_are_fainter_than_near_ones() {
        let scene = Aabb::new(Vec3::NEG_ONE, Vec3::ONE);
        let camera = OrbitCamera::default();
        let toward = (camera.eye() - scene.center()).normalize();
        let [far, middle, near] = [-1.0, 0.0, 1.0].map(|at| nearness(toward * at, scene, &camera));
        assert!(far < middle && middle < near && far >= FAINTEST && near <= 1.0);
        for scene in [Aabb::EMPTY, Aabb::new(Vec3::ZERO, Vec3::ZERO)] {
            let share = nearness(Vec3::ZERO, scene, &camera);
            assert!((FAINTEST..=1.0).contains(&share), "{share}");
        }
    }

    #[test]
    fn numbers_are_at_the_upper_left_corner() {
        let bounds = Aabb::new(Vec3::ZERO, Vec3::ONE);
        // From above: x to the right, y up.
        let seen = corners(&bounds).map(|corner| Some(Vec2::new(corner.x, -corner.y)));
        let corner = upper_left(&seen).map(|place| corners(&bounds)[place]).unwrap();
        assert_eq!((corner.x, corner.y), (0.0, 1.0));
        assert_eq!(upper_left(&[None; 8]), None);
    }
}

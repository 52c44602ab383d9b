//! Labels at their places in the scene: numbers of objects in leaves or cells, names of the rails,
//! both ends of the curve.

use super::widgets::LEAST_TEXT;
use crate::camera::OrbitCamera;
use crate::composer::{DrawOptions, rails};
use crate::simulation::Snapshot;
use broadphase::inspect::Region;
use egui::{Align2, Color32, FontId, Painter, Rect, Ui, vec2};
use glam::{Vec2, Vec3};
use std::cmp::Reverse;

/// Maximum of numbers, those of the fullest regions: more of them would be illegible.
const MOST_LABELS: usize = 100;

pub(super) fn show(
    ui: &Ui,
    scene: Rect,
    snapshot: &Snapshot,
    options: &DrawOptions,
    camera: OrbitCamera,
) {
    let visuals = ui.visuals();
    let labels =
        Labels { painter: ui.painter_at(scene), scene, camera, shadow: visuals.panel_fill };
    let structure = &snapshot.structure;
    if options.regions {
        for region in fullest(&structure.regions.kept) {
            let text = region.objects.to_string();
            labels.write(region.bounds.center(), &text, LEAST_TEXT, visuals.strong_text_color());
        }
    }
    if options.endpoints
        && let Some(rails) = rails(snapshot.space, &camera)
    {
        for (rail, lanes) in rails.iter().zip(structure.lists.lanes).filter(|rail| rail.1 > 0) {
            let name = ["x", "y", "z"][rail.axis.index()];
            labels.write(rail.label(lanes), name, 15.0, visuals.strong_text_color());
        }
    }
    if options.curve
        && let [first, .., last] = structure.curve.kept[..]
    {
        labels.write(first, "first", 12.0, visuals.strong_text_color());
        labels.write(last, "last", 12.0, visuals.strong_text_color());
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
    fn write(&self, at: Vec3, text: &str, size: f32, color: Color32) {
        let scene = Vec2::new(self.scene.width(), self.scene.height());
        let Some(at) = self.camera.project(at, scene) else { return };
        let at = self.scene.min + vec2(at.x, at.y);
        let font = FontId::proportional(size);
        // A shadow keeps it legible over spheres of any colour.
        let shadow = at + vec2(1.0, 1.0);
        self.painter.text(shadow, Align2::CENTER_CENTER, text, font.clone(), self.shadow);
        self.painter.text(at, Align2::CENTER_CENTER, text, font, color);
    }
}

/// The regions with most objects, without empty ones.
fn fullest(regions: &[Region]) -> Vec<&Region> {
    let mut occupied: Vec<&Region> = regions.iter().filter(|region| region.objects > 0).collect();
    if occupied.len() > MOST_LABELS {
        occupied.select_nth_unstable_by_key(MOST_LABELS, |region| Reverse(region.objects));
        occupied.truncate(MOST_LABELS);
    }
    occupied
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Aabb;

    #[test]
    fn only_the_fullest_regions_have_labels() {
        let region =
            |objects: u32| Region { index: objects, bounds: Aabb::EMPTY, depth: 0, objects };
        let regions: Vec<Region> = (0..150).map(region).collect();
        let shown = fullest(&regions);
        let least = shown.iter().map(|region| region.objects).min();
        assert_eq!((shown.len(), least), (100, Some(50)));
        assert!(fullest(&regions[..1]).is_empty());
    }
}

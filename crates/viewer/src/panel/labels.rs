//! How many objects stand in each leaf or cell, written where it is.

use crate::camera::OrbitCamera;
use crate::simulation::Snapshot;
use broadphase::Region;
use egui::{Align2, FontId, Rect, Ui, vec2};
use glam::Vec2;

/// More numbers than this could not be told apart: the fullest regions have theirs.
const MOST_LABELS: usize = 100;

pub(super) fn show(ui: &Ui, scene: Rect, snapshot: &Snapshot, camera: OrbitCamera) {
    let size = Vec2::new(scene.width(), scene.height());
    let painter = ui.painter_at(scene);
    let visuals = ui.visuals();
    for region in fullest(&snapshot.regions) {
        let Some(at) = camera.project(region.bounds.center(), size) else { continue };
        let at = scene.min + vec2(at.x, at.y);
        let (text, font) = (region.objects.to_string(), FontId::proportional(11.0));
        // A shadow keeps it legible over spheres of any colour.
        let shadow = at + vec2(1.0, 1.0);
        painter.text(shadow, Align2::CENTER_CENTER, &text, font.clone(), visuals.panel_fill);
        painter.text(at, Align2::CENTER_CENTER, text, font, visuals.strong_text_color());
    }
}

/// Those with most objects, empty ones left out.
fn fullest(regions: &[Region]) -> Vec<&Region> {
    let mut occupied: Vec<&Region> = regions.iter().filter(|region| region.objects > 0).collect();
    occupied.sort_by_key(|region| std::cmp::Reverse(region.objects));
    occupied.truncate(MOST_LABELS);
    occupied
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::Aabb;

    #[test]
    fn the_fullest_regions_have_labels() {
        let region =
            |objects: u32| Region { index: objects, bounds: Aabb::EMPTY, depth: 0, objects };
        let regions: Vec<Region> = (0..150).map(region).collect();
        let shown = fullest(&regions);
        assert_eq!((shown.len(), shown[0].objects, shown[99].objects), (100, 149, 50));
        assert!(fullest(&regions[..1]).is_empty());
    }
}

//! Pictures of the scene for files.

use crate::camera::FreePart;
use crate::composer::{Composer, SceneKey};
use crate::offscreen::{Fetched, Studio};
use crate::panel::{self, PanelState};
use crate::simulation::Snapshot;
use egui::{Pos2, Rect, vec2};

/// Draws a snapshot with smooth edges, in the middle or, with a legend, to the left of it.
pub(crate) fn draw(
    studio: &mut Studio,
    composer: &mut Composer,
    snapshot: &Snapshot,
    key: SceneKey,
    panel: &PanelState,
    legend: bool,
) -> Fetched {
    let scale = key.pixels_per_point;
    let [width, height] = studio.size().map(|side| side as f32 / scale);
    let place = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
    let free = if legend { panel::beside_legend(place) } else { FreePart::WHOLE };
    let key = SceneKey { camera: key.camera.within(free), ..key };
    let view = composer.view(snapshot, &key);
    if !legend {
        return studio.draw(&view);
    }
    studio.draw_with_panels(&view, key.dark, scale, |ui| {
        panel::over_picture(ui, panel, snapshot, key.camera);
    })
}

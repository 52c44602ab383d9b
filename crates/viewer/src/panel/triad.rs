//! The axes of the scene, in its lower right corner. A click on an end shows the scene from there.

use super::command::Command;
use super::widgets::MIN_TEXT;
use crate::camera::{OrbitCamera, Side};
use crate::scene_renderer::Theme;
use egui::{
    Align2, Area, Color32, FontId, Id, Pos2, Rect, Rgba, Role, Sense, Stroke, Ui, Vec2, WidgetInfo,
    vec2,
};

/// Length of an axis from the middle to an end, and radius of an end, in points.
const LENGTH: f32 = 28.0;
const RADIUS: f32 = 9.0;

/// Gap to the scene's edges in points.
const GAP: f32 = 8.0;

/// Width and height with that gap, in points.
const SIZE: f32 = 2.0 * (LENGTH + RADIUS) + GAP;

/// Smallest scene with a triad, in points: in a smaller one it would cover what it is about.
const MIN_SCENE: Vec2 = vec2(240.0, 240.0);

/// Opacity of the farthest line and ring.
const FAINTEST: f32 = 0.35;

/// Intensity of a colour from which black is more legible on it than white.
const BRIGHT: f32 = 0.2;

/// Name of a click that leads to a side: the direction of the view.
fn name(side: Side) -> String {
    let sign = if side.is_positive { "-" } else { "+" };
    format!("View along {sign}{}", side.axis.name().to_uppercase())
}

/// Shows the axes at the lower right of a scene that is large enough. Returns the width that they take.
pub(super) fn show(ui: &Ui, scene: Rect, camera: &OrbitCamera, commands: &mut Vec<Command>) -> f32 {
    if scene.width() < MIN_SCENE.x || scene.height() < MIN_SCENE.y {
        return 0.0;
    }
    let theme = if ui.visuals().dark_mode { Theme::DARK } else { Theme::LIGHT };
    Area::new(Id::unique("triad"))
        .fixed_pos(scene.right_bottom() - Vec2::splat(GAP))
        .pivot(Align2::RIGHT_BOTTOM)
        .constrain(false)
        .show(ui.ctx(), |ui| {
            let (place, _) = ui.allocate_exact_size(Vec2::splat(SIZE - GAP), Sense::hover());
            // An end that is hidden behind its opposite is left out. The nearest is drawn last.
            let is_seen = |side: &Side| !camera.looks_from(side.opposite());
            let mut ends: Vec<Side> = Side::ALL.into_iter().filter(is_seen).collect();
            let seen = |side: &Side| camera.in_view(side.direction());
            ends.sort_by(|a, b| seen(a).z.total_cmp(&seen(b).z));
            for side in ends {
                let (seen, middle) = (seen(&side), place.center());
                let at = middle + vec2(seen.x, -seen.y) * LENGTH;
                let id = ui.scope_id().with(side.direction().to_array().map(|part| part as i32));
                let reach = Rect::from_center_size(at, Vec2::splat(2.0 * RADIUS));
                let button = ui.interact(reach, id, Sense::click());
                // A second click leads to the other side.
                let leads_to = if camera.looks_from(side) { side.opposite() } else { side };
                let name = name(leads_to);
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
                let [r, g, b] = theme.planes[side.axis.index()];
                let color = Color32::from_rgb(r, g, b);
                paint(
                    ui,
                    [middle, at],
                    side,
                    seen.z,
                    color,
                    button.hovered() || button.has_focus(),
                );
                if button.on_hover_text(name).clicked() {
                    commands.push(Command::LookFrom(leads_to));
                }
            }
        });
    SIZE
}

/// An end with its axis, the fainter the further: positive ones are filled and named, negative ones are rings.
fn paint(ui: &Ui, ends: [Pos2; 2], side: Side, near: f32, full: Color32, is_pointed_at: bool) {
    let (painter, visuals, at) = (ui.painter(), ui.visuals(), ends[1]);
    let share = FAINTEST + (1.0 - FAINTEST) * (0.5 + 0.5 * near);
    let faded = full.lerp_to_gamma(visuals.window_fill, 1.0 - share);
    if side.is_positive {
        painter.line_segment(ends, Stroke::new(2.0, faded));
        painter.circle_filled(at, RADIUS - 1.0, full);
        let font = FontId::proportional(MIN_TEXT);
        painter.text(at, Align2::CENTER_CENTER, side.axis.name(), font, ink(full));
    } else {
        let fill = visuals.window_fill.gamma_multiply(0.6);
        painter.circle(at, RADIUS - 3.0, fill, Stroke::new(1.5, faded));
    }
    if is_pointed_at {
        painter.circle_stroke(at, RADIUS, Stroke::new(1.5, visuals.strong_text_color()));
    }
}

/// Black or white, whichever is more legible on a colour.
fn ink(ground: Color32) -> Color32 {
    if Rgba::from(ground).intensity() > BRIGHT { Color32::BLACK } else { Color32::WHITE }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, 0 to 1, by the Web Content Accessibility Guidelines.
    fn luminance(color: Color32) -> f32 {
        let linear = Rgba::from(color);
        0.2126 * linear.r() + 0.7152 * linear.g() + 0.0722 * linear.b()
    }

    #[test]
    fn letters_contrast_with_every_end() {
        for theme in [Theme::DARK, Theme::LIGHT] {
            for [r, g, b] in theme.planes {
                let ground = Color32::from_rgb(r, g, b);
                let [ink, ground] = [ink(ground), ground].map(|color| luminance(color) + 0.05);
                let contrast = ink.max(ground) / ink.min(ground);
                assert!(contrast >= 4.5, "{contrast} on {r} {g} {b}");
            }
        }
    }
}

//! The axes of the scene, in its lower right corner. A click on an end shows the scene from there.

use super::command::Command;
use super::widgets::MIN_TEXT;
use crate::camera::{OrbitCamera, Side};
use crate::scene_renderer::Theme;
use broadphase::Axis;
use egui::{
    Align2, Area, Color32, FontId, Id, Painter, Pos2, Rect, Response, Rgba, Role, Sense, Stroke,
    Ui, Vec2, Visuals, WidgetInfo, vec2,
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

/// An end of an axis as it is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
struct End {
    side: Side,
    /// From the middle of the triad, in lengths of an axis, y down.
    at: Vec2,
    /// From -1 at the far end of the view to 1 at the near one.
    near: f32,
    /// The side that a click shows: this one, or the opposite one while the camera already looks from here.
    leads_to: Side,
}

/// The ends that a camera sees, the farthest first. An end that is hidden behind its opposite is left out.
fn ends(camera: &OrbitCamera) -> Vec<End> {
    let end = |side: Side| {
        let seen = camera.in_view(side.direction());
        let faces = camera.looks_from(side);
        let leads_to = if faces { side.opposite() } else { side };
        End { side, at: vec2(seen.x, -seen.y), near: seen.z, leads_to }
    };
    let is_hidden = |side: &Side| camera.looks_from(side.opposite());
    let mut ends: Vec<End> = Side::ALL.into_iter().filter(|s| !is_hidden(s)).map(end).collect();
    ends.sort_by(|a, b| a.near.total_cmp(&b.near));
    ends
}

/// What a click that leads to a side does, in words: the direction of the view, and where it is from.
fn name(side: Side) -> &'static str {
    match (side.axis, side.is_positive) {
        (Axis::X, false) => "View along +X, from the left",
        (Axis::X, true) => "View along -X, from the right",
        (Axis::Y, false) => "View along +Y, from the front",
        (Axis::Y, true) => "View along -Y, from behind",
        (Axis::Z, false) => "View along +Z, from below",
        (Axis::Z, true) => "View along -Z, from above",
    }
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
            for end in ends(camera) {
                let at = place.center() + end.at * LENGTH;
                let reach = Rect::from_center_size(at, Vec2::splat(2.0 * RADIUS));
                let id =
                    ui.scope_id().with(end.side.direction().to_array().map(|part| part as i32));
                let button = ui.interact(reach, id, Sense::click());
                let name = name(end.leads_to);
                button.widget_info(|| WidgetInfo::labeled(Role::Button, true, name));
                paint(ui.painter(), place.center(), &end, &button, &theme, ui.visuals());
                if button.on_hover_text(name).clicked() {
                    commands.push(Command::LookFrom(end.leads_to));
                }
            }
        });
    SIZE
}

/// An end with its axis: positive ones are filled and named, negative ones are rings.
fn paint(
    painter: &Painter,
    middle: Pos2,
    end: &End,
    button: &Response,
    theme: &Theme,
    visuals: &Visuals,
) {
    let [r, g, b] = theme.planes[end.side.axis.index()];
    let share = FAINTEST + (1.0 - FAINTEST) * (0.5 + 0.5 * end.near);
    let full = Color32::from_rgb(r, g, b);
    let faded = full.lerp_to_gamma(visuals.window_fill, 1.0 - share);
    let at = middle + end.at * LENGTH;
    if end.side.is_positive {
        painter.line_segment([middle, at], Stroke::new(2.0, faded));
        painter.circle_filled(at, RADIUS - 1.0, full);
        let letter = end.side.axis.name();
        let font = FontId::proportional(MIN_TEXT);
        painter.text(at, Align2::CENTER_CENTER, letter, font, ink(full));
    } else {
        let fill = visuals.window_fill.gamma_multiply(0.6);
        painter.circle(at, RADIUS - 3.0, fill, Stroke::new(1.5, faded));
    }
    if button.hovered() || button.has_focus() {
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

    #[test]
    fn ends_are_where_the_camera_sees_them() {
        let mut camera = OrbitCamera::default();
        camera.look_from(Side { axis: Axis::Y, is_positive: false });
        let ends = ends(&camera);
        let end = |axis, is_positive| {
            let side = Side { axis, is_positive };
            ends.iter().find(|end| end.side == side)
        };
        assert_eq!(end(Axis::Y, true), None, "behind the other end of its axis");
        let near = |a: Vec2, b: Vec2| (a - b).length() < 1e-5;
        assert!(near(end(Axis::X, true).unwrap().at, vec2(1.0, 0.0)));
        assert!(near(end(Axis::Z, true).unwrap().at, vec2(0.0, -1.0)));
        assert!(ends.is_sorted_by_key(|end| end.near));
        let front = ends.last().unwrap();
        assert_eq!((front.side.axis, front.leads_to.is_positive), (Axis::Y, true));
    }
}

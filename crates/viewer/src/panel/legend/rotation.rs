//! A rotation of a tree as two small trees: before, and after.

use super::marks::{line, solid};
use crate::panel::widgets::MIN_TEXT;
use crate::scene_renderer::Theme;
use broadphase::inspect::Rotation;
use egui::{Align2, FontId, Pos2, Rect, Sense, Stroke, Ui, vec2};

/// Width of both trees in points, and their height.
const WIDTH: f32 = 224.0;
const HEIGHT: f32 = 56.0;

/// The subtrees that change places, as the scene names them: that which becomes lower, and that which becomes higher.
pub(in crate::panel) const LOWERED: &str = "A";
pub(in crate::panel) const RAISED: &str = "B";

/// Places of the node, its two children and the two children of the second one, in shares of a tree's size.
const PLACES: [[f32; 2]; 5] = [[0.5, 0.15], [0.25, 0.5], [0.7, 0.5], [0.55, 0.88], [0.85, 0.88]];

/// What each place is below.
const PARENTS: [usize; 5] = [0, 0, 0, 2, 2];

pub(super) fn show(ui: &mut Ui, rotation: &Rotation, theme: &Theme) {
    let (area, _) = ui.allocate_exact_size(vec2(WIDTH, HEIGHT), Sense::hover());
    let painter = ui.painter();
    let ink = ui.visuals().text_color();
    let font = FontId::proportional(MIN_TEXT);
    let [red, rail] = [theme.rotated, theme.rail].map(solid);
    let size = vec2(0.5 * WIDTH, HEIGHT);
    for (half, name, leaves) in
        [(0.0, "before", [LOWERED, RAISED]), (0.5, "after", [RAISED, LOWERED])]
    {
        let corner = area.min + vec2(half * WIDTH, 0.0);
        let at = |place: usize| -> Pos2 {
            let [x, y] = PLACES[place];
            corner + vec2(x * size.x, y * size.y)
        };
        painter.text(corner, Align2::LEFT_TOP, name, font.clone(), ink);
        for (place, parent) in PARENTS.into_iter().enumerate() {
            painter.line_segment([at(parent), at(place)], Stroke::new(1.0, rail));
        }
        // The node, and the subtree that stays.
        for place in [0, 4] {
            painter.circle_filled(at(place), 3.0, rail);
        }
        painter.circle_filled(at(2), 4.0, red);
        for (place, leaf) in [1, 3].into_iter().zip(leaves) {
            let under = Rect::from_center_size(at(place), vec2(11.0, 12.0));
            painter.rect_filled(under, 0.0, ui.visuals().window_fill);
            painter.text(at(place), Align2::CENTER_CENTER, leaf, font.clone(), red);
        }
    }
    let lost = 100.0 * rotation.saved;
    line(ui, format!("The box of the red dot lost {lost:.0} % of its surface by it."));
}

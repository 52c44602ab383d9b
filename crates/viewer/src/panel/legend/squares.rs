//! Small squares in rows and columns, each with a colour and a number.

use crate::panel::widgets::MIN_TEXT;
use egui::{Align2, Color32, FontId, Painter, Pos2, Rect, Ui, vec2};

/// Squares side by side. A place is a column and a row, from 0; those before the first are -1.
pub(super) struct Squares {
    painter: Painter,
    /// Upper left corner of the first.
    corner: Pos2,
    side: f32,
    /// The gap around what is filled, in points.
    gap: f32,
}

impl Squares {
    pub(super) fn new(ui: &Ui, corner: Pos2, side: f32, gap: f32) -> Self {
        Self { painter: ui.painter().clone(), corner, side, gap }
    }

    /// A square with its gap.
    pub(super) fn at(&self, [column, row]: [i32; 2]) -> Rect {
        let at = self.corner + vec2(column as f32, row as f32) * self.side;
        Rect::from_min_size(at, vec2(self.side, self.side))
    }

    pub(super) fn fill(&self, place: [i32; 2], color: Color32) {
        self.painter.rect_filled(self.at(place).shrink(self.gap), 0.0, color);
    }

    pub(super) fn number(&self, place: [i32; 2], number: impl ToString, ink: Color32) {
        let (middle, font) = (self.at(place).center(), FontId::proportional(MIN_TEXT));
        self.painter.text(middle, Align2::CENTER_CENTER, number, font, ink);
    }
}

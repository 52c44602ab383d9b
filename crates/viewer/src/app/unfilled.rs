//! Panels without a background of their own.

use egui::epaint::ClippedShape;
use egui::{Color32, Context, CornerRadius, FullOutput, Plugin, Shape};

/// Drops the backgrounds of panels: the window is cleared in their colour. Where the CPU draws, that takes much less time than
/// to paint them: a picture with all algorithms compared took 48 ms instead of 74.
pub(super) struct Unfilled;

impl Plugin for Unfilled {
    fn debug_name(&self) -> &'static str {
        "unfilled panels"
    }

    fn output_hook(&mut self, context: &Context, output: &mut FullOutput) {
        drop_backgrounds(&mut output.shapes, context.global_style().visuals.panel_fill);
    }
}

/// Drops the backgrounds of panels. Those of windows have the same colour, but a stroke and round corners.
fn drop_backgrounds(shapes: &mut Vec<ClippedShape>, background: Color32) {
    shapes.retain(|clipped| match &clipped.shape {
        Shape::Rect(rect) => {
            let is_bare = rect.stroke.is_empty() && rect.corner_radius == CornerRadius::ZERO;
            !is_bare || rect.fill != background
        }
        _ => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Frame, Panel, RawInput, Shadow};

    #[test]
    fn backgrounds_of_panels_are_dropped_and_those_of_windows_kept() {
        let context = Context::default();
        let filled = |context: &Context| {
            let mut output = context.run_ui(RawInput::default(), |ui| {
                Panel::right("panel").show(ui, |ui| ui.label("text"));
                let window = Frame::popup(ui.style()).shadow(Shadow::NONE);
                window.show(ui, |ui| ui.label("text"));
            });
            // egui reports deltas that are dropped before they are cleared.
            output.textures_delta.clear();
            let background = context.global_style().visuals.panel_fill;
            let is_filled = |clipped: &&ClippedShape| matches!(&clipped.shape, Shape::Rect(rect) if rect.fill == background);
            (output.shapes.iter().filter(is_filled).count(), output.shapes.len())
        };
        let (all, number) = filled(&context);
        context.add_plugin(Unfilled);
        assert_eq!((all, filled(&context)), (2, (1, number - 1)));
    }
}

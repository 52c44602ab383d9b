//! Helpers for controls and labels.

use egui::{FontId, Response, RichText, TextStyle, Ui};

/// Size of the smallest text in points, which is legible on a projector.
pub(super) const MIN_TEXT: f32 = 12.0;

/// Makes egui's small text as large as the smallest text here.
pub(super) fn enlarge_small_text(ui: &mut Ui) {
    let is_small = ui.style().text_styles.get(&TextStyle::Small).is_none_or(|f| f.size < MIN_TEXT);
    if is_small {
        let small = FontId::proportional(MIN_TEXT);
        let enlarge = |style: &mut egui::Style| {
            style.text_styles.insert(TextStyle::Small, small.clone());
        };
        ui.ctx().all_styles_mut(enlarge);
        enlarge(ui.style_mut());
    }
}

/// Gives a control a name for screen readers that differs from its text.
pub(super) fn named(control: Response, name: &str) -> Response {
    control.ctx.accesskit_node_builder(control.id, |node| node.set_label(name));
    control
}

/// A figure in small monospaced print: its width follows from its number of characters.
pub(super) fn small_figure(text: impl Into<String>) -> RichText {
    RichText::new(text).monospace().size(MIN_TEXT)
}

//! Helpers for controls and labels.

use egui::{Response, RichText};

/// Gives a control a name for screen readers that differs from its text.
pub(super) fn named(control: Response, name: &str) -> Response {
    control.ctx.accesskit_node_builder(control.id, |node| node.set_label(name));
    control
}

/// A figure in small monospaced print: its width follows from its number of characters.
pub(super) fn small_figure(text: impl Into<String>) -> RichText {
    RichText::new(text).monospace().size(11.0)
}

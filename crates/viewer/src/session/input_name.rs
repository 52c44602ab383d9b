//! The name of the input in recorded rows.

use narrowphase::BoxKind;
use sim::Scene;
use std::sync::Arc;
use std::time::Duration;

/// The input's name, and a mark on it where what runs is not the scene of that name.
///
/// Rows of a scene that was edited, or whose responses are delayed, must not be taken for rows of
/// the scene in its file.
pub(super) struct InputName {
    label: Arc<str>,
    /// The scene in the file of that name; `None` for prescribed boxes, which are never edited.
    original: Option<Scene>,
    in_rows: Arc<str>,
}

impl InputName {
    pub(super) fn new(label: Arc<str>, original: Option<&Scene>) -> Self {
        Self { in_rows: label.clone(), label, original: original.cloned() }
    }

    /// The input's name.
    pub(super) fn label(&self) -> &Arc<str> {
        &self.label
    }

    /// The name for rows.
    pub(super) fn in_rows(&self) -> &Arc<str> {
        &self.in_rows
    }

    /// Marks the name where the scene that runs differs from the file, bodies have other boxes than by default, or
    /// responses are delayed.
    /// The number of objects and the seed have columns of their own.
    pub(super) fn update(
        &mut self,
        running: Option<&Scene>,
        box_kind: Option<BoxKind>,
        delay: Duration,
    ) {
        let (Some(running), Some(original)) = (running, &self.original) else { return };
        let Scene { objects, seed, .. } = *running;
        let edited = *running != Scene { objects, seed, ..original.clone() };
        let edited = if edited { " (edited)" } else { "" };
        let boxes = match box_kind {
            Some(kind) if kind != BoxKind::default() => format!(" ({} boxes)", kind.id()),
            _ => String::new(),
        };
        self.in_rows = match delay.as_millis() {
            0 => format!("{}{edited}{boxes}", self.label).into(),
            delay => format!("{}{edited}{boxes} (delay {delay} ms)", self.label).into(),
        };
    }
}

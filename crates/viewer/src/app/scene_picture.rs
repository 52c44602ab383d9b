//! The state that a picture of the scene shows.

use crate::camera::OrbitCamera;
use crate::composer::{Composer, Selection};
use crate::scene_renderer::{SceneView, Theme};
use crate::simulation::Snapshot;
use crate::view::View;

/// Everything that the picture of a snapshot depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct SceneKey {
    pub(super) view: View,
    pub(super) selection: Selection,
    pub(super) camera: OrbitCamera,
    pub(super) dark: bool,
    pub(super) pixels_per_point: f32,
}

impl SceneKey {
    /// The scene to draw. Composing takes time even without drawing.
    pub(super) fn compose<'a>(
        &self,
        composer: &'a mut Composer,
        snapshot: &Snapshot,
    ) -> SceneView<'a> {
        let theme = if self.dark { &Theme::DARK } else { &Theme::LIGHT };
        let Self { view, selection, camera, pixels_per_point, .. } = self;
        composer.view(snapshot, view, *selection, *camera, theme, *pixels_per_point)
    }
}

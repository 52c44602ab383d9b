//! The scene's picture, composed again only if something in it changes.

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

/// Composes the scene if the last picture shows something else.
#[derive(Default)]
pub(super) struct ScenePicture {
    composer: Composer,
    /// `None` once there is a newer snapshot.
    shown: Option<SceneKey>,
}

impl ScenePicture {
    /// The last picture shows an older snapshot.
    pub(super) fn outdate(&mut self) {
        self.shown = None;
    }

    /// The scene to draw; `None` if the last picture shows the same and is not `lost`. Composing
    /// takes time even without drawing.
    pub(super) fn update(
        &mut self,
        snapshot: &Snapshot,
        key: SceneKey,
        lost: bool,
    ) -> Option<SceneView<'_>> {
        let changed = lost || self.shown != Some(key);
        self.shown = Some(key);
        changed.then(|| self.compose(snapshot, key))
    }

    /// The scene to draw.
    pub(super) fn compose(&mut self, snapshot: &Snapshot, key: SceneKey) -> SceneView<'_> {
        let theme = if key.dark { &Theme::DARK } else { &Theme::LIGHT };
        let SceneKey { view, selection, camera, pixels_per_point, .. } = key;
        self.composer.view(snapshot, &view, selection, camera, theme, pixels_per_point)
    }
}

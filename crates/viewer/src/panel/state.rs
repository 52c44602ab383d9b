//! Typed values, switches and open panels.

use super::bookmarks::Bookmark;
use super::compare::CompareState;
use super::objects::ObjectsForm;
use super::picture::PictureOptions;
use super::scene_editor::SceneEditor;
use super::toasts::Toasts;
use super::{COLUMN, MIN_SCENE, WIDTH};
use crate::composer::Selection;
use crate::view::{Row, View};
use broadphase::Pair;
use sim::Scene;
use sim::scene::Triangles;

/// State of the panels that outlives a picture.
#[derive(Clone, Debug, Default)]
pub struct PanelState {
    /// The form of the first group; `None` while it has the values of the scene.
    pub objects: Option<ObjectsForm>,
    /// Drawn objects, and the picked one.
    pub view: View,
    /// *More about the scene*.
    pub editor: SceneEditor,
    /// The comparison of algorithms.
    pub compare: CompareState,
    /// How pictures of the view are drawn.
    pub picture: PictureOptions,
    /// Messages, and unsaved edits that are offered.
    pub toasts: Toasts,
    /// Steps and cameras to come back to.
    pub bookmarks: Vec<Bookmark>,
    /// The step under the pointer while it is dragged along the steps.
    pub(crate) dragged_to: Option<u64>,
    /// Step and pair of the last wrong answer. Its first object is picked once: another may be picked afterwards.
    pub(crate) disputed: Option<(u64, Pair)>,
    /// Whether the help sheet is open.
    pub help: bool,
    /// Whether the legend has the algorithm in words; `None` lets the size of the scene decide.
    pub explains: Option<bool>,
    /// Whether the guide to the algorithm is open.
    pub guide: bool,
    /// Whether the page about broad phases is open.
    pub introduction: bool,
    /// Whether letters drive bodies, as arrow keys do.
    pub drive: bool,
    /// Whether things to try are suggested.
    pub suggestions: bool,
    /// Whether all panels are hidden.
    pub hidden: bool,
    /// Whether the side panel is shown, unless all are hidden.
    pub side: bool,
    /// Whether the legend is shown, unless all are hidden.
    pub legend: bool,
    /// Projector mode: large text and the legend, without the side panel.
    pub projector: bool,
    /// The zoom before projector mode, while that is on.
    pub(crate) zoom_before: Option<f32>,
    /// Dark or light.
    pub dark: bool,
    /// Whether drawing waits for the screen.
    pub vsync: bool,
}

impl PanelState {
    /// The state at the start of a scene.
    pub fn of_scene(scene: &Scene) -> Self {
        Self {
            view: View::of_scene(scene),
            side: true,
            legend: true,
            dark: true,
            vsync: true,
            ..Self::default()
        }
    }

    /// Takes over the settings of another scene; what is open stays open.
    pub fn begin_scene(&mut self, scene: &Scene) {
        self.objects = None;
        self.view.set(Row::Shading, scene.shading);
        self.view.triangles = scene.triangles;
        self.editor.begin_scene();
        self.bookmarks.clear();
        self.view.picked = None;
    }

    /// Whether the comparison is shown: otherwise the compared algorithms need not search.
    pub fn shows_comparison(&self) -> bool {
        self.compare.open && !self.hidden
    }

    /// The contents of a snapshot: without panels, no lists. The window alone draws the rest.
    pub fn shown_view(&self) -> View {
        let View { touching, contact_events, .. } = self.view;
        let is_shown = !self.hidden;
        let mut view = View {
            touching: touching && is_shown,
            contact_events: contact_events && is_shown,
            plane_opacity: 1.0,
            triangles: Triangles::Twenty,
            ..self.view
        };
        Row::SWITCHES.into_iter().for_each(|row| view.set(row, true));
        view
    }

    /// Whether the side panel is laid out.
    pub(super) fn shows_side(&self) -> bool {
        self.side && !self.projector && !self.hidden
    }

    /// Whether the legend is laid out.
    pub(super) fn shows_legend(&self) -> bool {
        (self.legend || self.projector) && !self.hidden
    }

    /// Whether legend and card have a column of their own, in a window of this width. A narrow window has them in the side
    /// panel.
    pub(super) fn has_column(&self, width: f32) -> bool {
        let left = width - if self.shows_side() { WIDTH + COLUMN } else { MIN_SCENE };
        (self.shows_legend() || self.view.picked.is_some()) && left >= COLUMN
    }

    /// The selected elements, which are drawn lighter.
    pub fn selection(&self) -> Selection {
        self.editor.selection()
    }
}

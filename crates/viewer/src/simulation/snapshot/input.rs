//! The input of a snapshot.

use crate::session::{DriveRun, Session};
use sim::scene::Source;
use sim::{Hold, Scene};
use std::sync::Arc;
use std::time::Duration;

/// The input's name, and the scene with what acts on its objects. That of a recording is empty.
#[derive(Clone, Debug, Default)]
pub struct InputState {
    /// The input's name.
    pub label: Arc<str>,
    /// The scene with all edits, as it would be restarted or saved.
    pub recipe: Arc<Scene>,
    /// The present scene: the recipe without the sources that events have removed.
    pub scene: Arc<Scene>,
    /// The listed sources with their numbers.
    pub sources: Vec<(u32, Source)>,
    /// The drag, edit or restart that an undo would take back.
    pub undoable: Option<String>,
    /// Whether the present step depends on the line that attracts or repels, on a drag or an edit, even if it was undone.
    pub by_hand: bool,
    /// The keys that drove bodies up to the present step.
    pub driven: Vec<DriveRun>,
    /// Whether the line attracts or repels, because of a key or an event.
    pub hold: Hold,
    /// Time spent on each real collision.
    pub response_delay: Duration,
}

impl InputState {
    pub(super) fn fill(&mut self, session: &Session) {
        self.label = session.label().clone();
        self.by_hand = session.is_changed_by_hand();
        self.response_delay = session.response_delay();
        self.driven.clear();
        self.driven.extend(session.driven());
        self.sources.clear();
        let Some(world) = session.world() else {
            let nothing = Scene::default();
            share(&mut self.recipe, &nothing);
            share(&mut self.scene, &nothing);
            (self.undoable, self.hold) = (None, Hold::None);
            return;
        };
        // Scenes change seldom, and may have many obstacles to copy.
        share(&mut self.recipe, world.recipe());
        share(&mut self.scene, world.scene());
        self.sources.extend(world.sources().map(|(number, source)| (number, *source)));
        self.undoable = session.undoable();
        self.hold = world.hold();
    }
}

/// Replaces a shared scene if it has changed.
fn share(shared: &mut Arc<Scene>, scene: &Scene) {
    if **shared != *scene {
        *shared = Arc::new(scene.clone());
    }
}

//! Objects that the user drags or drives. Both are undone as one edit: the motion returns to the step before.

use super::Session;
use sim::{Pull, World};

/// The object that is dragged now, and the drags before.
#[derive(Debug, Default)]
pub(super) struct Dragging {
    pull: Option<Pull>,
    /// The step before the present drag, once a step was taken.
    before: Option<u64>,
    /// The step before the keys that are held, once a step was taken.
    before_keys: Option<u64>,
    /// The drags and drives of the present motion, the last one last.
    drags: Vec<Drag>,
}

/// An object that the user moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Moved {
    /// An object, by the mouse.
    Object(u32),
    /// The driven bodies, by keys.
    Driven,
}

/// Consecutive steps in which the user moved something.
#[derive(Clone, Copy, Debug)]
struct Drag {
    moved: Moved,
    /// The step before the first of them.
    before: u64,
    /// The number of the last edit before that can be undone.
    last_edit: u64,
}

impl Dragging {
    /// The object that is pulled in the next step.
    pub(super) fn pull(&self) -> Option<Pull> {
        self.pull
    }

    /// Begins a drag with the step after `step`, or a drive if keys are held in it, unless it goes on. Forgets drags after
    /// `step`, from which the motion branches.
    pub(super) fn step(&mut self, step: u64, last_edit: u64, drives: bool) {
        self.drags.retain(|drag| drag.before < step);
        self.before_keys = drives.then(|| self.before_keys.filter(|at| *at < step).unwrap_or(step));
        let pulled = self
            .pull
            .map(|Pull { object, .. }| (Moved::Object(object), *self.before.get_or_insert(step)));
        let driven = self.before_keys.map(|before| (Moved::Driven, before));
        for (moved, before) in pulled.into_iter().chain(driven) {
            let is_it = |drag: &Drag| (drag.moved, drag.before) == (moved, before);
            if !self.drags.iter().any(is_it) {
                self.drags.push(Drag { moved, before, last_edit });
            }
        }
    }
}

impl Session {
    /// Pulls an object to a place in the steps from now on, or none. Static objects and recordings are never changed.
    pub fn set_pull(&mut self, pull: Option<Pull>) {
        let pull = pull.filter(|pull| {
            self.world().is_some_and(|world| world.can_be_pulled(pull.object as usize))
        });
        let dragging = &mut self.dragging;
        if pull.map(|pull| pull.object) != dragging.pull.map(|pull| pull.object) {
            dragging.before = None;
        }
        dragging.pull = pull;
    }

    /// Whether an object is pulled.
    pub(crate) fn is_pulling(&self) -> bool {
        self.dragging.pull.is_some()
    }

    /// The last drag or drive in words, if no edit came after it.
    pub(super) fn last_drag(&self) -> Option<String> {
        self.undoable_drag().map(in_words)
    }

    fn undoable_drag(&self) -> Option<Drag> {
        let (step, kept) = (self.steps(), self.motion.kept());
        let last_edit = self.world().map_or(0, World::last_edit);
        // Without the step before it, an earlier edit is undone.
        let is_last = |drag: &Drag| {
            drag.before < step && drag.last_edit >= last_edit && kept.contains(&drag.before)
        };
        self.dragging.drags.last().copied().filter(is_last)
    }

    /// Returns to the step before the last drag or drive, if that is the last edit. Returns what was undone; `None` if the last edit
    /// is another one.
    ///
    /// # Errors
    ///
    /// A message of one line if that step is no longer kept.
    pub fn undo_drag(&mut self) -> Option<Result<String, String>> {
        let drag = self.undoable_drag()?;
        let undone = match self.go_to(drag.before) {
            Ok(true) => {
                self.dragging.drags.pop();
                if drag.moved == Moved::Driven {
                    self.driving.forget_from(drag.before + 1);
                }
                Ok(in_words(drag))
            }
            Ok(false) => Err(format!("step {}, before it, is no longer kept", drag.before)),
            Err(problem) => Err(problem),
        };
        Some(undone)
    }
}

fn in_words(drag: Drag) -> String {
    match drag.moved {
        Moved::Object(object) => format!("drag of object {object}"),
        Moved::Driven => format!("driving from step {} on", drag.before + 1),
    }
}

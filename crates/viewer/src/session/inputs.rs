//! Inputs of each step: the line that attracts or repels, drags, keys. A step that is taken again has them again.

use super::Session;
use sim::{DriveKeys, Hold, Pull, World};

/// Consecutive steps with the same keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DriveRun {
    /// The first step, counted from 1.
    pub first: u64,
    /// The last one.
    pub last: u64,
    /// The keys; never none.
    pub keys: DriveKeys,
}

/// The inputs of a step of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Input {
    pub(super) hold: Hold,
    pub(super) pull: Option<Pull>,
    pub(super) keys: DriveKeys,
    /// The number of the pull's drag.
    drag: u64,
}

/// A value in each step, from the first step that has it up to the next entry.
#[derive(Debug)]
struct Log<T>(Vec<(u64, T)>);

impl<T: Copy + Default + PartialEq> Log<T> {
    fn of(&self, step: u64) -> T {
        let later = self.0.partition_point(|(first, _)| *first <= step);
        later.checked_sub(1).map_or(T::default(), |place| self.0[place].1)
    }

    /// Sets the value of a step, unless it has it. Later steps have none then.
    fn set(&mut self, step: u64, value: T) {
        if self.of(step) != value {
            self.set_from(step, value);
            self.set_from(step + 1, T::default());
        }
    }

    /// Forgets the values before a step.
    fn forget_before(&mut self, step: u64) {
        let known = self.0.partition_point(|(first, _)| *first <= step);
        self.0.drain(..known.saturating_sub(1));
    }

    /// Sets the value of a step and of all later ones.
    fn set_from(&mut self, step: u64, value: T) {
        self.0.truncate(self.0.partition_point(|(first, _)| *first < step));
        if self.0.last().map_or(T::default(), |(_, last)| *last) != value {
            self.0.push((step, value));
        }
    }
}

/// A drag or a drive, which is undone as one edit: the motion returns to the step before.
#[derive(Clone, Copy, Debug)]
struct Move {
    /// The object that is dragged; `None` for driven bodies.
    object: Option<u32>,
    /// The step before the first of it.
    before: u64,
    /// The number of the last edit before that can be undone.
    last_edit: u64,
}

/// The inputs that the user gives now, and those of the steps of the present motion.
#[derive(Debug)]
pub(super) struct Inputs {
    pull: Option<Pull>,
    /// Counts drags.
    drag: u64,
    held: DriveKeys,
    /// Without keys. Forgotten where other steps follow.
    by_hand: Log<Input>,
    /// Steps that are taken again have these keys, until the user holds others.
    keys: Log<DriveKeys>,
    /// Checksums of the pairs that the world responded to, where they are known.
    pairs: Log<Option<u64>>,
    /// The last one last.
    moves: Vec<Move>,
}

impl Inputs {
    pub(super) fn new(held: DriveKeys) -> Self {
        let (by_hand, keys, pairs) = (Log(Vec::new()), Log(Vec::new()), Log(Vec::new()));
        Self { pull: None, drag: 0, held, by_hand, keys, pairs, moves: Vec::new() }
    }

    /// No inputs of another motion but the keys that are held.
    pub(super) fn begin_motion(&mut self) {
        *self = Self::new(self.held);
    }

    /// The inputs of a step that was taken.
    pub(super) fn of(&self, step: u64) -> Input {
        Input { keys: self.keys.of(step), ..self.by_hand.of(step) }
    }

    /// The checksum of a step's pairs, if it is known.
    pub(super) fn pairs_of(&self, step: u64) -> Option<u64> {
        self.pairs.of(step)
    }

    /// Forgets the pairs: other boxes have others.
    pub(super) fn forget_pairs(&mut self) {
        self.pairs = Log(Vec::new());
    }

    /// The inputs of a step that begins. Its keys are those that are held, or else those that it had before.
    pub(super) fn next(&self, step: u64, hold: Hold) -> Input {
        let keys = if self.held.is_none() { self.keys.of(step) } else { self.held };
        let drag = self.pull.map_or(0, |_| self.drag);
        Input { hold, pull: self.pull, keys, drag }
    }

    /// Keeps the inputs of a step that is finished, and the checksum of its pairs.
    pub(super) fn keep(&mut self, step: u64, input: Input, pairs: Option<u64>, last_edit: u64) {
        let before = step - 1;
        let mut begins = |object| self.moves.push(Move { object, before, last_edit });
        if let Some(pull) = input.pull
            && self.by_hand.of(before).drag != input.drag
        {
            begins(Some(pull.object));
        }
        if !input.keys.is_none() && self.keys.of(before).is_none() {
            begins(None);
        }
        self.by_hand.set(step, Input { keys: DriveKeys::NONE, ..input });
        self.keys.set(step, input.keys);
        self.pairs.set(step, pairs);
    }

    /// Forgets the inputs after a step, except keys.
    pub(super) fn forget_after(&mut self, step: u64) {
        self.by_hand.set_from(step + 1, Input::default());
        self.pairs.set_from(step + 1, None);
        self.moves.retain(|of| of.before < step);
    }

    /// Forgets the inputs before a step, which is the first one that is kept, except keys.
    pub(super) fn forget_before(&mut self, step: u64) {
        self.by_hand.forget_before(step);
        self.pairs.forget_before(step);
        self.moves.retain(|of| of.before >= step);
    }

    fn set_pull(&mut self, pull: Option<Pull>) {
        if pull.map(|pull| pull.object) != self.pull.map(|pull| pull.object) {
            self.drag += 1;
        }
        self.pull = pull;
    }
}

impl Session {
    /// Pulls an object to a place in the steps from now on, or none. Static objects and recordings are never changed.
    pub fn set_pull(&mut self, pull: Option<Pull>) {
        let pull = pull.filter(|pull| {
            self.world().is_some_and(|world| world.can_be_pulled(pull.object as usize))
        });
        self.motion.inputs.set_pull(pull);
    }

    /// Whether an object is pulled.
    pub(crate) fn is_pulling(&self) -> bool {
        self.motion.inputs.pull.is_some()
    }

    /// Holds keys that drive bodies in the steps from now on.
    pub fn set_drive(&mut self, keys: DriveKeys) {
        self.motion.inputs.held = keys;
    }

    /// The keys of the steps up to the present one.
    pub fn driven(&self) -> impl Iterator<Item = DriveRun> {
        let (step, log) = (self.steps(), &self.motion.inputs.keys.0);
        let until = log.iter().enumerate().take_while(move |(_, (first, _))| *first <= step);
        let driven = until.filter(|(_, (_, keys))| !keys.is_none());
        driven.map(move |(place, (first, keys))| {
            let last = log.get(place + 1).map_or(step, |(next, _)| step.min(next - 1));
            DriveRun { first: *first, last, keys: *keys }
        })
    }

    /// The last drag or drive in words, if no edit came after it.
    pub(super) fn last_drag(&self) -> Option<String> {
        self.undoable_move().map(in_words)
    }

    fn undoable_move(&self) -> Option<Move> {
        let (step, kept) = (self.steps(), self.motion.kept());
        let last_edit = self.world().map_or(0, World::last_edit);
        // Without the step before it, an earlier edit is undone.
        let is_last =
            |of: &Move| of.before < step && of.last_edit >= last_edit && kept.contains(&of.before);
        self.motion.inputs.moves.last().copied().filter(is_last)
    }

    /// Returns to the step before the last drag or drive, if that is the last edit. Returns what was undone; `None` if the last
    /// edit is another one.
    ///
    /// # Errors
    ///
    /// A message of one line if that step is no longer kept.
    pub fn undo_drag(&mut self) -> Option<Result<String, String>> {
        let last = self.undoable_move()?;
        let undone = match self.go_to(last.before) {
            Ok(true) => {
                self.motion.inputs.moves.pop();
                if last.object.is_none() {
                    // The later steps have other keys now.
                    self.forget_later();
                    self.motion.inputs.keys.set_from(last.before + 1, DriveKeys::NONE);
                }
                Ok(in_words(last))
            }
            Ok(false) => Err(format!("step {}, before it, is no longer kept", last.before)),
            Err(problem) => Err(problem),
        };
        Some(undone)
    }
}

fn in_words(of: Move) -> String {
    match of.object {
        Some(object) => format!("drag of object {object}"),
        None => format!("driving from step {} on", of.before + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn log_without_its_first_steps_has_the_values_of_the_others() {
        let mut log = Log(vec![(1, 'a'), (5, 'b'), (9, 'c')]);
        log.forget_before(6);
        assert_eq!([6, 8, 9].map(|step| log.of(step)), ['b', 'b', 'c']);
        assert_eq!(log.0.len(), 2);
    }
}

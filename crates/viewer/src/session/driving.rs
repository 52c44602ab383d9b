//! Keys that drive bodies. Those of a step are kept: a step that is taken again after going back has them again, until the
//! user holds others.

use super::Session;
use sim::DriveKeys;

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

/// The keys that the user holds, and those of the steps of the present motion.
#[derive(Debug, Default)]
pub(super) struct Driving {
    held: DriveKeys,
    /// The keys of the last step that was begun.
    used: DriveKeys,
    /// Rising.
    runs: Vec<DriveRun>,
}

impl Driving {
    pub(super) fn begin_motion(&mut self) {
        self.runs.clear();
    }

    /// The keys of a step that begins: those that are held, or else those that it had before.
    pub(super) fn begin_step(&mut self, step: u64) -> DriveKeys {
        self.used = if self.held.is_none() { self.keys_of(step) } else { self.held };
        self.used
    }

    /// Keeps the keys of a step that is finished. Where they are not those that it had, later steps have none.
    pub(super) fn keep(&mut self, step: u64) {
        let keys = self.used;
        if self.keys_of(step) == keys {
            return;
        }
        self.forget_from(step);
        match self.runs.last_mut() {
            _ if keys.is_none() => {}
            Some(run) if run.last + 1 == step && run.keys == keys => run.last = step,
            _ => self.runs.push(DriveRun { first: step, last: step, keys }),
        }
    }

    /// Forgets the keys of a step and of all later ones.
    pub(super) fn forget_from(&mut self, step: u64) {
        self.runs.retain(|run| run.first < step);
        if let Some(run) = self.runs.last_mut() {
            run.last = run.last.min(step - 1);
        }
    }

    fn keys_of(&self, step: u64) -> DriveKeys {
        let place = self.runs.partition_point(|run| run.last < step);
        let run = self.runs.get(place).filter(|run| run.first <= step);
        run.map_or(DriveKeys::NONE, |run| run.keys)
    }
}

impl Session {
    /// Holds keys that drive bodies in the steps from now on.
    pub fn set_drive(&mut self, keys: DriveKeys) {
        self.driving.held = keys;
    }

    /// The keys of the steps up to the present one.
    pub fn driven(&self) -> impl Iterator<Item = DriveRun> {
        let step = self.steps();
        let until = self.driving.runs.iter().take_while(move |run| run.first <= step);
        until.map(move |run| DriveRun { last: run.last.min(step), ..*run })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: DriveKeys = DriveKeys { right: true, ..DriveKeys::NONE };
    const UP: DriveKeys = DriveKeys { up: true, ..DriveKeys::NONE };

    /// Takes steps with keys, and returns those that were used.
    fn drive(driving: &mut Driving, held: &[DriveKeys], from: u64) -> Vec<DriveKeys> {
        let step = |(step, held): (u64, &DriveKeys)| {
            driving.held = *held;
            let used = driving.begin_step(step);
            driving.keep(step);
            used
        };
        (from..).zip(held).map(step).collect()
    }

    #[test]
    fn step_that_is_taken_again_has_its_keys_again() {
        let mut driving = Driving::default();
        let none = DriveKeys::NONE;
        drive(&mut driving, &[none, RIGHT, RIGHT, UP, none, UP], 1);
        let runs = [(2, 3, RIGHT), (4, 4, UP), (6, 6, UP)];
        let runs = runs.map(|(first, last, keys)| DriveRun { first, last, keys });
        assert_eq!(driving.runs, runs);
        assert_eq!(drive(&mut driving, &[none; 4], 3), [RIGHT, UP, none, UP]);
        assert_eq!(driving.runs, runs, "nothing has changed");
    }

    #[test]
    fn other_keys_replace_all_that_came_later() {
        let mut driving = Driving::default();
        drive(&mut driving, &[RIGHT; 9], 1);
        let none = DriveKeys::NONE;
        assert_eq!(drive(&mut driving, &[none, UP, none], 4), [RIGHT, UP, none]);
        let runs = [(1, 4, RIGHT), (5, 5, UP)];
        let runs = runs.map(|(first, last, keys)| DriveRun { first, last, keys });
        assert_eq!(driving.runs, runs);
    }

    #[test]
    fn step_that_is_not_finished_keeps_no_keys() {
        let mut driving = Driving { held: RIGHT, ..Driving::default() };
        driving.begin_step(1);
        driving.held = DriveKeys::NONE;
        assert_eq!(driving.begin_step(1), DriveKeys::NONE);
        driving.keep(1);
        assert!(driving.runs.is_empty());
    }
}

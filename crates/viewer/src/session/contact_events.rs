//! When contacts of bodies begin and end.

use super::Session;
use broadphase::Pair;
use measure::{FramesFile, OutputError};
use serde::{Deserialize, Serialize};
use sim::{Bodies, World};
use std::collections::VecDeque;
use std::path::Path;

/// Most events that are kept, some 6 MB. The oldest are dropped first.
pub const MAX_EVENTS: usize = 1 << 18;

/// The begin or the end of a contact. Bodies are in contact in a step if they touch at its end, or met within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContactEvent {
    /// The step, counted from 1: the first one in contact, or the first one after it.
    pub step: u64,
    /// The bodies.
    pub pair: Pair,
    /// Whether the contact begins.
    pub begins: bool,
}

/// A row of `events.csv`.
#[derive(Debug, Default, Serialize, Deserialize)]
struct EventRow {
    step: u64,
    time: f64,
    a: u32,
    b: u32,
    shape_a: String,
    shape_b: String,
    event: String,
}

/// The events of the present motion, and the pairs in contact after the last one of its steps.
#[derive(Debug, Default)]
pub(super) struct ContactEvents {
    events: VecDeque<ContactEvent>,
    /// Sorted.
    touching: Vec<Pair>,
    /// Pairs in contact in the step before. Scratch.
    before: Vec<Pair>,
    /// The last step with events that are not kept: its earlier steps have none left. 0 if all are kept.
    incomplete: u64,
}

impl ContactEvents {
    pub(super) fn begin_motion(&mut self) {
        self.events.clear();
        self.touching.clear();
        self.incomplete = 0;
    }

    /// Notes what began and ended in a step, by the pairs that are in contact in it. Nothing if those in contact before it
    /// are not known.
    fn step(&mut self, step: u64, pairs: impl Iterator<Item = Pair>) {
        std::mem::swap(&mut self.touching, &mut self.before);
        self.touching.clear();
        self.touching.extend(pairs);
        self.touching.sort_unstable();
        self.touching.dedup();
        if step <= self.incomplete {
            return;
        }
        let Self { touching, before, events, incomplete } = self;
        let is_in = |list: &[Pair], pair: &Pair| list.binary_search(pair).is_ok();
        let began = touching.iter().filter(|pair| !is_in(before, pair)).map(|pair| (*pair, true));
        let ended = before.iter().filter(|pair| !is_in(touching, pair)).map(|pair| (*pair, false));
        for (pair, begins) in began.chain(ended) {
            if events.len() == MAX_EVENTS {
                *incomplete = events.pop_front().map_or(0, |oldest| oldest.step);
            }
            events.push_back(ContactEvent { step, pair, begins });
        }
    }

    /// Takes back the events after a step, from which the motion branches. If not all of them are kept, the pairs in contact
    /// there are not known, so that the next step has no events.
    pub(super) fn branch(&mut self, step: u64) {
        if step == 0 {
            self.begin_motion();
        } else if self.incomplete > step {
            self.begin_motion();
            self.incomplete = step + 1;
        }
        while let Some(ContactEvent { pair, begins, .. }) =
            self.events.pop_back_if(|event| event.step > step)
        {
            match (self.touching.binary_search(&pair), begins) {
                (Ok(place), true) => _ = self.touching.remove(place),
                (Err(place), false) => self.touching.insert(place, pair),
                _ => {}
            }
        }
    }
}

impl Session {
    /// Notes the contacts of the present step, which is finished.
    pub(super) fn note_contacts(&mut self) {
        let step = self.steps();
        if let Some(bodies) = self.motion.world().and_then(World::bodies) {
            self.contact_events.step(step, in_contact(bodies));
        }
    }

    /// The events up to the present step, the newest first.
    pub fn contact_events(&self) -> impl Iterator<Item = &ContactEvent> {
        let step = self.steps();
        self.contact_events.events.iter().rev().skip_while(move |event| event.step > step)
    }

    /// Writes the events up to the present step into a table of their steps, times, bodies and shapes. Returns their number.
    ///
    /// # Errors
    ///
    /// As [`export`](Self::export).
    pub fn export_events(&self, path: &Path) -> Result<usize, OutputError> {
        let shape_of = |object: u32| -> String {
            let bodies = self.world().and_then(World::bodies);
            let named = bodies.map(|bodies| &bodies.shapes()[bodies.shape_of(object as usize)]);
            named.map(|named| named.name.clone()).unwrap_or_default()
        };
        let time_step = f64::from(self.motion.time_step());
        let row = |event: &ContactEvent| EventRow {
            step: event.step,
            time: event.step as f64 * time_step,
            a: event.pair.a,
            b: event.pair.b,
            shape_a: shape_of(event.pair.a),
            shape_b: shape_of(event.pair.b),
            event: (if event.begins { "begin" } else { "end" }).to_owned(),
        };
        let mut rows: Vec<EventRow> = self.contact_events().map(row).collect();
        rows.reverse();
        let number = rows.len();
        FramesFile::create(path)?.write(rows)?;
        Ok(number)
    }
}

/// The pairs that the world answered in its last step: they touched at its end, or met within it.
fn in_contact(bodies: &Bodies) -> impl Iterator<Item = Pair> {
    let at_end = bodies.contacts().iter().map(|contact| contact.pair);
    at_end.chain(bodies.impacts().iter().map(|impact| impact.pair))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair(a: u32, b: u32) -> Pair {
        Pair { a, b }
    }

    /// Events as words, oldest first: `3+0.1` begins in step 3.
    fn words(events: &ContactEvents) -> String {
        let word = |ContactEvent { step, pair, begins }: &ContactEvent| {
            format!("{step}{}{}.{}", if *begins { '+' } else { '-' }, pair.a, pair.b)
        };
        events.events.iter().map(word).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn contacts_begin_and_end_once_each() {
        let mut events = ContactEvents::default();
        // Reported twice, and in no order: at the end of the step and within it.
        events.step(1, [pair(2, 3), pair(0, 1), pair(2, 3)].into_iter());
        events.step(2, [pair(0, 1)].into_iter());
        events.step(3, [pair(0, 1), pair(1, 2)].into_iter());
        events.step(4, std::iter::empty());
        assert_eq!(words(&events), "1+0.1 1+2.3 2-2.3 3+1.2 4-0.1 4-1.2");
    }

    #[test]
    fn branch_takes_back_what_came_after_its_step() {
        let mut events = ContactEvents::default();
        events.step(1, [pair(0, 1)].into_iter());
        events.step(2, [pair(2, 3)].into_iter());
        events.step(3, [pair(0, 1), pair(2, 3)].into_iter());
        events.branch(1);
        assert_eq!((words(&events).as_str(), &events.touching[..]), ("1+0.1", &[pair(0, 1)][..]));
        events.step(2, [pair(0, 1)].into_iter());
        assert_eq!(words(&events), "1+0.1", "it goes on in the other motion");
        events.begin_motion();
        events.step(1, [pair(0, 1)].into_iter());
        assert_eq!(words(&events), "1+0.1");
    }

    /// A contact in step 1, and `number` others in step 2.
    fn crowd(number: usize) -> ContactEvents {
        let mut events = ContactEvents::default();
        let others = (2..).map(|other| pair(0, other)).take(number);
        events.step(1, [pair(0, 1)].into_iter());
        events.step(2, std::iter::once(pair(0, 1)).chain(others));
        events
    }

    #[test]
    fn branch_knows_contacts_where_later_events_are_kept() {
        let mut events = crowd(MAX_EVENTS);
        events.branch(1);
        assert_eq!((words(&events).as_str(), &events.touching[..]), ("", &[pair(0, 1)][..]));
        events.step(2, std::iter::empty());
        assert_eq!(words(&events), "2-0.1");
    }

    #[test]
    fn branch_before_dropped_events_reports_none_in_its_step() {
        // The first of the events in step 2 is dropped.
        let mut events = crowd(MAX_EVENTS + 1);
        for _ in 0..2 {
            events.branch(1);
            events.step(2, [pair(0, 1), pair(1, 2)].into_iter());
            assert_eq!(words(&events), "", "it is not known when these began");
        }
        events.step(3, [pair(0, 1)].into_iter());
        assert_eq!(words(&events), "3-1.2");
        events.branch(2);
        events.step(3, [pair(1, 2)].into_iter());
        assert_eq!(words(&events), "3-0.1");
        // No bodies are in contact before the first step.
        events.branch(0);
        events.step(1, [pair(0, 1)].into_iter());
        assert_eq!(words(&events), "1+0.1");
    }

    #[test]
    fn oldest_events_are_dropped_first() {
        let mut events = ContactEvents::default();
        for step in 1..=MAX_EVENTS as u64 + 3 {
            let now = [pair(0, 1)].into_iter().take((step % 2) as usize);
            events.step(step, now);
        }
        assert_eq!(events.events.len(), MAX_EVENTS);
        assert_eq!(events.events.front().map(|event| event.step), Some(4));
    }
}

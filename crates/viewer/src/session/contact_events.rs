//! When contacts of bodies begin and end.

use super::Session;
use broadphase::Pair;
use measure::write_rows;
use serde::{Deserialize, Serialize};
use sim::World;
use std::collections::VecDeque;
use std::io;

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

/// The events of the present motion.
#[derive(Debug, Default)]
pub(super) struct ContactEvents {
    events: VecDeque<ContactEvent>,
}

impl ContactEvents {
    /// Notes which contacts began and ended in a step, by the sorted pairs in contact before and after it.
    fn step(&mut self, step: u64, before: &[Pair], after: &[Pair]) {
        let is_in = |list: &[Pair], pair: &Pair| list.binary_search(pair).is_ok();
        let began = after.iter().filter(|pair| !is_in(before, pair)).map(|pair| (*pair, true));
        let ended = before.iter().filter(|pair| !is_in(after, pair)).map(|pair| (*pair, false));
        for (pair, begins) in began.chain(ended) {
            if self.events.len() == MAX_EVENTS {
                self.events.pop_front();
            }
            self.events.push_back(ContactEvent { step, pair, begins });
        }
    }

    /// Forgets the events after a step: other ones follow.
    pub(super) fn forget_after(&mut self, step: u64) {
        while self.events.pop_back_if(|event| event.step > step).is_some() {}
    }
}

impl Session {
    /// Notes the contacts of the present step, which is finished.
    pub(super) fn note_contacts(&mut self) {
        let [before, after] = self.motion.contacts();
        self.contact_events.step(self.motion.steps(), before, after);
    }

    /// The events up to the present step, the newest first.
    pub fn contact_events(&self) -> impl Iterator<Item = &ContactEvent> {
        let step = self.steps();
        self.contact_events.events.iter().rev().skip_while(move |event| event.step > step)
    }

    /// The events up to the present step as a table of their steps, times, bodies and shapes, with their number.
    ///
    /// # Errors
    ///
    /// As [`export`](Self::export).
    pub fn export_events(&self) -> io::Result<(Vec<u8>, usize)> {
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
        let (mut table, number) = (Vec::new(), rows.len());
        write_rows(&mut table, rows)?;
        Ok((table, number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oldest_events_are_dropped_first() {
        let mut events = ContactEvents::default();
        for step in 1..=MAX_EVENTS as u64 + 3 {
            let [before, after] = if step % 2 == 1 { [0, 1] } else { [1, 0] };
            let pair = [Pair { a: 0, b: 1 }];
            events.step(step, &pair[..before], &pair[..after]);
        }
        assert_eq!(events.events.len(), MAX_EVENTS);
        assert_eq!(events.events.front().map(|event| event.step), Some(4));
    }
}

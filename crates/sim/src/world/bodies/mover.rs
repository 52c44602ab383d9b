//! A body that moves along a straight line and rotates freely.

use super::solid::{BodyState, Solid};
use narrowphase::contact::Contacts;
use narrowphase::impact::bilateral::{Advancement, Paths};
use narrowphase::{Body, Pose, Reference, Shape};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most work of a body in a step, in comparisons of one of its parts with a plane or another part; then it waits at its last
/// free pose until the next step. The search for a first contact of two bodies may take as much. 65,536 take some tenths of a
/// second. A comparison that has begun is completed, so that some thousand more are possible.
pub const MAX_WORK: u32 = 1 << 16;

/// Most times that a piece of a path is halved to see whether a plane separates in all of it: a millionth of the depth that
/// the rotation in the piece allows may be passed.
pub(super) const MAX_HALVINGS: u32 = 10;

/// Work of a contact, so that a body has at most 32 of them in a step.
pub(super) const CONTACT_WORK: u32 = MAX_WORK / 32;

/// A body that moves, and what is needed to know where it will be.
#[derive(Clone, Copy)]
pub(super) struct Mover<'a> {
    pub(super) object: usize,
    pub(super) solid: &'a Solid,
    pub(super) shape: &'a Shape,
    pub(super) work: &'a Work<'a>,
}

/// The work of a search so far.
pub(super) struct Work<'a> {
    done: Cell<u32>,
    stop: &'a AtomicBool,
}

impl<'a> Work<'a> {
    /// Goes on where `done` was done.
    pub(super) fn new(done: u32, stop: &'a AtomicBool) -> Self {
        Self { done: Cell::new(done), stop }
    }

    pub(super) fn done(&self) -> u32 {
        self.done.get()
    }

    pub(super) fn add(&self, work: u32) {
        self.done.set(self.done.get().saturating_add(work));
    }

    /// Whether the search for free poses has to end here: at the bound of its work, or since the step is stopped.
    pub(super) fn is_spent(&self) -> bool {
        self.done.get() >= MAX_WORK || self.stop.load(Ordering::Relaxed)
    }
}

impl<'a> Mover<'a> {
    /// The state after a sub-step without a bounce.
    pub(super) fn moved(&self, state: &BodyState, time: f64) -> BodyState {
        self.work.add(1);
        self.solid.moved(state, time)
    }

    /// Counts the comparison of the parts of the body with those of another one.
    pub(super) fn compares(&self, other: &Body<'_>) {
        self.work.add((self.shape.parts().len() * other.shape.parts().len()) as u32);
    }

    /// Whether the search for free poses has to end here.
    pub(super) fn is_spent(&self) -> bool {
        self.work.is_spent()
    }

    pub(super) fn body(&self, state: &BodyState) -> Body<'a> {
        Body { shape: self.shape, scale: self.solid.scale, pose: state.pose() }
    }
}

/// Two bodies, each in a piece of its path or fixed.
pub(super) struct Legs<'a> {
    pub(super) movers: [Mover<'a>; 2],
    /// At the starts of the pieces.
    pub(super) states: [BodyState; 2],
    /// Seconds from the starts of the pieces to time 0.
    pub(super) offsets: [f64; 2],
    /// The last time that was asked for, and the poses then: many pairs of parts are asked about at the same time.
    last: Cell<Option<(f64, [Pose; 2])>>,
}

impl<'a> Legs<'a> {
    pub(super) fn new(movers: [Mover<'a>; 2], states: [BodyState; 2], offsets: [f64; 2]) -> Self {
        Self { movers, states, offsets, last: Cell::default() }
    }

    /// The same from a later time on, which becomes time 0.
    pub(super) fn after(self, time: f64) -> Self {
        Self::new(self.movers, self.states, self.offsets.map(|offset| offset + time))
    }
}

impl<'a> Paths<'a> for Legs<'a> {
    fn bodies(&self, time: f64) -> [Body<'a>; 2] {
        let pose = |i: usize| self.movers[i].moved(&self.states[i], self.offsets[i] + time).pose();
        let poses = match self.last.get() {
            Some((last, poses)) if last == time => {
                // Work bounds the same searches, whatever is kept.
                self.movers[0].work.add(2);
                poses
            }
            _ => [pose(0), pose(1)],
        };
        self.last.set(Some((time, poses)));
        [0, 1].map(|i| Body { pose: poses[i], ..self.movers[i].body(&self.states[i]) })
    }

    fn first_stays(&self) -> bool {
        self.movers[0].solid.is_fixed()
    }

    fn compares(&self) {
        let [a, b] = &self.movers;
        a.compares(&b.body(&self.states[1]));
    }

    fn is_spent(&self) -> bool {
        self.movers[0].is_spent()
    }
}

/// Memory of the searches for contacts, reused from pair to pair.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    pub(super) advancement: Advancement,
    pub(super) contacts: Contacts,
    pub(super) reference: Reference,
}

//! A body that moves along a straight line and rotates freely.

use super::solid::{BodyState, Solid};
use narrowphase::{Body, Shape};
use std::cell::Cell;
use std::sync::atomic::{AtomicBool, Ordering};

/// Most work of a search for the path of a body, in comparisons of one of its parts with a plane or another part; then it
/// waits at its last free pose until the next step. In continuous worlds, each push begins such a search, and so does each
/// comparison of two pieces of paths. 65,536 take some tenths of a second. A comparison that has begun is completed, so
/// that some thousand more are possible.
pub const MAX_WORK: u32 = 1 << 16;

/// Most times that a piece of a path is halved to see whether a plane separates in all of it: a millionth of the depth that
/// the rotation in the piece allows may be passed.
pub(super) const MAX_HALVINGS: u32 = 10;

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
    pub(super) fn new(stop: &'a AtomicBool) -> Self {
        Self { done: Cell::new(0), stop }
    }

    pub(super) fn done(&self) -> u32 {
        self.done.get()
    }

    fn add(&self, work: usize) {
        self.done.set(self.done.get().saturating_add(work as u32));
    }

    /// Whether the search for free poses has to end here: at the bound of its work, or since the step is stopped.
    pub(super) fn is_spent(&self) -> bool {
        self.done.get() >= MAX_WORK || self.stop.load(Ordering::Relaxed)
    }
}

impl<'a> Mover<'a> {
    /// The state after a sub-step without a bounce.
    pub(super) fn moved(&self, state: &BodyState, time: f64) -> BodyState {
        self.work.add(self.shape.parts().len());
        self.solid.moved(state, time)
    }

    /// Counts the comparison of the parts of the body with those of another one.
    pub(super) fn compares(&self, other: &Body<'_>) {
        self.work.add(self.shape.parts().len() * other.shape.parts().len());
    }

    /// Whether the search for free poses has to end here.
    pub(super) fn is_spent(&self) -> bool {
        self.work.is_spent()
    }

    pub(super) fn body(&self, state: &BodyState) -> Body<'a> {
        Body { shape: self.shape, scale: self.solid.scale, pose: state.pose() }
    }
}

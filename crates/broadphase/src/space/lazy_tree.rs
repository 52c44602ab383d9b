//! The tree for queries of an algorithm.

use super::{Hit, Probe, Query, QueryTree};
use crate::Aabb;
use crate::memory::Memory;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The tree of a frame with queries is kept for this many frames without any.
const MAX_IDLE: u32 = 40;

/// A tree that is brought up to date by the first query of a frame. Without queries it costs a branch a frame.
#[derive(Debug, Default)]
pub(crate) struct LazyTree {
    /// The tree of this frame, from the first query on.
    fresh: OnceLock<Box<QueryTree>>,
    /// The tree of an earlier frame until then.
    stale: Mutex<Option<Box<QueryTree>>>,
    /// Frames without a query.
    idle: u32,
}

/// A copy is built by its own first query.
impl Clone for LazyTree {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl LazyTree {
    /// Begins a frame: the boxes are other ones now.
    pub(crate) fn begin_frame(&mut self) {
        let stale = self.stale.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(tree) = self.fresh.take() {
            (*stale, self.idle) = (Some(tree), 0);
        } else if stale.is_some() {
            self.idle += 1;
            if self.idle > MAX_IDLE {
                *stale = None;
            }
        }
    }

    /// On this thread alone: in a pool, a thread that waits for others may begin a task that queries this tree, and so would
    /// wait for itself.
    fn tree(&self, boxes: &[Aabb]) -> &QueryTree {
        self.fresh.get_or_init(|| {
            let mut stale = self.stale.lock().unwrap_or_else(PoisonError::into_inner);
            let mut tree = stale.take().unwrap_or_default();
            tree.update_on(1, boxes);
            tree
        })
    }
}

impl Memory for LazyTree {
    fn heap_bytes(&self) -> usize {
        let stale = self.stale.lock().unwrap_or_else(PoisonError::into_inner);
        let tree = self.fresh.get().or(stale.as_ref());
        tree.map_or(0, |tree| tree.heap_bytes() + size_of::<QueryTree>())
    }

    fn trim(&mut self) {
        if let Some(tree) = self.stale.get_mut().unwrap_or_else(PoisonError::into_inner) {
            tree.trim();
        }
    }
}

impl Query for LazyTree {
    fn search(&self, boxes: &[Aabb], probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> f64) {
        self.tree(boxes).search(boxes, probe, visit);
    }
}

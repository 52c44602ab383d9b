//! The tree for queries of a space.

use crate::Aabb;
use crate::memory::Memory;
use crate::query::QueryTree;
use std::sync::{Mutex, OnceLock, PoisonError};

/// The tree of a step with queries is kept for this many steps without any.
const MAX_IDLE: u32 = 40;

/// A tree that is brought up to date by the first query after a change. Without queries it costs a branch a step.
#[derive(Debug, Default)]
pub(super) struct LazyTree {
    /// The tree of the boxes as they are, from the first query on.
    fresh: OnceLock<Box<QueryTree>>,
    /// The tree of earlier boxes until then.
    stale: Mutex<Option<Box<QueryTree>>>,
    /// Steps without a query.
    idle: u32,
}

impl LazyTree {
    /// The boxes are other ones now.
    pub(super) fn outdate(&mut self) {
        if let Some(tree) = self.fresh.take() {
            *self.stale.get_mut().unwrap_or_else(PoisonError::into_inner) = Some(tree);
            self.idle = 0;
        }
    }

    /// Counts a step.
    pub(super) fn end_step(&mut self) {
        self.outdate();
        self.idle = self.idle.saturating_add(1);
        if self.idle > MAX_IDLE {
            *self.stale.get_mut().unwrap_or_else(PoisonError::into_inner) = None;
        }
    }

    /// The tree of the boxes. It is updated on this thread alone: in a pool, a thread that waits for others may begin a task
    /// that queries this tree, and so would wait for itself.
    pub(super) fn over(&self, boxes: &[Aabb]) -> &QueryTree {
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

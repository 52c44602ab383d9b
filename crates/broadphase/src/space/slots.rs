//! Which object has which slot.

use super::BoxFault;
use crate::memory::{Heap, Memory};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::atomic::{AtomicU64, Ordering};

/// Objects inserted into any space of this process. So no two objects have the same serial number, also not in a space
/// and its copy.
static INSERTED: AtomicU64 = AtomicU64::new(0);

/// An object of a [`Space`](super::Space): its slot, and a serial number that no other object of this process has.
///
/// Ids are ordered by slot. Serial numbers differ between two runs: what is saved or sent is the caller's number of the
/// object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId {
    pub(super) slot: u32,
    serial: u64,
}

impl ObjectId {
    /// The index of its box in [`Space::boxes`](super::Space::boxes).
    pub fn slot(self) -> u32 {
        self.slot
    }
}

/// Why a call on a [`Space`](super::Space) was refused. Nothing is changed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SpaceError {
    /// The id is that of a removed object, or of another space.
    #[error(
        "expected an object of this space, found {0:?}: it was removed, or is of another space"
    )]
    NoObject(ObjectId),
    /// The box has a NaN, or an infinite side.
    #[error("expected a finite or an empty box: {0}")]
    BadBox(BoxFault),
    /// All slots are taken.
    #[error("all {limit} slots are taken, by objects or by those removed since the last step")]
    Full {
        /// The limit set by [`Space::max_slots`](super::Space::max_slots).
        limit: u32,
    },
}

/// A slot, and the object that has it, or had it last. Sixteen bytes, so that none lies in two cache lines: to read the ids of
/// a pair takes two of them.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// Twice the serial number, and 1 while the object has the slot.
    state: u64,
    user: u64,
}

impl Slot {
    fn taken(serial: u64, user: u64) -> Self {
        Self { state: 2 * serial + 1, user }
    }

    fn serial(self) -> u64 {
        self.state / 2
    }

    fn is_live(self) -> bool {
        self.state % 2 == 1
    }

    fn release(&mut self) {
        self.state &= !1;
    }
}

/// The slots of a space.
///
/// The slot of an object that was in the last step is not taken before the next one. So a pair of slots in two consecutive
/// steps is a pair of the same objects.
#[derive(Clone, Debug)]
pub(super) struct Slots {
    each: Vec<Slot>,
    /// Slots that may be taken, the lowest first: those at the end can be dropped.
    holes: BinaryHeap<Reverse<u32>>,
    /// Slots of objects that were in the last step, and were removed since.
    removed: Vec<u32>,
    /// The serial numbers of the newest object, and of that in the last step.
    newest: u64,
    newest_in_step: u64,
    pub(super) live: usize,
    pub(super) limit: u32,
}

impl Default for Slots {
    fn default() -> Self {
        Self {
            each: Vec::new(),
            holes: BinaryHeap::new(),
            removed: Vec::new(),
            newest: 0,
            newest_in_step: 0,
            live: 0,
            limit: u32::MAX,
        }
    }
}

impl Memory for Slots {
    fn heap(&self) -> Heap {
        let (holes, hole) = (&self.holes, size_of::<u32>());
        let holes = Heap { held: holes.capacity() * hole, used: holes.len() * hole };
        self.each.heap() + holes + self.removed.heap()
    }

    fn trim(&mut self) {
        self.each.trim();
        self.holes.shrink_to(2 * self.holes.len());
        self.removed.trim();
    }
}

impl Slots {
    /// Gives a new object a slot.
    pub(super) fn take(&mut self, user: u64) -> Result<ObjectId, SpaceError> {
        let end = self.each.len() as u32;
        let slot = match self.holes.pop() {
            Some(Reverse(hole)) => hole,
            None if end < self.limit => end,
            None => return Err(SpaceError::Full { limit: self.limit }),
        };
        self.newest = INSERTED.fetch_add(1, Ordering::Relaxed) + 1;
        self.live += 1;
        let taken = Slot::taken(self.newest, user);
        match self.each.get_mut(slot as usize) {
            Some(free) => *free = taken,
            None => self.each.push(taken),
        }
        Ok(ObjectId { slot, serial: self.newest })
    }

    /// The index of an object's slot.
    pub(super) fn check(&self, id: ObjectId) -> Result<usize, SpaceError> {
        match self.id_at(id.slot) {
            Some(found) if found == id => Ok(id.slot as usize),
            _ => Err(SpaceError::NoObject(id)),
        }
    }

    /// Frees the slot of an object. Returns its user number.
    pub(super) fn release(&mut self, id: ObjectId) -> Result<u64, SpaceError> {
        let slot = self.check(id)?;
        self.each[slot].release();
        self.live -= 1;
        if id.serial > self.newest_in_step {
            self.holes.push(Reverse(id.slot));
        } else {
            self.removed.push(id.slot);
        }
        Ok(self.each[slot].user)
    }

    /// The object in a slot.
    pub(super) fn id_at(&self, slot: u32) -> Option<ObjectId> {
        let found = self.each.get(slot as usize).filter(|found| found.is_live())?;
        Some(ObjectId { slot, serial: found.serial() })
    }

    /// The object in a slot of the last step or the one before, removed or not, and its user number.
    pub(super) fn last(&self, slot: u32) -> (ObjectId, u64) {
        let found = self.each[slot as usize];
        (ObjectId { slot, serial: found.serial() }, found.user)
    }

    /// The user number of the object that has a slot, or had it last.
    pub(super) fn user(&self, slot: usize) -> u64 {
        self.each[slot].user
    }

    /// Drops the free slots at the end, once they are most of all slots. Returns the number of slots.
    pub(super) fn drop_end(&mut self) -> usize {
        let end_of_live =
            self.each.iter().rposition(|slot| slot.is_live()).map_or(0, |last| last + 1);
        if end_of_live < self.each.len() / 2 {
            let end_of_removed = self.removed.iter().max().map_or(0, |last| *last as usize + 1);
            let end = end_of_live.max(end_of_removed);
            self.each.truncate(end);
            self.holes.retain(|Reverse(hole)| (*hole as usize) < end);
        }
        self.each.len()
    }

    /// Ends a step: slots of objects that were removed before it may be taken.
    pub(super) fn end_step(&mut self) {
        self.holes.extend(self.removed.drain(..).map(Reverse));
        self.newest_in_step = self.newest;
    }
}

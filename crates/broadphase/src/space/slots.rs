//! Which object has which slot.

use super::BoxFault;
use crate::memory::Memory;
use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;
use std::cmp::{Ordering as Order, Reverse};
use std::collections::BinaryHeap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::{AtomicU64, Ordering};

/// Objects inserted into any space of this process. So no two objects have the same serial number, also not in a space
/// and its copy.
static INSERTED: AtomicU64 = AtomicU64::new(0);

/// An object of a [`Space`](super::Space): a serial number that no other object of this process has.
///
/// Ids are ordered as their objects were inserted. Serial numbers differ between two runs: what is saved or sent is the
/// caller's number of the object.
#[derive(Clone, Copy, Debug)]
pub struct ObjectId {
    /// Its slot when this id was returned, where it is looked for first. No part of its identity.
    slot: u32,
    serial: u64,
}

impl Ord for ObjectId {
    fn cmp(&self, other: &Self) -> Order {
        self.serial.cmp(&other.serial)
    }
}

impl PartialOrd for ObjectId {
    fn partial_cmp(&self, other: &Self) -> Option<Order> {
        Some(self.cmp(other))
    }
}

impl PartialEq for ObjectId {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for ObjectId {}

impl Hash for ObjectId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.serial.hash(state);
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
    fn serial(self) -> u64 {
        self.state / 2
    }

    fn is_live(self) -> bool {
        self.state % 2 == 1
    }
}

/// The slots of a space.
///
/// The slot of an object that was in the last step is not taken before the next one. So a pair of slots in two consecutive
/// steps is a pair of the same objects.
///
/// Once most slots are free, the others close up. So there are at most about twice as many as objects, and the lists by
/// slot that a step reads are no longer.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    each: Vec<Slot>,
    /// Slots that may be taken, the lowest first.
    holes: BinaryHeap<Reverse<u32>>,
    /// Serial numbers and slots of the objects that closing up has moved.
    moved: HashMap<u64, u32, FxBuildHasher>,
    /// Slots of objects that were in the last step, and were removed since.
    removed: Vec<u32>,
    /// The serial numbers of the newest object, and of that in the last step.
    newest: u64,
    newest_in_step: u64,
    pub(super) live: usize,
    /// Most slots, where a limit is set.
    pub(super) limit: Option<u32>,
}

impl Memory for Slots {
    fn heap_bytes(&self) -> usize {
        let holes = self.holes.capacity() * size_of::<u32>();
        self.each.heap_bytes() + holes + self.moved.heap_bytes() + self.removed.heap_bytes()
    }

    fn trim(&mut self) {
        self.each.trim();
        self.holes.shrink_to(2 * self.holes.len());
        self.moved.trim();
        self.removed.trim();
    }
}

impl Slots {
    /// Gives a new object a slot.
    pub(super) fn take(&mut self, user: u64) -> Result<ObjectId, SpaceError> {
        let (end, limit) = (self.each.len() as u32, self.limit.unwrap_or(u32::MAX));
        let slot = match self.holes.pop() {
            Some(Reverse(hole)) => hole,
            None if end < limit => end,
            None => return Err(SpaceError::Full { limit }),
        };
        self.newest = INSERTED.fetch_add(1, Ordering::Relaxed) + 1;
        self.live += 1;
        let taken = Slot { state: 2 * self.newest + 1, user };
        match self.each.get_mut(slot as usize) {
            Some(free) => *free = taken,
            None => self.each.push(taken),
        }
        Ok(ObjectId { slot, serial: self.newest })
    }

    /// The index of an object's slot.
    pub(super) fn check(&self, id: ObjectId) -> Result<usize, SpaceError> {
        if self.id_at(id.slot) == Some(id) {
            return Ok(id.slot as usize);
        }
        let moved = self.moved.get(&id.serial).ok_or(SpaceError::NoObject(id));
        moved.map(|slot| *slot as usize)
    }

    /// Frees the slot of an object. Returns its user number.
    pub(super) fn release(&mut self, id: ObjectId) -> Result<u64, SpaceError> {
        let slot = self.check(id)?;
        self.each[slot].state &= !1;
        self.live -= 1;
        self.moved.remove(&id.serial);
        if id.serial > self.newest_in_step {
            self.holes.push(Reverse(slot as u32));
        } else {
            self.removed.push(slot as u32);
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

    /// Closes up if most slots are free, in the same order. Returns the new slots by the old ones: [`FREE`] for those that
    /// are dropped.
    pub(super) fn close_up(&mut self) -> Option<Vec<u32>> {
        if self.live + self.removed.len() >= self.each.len() / 2 {
            return None;
        }
        let place = |slot: &Slot| if slot.is_live() { 0 } else { FREE };
        let mut places: Vec<u32> = self.each.iter().map(place).collect();
        // The pairs of the last step have them.
        self.removed.iter().for_each(|slot| places[*slot as usize] = 0);
        let kept = places.iter_mut().filter(|place| **place != FREE);
        kept.zip(0..).for_each(|(place, new)| *place = new);
        for ((old, slot), new) in (0..).zip(&self.each).zip(&places) {
            if slot.is_live() && old != *new {
                self.moved.insert(slot.serial(), *new);
            }
        }
        close_up(&mut self.each, &places);
        self.removed.iter_mut().for_each(|slot| *slot = places[*slot as usize]);
        self.holes.clear();
        Some(places)
    }

    /// Ends a step: slots of objects that were removed before it may be taken.
    pub(super) fn end_step(&mut self) {
        self.holes.extend(self.removed.drain(..).map(Reverse));
        self.newest_in_step = self.newest;
    }
}

/// The new slot of one that is dropped.
pub(super) const FREE: u32 = u32::MAX;

/// Moves the elements of a list by slot to their new slots.
pub(super) fn close_up<T>(list: &mut Vec<T>, places: &[u32]) {
    let mut places = places.iter();
    list.retain(|_| places.next() != Some(&FREE));
}

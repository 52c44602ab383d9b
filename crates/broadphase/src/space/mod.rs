//! Objects by handle, for programs that insert and remove them at any time.

mod history;
mod lazy_tree;
mod slots;
mod step;

use crate::memory::{Memory, Upkeep, memory};
use crate::query::QueryTree;
use crate::{Aabb, Auto, BoxFault, BroadPhase, Frame, Layer, Limits};
use history::History;
use lazy_tree::LazyTree;
pub use slots::{ObjectId, SpaceError};
use slots::{Slots, close_up};
use std::fmt;
pub use step::{ObjectPair, Step};

/// Objects by handle: insert, move and remove them one at a time, and get the pairs of all of them in each step.
///
/// It owns an algorithm, [`Auto`] unless another is [given](Self::with), and a list of boxes by *slot*. A removed object
/// leaves [`Aabb::EMPTY`] in its slot, which a later object takes. Every [`ObjectId`] is checked. If its object was removed
/// or is in another space, the call is an error.
///
/// Only calls for objects that change are needed. A step costs what a [`Frame`] of the slots costs, plus what the caller
/// reads of its [`Step`]. Once most slots are free, a step closes them up: objects get other slots, in the same order, and
/// keep their ids. So a space that was large costs what its objects cost. All memory is reused, and given back after a burst:
/// steady steps hardly allocate.
///
/// ```
/// use broadphase::glam::Vec3;
/// use broadphase::{Aabb, Layer, Space};
///
/// let mut space = Space::new();
/// let ball = space.insert(Aabb::around_sphere(Vec3::ZERO, 1.0), Layer::ALL, 7)?;
/// let wall = space.insert(Aabb::around_sphere(Vec3::X * 9.0, 1.0), Layer::STATIC, 8)?;
/// assert_eq!(space.step().pairs().len(), 0);
///
/// space.set_box(ball, Aabb::around_sphere(Vec3::X * 8.0, 1.0))?;
/// let mut step = space.step();
/// assert!(step.began().all(|pair| pair.ids == [ball, wall] && pair.users == [7, 8]));
///
/// space.remove(wall)?;
/// assert_eq!(space.step().ended().count(), 1);
/// assert!(space.remove(wall).is_err(), "it was removed before");
/// # Ok::<(), broadphase::SpaceError>(())
/// ```
///
/// Objects cannot be removed while they are iterated over. This does not compile; collect the ids first:
///
/// ```compile_fail,E0502
/// # let mut space = broadphase::Space::new();
/// for id in space.ids() {
///     space.remove(id);
/// }
/// ```
pub struct Space {
    broad_phase: Box<dyn BroadPhase>,
    slots: Slots,
    /// The box of each slot.
    boxes: Vec<Aabb>,
    layers: Vec<Layer>,
    /// Objects whose layer is not [`Layer::ALL`]. Without any, the layers are not passed on, and cost nothing.
    layered: usize,
    history: History,
    tree: LazyTree,
    upkeep: Upkeep,
}

memory!(Space: slots, boxes, layers, history, tree);

impl Space {
    /// A space without objects, searched by [`Auto`].
    pub fn new() -> Self {
        Self::with(Box::<Auto>::default())
    }

    /// A space without objects, searched by an algorithm.
    pub fn with(broad_phase: Box<dyn BroadPhase>) -> Self {
        Self {
            broad_phase,
            slots: Slots::default(),
            boxes: Vec::new(),
            layers: Vec::new(),
            layered: 0,
            history: History::default(),
            tree: LazyTree::default(),
            upkeep: Upkeep::default(),
        }
    }

    /// The same space, with at most `limit` slots: 2^32 - 1 without this call. The slot of a removed object is free after the
    /// next step; at once if the object was in none.
    #[must_use]
    pub fn max_slots(mut self, limit: u32) -> Self {
        self.slots.limit = Some(limit);
        self
    }

    /// Adds an object with a number of the caller's: an index, a key, or a pointer. It is in the pairs from the next step on.
    ///
    /// # Errors
    ///
    /// [`SpaceError::BadBox`], and [`SpaceError::Full`] if all slots are taken. An empty box is none: the object is absent.
    pub fn insert(&mut self, b: Aabb, layer: Layer, user: u64) -> Result<ObjectId, SpaceError> {
        b.check().map_err(SpaceError::BadBox)?;
        let id = self.slots.take(user)?;
        let slot = self.slots.check(id)?;
        if slot == self.boxes.len() {
            self.boxes.push(b);
            self.layers.push(layer);
        } else {
            (self.boxes[slot], self.layers[slot]) = (b, layer);
        }
        self.layered += usize::from(layer != Layer::ALL);
        self.history.mark(slot as u32);
        self.tree.outdate();
        Ok(id)
    }

    /// Moves an object. The same box again costs no search.
    ///
    /// # Errors
    ///
    /// [`SpaceError::NoObject`] and [`SpaceError::BadBox`]. The object then keeps its box.
    pub fn set_box(&mut self, id: ObjectId, b: Aabb) -> Result<(), SpaceError> {
        let slot = self.slots.check(id)?;
        b.check().map_err(SpaceError::BadBox)?;
        if self.boxes[slot] != b {
            self.history.mark(slot as u32);
            self.tree.outdate();
        }
        self.boxes[slot] = b;
        Ok(())
    }

    /// Changes the collision filter of an object.
    ///
    /// # Errors
    ///
    /// [`SpaceError::NoObject`].
    pub fn set_layer(&mut self, id: ObjectId, layer: Layer) -> Result<(), SpaceError> {
        let slot = self.slots.check(id)?;
        let before = std::mem::replace(&mut self.layers[slot], layer);
        self.layered -= usize::from(before != Layer::ALL);
        self.layered += usize::from(layer != Layer::ALL);
        self.history.mark(slot as u32);
        Ok(())
    }

    /// Removes an object, and returns its number. Its pairs end in the next step.
    ///
    /// # Errors
    ///
    /// [`SpaceError::NoObject`], also if it was removed before.
    pub fn remove(&mut self, id: ObjectId) -> Result<u64, SpaceError> {
        self.set_layer(id, Layer::ALL)?;
        let slot = self.slots.check(id)?;
        self.boxes[slot] = Aabb::EMPTY;
        self.tree.outdate();
        self.slots.release(id)
    }

    /// Whether this space has the object.
    pub fn contains(&self, id: ObjectId) -> bool {
        self.slots.check(id).is_ok()
    }

    /// The number that the caller gave an object.
    ///
    /// # Errors
    ///
    /// [`SpaceError::NoObject`].
    pub fn user(&self, id: ObjectId) -> Result<u64, SpaceError> {
        Ok(self.slots.user(self.slots.check(id)?))
    }

    /// The box of an object.
    ///
    /// # Errors
    ///
    /// [`SpaceError::NoObject`].
    pub fn box_of(&self, id: ObjectId) -> Result<Aabb, SpaceError> {
        Ok(self.boxes[self.slots.check(id)?])
    }

    /// The collision filter of an object.
    ///
    /// # Errors
    ///
    /// [`SpaceError::NoObject`].
    pub fn layer_of(&self, id: ObjectId) -> Result<Layer, SpaceError> {
        Ok(self.layers[self.slots.check(id)?])
    }

    /// The index of an object's box in [`boxes`](Self::boxes), until the next step.
    ///
    /// # Errors
    ///
    /// [`SpaceError::NoObject`].
    pub fn slot(&self, id: ObjectId) -> Result<u32, SpaceError> {
        Ok(self.slots.check(id)? as u32)
    }

    /// Number of objects.
    pub fn len(&self) -> usize {
        self.slots.live
    }

    /// Whether there is no object.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All objects, in the order of their slots.
    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + '_ {
        (0..self.boxes.len() as u32).filter_map(|slot| self.id_at(slot))
    }

    /// The boxes by slot, for queries: what they return is a slot, and [`id_at`](Self::id_at) its object.
    pub fn boxes(&self) -> &[Aabb] {
        &self.boxes
    }

    /// The collision filters by slot, for [`Probe::only_meeting`](crate::query::Probe::only_meeting).
    pub fn layers(&self) -> &[Layer] {
        &self.layers
    }

    /// Queries about [`boxes`](Self::boxes) as they are, changes since the last [`step`](Self::step) included. Threads may
    /// share the space for them.
    ///
    /// The first query after a change builds a tree, or refits that of an earlier one, on its own thread. So a step without
    /// queries costs nothing. The tree is dropped after 40 such steps.
    pub fn query(&self) -> &QueryTree {
        self.tree.over(&self.boxes)
    }

    /// The object in a slot; `None` if the slot is free.
    pub fn id_at(&self, slot: u32) -> Option<ObjectId> {
        self.slots.id_at(slot)
    }

    /// Finds the pairs of all objects.
    pub fn step(&mut self) -> Step<'_> {
        self.find_pairs(Limits::NONE);
        Step::new(&self.slots, &mut self.history)
    }

    /// As [`step`](Self::step), within limits: `None` if it ends early. That is no step: the next one is compared with the
    /// last that did not.
    pub fn step_within(&mut self, limits: Limits<'_>) -> Option<Step<'_>> {
        self.find_pairs(limits).then(|| Step::new(&self.slots, &mut self.history))
    }

    /// Whether all pairs were found.
    fn find_pairs(&mut self, limits: Limits<'_>) -> bool {
        self.tree.end_step();
        if let Some(places) = self.slots.close_up() {
            close_up(&mut self.boxes, &places);
            close_up(&mut self.layers, &places);
            self.history.close_up(&places);
        }
        let layers: &[Layer] = if self.layered == 0 { &[] } else { &self.layers };
        let frame = Frame::new(&self.boxes).layered(layers).within(limits);
        self.broad_phase.update(&frame);
        self.broad_phase.find_pairs(&frame, self.history.next());
        if frame.is_stopped() {
            return false;
        }
        self.history.advance();
        self.slots.end_step();
        if self.upkeep.advance(self.boxes.len() + self.history.pairs.len()) {
            self.trim();
        }
        true
    }

    /// A copy with the same objects and the same ids; `None` if its algorithm cannot be copied. Objects that are inserted
    /// later belong to one of the two only.
    pub fn try_clone(&self) -> Option<Self> {
        Some(Self {
            broad_phase: self.broad_phase.try_clone()?,
            slots: self.slots.clone(),
            boxes: self.boxes.clone(),
            layers: self.layers.clone(),
            layered: self.layered,
            history: self.history.clone(),
            tree: LazyTree::default(),
            upkeep: self.upkeep.clone(),
        })
    }

    /// Bytes on the heap, those of the algorithm included.
    pub fn heap_bytes(&self) -> usize {
        Memory::heap_bytes(self) + self.broad_phase.heap_bytes()
    }
}

impl Default for Space {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Space").field("len", &self.len()).finish_non_exhaustive()
    }
}

//! Objects by handle.

use crate::frames::{corner_and_sides, layer, pairs_by_definition};
use arbitrary::{Result, Unstructured};
use broadphase::registry::{ALGORITHMS, Settings};
use broadphase::{Aabb, Frame, Layer, ObjectId, ObjectPair, Space, SpaceError};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Most objects: brute force takes microseconds.
const MAX_OBJECTS: usize = 40;

/// Removed objects whose ids are used again.
const MAX_REMOVED: usize = 32;

/// A space of any algorithm has the objects of a table and the pairs of brute force, whatever the operations.
pub(crate) fn check(bytes: &[u8]) {
    check_operations(bytes);
}

/// The same; returns the number of operations.
fn check_operations(bytes: &[u8]) -> usize {
    let mut bytes = Unstructured::new(bytes);
    let algorithm = usize::from(bytes.arbitrary::<u8>().unwrap_or_default()) % ALGORITHMS.len();
    let algorithm = ALGORITHMS[algorithm].build(&Settings::new(0));
    let mut model = Model {
        space: Space::with(algorithm),
        objects: BTreeMap::new(),
        removed: Vec::new(),
        known: HashMap::new(),
        pairs: BTreeSet::new(),
    };
    let mut operations = 0;
    while !bytes.is_empty() && model.operate(&mut bytes).is_ok() {
        operations += 1;
    }
    model.step(true);
    operations
}

/// A space, and what it must have.
struct Model {
    space: Space,
    /// By the number that the space is given.
    objects: BTreeMap<u64, (ObjectId, Aabb, Layer)>,
    /// Ids of removed objects, and of objects of other spaces.
    removed: Vec<ObjectId>,
    /// The numbers of all objects that there were.
    known: HashMap<ObjectId, u64>,
    /// The pairs of the last step.
    pairs: BTreeSet<[u64; 2]>,
}

impl Model {
    /// Reads and carries out an operation.
    fn operate(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let [kind, at]: [u8; 2] = bytes.arbitrary()?;
        // Any object.
        let at = usize::from(at).checked_rem(self.objects.len());
        let is_full = self.objects.len() == MAX_OBJECTS;
        let object = at.and_then(|at| self.objects.iter_mut().nth(at));
        match (kind % 16, object) {
            (0..=4, _) if !is_full => self.insert(bytes)?,
            (5..=7, Some((_, (id, b, _)))) => {
                *b = corner_and_sides(bytes)?;
                self.space.set_box(*id, *b).expect("it is live");
            }
            (8, Some((_, (id, _, own)))) => {
                *own = layer(bytes)?;
                self.space.set_layer(*id, *own).expect("it is live");
            }
            (0..=4 | 9..=10, Some((&user, &mut (id, ..)))) => {
                self.objects.remove(&user);
                assert_eq!(self.space.remove(id), Ok(user));
                self.never_again(id);
            }
            (11, _) => self.use_removed(bytes)?,
            (12, _) => self.continue_as_copy(),
            // Some steps without events.
            (number, _) => self.step(number != 13),
        }
        assert_eq!(self.space.len(), self.objects.len());
        Ok(())
    }

    fn insert(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let (b, layer) = (corner_and_sides(bytes)?, layer(bytes)?);
        let user = self.known.len() as u64;
        // Without layers, a space passes none on.
        let layer = if user < 20 { Layer::ALL } else { layer };
        let id = self.space.insert(b, layer, user).expect("there is room");
        assert!(self.known.insert(id, user).is_none(), "{id:?} is given twice");
        self.objects.insert(user, (id, b, layer));
        Ok(())
    }

    fn never_again(&mut self, id: ObjectId) {
        self.removed.truncate(MAX_REMOVED - 1);
        self.removed.insert(0, id);
    }

    /// The id of a removed object, or of another space, is refused by every call.
    fn use_removed(&mut self, bytes: &mut Unstructured<'_>) -> Result<()> {
        let byte = usize::from(bytes.arbitrary::<u8>()?);
        let Some(at) = byte.checked_rem(self.removed.len()) else { return Ok(()) };
        let id = self.removed[at];
        let error = SpaceError::NoObject(id);
        assert_eq!(self.space.remove(id), Err(error));
        assert_eq!(self.space.set_box(id, Aabb::EMPTY), Err(error));
        assert_eq!(self.space.set_layer(id, Layer::STATIC), Err(error));
        assert_eq!(self.space.box_of(id), Err(error));
        assert_eq!(self.space.user(id), Err(error));
        assert!(!self.space.contains(id));
        Ok(())
    }

    /// Replaces the space by a copy. An object that is then inserted into the original is foreign.
    fn continue_as_copy(&mut self) {
        let copy = self.space.try_clone().expect("each algorithm can be copied");
        let mut original = std::mem::replace(&mut self.space, copy);
        let foreign = original.insert(Aabb::EMPTY, Layer::ALL, 0).expect("there is room");
        self.never_again(foreign);
    }

    /// Makes a step, and compares its pairs with brute force and the step before.
    fn step(&mut self, has_events: bool) {
        let numbers: Vec<u64> = self.objects.keys().copied().collect();
        let boxes: Vec<Aabb> = self.objects.values().map(|(_, b, _)| *b).collect();
        let layers: Vec<Layer> = self.objects.values().map(|(.., layer)| *layer).collect();
        let expected = pairs_by_definition(&Frame::new(&boxes).layered(&layers));
        let number = |object: u32| numbers[object as usize];
        let expected: BTreeSet<_> =
            expected.iter().map(|pair| [pair.a, pair.b].map(number)).collect();
        let mut step = self.space.step();
        let known = &self.known;
        assert!(users(step.pairs(), known).iter().eq(&expected), "pairs");
        if has_events {
            let began = users(step.began(), known);
            assert!(began.iter().eq(expected.difference(&self.pairs)), "began: {began:?}");
            let ended = users(step.ended(), known);
            assert!(ended.iter().eq(self.pairs.difference(&expected)), "ended: {ended:?}");
        }
        self.pairs = expected;
        assert_eq!(self.space.ids().count(), self.objects.len());
        for (user, (id, b, layer)) in &self.objects {
            assert_eq!(self.space.user(*id), Ok(*user));
            assert_eq!(self.space.box_of(*id), Ok(*b));
            assert_eq!(self.space.layer_of(*id), Ok(*layer));
        }
        assert!(self.space.boxes().len() <= 2 * MAX_OBJECTS, "slots are reused");
    }
}

/// The numbers of pairs, the lower first, sorted. They are those of the ids.
fn users(pairs: impl Iterator<Item = ObjectPair>, known: &HashMap<ObjectId, u64>) -> Vec<[u64; 2]> {
    let lower_first = |pair: ObjectPair| {
        assert_eq!(pair.ids.map(|id| known.get(&id).copied()), pair.users.map(Some));
        let [a, b] = pair.users;
        [a.min(b), a.max(b)]
    };
    let mut users: Vec<_> = pairs.map(lower_first).collect();
    users.sort_unstable();
    users
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::benchmark::mix;

    /// Operations in a usual run; `SPACE_OPERATIONS` sets another number.
    const OPERATIONS: usize = 20_000;

    #[test]
    fn random_operations_agree_with_a_table_and_brute_force() {
        let wanted = std::env::var("SPACE_OPERATIONS");
        let wanted = wanted.map_or(OPERATIONS, |number| number.parse().unwrap());
        let mut operations = 0;
        // Each algorithm in turn.
        for program in 0.. {
            let words = (0..500).flat_map(|word| mix(program << 32 | word).to_le_bytes());
            let bytes: Vec<u8> = [program as u8].into_iter().chain(words).collect();
            operations += check_operations(&bytes);
            if operations >= wanted && program as usize >= ALGORITHMS.len() {
                println!("{operations} operations, {} programs", program + 1);
                return;
            }
        }
    }
}

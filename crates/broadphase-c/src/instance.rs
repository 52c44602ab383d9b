//! An instance: one algorithm with its layers and the pairs of its last frame. Safe code only.

use crate::failure::Failure;
use crate::pointer::check_length;
use crate::{BpAabb, BpJoinPair, BpLayer, BpPair, BpSettings};
use broadphase::query::{Query, QueryTree};
use broadphase::registry::{self, ParameterError, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Join, JoinPair, Layer, Limits, Pair, PairLimit};
use bytemuck::Zeroable;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, TryLockError};

/// An instance of an algorithm.
///
/// It may be used by any thread, but by one at a time.
// The lock makes concurrent calls an error instead of undefined behaviour, and is poisoned by a panic.
#[derive(Debug)]
pub struct BpBroadPhase(Mutex<State>);

struct State {
    algorithm: Box<dyn BroadPhase>,
    /// Most bytes of the algorithm for a number of objects.
    memory: fn(u64) -> u64,
    layers: Vec<Layer>,
    /// The pairs of the last frame.
    pairs: Results<Pair>,
    /// Number of objects of the last frame.
    objects: usize,
    /// The tree for queries; whether it is of the last frame (the first query brings it up to date); frames without a query.
    tree: QueryTree,
    is_fresh: bool,
    idle: u32,
    /// The objects that the last query by a box found.
    touching: Results<u32>,
    /// The search of two sets, and the pairs of the last one.
    join: Join,
    joined: Results<JoinPair>,
}

/// Calls after which a list of results gives memory back, if it has room for more than four times the results of each.
const CALLS_PER_WINDOW: u32 = 60;

/// The tree of a frame with queries is kept for this many frames without any.
const MAX_IDLE: u32 = 40;

/// The results of the last call of a kind.
#[derive(Debug)]
struct Results<T> {
    list: Vec<T>,
    /// Most results of a call in this window, and its calls so far.
    most: usize,
    calls: u32,
}

impl<T> Results<T> {
    const NONE: Self = Self { list: Vec::new(), most: 0, calls: 0 };

    /// The list, emptied for the next call.
    fn renew(&mut self) -> &mut Vec<T> {
        let Self { list, most, calls } = self;
        *most = list.len().max(*most);
        *calls += 1;
        list.clear();
        if *calls == CALLS_PER_WINDOW {
            if list.capacity() / 4 > *most {
                list.shrink_to(2 * *most);
            }
            (*most, *calls) = (0, 0);
        }
        list
    }

    /// The list that a search has filled. It is freed if it has more than fits into memory.
    fn within(&mut self, limit: &PairLimit) -> Result<&[T], Failure> {
        if limit.is_exceeded() {
            *self = Self::NONE;
            return Err(Failure::Memory);
        }
        Ok(&self.list)
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let State { layers, pairs, .. } = self;
        f.debug_struct("State")
            .field("layers", layers)
            .field("pairs", pairs)
            .finish_non_exhaustive()
    }
}

impl BpBroadPhase {
    /// Creates the algorithm with this id.
    pub(crate) fn create(id: &str, settings: &BpSettings) -> Result<Self, Failure> {
        let unknown = || {
            Failure::UnknownAlgorithm(match registry::unknown(id) {
                removed @ ParameterError::Removed { .. } => removed.to_string(),
                _ => format!("no algorithm has the id `{id}`"),
            })
        };
        let entry = registry::find(id).ok_or_else(unknown)?;
        check_length(settings.objects, size_of::<Aabb>(), "settings->objects")?;
        let world: Aabb = bytemuck::cast(settings.world);
        let is_unknown = world == Aabb::zeroed() || world.is_empty();
        let settings = Settings::new(settings.objects)
            .world(if is_unknown { Aabb::EMPTY } else { world })
            .memory_limit(match settings.memory_limit {
                0 => u64::MAX,
                limit => limit,
            });
        let algorithm =
            entry.create(&settings).map_err(|refusal| Failure::Settings(refusal.to_string()))?;
        Ok(Self::bounded_by(algorithm, entry.memory))
    }

    /// An instance of an algorithm that needs no memory.
    #[cfg(test)]
    pub(crate) fn with(algorithm: Box<dyn BroadPhase>) -> Self {
        Self::bounded_by(algorithm, |_| 0)
    }

    fn bounded_by(algorithm: Box<dyn BroadPhase>, memory: fn(u64) -> u64) -> Self {
        Self(Mutex::new(State {
            algorithm,
            memory,
            layers: Vec::new(),
            pairs: Results::NONE,
            objects: 0,
            tree: QueryTree::default(),
            is_fresh: false,
            idle: 0,
            touching: Results::NONE,
            join: Join::default(),
            joined: Results::NONE,
        }))
    }

    /// Replaces the layers.
    pub(crate) fn set_layers(&self, layers: &[BpLayer]) -> Result<(), Failure> {
        let mut state = self.state()?;
        let layers = layers.iter().enumerate().map(|(object, layer)| {
            let BpLayer { mask, group, is_static } = *layer;
            if group >= Layer::GROUPS {
                return Err(Failure::Layer { object, group, last: Layer::GROUPS - 1 });
            }
            Ok(Layer { mask, group, is_static: is_static != 0 })
        });
        state.layers = layers.collect::<Result<_, _>>()?;
        Ok(())
    }

    /// Finds the pairs of the next frame. They stay where they are until the next call that
    /// succeeds, or until the instance is dropped.
    pub(crate) fn find_pairs(&self, boxes: &[BpAabb]) -> Result<(*const BpPair, usize), Failure> {
        let mut state = self.state()?;
        state.idle = if state.is_fresh { 0 } else { state.idle.saturating_add(1) };
        state.is_fresh = false;
        if state.idle > MAX_IDLE {
            state.tree = QueryTree::default();
        }
        let State { algorithm, memory, layers, pairs, objects, .. } = &mut *state;
        let boxes: &[Aabb] = bytemuck::cast_slice(boxes);
        broadphase::check_boxes(boxes).map_err(|bad| Failure::Box(bad.to_string()))?;
        let list = pairs.renew();
        let held = algorithm.heap_bytes() + list.capacity() * size_of::<Pair>();
        let limit = PairLimit::fitting(
            boxes.len().saturating_mul(boxes.len()) / 2,
            PairLimit::BYTES_PER_PAIR,
            memory(boxes.len() as u64) as usize,
            held,
        );
        let limit = limit.ok_or(Failure::Memory)?;
        let frame = Frame::new(boxes).layered(layers).most_pairs(&limit);
        *objects = 0;
        algorithm.pairs(&frame, list);
        *objects = boxes.len();
        let pairs: &[BpPair] = bytemuck::cast_slice(pairs.within(&limit)?);
        Ok((pairs.as_ptr(), pairs.len()))
    }

    /// The ids of the objects of the last frame that touch a box. They stay where they are until the next such call.
    pub(crate) fn touching(
        &self,
        boxes: &[BpAabb],
        area: &Aabb,
    ) -> Result<(*const u32, usize), Failure> {
        let mut state = self.state()?;
        let mut touching = std::mem::replace(&mut state.touching, Results::NONE);
        let found = touching.renew();
        let asked = state.query(boxes, |tree| {
            let mut outcome = Ok(());
            tree.each(area, &mut |hit| {
                if found.try_reserve(1).is_err() {
                    (outcome, *found) = (Err(Failure::Memory), Vec::new());
                    return ControlFlow::Break(());
                }
                found.push(hit.object);
                ControlFlow::Continue(())
            });
            outcome
        });
        state.touching = touching;
        asked.flatten().map(|()| (state.touching.list.as_ptr(), state.touching.list.len()))
    }

    /// The pairs between two sets. They stay where they are until the next such call.
    pub(crate) fn join(
        &self,
        a: &[BpAabb],
        b: &[BpAabb],
    ) -> Result<(*const BpJoinPair, usize), Failure> {
        let mut state = self.state()?;
        let State { join, joined, .. } = &mut *state;
        let [a, b]: [&[Aabb]; 2] = [a, b].map(bytemuck::cast_slice);
        for (name, boxes) in [("a", a), ("b", b)] {
            let bad = |bad| Failure::Box(format!("`{name}`, {bad}"));
            broadphase::check_boxes(boxes).map_err(bad)?;
        }
        let list = joined.renew();
        let limit = PairLimit::fitting(
            a.len().saturating_mul(b.len()),
            Join::BYTES_PER_PAIR,
            (a.len() + b.len()).saturating_mul(Join::BYTES_PER_BOX),
            join.heap_bytes() + list.capacity() * size_of::<JoinPair>(),
        );
        let limit = limit.ok_or(Failure::Memory)?;
        join.find_pairs_within(a, b, Limits::NONE.most_pairs(&limit), list);
        let pairs: &[BpJoinPair] = bytemuck::cast_slice(joined.within(&limit)?);
        Ok((pairs.as_ptr(), pairs.len()))
    }

    /// Asks about the last frame, whose boxes these are.
    pub(crate) fn query<T>(
        &self,
        boxes: &[BpAabb],
        ask: impl FnOnce(&QueryTree) -> T,
    ) -> Result<T, Failure> {
        self.state()?.query(boxes, ask)
    }

    /// Refuses an instance that another thread is in a call with.
    pub(crate) fn check_unused(&self) -> Result<(), Failure> {
        match self.state() {
            Ok(_) | Err(Failure::EarlierPanic) => Ok(()),
            Err(in_use) => Err(in_use),
        }
    }

    fn state(&self) -> Result<MutexGuard<'_, State>, Failure> {
        self.0.try_lock().map_err(|error| match error {
            TryLockError::WouldBlock => Failure::InUse,
            TryLockError::Poisoned(_) => Failure::EarlierPanic,
        })
    }
}

impl State {
    fn query<T>(
        &mut self,
        boxes: &[BpAabb],
        ask: impl FnOnce(&QueryTree) -> T,
    ) -> Result<T, Failure> {
        let (count, expected) = (boxes.len(), self.objects);
        if count != expected {
            return Err(Failure::OtherFrame { count, expected });
        }
        if !self.is_fresh {
            self.tree.update(bytemuck::cast_slice(boxes));
            self.is_fresh = true;
        }
        Ok(ask(&self.tree))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use broadphase::glam::Vec3;

    #[test]
    fn results_of_a_burst_are_returned_within_120_calls() {
        let of = |boxes: usize| vec![BpAabb::zeroed(); boxes];
        let algorithm = registry::find("sweep-grid").unwrap().create(&Settings::new(300));
        let instance = BpBroadPhase::with(algorithm.unwrap());
        let counts = |objects: usize| {
            let boxes = of(objects);
            let point = Aabb::new(Vec3::ZERO, Vec3::ZERO);
            [
                instance.find_pairs(&boxes).unwrap().1,
                instance.touching(&boxes, &point).unwrap().1,
                instance.join(&boxes, &boxes).unwrap().1,
            ]
        };
        assert_eq!(counts(300), [300 * 299 / 2, 300, 300 * 300]);
        for _ in 0..120 {
            assert_eq!(counts(10), [45, 10, 100]);
        }
        let State { pairs, touching, joined, .. } = &*instance.state().unwrap();
        let room = [pairs.list.capacity(), touching.list.capacity(), joined.list.capacity()];
        assert!(room[0] <= 4 * 45 && room[1] <= 4 * 10 && room[2] <= 4 * 100, "{room:?}");
    }
}

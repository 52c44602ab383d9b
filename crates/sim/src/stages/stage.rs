//! A method over the candidates of a frame.

use super::{BodyList, FramePairs, PARALLEL_FROM};
use crate::pieces::pieces;
use broadphase::Pair;
use narrowphase::impact::{Impact, ImpactMethod, TimeOfImpact};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::{Answer, NarrowPhase, PairCache};
use rayon::prelude::*;

/// Pairs of a thread between two questions whether work goes on. The question is an indirect call, and so is the test of a
/// volume: asking each time would be measured. The slowest tests take milliseconds.
const PAIRS_PER_CHECK: usize = 8;

/// A method `M` over sorted pairs, by several threads. A worker `W` finds the answer `A` about a pair, with what is kept of
/// the pair from frame to frame, a `K`.
pub struct Stage<M, W, K, A> {
    method: M,
    new_worker: fn(M) -> W,
    /// Whether the work depends on what is kept of a pair.
    keeps_state: bool,
    /// Pairs from which several threads share them.
    parallel_from: usize,
    /// One for each piece of work.
    pub(super) workers: Vec<W>,
    memory: PairMemory<K>,
    answers: Vec<A>,
}

/// A narrow phase over the candidates of a frame.
pub type NarrowStage =
    Stage<&'static NarrowPhaseKind, Box<dyn NarrowPhase + Send>, PairCache, Answer>;

/// A search for the first contacts of a step.
pub type ImpactStage = Stage<ImpactMethod, Box<dyn TimeOfImpact + Send>, (), Impact>;

/// Pairs with their answers, what works on them, and what is kept of them.
type Piece<'a, W, K, A> = (((&'a [Pair], &'a mut [A]), &'a mut W), &'a mut [K]);

impl<M: Copy, W: Send, K: Default + Send, A: Copy + Default + Send> Stage<M, W, K, A> {
    /// A stage that has not seen a pair yet.
    pub(super) fn of(
        method: M,
        new_worker: fn(M) -> W,
        keeps_state: bool,
        parallel_from: usize,
    ) -> Self {
        let (workers, memory, answers) = (Vec::new(), PairMemory::default(), Vec::new());
        Self { method, new_worker, keeps_state, parallel_from, workers, memory, answers }
    }

    /// The method.
    pub fn method(&self) -> M {
        self.method
    }

    /// The instances of the method that have answered since the stage was created, one for each piece of work.
    pub fn workers(&self) -> &[W] {
        &self.workers
    }

    /// The answers about the last pairs, in their order.
    pub fn answers(&self) -> &[A] {
        &self.answers
    }

    /// Asks about all pairs. Those that are left where it is ended have the default answer.
    pub(super) fn ask_all<B: BodyList>(
        &mut self,
        of: &FramePairs<'_, B>,
        ask: impl Fn(&mut W, Pair, &mut K) -> A + Sync,
    ) {
        let &FramePairs { pairs, goes_on, .. } = of;
        let Self { method, workers, answers, .. } = self;
        answers.clear();
        answers.resize(pairs.len(), A::default());
        let pieces = pieces(pairs.len(), self.parallel_from);
        let length = pairs.len().div_ceil(pieces).max(1);
        workers.resize_with(workers.len().max(pieces), || (self.new_worker)(*method));
        let kept = self.memory.follow(if self.keeps_state { pairs } else { &[] });
        let kept = kept.chunks_mut(length).chain(std::iter::repeat_with(Default::default));
        let parts = pairs.chunks(length).zip(answers.chunks_mut(length)).zip(workers).zip(kept);
        let work = |(((pairs, answers), worker), kept): Piece<'_, W, K, A>| {
            let mut scratch = K::default();
            for (at, (pair, answer)) in pairs.iter().zip(answers).enumerate() {
                if at.is_multiple_of(PAIRS_PER_CHECK) && !goes_on() {
                    break;
                }
                *answer = ask(worker, *pair, kept.get_mut(at).unwrap_or(&mut scratch));
            }
        };
        if pieces == 1 {
            // A thread is done before another one wakes.
            parts.for_each(work);
        } else {
            parts.collect::<Vec<_>>().into_par_iter().for_each(work);
        }
    }
}

impl NarrowStage {
    /// A stage that has not seen a pair yet.
    pub fn new(kind: &'static NarrowPhaseKind) -> Self {
        Self::of(kind, |kind| (kind.build)(), kind.keeps_state, PARALLEL_FROM)
    }

    /// Tests all pairs.
    pub fn test(&mut self, of: &FramePairs<'_, impl BodyList>) {
        self.ask_all(of, |method, pair, cache| {
            let [a, b] = of.pair(pair);
            method.test(&a, &b, cache)
        });
    }
}

impl ImpactStage {
    /// A stage that has not seen a pair yet.
    pub fn new(method: ImpactMethod) -> Self {
        Self::of(method, |method| method.build(), false, PARALLEL_FROM)
    }

    /// Finds the first contacts of all pairs within `limit` seconds.
    pub fn find(&mut self, of: &FramePairs<'_, impl BodyList>, limit: f64) {
        self.ask_all(of, |method, pair, ()| {
            let [a, b] = of.moving(pair);
            method.find((&a.0, &a.1), (&b.0, &b.1), limit)
        });
    }
}

/// A value for each pair of a sorted list.
#[derive(Debug, Default)]
struct PairMemory<T> {
    pairs: Vec<Pair>,
    values: Vec<T>,
    last: Vec<T>,
}

impl<T: Default> PairMemory<T> {
    /// The values of `pairs`, which are sorted: those of the last call for pairs that were in its list, new ones for
    /// the others.
    fn follow(&mut self, pairs: &[Pair]) -> &mut [T] {
        let Self { pairs: formers, values, last } = self;
        std::mem::swap(values, last);
        values.clear();
        let mut old = formers.drain(..).zip(last.drain(..)).peekable();
        values.extend(pairs.iter().map(|pair| {
            while old.next_if(|(former, _)| former < pair).is_some() {}
            old.next_if(|(former, _)| former == pair).map(|(_, value)| value).unwrap_or_default()
        }));
        drop(old);
        formers.extend_from_slice(pairs);
        values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_follow_their_pairs_and_ended_pairs_are_forgotten() {
        let mut memory = PairMemory::<u32>::default();
        let pair = |a, b| Pair { a, b };
        let first = [pair(0, 1), pair(0, 3), pair(2, 5)];
        for (i, value) in (1..).zip(memory.follow(&first)) {
            *value = i;
        }
        assert_eq!(memory.follow(&[pair(0, 2), pair(0, 3), pair(2, 5), pair(7, 8)]), [0, 2, 3, 0]);
        assert_eq!(memory.follow(&first), [0, 2, 3]);
        assert_eq!(memory.follow(&[]), []);
        assert_eq!(memory.follow(&first), [0; 3]);
    }
}

//! A method that answers about pairs of bodies, over the candidates of a frame.

use super::pair_memory::PairMemory;
use super::{BodyList, MovingBodies, PARALLEL_FROM, bodies_of, moving_pair};
use crate::pieces::pieces;
use broadphase::Pair;
use narrowphase::impact::{Impact, ImpactCounters, ImpactMethod, TimeOfImpact};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::{Answer, NarrowCounters, NarrowPhase, PairCache};
use rayon::prelude::*;

/// A narrow phase, or a search for first contacts.
pub trait PairMethod: Copy {
    /// What answers, one for each thread.
    type Instance: Send;

    /// What it answers about a pair.
    type Answer: Copy + Send;

    /// The answer about a pair that was not tested.
    const FAILED: Self::Answer;

    /// Creates an instance.
    fn build(self) -> Self::Instance;

    /// Whether its work depends on what the cache keeps of a pair.
    fn keeps_state(self) -> bool;
}

impl PairMethod for &'static NarrowPhaseKind {
    type Instance = Box<dyn NarrowPhase + Send>;
    type Answer = Answer;
    const FAILED: Answer = Answer::Failed;

    fn build(self) -> Self::Instance {
        (self.build)()
    }

    fn keeps_state(self) -> bool {
        self.keeps_state
    }
}

impl PairMethod for ImpactMethod {
    type Instance = Box<dyn TimeOfImpact + Send>;
    type Answer = Impact;
    const FAILED: Impact = Impact::Failed;

    fn build(self) -> Self::Instance {
        Self::build(&self)
    }

    fn keeps_state(self) -> bool {
        false
    }
}

/// A method, with what it keeps of each pair.
pub struct Stage<M: PairMethod> {
    method: M,
    /// One for each piece of work.
    instances: Vec<M::Instance>,
    caches: PairMemory<PairCache>,
    /// A cache for each piece of work, where none is kept.
    scratch: Vec<PairCache>,
    answers: Vec<M::Answer>,
}

/// A narrow phase over the candidates of a frame.
pub type NarrowStage = Stage<&'static NarrowPhaseKind>;

/// A search for the first contacts of a step.
pub type ImpactStage = Stage<ImpactMethod>;

impl<M: PairMethod> Stage<M> {
    /// A stage that has not seen a pair yet.
    pub fn new(method: M) -> Self {
        Self {
            method,
            instances: Vec::new(),
            caches: PairMemory::default(),
            scratch: Vec::new(),
            answers: Vec::new(),
        }
    }

    /// The method.
    pub fn method(&self) -> M {
        self.method
    }

    /// The answers about the last pairs, in their order.
    pub fn answers(&self) -> &[M::Answer] {
        &self.answers
    }

    /// Asks about all pairs, which are sorted, until the bodies are stopped.
    fn ask_all(
        &mut self,
        bodies: &impl BodyList,
        pairs: &[Pair],
        ask: impl Fn(&mut M::Instance, Pair, &mut PairCache) -> M::Answer + Sync,
    ) {
        let Self { method, instances, caches, scratch, answers } = self;
        answers.clear();
        answers.resize(pairs.len(), M::FAILED);
        let pieces = pieces(pairs.len(), PARALLEL_FROM);
        while instances.len() < pieces {
            instances.push(method.build());
        }
        let length = pairs.len().div_ceil(pieces).max(1);
        let caches = if method.keeps_state() {
            caches.follow(pairs, PairCache::clear).par_chunks_mut(length)
        } else {
            scratch.resize_with(pieces, PairCache::default);
            scratch.par_chunks_mut(1)
        };
        let parts = pairs.par_chunks(length).zip(answers.par_chunks_mut(length));
        parts.zip(caches).zip(instances).for_each(|(((pairs, answers), caches), instance)| {
            for (at, (pair, answer)) in pairs.iter().zip(answers).enumerate() {
                if bodies.is_stopped() {
                    break;
                }
                let of_pair = at.min(caches.len() - 1);
                *answer = ask(instance, *pair, &mut caches[of_pair]);
            }
        });
    }
}

impl NarrowStage {
    /// Tests all pairs, which are sorted.
    pub fn test(&mut self, bodies: &impl BodyList, pairs: &[Pair]) {
        self.ask_all(bodies, pairs, |method, pair, cache| {
            let [a, b] = bodies_of(bodies, pair);
            method.test(&a, &b, cache)
        });
    }

    /// Work since the stage was created.
    pub fn counters(&self) -> NarrowCounters {
        let mut sum = NarrowCounters::default();
        for counters in self.instances.iter().map(|instance| instance.counters()) {
            let NarrowCounters { tests, part_tests, steps, cached, failures } = counters;
            sum.tests += tests;
            sum.part_tests += part_tests;
            sum.steps += steps;
            sum.cached += cached;
            sum.failures += failures;
        }
        sum
    }
}

impl ImpactStage {
    /// Finds the first contacts of sorted pairs within `limit` seconds.
    pub fn find(&mut self, bodies: &impl MovingBodies, pairs: &[Pair], limit: f64) {
        self.ask_all(bodies, pairs, |method, pair, cache| {
            let [a, b] = moving_pair(bodies, pair);
            method.find((&a.0, &a.1), (&b.0, &b.1), limit, cache)
        });
    }

    /// Work since the stage was created.
    pub fn counters(&self) -> ImpactCounters {
        let mut sum = ImpactCounters::default();
        for counters in self.instances.iter().map(|instance| instance.counters()) {
            let ImpactCounters { tests, part_tests, steps, failures } = counters;
            sum.tests += tests;
            sum.part_tests += part_tests;
            sum.steps += steps;
            sum.failures += failures;
        }
        sum
    }
}

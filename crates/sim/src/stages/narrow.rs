//! The narrow phase over the candidates of a frame.

use super::pair_memory::PairMemory;
use super::{BodyList, PARALLEL_FROM, bodies_of};
use crate::pieces::pieces;
use broadphase::Pair;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::{Answer, NarrowCounters, NarrowPhase, PairCache};
use rayon::prelude::*;

/// A narrow phase, with what it keeps of each pair.
pub struct NarrowStage {
    kind: &'static NarrowPhaseKind,
    /// An instance for each piece of work.
    methods: Vec<Box<dyn NarrowPhase + Send>>,
    caches: PairMemory<PairCache>,
    answers: Vec<Answer>,
}

impl NarrowStage {
    /// A stage that has not seen a pair yet.
    pub fn new(kind: &'static NarrowPhaseKind) -> Self {
        Self { kind, methods: Vec::new(), caches: PairMemory::default(), answers: Vec::new() }
    }

    /// The narrow phase.
    pub fn kind(&self) -> &'static NarrowPhaseKind {
        self.kind
    }

    /// Tests all pairs, which are sorted.
    pub fn test(&mut self, bodies: &impl BodyList, pairs: &[Pair]) {
        let Self { kind, methods, caches, answers } = self;
        answers.clear();
        answers.resize(pairs.len(), Answer::Failed);
        let pieces = pieces(pairs.len(), PARALLEL_FROM);
        while methods.len() < pieces {
            methods.push((kind.build)());
        }
        let length = pairs.len().div_ceil(pieces).max(1);
        let parts = pairs.par_chunks(length).zip(answers.par_chunks_mut(length));
        if kind.keeps_state {
            let caches = caches.follow(pairs, PairCache::clear).par_chunks_mut(length);
            let parts = parts.zip(caches).zip(methods);
            parts.for_each(|(((pairs, answers), caches), method)| {
                for ((pair, answer), cache) in pairs.iter().zip(answers).zip(caches) {
                    if bodies.is_stopped() {
                        break;
                    }
                    let [a, b] = bodies_of(bodies, *pair);
                    *answer = method.test(&a, &b, cache);
                }
            });
        } else {
            parts.zip(methods).for_each(|((pairs, answers), method)| {
                let mut cache = PairCache::default();
                for (pair, answer) in pairs.iter().zip(answers) {
                    if bodies.is_stopped() {
                        break;
                    }
                    let [a, b] = bodies_of(bodies, *pair);
                    *answer = method.test(&a, &b, &mut cache);
                }
            });
        }
    }

    /// The answers of the last [`test`](Self::test), in the order of its pairs.
    pub fn answers(&self) -> &[Answer] {
        &self.answers
    }

    /// Work since the stage was created.
    pub fn counters(&self) -> NarrowCounters {
        let mut sum = NarrowCounters::default();
        for counters in self.methods.iter().map(|method| method.counters()) {
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

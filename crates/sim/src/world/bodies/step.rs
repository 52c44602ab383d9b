//! A step of all bodies, each on its own.

use super::super::homes::FREE;
use super::super::motion::Surroundings;
use super::continuous::Moving;
use super::flight::Near;
use super::path::Path;
use super::solid::BodyState;
use super::{Bodies, PARALLEL_FROM};
use crate::pieces::pieces;
use broadphase::Layer;
use rayon::prelude::*;

/// Bodies that a thread moves, one after the other.
type Batch<'a> = (&'a mut [BodyState], &'a mut [Path]);

impl Bodies {
    /// Moves all bodies by one step, from wall to wall and from fixture to fixture.
    pub(in super::super) fn step(
        &mut self,
        surroundings: &Surroundings<'_>,
        homes: &mut [u32],
        layers: &[Layer],
    ) {
        for (state, home) in self.states.iter().zip(&mut *homes) {
            let source = surroundings.elements.source(*home).filter(|source| !source.floor);
            if source.is_some_and(|source| state.position.z < f64::from(source.corner.z)) {
                // The body fell out of the open bottom.
                *home = FREE;
            }
        }
        self.record.paths.resize_with(self.states.len(), Path::default);
        let Moving { flight, states, paths, nears, .. } = self.moving(surroundings, homes, layers);
        let pieces = pieces(states.len(), PARALLEL_FROM);
        nears.resize_with(nears.len().max(pieces), Near::default);
        let length = states.len().div_ceil(pieces).max(1);
        let plan = |(piece, (batch, near)): (usize, (Batch<'_>, &mut Near))| {
            for (object, (state, path)) in (piece * length..).zip(batch.0.iter_mut().zip(batch.1)) {
                flight.plan(object, state, near, path);
            }
        };
        if pieces == 1 {
            plan((0, ((states, paths), &mut nears[0])));
        } else {
            let batches = states.par_chunks_mut(length).zip(paths.par_chunks_mut(length));
            batches.zip(&mut *nears).enumerate().for_each(plan);
        }
        self.record.impacts.clear();
        self.list_waiting();
    }
}

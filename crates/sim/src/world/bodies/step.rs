//! A step of all bodies, each on its own.

use super::super::motion::Surroundings;
use super::super::waiting::Waiting;
use super::flight::{Flight, MAX_BOUNCES, Near};
use super::path::{Ending, Path};
use super::solid::{BodyState, Solid};
use super::{Bodies, PARALLEL_FROM};
use crate::pieces::pieces;
use crate::scene::Continuous;
use broadphase::Layer;
use rayon::prelude::*;

impl Bodies {
    /// Moves all bodies by one step.
    pub(in super::super) fn step(
        &mut self,
        surroundings: &Surroundings<'_>,
        homes: &mut [u32],
        layers: &[Layer],
    ) {
        let Self { catalogue, solids, states, fixtures, body_forces, nears, record, .. } = self;
        let flight = Flight { surroundings, fixtures, catalogue, layers, body_forces };
        for near in nears.iter_mut() {
            near.met.clear();
            near.largest_work = 0;
        }
        let all = (&mut **states, homes, &**solids);
        if self.continuous == Continuous::Off {
            // A list of units takes no memory.
            let mut no_paths = vec![(); all.0.len()];
            for_each_body(all, nears, &mut no_paths, |object, body, near, ()| {
                let (state, home, solid) = body;
                flight.advance(object, solid, state, home, near);
            });
        } else {
            record.paths.resize_with(all.0.len(), Path::default);
            for_each_body(all, nears, &mut record.paths, |object, body, near, path| {
                let (state, home, solid) = body;
                flight.plan(object, solid, state, home, near, path);
            });
            record.impacts.clear();
            self.list_waiting();
        }
        let Self { nears, met, .. } = self;
        met.clear();
        nears.iter().for_each(|near| met.extend_from_slice(&near.met));
        met.sort_unstable_by_key(|contact| contact.pair);
        self.largest_work = nears.iter().map(|near| near.largest_work).max().unwrap_or(0);
    }

    /// The objects that waited in the last step of a continuous world; `None` in other worlds. `driven` driven bodies reached
    /// the bound of their work before it.
    pub(in super::super) fn waiting(&self, driven: u32) -> Option<Waiting> {
        if self.continuous == Continuous::Off {
            return None;
        }
        let paths = &self.record.paths;
        let count = |is_so: fn(Ending) -> bool| {
            paths.iter().filter(|path| is_so(path.ending)).count() as u32
        };
        Some(Waiting {
            bounces: count(|ending| matches!(ending, Ending::Bounces | Ending::Contacts)),
            work: count(|ending| matches!(ending, Ending::Work | Ending::Search)) + driven,
            stopped: count(|ending| ending == Ending::Stopped),
            max_bounces: u32::from(MAX_BOUNCES),
        })
    }
}

/// A body that a thread moves: its state, its home, and what never changes.
type MovedBody<'a> = (&'a mut BodyState, &'a mut u32, &'a Solid);

/// Bodies that a thread moves, one after the other.
type Batch<'a, P> = (((&'a mut [BodyState], &'a mut [u32]), &'a [Solid]), &'a mut [P]);

/// Calls `work` with every body, its number, scratch of the thread, and its entry of `paths`.
fn for_each_body<P: Send>(
    (states, homes, solids): (&mut [BodyState], &mut [u32], &[Solid]),
    nears: &mut Vec<Near>,
    paths: &mut [P],
    work: impl Fn(usize, MovedBody<'_>, &mut Near, &mut P) + Sync,
) {
    let pieces = pieces(states.len(), PARALLEL_FROM);
    nears.resize_with(nears.len().max(pieces), Near::default);
    let length = states.len().div_ceil(pieces).max(1);
    let move_piece = |(piece, (batch, near)): (usize, (Batch<'_, P>, &mut Near))| {
        let (((states, homes), solids), paths) = batch;
        let each = states.iter_mut().zip(homes).zip(solids).zip(paths);
        for (object, (((state, home), solid), path)) in (piece * length..).zip(each) {
            work(object, (state, home, solid), near, path);
        }
    };
    if pieces == 1 {
        return move_piece((0, ((((states, homes), solids), paths), &mut nears[0])));
    }
    let bodies = states.par_chunks_mut(length).zip(homes.par_chunks_mut(length));
    let bodies = bodies.zip(solids.par_chunks(length)).zip(paths.par_chunks_mut(length));
    bodies.zip(nears).enumerate().for_each(move_piece);
}

//! Counts the pairs of each frame that do not fit.

use super::rows::{Buffer, Capacity, CapacityRow};
use crate::failure::Failure;
use crate::study::AUTO;
use broadphase::registry::{self, Settings};
use broadphase::{Pair, PairEvents};
use measure::{Case, Observer, RunError, available_memory, find_sorted};
use std::sync::atomic::{AtomicBool, Ordering};

/// Most tests of brute force in a case; beyond them `sweep-grid` finds the pairs that those of `auto` are compared with.
const MAX_TESTS: u64 = 10_000_000_000;

/// The rows of all frames of a case. `capacities` are ascending.
pub(super) fn count(
    case: &Case,
    capacities: &[Capacity],
    run_id: &str,
    observer: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<Vec<CapacityRow>, Failure> {
    let settings = Settings::new(case.n).world(case.space()).memory_limit(available_memory());
    let create = |id: &str| {
        let unknown = || Failure::Running(format!("no algorithm has the id `{id}`"));
        let entry = registry::find(id).ok_or_else(unknown)?;
        Ok::<_, Failure>(entry.create(&settings).map_err(RunError::from)?)
    };
    let tests = (case.n as u64).pow(2) / 2 * u64::from(case.total_frames());
    let reference = if tests <= MAX_TESTS { "brute-force" } else { "sweep-grid" };
    let (mut algorithm, mut reference) = (create(AUTO)?, create(reference)?);
    let mut goes_on = |placed| {
        observer.objects_placed(placed, case.n);
        !stop.load(Ordering::Relaxed)
    };
    let playback = case.start_followed(available_memory(), &mut goes_on)?;
    let mut playback = playback.ok_or(Failure::Stopped)?;
    let (mut pairs, mut events) = (Vec::new(), PairEvents::default());
    let mut expected = Vec::new();
    let mut rows = Vec::new();
    for frame in 0..case.total_frames() {
        playback.step(|current| {
            let current = current.stopped_by(stop);
            find_sorted(&mut *algorithm, &current, &mut pairs);
            find_sorted(&mut *reference, &current, &mut expected);
            // Pairs may be missing.
            if current.is_stopped() { Err(RunError::Stopped) } else { Ok(&pairs) }
        })?;
        if pairs != expected {
            let Case { input, n, .. } = case;
            let (found, expected) = (pairs.len(), expected.len());
            let text =
                format!("{input}, n = {n}, frame {frame}: {found} pairs, expected {expected}");
            return Err(Failure::Running(text));
        }
        events.advance(&pairs);
        for buffer in Buffer::ALL {
            let lists = lists(buffer, &events);
            let row = |(capacity, lost): (Capacity, u64)| CapacityRow {
                run_id: run_id.to_owned(),
                input: case.input.clone(),
                n: case.n as u64,
                seed: case.seed,
                frame,
                buffer,
                capacity: capacity.pairs,
                per_object: capacity.per_object,
                pairs: lists.iter().sum(),
                lost,
            };
            rows.extend(losses(buffer, &lists, capacities, case.n as u64).into_iter().map(row));
        }
        observer.frame_done(frame);
    }
    Ok(rows)
}

/// The pairs to be written to each list of a buffer.
fn lists(buffer: Buffer, events: &PairEvents) -> Vec<u64> {
    match buffer {
        Buffer::Frame => vec![events.pairs().len() as u64],
        Buffer::Began => vec![events.began().len() as u64],
        Buffer::Object => {
            let same_object = |p: &Pair, q: &Pair| p.a == q.a;
            events.pairs().chunk_by(same_object).map(|pairs| pairs.len() as u64).collect()
        }
    }
}

/// Each capacity up to the first that loses nothing, with the pairs that it loses.
fn losses(
    buffer: Buffer,
    lists: &[u64],
    capacities: &[Capacity],
    objects: u64,
) -> Vec<(Capacity, u64)> {
    let mut losses = Vec::new();
    for capacity in capacities {
        let Some(length) = capacity.list_length(buffer, objects) else { continue };
        let lost = lists.iter().map(|pairs| pairs.saturating_sub(length)).sum();
        losses.push((*capacity, lost));
        if lost == 0 {
            break;
        }
    }
    losses
}

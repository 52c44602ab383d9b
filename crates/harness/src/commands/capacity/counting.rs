//! Counts the pairs of each frame that do not fit.

use super::rows::{Buffer, Capacity, CapacityRow};
use crate::failure::Failure;
use crate::study::{AUTO, FULL_SEARCH};
use broadphase::registry::{self, Algorithm};
use broadphase::{Pair, PairEvents};
use measure::{
    Case, Instruments, MonotonicClock, Observer, Outcome, Plan, Watch, measure_case_watched,
};
use std::sync::atomic::AtomicBool;

/// The rows of all frames of a case. `capacities` are ascending. The pairs of `auto` are compared with those of brute force; of
/// a case that takes that too long, with those of a full search.
pub(super) fn count(
    case: &Case,
    capacities: &[Capacity],
    run_id: &str,
    bar: &mut dyn Observer,
    stop: &AtomicBool,
) -> Result<Vec<CapacityRow>, Failure> {
    let ids = if case.is_provable() { &[AUTO][..] } else { &[AUTO, FULL_SEARCH] };
    let algorithms: Vec<&Algorithm> = ids.iter().filter_map(|id| registry::find(id)).collect();
    let threads = [std::thread::available_parallelism().map_or(1, |all| all.get() as u32)];
    let (plan, clock) = (Plan::new(&algorithms, &threads, 1), MonotonicClock::new());
    let instruments = Instruments { calibrates: false, ..Instruments::new(&clock, None) };
    let (events, rows, counts) = (PairEvents::default(), Vec::new(), false);
    let mut counter = Counter { case, capacities, run_id, bar, events, rows, counts };
    let watch = Watch { observer: &mut counter, stop, finished: Vec::new() };
    let measured = measure_case_watched(case, &plan, instruments, watch)?;
    let (Case { input, n, .. }, id) = (case, AUTO);
    if let Some(cell) = measured.cells.iter().find(|cell| cell.outcome != Outcome::Ok) {
        let id = &cell.algorithm;
        return Err(Failure::Running(format!("{id} on {input}, n = {n}: {}", cell.outcome)));
    }
    if !measured.proven && ids.len() == 1 {
        let reason = "nothing has checked its pairs: brute force did not search all frames";
        return Err(Failure::Running(format!("{id} on {input}, n = {n}: {reason}")));
    }
    Ok(counter.rows)
}

/// Counts the pairs that `auto` finds.
struct Counter<'a> {
    case: &'a Case,
    capacities: &'a [Capacity],
    run_id: &'a str,
    bar: &'a mut dyn Observer,
    events: PairEvents,
    rows: Vec<CapacityRow>,
    /// Whether the present repetition is that of `auto`.
    counts: bool,
}

impl Observer for Counter<'_> {
    fn repetition_begins(&mut self, algorithm: &str, _threads: u32) {
        self.counts = algorithm == AUTO;
    }

    fn objects_placed(&mut self, placed: usize, objects: usize) {
        self.bar.objects_placed(placed, objects);
    }

    fn pairs_found(&mut self, frame: u32, pairs: &[Pair]) {
        if !self.counts {
            return;
        }
        if frame == 0 {
            // A repetition in which the process was stopped is played once more.
            self.rows.clear();
            self.events = PairEvents::default();
        }
        self.events.advance(pairs);
        let Self { case, capacities, run_id, events, .. } = self;
        for buffer in Buffer::ALL {
            let lists = lists(buffer, events);
            let row = |(capacity, lost): (Capacity, u64)| CapacityRow {
                run_id: (*run_id).to_owned(),
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
            let losses = losses(buffer, &lists, capacities, case.n as u64);
            self.rows.extend(losses.into_iter().map(row));
        }
        self.bar.frame_done(frame);
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_that_is_played_once_more_is_counted_once() {
        let case = &Case::of_generated("gas:9".parse().unwrap(), 2, 0);
        let capacities = &[Capacity { pairs: 1, per_object: false }];
        let (events, rows, bar) = (PairEvents::default(), Vec::new(), &mut ());
        let mut counter =
            Counter { case, capacities, run_id: "r", bar, events, rows, counts: true };
        let frames = [&[Pair::new(0, 1), Pair::new(0, 2)][..], &[Pair::new(0, 1)]];
        let mut play = || {
            (0..).zip(frames).for_each(|(frame, pairs)| counter.pairs_found(frame, pairs));
            counter.rows.clone()
        };
        let once = play();
        assert_eq!(once.len(), 4, "two buffers in two frames");
        assert_eq!(play(), once);
    }
}

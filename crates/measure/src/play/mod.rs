//! A case in motion: its frames one after the other, each searched and responded to, and what that needs of the machine.

mod error;
mod memory;
mod meter;
mod playback;
mod prescribed;
mod worlds;

pub use error::{Problem, RunError};
pub use memory::PairBound;
pub use meter::{AllocationCount, Drawing, Instruments, Meter};
pub use playback::find_sorted;
pub(crate) use playback::{Halt, Playback};
pub use prescribed::Prescribed;
pub use worlds::{ONE_CALL, world_methods};

use crate::output::OutputError;
use crate::rows::FinishedRepetition;
use broadphase::Pair;
use broadphase::registry::Algorithm;
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use rayon::{ThreadPool, ThreadPoolBuilder, current_num_threads};

/// The algorithm that the others are compared with wherever it was measured: brute force, the
/// first of the registry.
pub fn reference() -> &'static Algorithm {
    broadphase::registry::ALGORITHMS.reference()
}

/// The algorithm that finds the candidates of bodies where no other is asked for. They do not depend on it.
pub fn finder() -> &'static Algorithm {
    broadphase::registry::find("sweep-grid").unwrap_or_else(reference)
}

/// Most tests in all frames that brute force makes afterwards, where it was not measured: some
/// seconds.
pub(crate) const MAX_TESTS_TO_PROVE: u64 = 10_000_000_000;

/// Follows a measurement. It is never called while the stopwatch runs.
pub trait Observer: Send {
    /// A repetition begins.
    fn repetition_begins(&mut self, _algorithm: &str, _threads: u32) {}

    /// `placed` of all objects have a place, before the first frame. The number may fall: a crowded
    /// scene is placed several times.
    fn objects_placed(&mut self, _placed: usize, _objects: usize) {}

    /// The repetition that began last has found these pairs in this frame, counted from 0. They are sorted where every list is
    /// checked.
    fn pairs_found(&mut self, _frame: u32, _pairs: &[Pair]) {}

    /// The repetition that began last has measured this frame, counted from 0.
    fn frame_done(&mut self, _frame: u32) {}

    /// A repetition has ended.
    ///
    /// # Errors
    ///
    /// Where it cannot be kept; the measurement ends then.
    fn repetition_done(&mut self, _repetition: &FinishedRepetition) -> Result<(), OutputError> {
        Ok(())
    }
}

/// Ignores everything.
impl Observer for () {}

/// Seed of the order of measuring and of the bootstrap of intervals, unless another is given.
pub const DEFAULT_ORDER_SEED: u64 = sim::DEFAULT_SEED;

/// The order of measuring, round by round.
///
/// A round measures one repetition of each cell. Every second round is drawn at random, from the
/// first on, and the round after it has the reverse order. Of two cells, each comes first equally
/// often over an even number of rounds, so a machine that grows warm or busy within a round slows
/// both alike. Each cell follows different cells, so none always finds the same data in the
/// processor's caches.
pub(crate) struct Rounds {
    rng: ChaCha8Rng,
    round: Vec<usize>,
    is_reversed: bool,
}

impl Rounds {
    pub(crate) fn new(cells: usize, seed: u64) -> Self {
        let rng = ChaCha8Rng::seed_from_u64(seed);
        Self { rng, round: (0..cells).collect(), is_reversed: true }
    }

    /// The next round: each cell once.
    pub(crate) fn draw(&mut self) -> &[usize] {
        let Self { rng, round, is_reversed } = self;
        *is_reversed = !*is_reversed;
        if *is_reversed {
            round.reverse();
        } else {
            round.shuffle(rng);
        }
        round
    }
}

/// Pools that sleep until they are used.
#[derive(Debug)]
pub struct Pools {
    /// `None`: the calling thread, which is the only one of the pool that it is in.
    pools: Vec<(u32, Option<ThreadPool>)>,
}

/// Makes the calling thread the only one of rayon's global pool, to which work belongs that is in no other pool. So that
/// needs no thread, which the system may refuse: rayon would panic. Nothing is changed if the pool exists.
///
/// Any other thread that works in the global pool waits for this one.
pub fn work_on_this_thread() {
    let _ = ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global();
}

/// Calls `work` in a pool with a thread for each processor; here, where the system refuses one of them.
pub fn work_on_all_processors<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(work),
        Err(_) => work(),
    }
}

impl Pools {
    /// A pool for each number of threads. One thread that cannot be started is the calling one if that is in a pool of
    /// one: see [`work_on_this_thread`].
    ///
    /// # Errors
    ///
    /// If the threads cannot be started.
    pub fn new(threads: &[u32]) -> Result<Self, RunError> {
        let pool =
            |&threads: &u32| match ThreadPoolBuilder::new().num_threads(threads as usize).build() {
                Ok(pool) => Ok((threads, Some(pool))),
                Err(_) if threads == 1 && current_num_threads() == 1 => Ok((threads, None)),
                Err(source) => Err(RunError::Threads(threads, source.into())),
            };
        Ok(Self { pools: threads.iter().map(pool).collect::<Result<_, _>>()? })
    }

    /// Runs `work` in the pool of `threads` threads: all of it, so that an algorithm sees their
    /// number. `threads` must be one of those that the pools were made for.
    pub fn install<T: Send>(&self, threads: u32, work: impl FnOnce() -> T + Send) -> T {
        match self.pools.iter().find(|(number, _)| *number == threads) {
            Some((_, Some(pool))) => pool.install(work),
            Some((_, None)) => work(),
            None => unreachable!("no pool was made for {threads} threads"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_of_two_cells_comes_first_as_often_as_the_other() {
        let mut rounds = Rounds::new(5, 1739);
        let order: Vec<Vec<usize>> = (0..10).map(|_| rounds.draw().to_vec()).collect();
        for (a, b) in [(0, 1), (0, 4), (2, 3)] {
            let place = |round: &[usize], cell| round.iter().position(|&other| other == cell);
            let a_first = |round: &&Vec<usize>| place(round, a) < place(round, b);
            assert_eq!(order.iter().filter(a_first).count(), 5, "{a} before {b}");
        }
    }
}

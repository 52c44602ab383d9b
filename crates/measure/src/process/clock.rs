//! The stopwatch's clock, behind a trait, and the calibration of the machine's speed.

use broadphase::benchmark::mix;
use std::hint::black_box;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{LazyLock, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A clock that never runs backwards.
///
/// A trait, because a browser has another clock, and because tests count instead of waiting.
pub trait Clock: Sync {
    /// Nanoseconds since an arbitrary moment, the same moment for every call.
    fn now_ns(&self) -> u64;

    /// Nanoseconds so far in which the process was stopped, as by Ctrl-Z. [`now_ns`](Self::now_ns) does not have them: they
    /// belong to no algorithm. About 0.3 s of each stop count as running.
    fn stopped_ns(&self) -> u64 {
        0
    }

    /// Nanoseconds of the shortest time that can be shown: [`MIN_STEPS`] of a clock with coarse readings, as that of a
    /// browser; else 0.
    fn shortest_ns(&self) -> u64 {
        0
    }
}

/// Steps of a coarse clock in the shortest time that is shown: it is wrong by a twentieth at most.
pub const MIN_STEPS: u64 = 20;

/// Readings of a clock until its step is known: less than a second of a clock that stands still.
const MAX_READINGS: u32 = 1 << 20;

/// Changes of a clock of which the smallest is its step: some come late.
const CHANGES: usize = 5;

/// The step of a coarse clock, by reading it; seconds where it stands still.
pub fn step_of_clock_ns(now_ns: impl Fn() -> u64) -> u64 {
    let mut last_ns = now_ns();
    let changes = (0..MAX_READINGS).filter_map(|_| {
        let before_ns = std::mem::replace(&mut last_ns, now_ns());
        last_ns.checked_sub(before_ns).filter(|step_ns| *step_ns > 0)
    });
    changes.take(CHANGES).min().unwrap_or(u32::MAX.into())
}

/// Runs `work` under the stopwatch: its result, and its nanoseconds.
pub(crate) fn clocked<T>(clock: &dyn Clock, work: impl FnOnce() -> T) -> (T, u64) {
    let start = clock.now_ns();
    let result = work();
    (result, clock.now_ns() - start)
}

/// A clock for what is not measured.
pub(crate) struct Untimed;

impl Clock for Untimed {
    fn now_ns(&self) -> u64 {
        0
    }
}

/// The operating system's monotonic clock, which stands still while the process is stopped: of each stop it counts
/// about 0.3 s at most.
#[derive(Clone, Copy, Debug)]
pub struct MonotonicClock {
    start_ns: u64,
}

impl MonotonicClock {
    /// A clock that counts from now.
    pub fn new() -> Self {
        Self { start_ns: RUNNING.now_ns() }
    }
}

impl Default for MonotonicClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for MonotonicClock {
    fn now_ns(&self) -> u64 {
        RUNNING.now_ns() - self.start_ns
    }

    fn stopped_ns(&self) -> u64 {
        RUNNING.now_ns();
        RUNNING.stopped_ns.load(SeqCst)
    }
}

/// The time of this process, with a thread that beats.
static RUNNING: LazyLock<RunningTime> = LazyLock::new(|| {
    let processors = thread::available_parallelism().map_or(1, |number| number.get() as u64);
    let (stopped_ns, beat_ns, processor_ns) = (0.into(), 0.into(), Mutex::new(processor_ns()));
    let origin = Instant::now();
    let running = RunningTime { origin, processors, stopped_ns, beat_ns, processor_ns };
    let beats = || {
        loop {
            thread::sleep(BEAT);
            RUNNING.beat();
        }
    };
    // It keeps nothing on its stack.
    if thread::Builder::new().name("beat".to_owned()).stack_size(1 << 16).spawn(beats).is_err() {
        // Without beats a program that is waited for would look like a stop.
        running.beat_ns.store(u64::MAX, SeqCst);
    }
    running
});

/// Time between two beats.
const BEAT: Duration = Duration::from_millis(100);

/// From this time without a beat on, the process may have been stopped. A busy machine delays a beat by less.
const MAX_GAP_NS: u64 = 300_000_000;

/// Time without stops. A thread that beats shows that the process runs.
struct RunningTime {
    origin: Instant,
    /// Processors that the process may use, which is the number of threads that run at once.
    processors: u64,
    stopped_ns: AtomicU64,
    /// When the last beat was, stops included.
    beat_ns: AtomicU64,
    /// Nanoseconds of processors that all threads had used then. It is locked during a beat.
    processor_ns: Mutex<u64>,
}

impl RunningTime {
    /// Nanoseconds with stops; 2^64 are 584 years.
    fn wall_ns(&self) -> u64 {
        self.origin.elapsed().as_nanos() as u64
    }

    fn now_ns(&self) -> u64 {
        loop {
            let stopped_ns = self.stopped_ns.load(SeqCst);
            let wall_ns = self.wall_ns();
            if wall_ns.saturating_sub(self.beat_ns.load(SeqCst)) > MAX_GAP_NS {
                // After a stop, this thread may run before the one that beats.
                self.beat();
            }
            // Otherwise the process was stopped between the two readings.
            if self.stopped_ns.load(SeqCst) == stopped_ns {
                return wall_ns - stopped_ns;
            }
        }
    }

    /// Notes that the process runs.
    fn beat(&self) {
        let mut processor_ns = self.processor_ns.lock().unwrap_or_else(PoisonError::into_inner);
        let (wall_ns, used_ns) = (self.wall_ns(), self::processor_ns());
        let gap_ns = wall_ns.saturating_sub(self.beat_ns.load(SeqCst));
        let used_ns = used_ns.saturating_sub(std::mem::replace(&mut *processor_ns, used_ns));
        self.stopped_ns.fetch_add(stop_ns(gap_ns, used_ns / self.processors), SeqCst);
        self.beat_ns.store(wall_ns, SeqCst);
    }
}

/// Nanoseconds of a stop in a time without a beat, in which each processor was used for `used_ns`. A long one was a stop,
/// unless the process has used all its processors: with a real-time priority, an algorithm may leave none to the thread that
/// beats.
fn stop_ns(gap_ns: u64, used_ns: u64) -> u64 {
    gap_ns.saturating_sub(used_ns.max(MAX_GAP_NS))
}

/// Nanoseconds of processors that all threads of the process have used.
#[cfg(unix)]
fn processor_ns() -> u64 {
    use rustix::time::{ClockId, clock_gettime};
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

#[cfg(not(unix))]
fn processor_ns() -> u64 {
    0
}

/// Steps of one loop: about a millisecond.
const STEPS: u32 = 300_000;

/// Loops of one reading, of which the fastest counts: a single interruption is no drift.
const LOOPS: u32 = 3;

/// From this drift on a run is called noisy.
const NOTABLE_DRIFT: f64 = 0.10;

/// Nanoseconds of the calibration loop: integer arithmetic in registers, each step waiting for the
/// one before, so that only the processor's speed and its other load make a difference.
pub(crate) fn calibrate(clock: &dyn Clock) -> u64 {
    let work = || black_box((0..STEPS).fold(black_box(1), |word, _| mix(word)));
    let once = |_| clocked(clock, work).1;
    (0..LOOPS).map(once).min().unwrap_or(0)
}

/// The share by which the slowest reading exceeds the fastest, where it makes the figures doubtful:
/// 0.25 where it took a quarter longer.
pub(crate) fn notable_drift(readings: &[u64]) -> Option<f64> {
    let fastest = readings.iter().min().filter(|&&ns| ns > 0)?;
    let slowest = readings.iter().max()?;
    let drift = *slowest as f64 / *fastest as f64 - 1.0;
    (drift > NOTABLE_DRIFT).then_some(drift)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn step_of_a_coarse_clock_is_the_least_change() {
        let step_of = |readings_a_step: u64, step_ns: u64| {
            let readings = std::cell::Cell::new(0);
            step_of_clock_ns(|| {
                readings.set(readings.get() + 1);
                let step = readings.get() / readings_a_step;
                // Every third step is missed.
                step_ns * (step - u64::from(step % 3 == 1))
            })
        };
        assert_eq!([step_of(700, 100_000), step_of(3, 5_000), step_of(1, 1)], [100_000, 5_000, 1]);
        assert_eq!(step_of_clock_ns(|| 7), u64::from(u32::MAX), "it stands still");
    }

    const SECOND: u64 = 1_000_000_000;

    #[test]
    fn time_of_a_stop_does_not_pass() {
        for (used_ns, stopped_ns) in [
            (0, 25 * SECOND - MAX_GAP_NS),
            // All processors were busy up to the stop.
            (SECOND / 10, 25 * SECOND - MAX_GAP_NS),
            (2 * SECOND, 23 * SECOND),
            // A beat that has no processor.
            (25 * SECOND, 0),
        ] {
            assert_eq!(stop_ns(25 * SECOND, used_ns), stopped_ns);
        }
        assert_eq!(stop_ns(MAX_GAP_NS, 0), 0, "a delayed beat");
    }

    /// It is killed at the end: a failed test leaves no stopped process.
    #[cfg(unix)]
    struct Killed(std::process::Child);

    #[cfg(unix)]
    impl Drop for Killed {
        fn drop(&mut self) {
            let _ = (self.0.kill(), self.0.wait());
        }
    }

    #[cfg(unix)]
    #[test]
    fn stop_of_a_process_is_noticed() {
        use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};
        use std::io::{BufRead, BufReader, Write, stdin};
        use std::process::{Command, Stdio};
        /// Set in the process that is stopped.
        const STOPPED: &str = "MEASURE_TEST_IS_STOPPED";
        if std::env::var_os(STOPPED).is_some() {
            let clock = MonotonicClock::new();
            let before_ns = clock.stopped_ns();
            println!("ready");
            stdin().read_line(&mut String::new()).unwrap();
            println!("stopped for {}", clock.stopped_ns() - before_ns);
            return;
        }
        let name = concat!(module_path!(), "::stop_of_a_process_is_noticed");
        let (_, name) = name.split_once("::").unwrap();
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(STOPPED, "")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = Killed(child.unwrap());
        let mut lines = BufReader::new(child.0.stdout.take().unwrap()).lines().map(Result::unwrap);
        assert!(lines.any(|line| line.ends_with("ready")));
        let pid = Pid::from_child(&child.0);
        kill_process(pid, Signal::STOP).unwrap();
        assert!(waitpid(Some(pid), WaitOptions::UNTRACED).unwrap().unwrap().1.stopped());
        thread::sleep(Duration::from_secs(1));
        kill_process(pid, Signal::CONT).unwrap();
        child.0.stdin.take().unwrap().write_all(b"\n").unwrap();
        let counted = lines.find_map(|line| line.strip_prefix("stopped for ")?.parse::<u64>().ok());
        assert!(counted.unwrap() > SECOND / 2, "{counted:?} of a second or more");
    }
}

//! The stopwatch's clock, behind a trait.

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
}

/// The operating system's monotonic clock, which stands still while the process is stopped: of each stop it counts
/// about 0.3 s at most.
#[derive(Clone, Copy, Debug)]
pub struct MonotonicClock {
    running: &'static RunningTime<SystemTimes>,
    start_ns: u64,
}

impl MonotonicClock {
    /// A clock that counts from now.
    pub fn new() -> Self {
        let running = LazyLock::force(&RUNNING);
        Self { running, start_ns: running.now_ns() }
    }
}

impl Default for MonotonicClock {
    fn default() -> Self {
        Self::new()
    }
}

impl Clock for MonotonicClock {
    fn now_ns(&self) -> u64 {
        self.running.now_ns() - self.start_ns
    }

    fn stopped_ns(&self) -> u64 {
        self.running.stopped_ns()
    }
}

/// The time of this process, with a thread that beats.
static RUNNING: LazyLock<RunningTime<SystemTimes>> = LazyLock::new(|| {
    let processors = thread::available_parallelism().map_or(1, |number| number.get() as u64);
    let running = RunningTime::new(SystemTimes { origin: Instant::now() }, processors);
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

/// The clocks that the system has.
trait Times {
    /// Nanoseconds of time, stops included.
    fn now_ns(&self) -> u64;
    /// Nanoseconds of processors that all threads of the process have used.
    fn processor_ns(&self) -> u64;
}

/// Time without stops. A thread that beats shows that the process runs.
#[derive(Debug)]
struct RunningTime<T> {
    times: T,
    /// Processors that the process may use, which is the number of threads that run at once.
    processors: u64,
    stopped_ns: AtomicU64,
    /// When the last beat was, stops included.
    beat_ns: AtomicU64,
    /// The time of processors then. It is locked during a beat.
    processor_ns: Mutex<u64>,
}

impl<T: Times> RunningTime<T> {
    fn new(times: T, processors: u64) -> Self {
        let (beat_ns, processor_ns) = (times.now_ns().into(), times.processor_ns().into());
        Self { times, processors, stopped_ns: AtomicU64::new(0), beat_ns, processor_ns }
    }

    fn now_ns(&self) -> u64 {
        loop {
            let stopped_ns = self.stopped_ns.load(SeqCst);
            let now_ns = self.times.now_ns();
            if now_ns.saturating_sub(self.beat_ns.load(SeqCst)) > MAX_GAP_NS {
                // After a stop, this thread may run before the one that beats.
                self.beat();
            }
            // Otherwise the process was stopped between the two readings.
            if self.stopped_ns.load(SeqCst) == stopped_ns {
                return now_ns - stopped_ns;
            }
        }
    }

    fn stopped_ns(&self) -> u64 {
        self.now_ns();
        self.stopped_ns.load(SeqCst)
    }

    /// Notes that the process runs. A long time without a beat was a stop, unless the process has used all its processors:
    /// with a real-time priority, an algorithm may leave none to the thread that beats.
    fn beat(&self) {
        let mut processor_ns = self.processor_ns.lock().unwrap_or_else(PoisonError::into_inner);
        let (now_ns, used_ns) = (self.times.now_ns(), self.times.processor_ns());
        let gap_ns = now_ns.saturating_sub(self.beat_ns.load(SeqCst));
        if gap_ns > MAX_GAP_NS {
            let ran_ns = used_ns.saturating_sub(*processor_ns) / self.processors;
            let ran_ns = ran_ns.max(MAX_GAP_NS);
            self.stopped_ns.fetch_add(gap_ns.saturating_sub(ran_ns), SeqCst);
        }
        *processor_ns = used_ns;
        self.beat_ns.store(now_ns, SeqCst);
    }
}

/// The clocks of the operating system.
#[derive(Debug)]
struct SystemTimes {
    origin: Instant,
}

impl Times for SystemTimes {
    fn now_ns(&self) -> u64 {
        // 2^64 ns are 584 years.
        self.origin.elapsed().as_nanos() as u64
    }

    #[cfg(unix)]
    fn processor_ns(&self) -> u64 {
        use rustix::time::{ClockId, clock_gettime};
        let time = clock_gettime(ClockId::ProcessCPUTime);
        time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
    }

    #[cfg(not(unix))]
    fn processor_ns(&self) -> u64 {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: u64 = 1_000_000_000;

    #[derive(Default)]
    struct SetTimes {
        now_ns: AtomicU64,
        processor_ns: AtomicU64,
    }

    impl Times for SetTimes {
        fn now_ns(&self) -> u64 {
            self.now_ns.load(SeqCst)
        }

        fn processor_ns(&self) -> u64 {
            self.processor_ns.load(SeqCst)
        }
    }

    /// The time that passes by the clock, and that of stops, in which so much passes on the wall and on all processors.
    fn passes(processors: u64, wall_ns: u64, processor_ns: u64) -> (u64, u64) {
        let running = RunningTime::new(SetTimes::default(), processors);
        running.times.now_ns.store(7, SeqCst);
        running.beat();
        let before = running.now_ns();
        running.times.now_ns.fetch_add(wall_ns, SeqCst);
        running.times.processor_ns.fetch_add(processor_ns, SeqCst);
        (running.now_ns() - before, running.stopped_ns())
    }

    #[test]
    fn time_of_a_stop_does_not_pass() {
        for processors in [1, 8, 64] {
            let passes = |wall_ns, each_ns| passes(processors, wall_ns, processors * each_ns);
            let stop = (MAX_GAP_NS, 25 * SECOND - MAX_GAP_NS);
            assert_eq!(passes(25 * SECOND, 0), stop);
            assert_eq!(passes(25 * SECOND, SECOND / 10), stop, "all were busy up to the stop");
            assert_eq!(passes(25 * SECOND, 2 * SECOND), (2 * SECOND, 23 * SECOND));
            assert_eq!(passes(MAX_GAP_NS, 0), (MAX_GAP_NS, 0), "a delayed beat");
            let busy = passes(25 * SECOND, 25 * SECOND);
            assert_eq!(busy, (25 * SECOND, 0), "a beat that has no processor");
        }
    }

    /// Set in the process that is stopped.
    #[cfg(unix)]
    const STOPPED: &str = "MEASURE_TEST_IS_STOPPED";

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

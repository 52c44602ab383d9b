//! The processor's counters, by Linux's perf events.

use measure::{HardwareCount, HardwareCounters, HardwareCounts};
use perf_event::events::{Event, Hardware};
use perf_event::{Builder, Counter};
use std::io;
use std::sync::{Mutex, PoisonError};

/// Counters that run in user space, for this thread and all that it starts from now on.
struct PerfCounters {
    instructions: Mutex<Counter>,
    cache_misses: Option<Mutex<Counter>>,
}

/// Opens the counters, with what is counted, or why the system allows none. Threads that are started later are counted too.
pub(crate) fn open() -> (Option<Box<dyn HardwareCounters>>, String) {
    match PerfCounters::of(Hardware::INSTRUCTIONS, Hardware::CACHE_MISSES) {
        Ok(counters) => {
            let misses = if counters.cache_misses.is_some() { ", cache misses" } else { "" };
            let text = format!("instructions{misses}, in user space, of all threads");
            (Some(Box::new(counters)), text)
        }
        Err(error) => (None, reason(&error)),
    }
}

impl PerfCounters {
    fn of(instructions: impl Event, cache_misses: impl Event) -> io::Result<Self> {
        let instructions = start(instructions)?;
        Ok(Self { instructions, cache_misses: start(cache_misses).ok() })
    }
}

/// A counter that runs.
fn start(event: impl Event) -> io::Result<Mutex<Counter>> {
    let mut counter = Builder::new(event).inherit(true).build()?;
    counter.enable()?;
    Ok(Mutex::new(counter))
}

impl HardwareCounters for PerfCounters {
    fn read(&self) -> Option<HardwareCounts> {
        let read = |counter: &Mutex<Counter>| {
            let mut counter = counter.lock().unwrap_or_else(PoisonError::into_inner);
            let data = counter.read_full().ok()?;
            // Both are asked for by the builder, and differ where counters are multiplexed.
            let lost = data.time_enabled()?.saturating_sub(data.time_running()?);
            Some(HardwareCount { value: data.count(), lost_ns: lost.as_nanos() as u64 })
        };
        let instructions = read(&self.instructions)?;
        Some(HardwareCounts {
            instructions,
            cache_misses: self.cache_misses.as_ref().and_then(read),
        })
    }
}

fn reason(error: &io::Error) -> String {
    if error.kind() == io::ErrorKind::NotFound {
        return "none: the processor shows no counters, as in most virtual machines".to_owned();
    }
    let setting = std::fs::read_to_string("/proc/sys/kernel/perf_event_paranoid");
    let setting = setting.map_or_else(|_| "missing".to_owned(), |text| text.trim().to_owned());
    format!("none: perf_event_open: {error} (kernel.perf_event_paranoid is {setting})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use perf_event::events::Software;

    #[test]
    fn threads_started_later_are_counted() {
        // Nanoseconds on a processor stand in for instructions: virtual machines count them too.
        let Ok(counters) = PerfCounters::of(Software::TASK_CLOCK, Software::PAGE_FAULTS) else {
            eprintln!("not tested: the system gives no counters");
            return;
        };
        let before = counters.read().unwrap();
        // Work of some 30 ms, also on a machine that has little time for this thread.
        let busy = || (0..30_000_000_u64).fold(0, |sum, n| std::hint::black_box(sum ^ n));
        std::thread::spawn(busy).join().unwrap();
        let after = counters.read().unwrap();
        let counted = after.instructions.value - before.instructions.value;
        assert_eq!(
            after.instructions.lost_ns, 0,
            "the system's own counters are never multiplexed"
        );
        assert!(counted > 1_000_000, "{counted} ns of a thread that was busy for longer");
        let [before, after] = [before, after].map(|counts| counts.cache_misses.unwrap().value);
        assert!(after >= before);
    }
}

//! The processor's counters, by Linux's perf events.

use measure::{HardwareCounters, HardwareCounts};
use perf_event::events::Hardware;
use perf_event::{Builder, Counter};
use std::io;
use std::sync::{Mutex, PoisonError};

/// Counters that run in user space, for this thread and all that it starts from now on.
pub(crate) struct PerfCounters {
    instructions: Mutex<Counter>,
    cache_misses: Option<Mutex<Counter>>,
}

impl PerfCounters {
    /// Opens the counters; a reason where the system has none for us.
    pub(crate) fn open() -> Result<Self, String> {
        let open = |event| -> io::Result<Mutex<Counter>> {
            let mut counter = Builder::new(event).inherit(true).build()?;
            counter.enable()?;
            Ok(Mutex::new(counter))
        };
        let instructions = open(Hardware::INSTRUCTIONS).map_err(|error| reason(&error))?;
        let cache_misses = open(Hardware::CACHE_MISSES).ok();
        Ok(Self { instructions, cache_misses })
    }

    /// What is counted.
    pub(crate) fn describe(&self) -> String {
        let misses = if self.cache_misses.is_some() { ", cache misses" } else { "" };
        format!("instructions{misses}, in user space, of all threads")
    }
}

impl HardwareCounters for PerfCounters {
    fn read(&self) -> Option<HardwareCounts> {
        let read = |counter: &Mutex<Counter>| {
            counter.lock().unwrap_or_else(PoisonError::into_inner).read().ok()
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

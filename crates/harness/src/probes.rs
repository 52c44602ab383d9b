//! The instruments that this process has.

use crate::Process;
use measure::{AllocationCount, Clock, HardwareCounters, HeapProbe, Instruments};

/// All but the clock.
pub(crate) struct Probes {
    allocations: Option<AllocationCount>,
    heap: Option<HeapProbe>,
    hardware: Option<Box<dyn HardwareCounters>>,
    hardware_text: String,
}

impl Probes {
    /// Opens the counters of the system. Threads that are started later are counted too.
    pub(crate) fn open(process: &Process) -> Self {
        let (hardware, hardware_text) = hardware();
        let Process { allocations, heap, .. } = *process;
        Self { allocations, heap, hardware, hardware_text }
    }

    /// The instruments, with a clock.
    pub(crate) fn instruments<'a>(&'a self, clock: &'a dyn Clock) -> Instruments<'a> {
        let Self { allocations, heap, hardware, .. } = self;
        let hardware = hardware.as_deref();
        Instruments { heap: *heap, hardware, ..Instruments::new(clock, *allocations) }
    }

    /// Which counters of the processor are read, or why none are.
    pub(crate) fn describe(&self) -> String {
        self.hardware_text.clone()
    }
}

#[cfg(target_os = "linux")]
fn hardware() -> (Option<Box<dyn HardwareCounters>>, String) {
    match crate::perf::PerfCounters::open() {
        Ok(counters) => {
            let text = counters.describe();
            (Some(Box::new(counters)), text)
        }
        Err(reason) => (None, reason),
    }
}

#[cfg(not(target_os = "linux"))]
fn hardware() -> (Option<Box<dyn HardwareCounters>>, String) {
    (None, "none: they are read on Linux only".to_owned())
}

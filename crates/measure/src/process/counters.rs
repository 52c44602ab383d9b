//! Counters of the processor and of the heap.

/// Counters of the processor that run for all threads of the process.
///
/// A trait, because systems have different counters, and many have none.
pub trait HardwareCounters: Sync {
    /// The counters now. They only ever grow; `None` once they cannot be read.
    fn read(&self) -> Option<HardwareCounts>;
}

/// A reading of the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HardwareCounts {
    /// Instructions carried out.
    pub instructions: HardwareCount,
    /// Accesses that the last cache could not serve; not every processor counts them.
    pub cache_misses: Option<HardwareCount>,
}

/// A reading of one counter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HardwareCount {
    /// Its count.
    pub value: u64,
    /// Nanoseconds, summed over threads, in which other counters were scheduled instead: a processor
    /// has few.
    pub lost_ns: u64,
}

impl HardwareCount {
    /// The count since an earlier reading; `None` where a part was missed. Missing counts are not
    /// extrapolated.
    pub(crate) fn since(self, earlier: Self) -> Option<u64> {
        (self.lost_ns == earlier.lost_ns).then(|| self.value.saturating_sub(earlier.value))
    }
}

/// What a counting allocator knows about the heap of the process.
///
/// Functions and not a trait: a process has one allocator, without other state.
#[derive(Clone, Copy, Debug)]
pub struct HeapProbe {
    /// Bytes allocated so far by the process; a block that grows counts by its growth.
    pub allocated_bytes: fn() -> u64,
    /// Bytes that are allocated now.
    pub live_bytes: fn() -> u64,
    /// Peak growth of the heap since the last reset, in bytes.
    pub peak_growth: fn() -> u64,
    /// Resets the peak.
    pub reset_peak: fn(),
}

/// Follows what one structure holds: the changes of the heap while its own code runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeapWatch {
    probe: HeapProbe,
    /// Bytes that the structure holds. May fall below 0 where it frees what others allocated.
    held: i64,
    /// Most bytes that it held at once.
    peak: i64,
}

/// The heap before the structure's code runs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HeapBefore {
    live: u64,
    allocated: u64,
}

impl HeapWatch {
    pub(crate) fn new(probe: HeapProbe) -> Self {
        Self { probe, held: 0, peak: 0 }
    }

    pub(crate) fn before(&self) -> HeapBefore {
        (self.probe.reset_peak)();
        HeapBefore { live: (self.probe.live_bytes)(), allocated: (self.probe.allocated_bytes)() }
    }

    /// Bytes allocated since.
    pub(crate) fn after(&mut self, before: HeapBefore) -> u64 {
        self.peak = self.peak.max(self.held + (self.probe.peak_growth)() as i64);
        self.held += (self.probe.live_bytes)() as i64 - before.live as i64;
        (self.probe.allocated_bytes)().saturating_sub(before.allocated)
    }

    /// Most bytes that the structure held at once so far, between two frames or within one.
    pub(crate) fn peak_bytes(&self) -> u64 {
        self.peak.max(0) as u64
    }
}

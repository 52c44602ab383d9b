//! The peak of a structure's heap.

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

//! Counters of the processor, behind a trait.

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

//! Counters of the processor, behind a seam.

/// Counters of the processor that run for all threads of the process.
///
/// A trait, because every system has others, and many none.
pub trait HardwareCounters: Sync {
    /// The counters now. They only ever grow; `None` once they cannot be read.
    fn read(&self) -> Option<HardwareCounts>;
}

/// A reading of the counters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HardwareCounts {
    /// Instructions carried out.
    pub instructions: u64,
    /// Accesses that the last cache could not serve; not every processor counts them.
    pub cache_misses: Option<u64>,
}

impl HardwareCounts {
    /// What was counted since an earlier reading.
    pub(crate) fn since(self, earlier: Self) -> Self {
        let misses = self.cache_misses.zip(earlier.cache_misses);
        Self {
            instructions: self.instructions.saturating_sub(earlier.instructions),
            cache_misses: misses.map(|(now, then)| now.saturating_sub(then)),
        }
    }
}

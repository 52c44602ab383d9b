//! The instruction set of the vectorised algorithms.

use fearless_simd::Level;
use std::sync::atomic::{AtomicU8, Ordering};

/// Boxes in a block, which are compared at once: a whole number of vector registers at every instruction set from SSE2 to
/// AVX-512.
pub(crate) const LANES: usize = 16;

/// An upper bound on the instruction set, to compare instruction sets with each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[repr(u8)]
pub enum SimdLimit {
    /// The best of the processor.
    #[default]
    None,
    /// AVX2 at most.
    Avx2,
    /// SSE4.2 at most.
    Sse4_2,
    /// No vector instructions: the plain form, and the reference of the tests.
    Scalar,
}

impl SimdLimit {
    /// All limits.
    pub const ALL: [Self; 4] = [Self::None, Self::Avx2, Self::Sse4_2, Self::Scalar];

    /// Its name on command lines.
    pub fn name(self) -> &'static str {
        match self {
            Self::None => "best",
            Self::Avx2 => "avx2",
            Self::Sse4_2 => "sse4.2",
            Self::Scalar => "scalar",
        }
    }

    /// The limit with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|limit| limit.name() == name)
    }
}

static LIMIT: AtomicU8 = AtomicU8::new(SimdLimit::None as u8);

/// Limits the instruction set of this process from the next frame on. The pairs do not change.
pub fn limit_simd(limit: SimdLimit) {
    LIMIT.store(limit as u8, Ordering::Relaxed);
}

/// Name of the instruction set in use.
pub fn simd_name() -> &'static str {
    let level = level();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    match level {
        Level::Avx512(_) => return "AVX-512",
        Level::Avx2(_) => return "AVX2",
        Level::Sse4_2(_) => return "SSE4.2",
        Level::Sse2(_) => return "SSE2",
        _ => {}
    }
    if level.is_fallback() { "scalar" } else { "128-bit vectors" }
}

/// The instruction set to use. The processor is detected once; later calls cost a load and a branch.
pub(crate) fn level() -> Level {
    let best = Level::new();
    match LIMIT.load(Ordering::Relaxed) {
        limit if limit == SimdLimit::Scalar as u8 => Level::fallback(),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        limit if limit == SimdLimit::Avx2 as u8 => best.as_avx2().map_or(best, Level::Avx2),
        #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
        limit if limit == SimdLimit::Sse4_2 as u8 => best.as_sse4_2().map_or(best, Level::Sse4_2),
        _ => best,
    }
}

/// As [`level`], but AVX2 in place of AVX-512, for vectors of four whose comparisons are branched on
/// at once. AVX-512 compares into mask registers, from which a result takes longer. Measured: AVX2
/// saves a fifth of the time.
pub(crate) fn narrow_level() -> Level {
    let level = level();
    #[cfg(any(target_arch = "x86", target_arch = "x86_64"))]
    if let (Level::Avx512(_), Some(avx2)) = (level, level.as_avx2()) {
        return Level::Avx2(avx2);
    }
    level
}

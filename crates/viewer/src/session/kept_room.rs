//! The memory of what is kept of earlier steps.

/// Objects, and the bytes for them or fewer.
const SMALL: (u64, u64) = (3_000, 64 << 20);

/// Objects, and the bytes for them or more.
const LARGE: (u64, u64) = (100_000, 512 << 20);

/// Kept steps may take one in this many bytes of the available memory. The rest is for the algorithms.
const MEMORY_SHARE: u64 = 4;

/// Copies of structures may take one in this many of these bytes. The rest is for the states of the objects.
const STRUCTURE_SHARE: u64 = 10;

/// Bytes for kept steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct KeptRoom {
    /// For the states of the objects.
    pub(super) states: usize,
    /// For copies of structures.
    pub(super) structures: usize,
}

impl KeptRoom {
    /// For a number of objects, within the `available` bytes.
    pub(super) fn new(objects: u64, available: u64) -> Self {
        let beyond = objects.clamp(SMALL.0, LARGE.0) - SMALL.0;
        let wanted = SMALL.1 + beyond * (LARGE.1 - SMALL.1) / (LARGE.0 - SMALL.0);
        let all = wanted.min(available / MEMORY_SHARE);
        let structures = all / STRUCTURE_SHARE;
        let bytes = |bytes: u64| usize::try_from(bytes).unwrap_or(usize::MAX);
        Self { states: bytes(all - structures), structures: bytes(structures) }
    }

    /// Bytes of both.
    pub(super) fn all(self) -> usize {
        self.states.saturating_add(self.structures)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn room_grows_with_the_objects_within_the_available_memory() {
        let all = |objects, available| KeptRoom::new(objects, available).all() >> 20;
        let plenty = 64 << 30;
        assert_eq!([0, 3_000, 100_000, u64::MAX].map(|n| all(n, plenty)), [64, 64, 512, 512]);
        assert!((280..300).contains(&all(51_500, plenty)));
        assert_eq!((all(100_000, 1 << 30), all(100_000, 0)), (256, 0));
    }
}

//! The algorithm that all others are compared with.

use broadphase::registry::Algorithm;

/// The algorithm that the others are compared with wherever it was measured: brute force, the
/// first of the registry.
pub fn reference() -> &'static Algorithm {
    broadphase::registry::ALGORITHMS.reference()
}

/// The algorithm that finds the candidates of bodies where no other is asked for. They do not depend on it.
pub fn finder() -> &'static Algorithm {
    broadphase::registry::find("sweep-grid").unwrap_or_else(reference)
}

/// Most tests in all frames that brute force makes afterwards, where it was not measured: some
/// seconds.
pub(crate) const MAX_TESTS_TO_PROVE: u64 = 10_000_000_000;

//! Aids for tests and benchmarks of algorithms: comparison of pair lists, and the instruction set.
//!
//! [`Difference::between`] takes two sorted pair lists and reports missing, additional and doubled
//! pairs. [`PairListOrigin::assert_same`] does so in a test, and its panic states where the lists come from.
//! [`check_pairs`] needs no reference: it finds every fault but a missing pair. [`checksum`] compares lists
//! without their order, and across programs.
//!
//! ```
//! use broadphase::Pair;
//! use broadphase::benchmark::{Difference, PairFault};
//!
//! let expected = [Pair::new(0, 1), Pair::new(0, 2)];
//! assert!(Difference::between(&expected, &expected).is_none());
//! let difference = Difference::between(&expected, &expected[..1]).unwrap();
//! assert_eq!(difference.first(), PairFault::Missing(Pair::new(0, 2)));
//! ```

mod checksum;
mod difference;
mod fault;

pub use crate::mix::mix;
pub use crate::simd::{SimdLimit, limit_simd, simd_name};
pub use checksum::checksum;
pub use difference::{Difference, PairListOrigin};
pub use fault::{PairFault, check_pairs};

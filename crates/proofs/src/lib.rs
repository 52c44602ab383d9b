//! Proofs of `narrowphase`'s answers: an [oracle] that shares no code with its methods, and checks of answers, of their
//! proofs, and of contact sets.
//!
//! All is slow and allocates. `harness verify`, properties and the fuzzer use it; what is measured is compared with the
//! references alone. The tests of this crate are the proofs of the methods.

mod checks;
pub mod oracle;

pub use checks::{AnswerFault, answer_fault, contact_fault, first_contact_fault, reference_fault};

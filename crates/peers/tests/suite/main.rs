//! The peers find the right pairs, and are those of the lock file.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod differential;
mod pile;
mod versions;

//! The peers find the right pairs and contacts, and are those of the lock file.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod bodies;
#[cfg(feature = "all")]
mod differential;
mod hulls;
#[cfg(feature = "all")]
mod pile;
#[cfg(feature = "all")]
mod versions;

//! The peers find the right pairs and contacts, and are those of the lock file.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod bodies;
mod differential;
mod pile;
mod versions;

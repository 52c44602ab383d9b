//! The C functions, called from Rust, and their header.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]
#![allow(unsafe_code, reason = "C functions are called")]

mod errors;
mod header;
mod queries;
mod results;
mod support;

//! The commands, a file or folder each.

pub(crate) mod atlas;
pub(crate) mod bodies;
pub(crate) mod capacity;
pub(crate) mod compare;
mod experiments;
mod inputs;
pub(crate) mod list;
pub(crate) mod plot;
pub(crate) mod record;
mod recorder;
pub(crate) mod report;
mod results;
pub(crate) mod run;
mod series;
pub(crate) mod speed;
#[cfg(test)]
pub(crate) mod tests;
pub(crate) mod thesis;
pub(crate) mod verify;

pub(crate) use inputs::{check_length, check_memory, without_repeats};

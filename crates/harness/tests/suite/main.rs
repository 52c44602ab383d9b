//! The command line, its results, and the pages of the project.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod atlas;
mod cli;
mod commands;
mod documentation;
mod endurance;
mod experiments;
mod kills;
mod plot;
mod report;
mod shards;
mod thesis;
mod threads;

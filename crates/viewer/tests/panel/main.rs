//! The panels, clicked without a window: the commands that they return, and their effect on a session.

#![allow(clippy::unwrap_used, reason = "this is a test")]

#[path = "../common/mod.rs"]
mod common;

mod bodies;
mod compare;
mod contacts;
mod diagrams;
mod disagreement;
mod draw;
mod faults;
mod fields;
mod figures;
mod files;
mod forces;
mod inspector;
mod layout;
mod legend;
mod notices;
mod objects;
mod obstacles;
mod overlays;
mod parameters;
mod picking;
mod planted;
mod recording;
mod run;
mod scene;
mod scrubber;
mod sources;
mod stages;
mod structure;
mod suggestions;
mod triad;
mod validation;

//! Scenes, worlds, bodies, edits, cells and traces.
#![allow(clippy::unwrap_used, reason = "also in the helpers of the tests")]

mod atlas;
mod atlas_cells;
mod bad_scenes;
mod bodies;
mod body_contacts;
mod body_reach;
mod bounded_steps;
mod continuous;
mod driving;
mod edit_sequences;
mod edits;
mod generated;
mod laws;
mod matter;
mod pull;
mod resting;
mod sample_queries;
mod scene_files;
mod scene_text;
mod shipped_bodies;
mod sliding;
mod traces;
mod world;
mod world_layers;
mod world_run;

//! The viewer: a scene in a window on the GPU, or the same scene without a window.

pub mod app;
pub mod camera;
pub mod chart_export;
pub mod cli;
pub mod composer;
mod console;
pub mod gpu;
pub mod headless;
pub mod offscreen;
mod one_line;
pub mod panel;
pub mod parts;
pub mod picking;
pub mod program;
mod refusal;
pub mod scene_renderer;
pub mod session;
pub mod settings;
pub mod simulation;

//! The viewer: a scene, a trace or generated boxes in a window on the GPU, or the same without a
//! window.

pub mod app;
pub mod camera;
pub mod cli;
pub mod composer;
#[cfg(not(target_family = "wasm"))]
mod console;
mod drive_file;
pub mod failure;
mod format;
pub mod gpu;
#[cfg(not(target_family = "wasm"))]
pub mod headless;
pub mod link;
pub mod measuring;
pub mod offscreen;
mod one_line;
pub mod panel;
pub mod picking;
pub mod picture;
mod picture_folder;
pub mod platform;
pub mod program;
pub mod reproduction;
pub mod scene_renderer;
pub mod session;
pub mod settings;
mod shipped_scenes;
pub mod simulation;
pub mod view;

//! The window: turns events into orders for the simulation, and draws its snapshots.

mod autosave;
#[cfg(not(target_family = "wasm"))]
mod clipboard;
#[cfg(not(target_family = "wasm"))]
mod display;
#[cfg(all(unix, not(target_os = "macos")))]
mod drags;
mod eased_camera;
mod error;
mod following_file;
mod frame_rate;
mod model;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod scale;
mod scene_file;
pub(crate) mod scene_picture;
mod scene_texture;
mod start;
mod title;
mod viewer;
#[cfg(not(target_family = "wasm"))]
mod window;

#[cfg(not(target_family = "wasm"))]
pub use display::Display;
pub use error::WindowError;
#[cfg(target_family = "wasm")]
pub use page::open;
pub use scene_file::Opened;
pub use start::Start;
#[cfg(not(target_family = "wasm"))]
pub use window::run;

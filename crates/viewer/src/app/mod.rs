//! The window: turns events into orders for the simulation, and draws its snapshots.

mod autosave;
mod clipboard;
mod display;
#[cfg(all(unix, not(target_os = "macos")))]
mod drags;
mod eased_camera;
mod error;
mod following_file;
mod frame_rate;
mod model;
mod scale;
mod scene_file;
mod scene_picture;
mod scene_texture;
mod start;
mod title;
mod window;

pub use display::Display;
pub use error::WindowError;
pub use scene_file::Opened;
pub use start::Start;
pub use window::run;

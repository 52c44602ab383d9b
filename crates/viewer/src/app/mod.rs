//! The window: turns events into orders for the simulation, and draws its snapshots.

mod autosave;
mod clipboard;
#[cfg(all(unix, not(target_os = "macos")))]
mod drags;
mod draw_times;
mod eased_camera;
mod error;
mod event_loop;
mod following_file;
mod frame_rate;
mod input;
mod model;
mod panel_painter;
mod scale;
mod scene_file;
mod scene_picture;
mod scene_texture;
mod screen;
mod start;
mod surface;
mod title;
mod window;

pub use error::WindowError;
pub use scene_file::Opened;
pub use start::Start;
pub use window::run;

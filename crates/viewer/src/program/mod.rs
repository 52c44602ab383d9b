//! The program: an input in a window or in a page, or the same job without one.

mod opening;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(not(target_family = "wasm"))]
mod run;
#[cfg(not(target_family = "wasm"))]
mod without_window;

pub use opening::begin;
#[cfg(target_family = "wasm")]
pub use page::{open, trajectory};
#[cfg(not(target_family = "wasm"))]
pub use run::run;

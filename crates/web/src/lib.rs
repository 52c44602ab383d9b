//! The viewer as a page: called by `page.js`, which has the canvas.
#![cfg(target_family = "wasm")]

use wasm_bindgen::prelude::wasm_bindgen;
use web_sys::HtmlCanvasElement;

/// Opens the viewer in a canvas, in the state that a query describes.
#[wasm_bindgen]
pub async fn open(canvas: HtmlCanvasElement, query: String) -> Result<(), String> {
    std::mem::forget(viewer::program::open(canvas, &query).await?);
    Ok(())
}

/// The hash of the world after some steps of a scene, in hexadecimal digits.
#[wasm_bindgen]
pub fn trajectory(query: &str, steps: u32) -> Result<String, String> {
    viewer::program::trajectory(query, steps).map(|hash| format!("{hash:016x}"))
}

//! The program in a page of a browser.

use super::begin;
use crate::app::{self, Start};
use crate::cli::Arguments;
use crate::link;
use crate::platform::{Browser, Files as _, Platform};
use crate::simulation::Notice;
use broadphase::registry::ALGORITHMS;
use eframe::WebRunner;
use sim::{Hold, World};
use std::path::Path;
use web_sys::HtmlCanvasElement;

/// Opens the viewer in a canvas, in the state that a query describes; in its first state where the query is wrong, which is
/// said in a message. Returns what sees whether it failed.
///
/// # Errors
///
/// If there is no adapter.
pub async fn open(canvas: HtmlCanvasElement, query: &str) -> Result<WebRunner, String> {
    // eframe's hook has the console, and calls this one.
    std::panic::set_hook(Box::new(|panic| {
        Browser::show_fault(&format!("The viewer failed. Please report this:\n{panic}"));
    }));
    let browser = Browser::new();
    let platform = browser.platform();
    let (words, carried) = link::command_of(query);
    if let (Some(text), Some(name)) = (carried, words.get(1)) {
        browser.keep(Path::new(name), text.as_bytes()).map_err(|error| error.to_string())?;
    }
    let mut start = state(&words, platform).or_else(|problem| {
        let mut start = state(&link::command_of("").0, platform)?;
        start.notices.push(Notice::Problem(format!("the link: {problem}")));
        Ok::<_, String>(start)
    })?;
    // All scenes of a page are built in.
    start.notices.retain(|notice| !matches!(notice, Notice::Done(_)));
    app::open(canvas, start, browser).await
}

/// The hash of the world after this many steps of the scene that a query names. Tests compare it with that of other machines.
///
/// # Errors
///
/// If the query is wrong, or a step fails.
pub fn trajectory(query: &str, steps: u32) -> Result<u64, String> {
    let mut session = state(&link::command_of(query).0, Browser::new().platform())?.session;
    for _ in 0..steps {
        session.step(Hold::None)?;
    }
    Ok(session.world().map_or(0, World::hash))
}

/// The state that a command line describes.
fn state(words: &[String], platform: Platform) -> Result<Start, String> {
    // Threads are asked for once, before algorithms do: a page has none, and rayon takes the one that asks.
    let _ = rayon::current_num_threads();
    let arguments = Arguments::try_parse_offering(ALGORITHMS, words).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.strip_prefix("error: ").unwrap_or(line).to_owned()
    })?;
    begin(&arguments, platform).map_err(|failure| failure.to_string())
}

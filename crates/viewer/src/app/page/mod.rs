//! The viewer in a page of a browser.

mod browser;

use super::model::Model;
use super::start::Start;
use super::viewer::{SOON, Viewer, surface};
use crate::cli::Arguments;
use crate::gpu::Gpu;
use crate::link;
use crate::platform::Platform;
use crate::program;
use crate::simulation::Notice;
use broadphase::registry::ALGORITHMS;
use browser::Browser;
use eframe::{CreationContext, Frame, WebOptions, WebRunner};
use egui::Ui;
use egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};
use std::sync::Arc;
use wasm_bindgen::JsValue;
use web_sys::HtmlCanvasElement;

/// Nanoseconds of each picture in which steps are taken: at least, and at most where drawing takes as long.
const WORK_NS: [u64; 2] = [8_000_000, 50_000_000];

/// Opens the viewer in a canvas, in the state that `query` describes, and goes on without it. Returns what sees whether it failed.
///
/// # Errors
///
/// If the state is not valid, or there is no adapter.
pub async fn open(canvas: HtmlCanvasElement, query: &str) -> Result<WebRunner, String> {
    // Threads are asked for once, before algorithms do: a page has none, and rayon takes the one that asks.
    let _ = rayon::current_num_threads();
    let browser = Browser::new();
    let platform = browser.platform();
    let start = begin(&link::command_of(query), platform).or_else(|problem| {
        // The rest of the link may be wrong too.
        let mut start = begin(&link::command_of(""), platform)?;
        start.notices.push(Notice::Problem(format!("the link: {problem}")));
        Ok::<_, String>(start)
    })?;
    let setup = WgpuSetupCreateNew {
        device_descriptor: Arc::new(Gpu::wanted),
        ..WgpuSetupCreateNew::without_display_handle()
    };
    let options = WebOptions {
        wgpu_options: WgpuConfiguration {
            surface: surface(true),
            wgpu_setup: WgpuSetup::CreateNew(setup),
            ..WgpuConfiguration::default()
        },
        dithering: false,
        ..WebOptions::default()
    };
    let begin = Box::new(move |created: &CreationContext<'_>| {
        let Some(state) = created.wgpu_render_state.clone() else {
            return Err("there is no graphics device".into());
        };
        let gpu = Gpu::new(state.instance, state.adapter, state.device, state.queue);
        let mut model = Model::new(start, platform);
        model.start_here(&created.egui_ctx);
        let mut viewer = Viewer::new(model, gpu, platform.clock);
        viewer.begin(created, browser::set_title);
        Ok(Box::new(Page { viewer, browser, drawn_ns: 0 }) as Box<dyn eframe::App>)
    });
    let runner = WebRunner::new();
    let started = runner.start(canvas, options, begin).await;
    started.map(|()| runner).map_err(|error: JsValue| browser::words_of(&error))
}

/// The state that a command line describes.
fn begin(words: &[String], platform: Platform) -> Result<Start, String> {
    let arguments = Arguments::try_parse_offering(ALGORITHMS, words).map_err(|error| {
        let text = error.to_string();
        let line = text.lines().next().unwrap_or_default();
        line.strip_prefix("error: ").unwrap_or(line).to_owned()
    })?;
    program::begin(&arguments, platform).map_err(|failure| failure.to_string())
}

/// The address of this page with another query.
pub(super) fn address(query: &str) -> String {
    let location = web_sys::window().map(|window| window.location());
    let part = |of: fn(&web_sys::Location) -> Result<String, JsValue>| {
        location.as_ref().and_then(|location| of(location).ok()).unwrap_or_default()
    };
    format!("{}{}{query}", part(web_sys::Location::origin), part(web_sys::Location::pathname))
}

/// The viewer in its canvas.
struct Page {
    viewer: Viewer,
    browser: &'static Browser,
    /// Nanoseconds that the last picture took.
    drawn_ns: u64,
}

impl eframe::App for Page {
    fn ui(&mut self, ui: &mut Ui, frame: &mut Frame) {
        if let Some(fault) = self.viewer.gpu.fault() {
            return browser::report(&fault);
        }
        for file in ui.input(|input| input.raw.dropped_files.clone()) {
            let (browser, dropped) = (self.browser, self.viewer.model.reporter(Model::open_read));
            wasm_bindgen_futures::spawn_local(async move {
                let read = file.bytes_async().await;
                dropped(read.map(|bytes| {
                    browser.keep(file.path().to_owned(), bytes);
                    file.path().to_owned()
                }));
            });
        }
        let clock = self.viewer.clock;
        let began_ns = clock.now_ns();
        let until_ns = began_ns + self.drawn_ns.clamp(WORK_NS[0], WORK_NS[1]);
        let due = self.viewer.model.simulation.work(until_ns);
        let worked_ns = clock.now_ns();
        self.viewer.picture(ui, frame);
        self.drawn_ns = clock.now_ns() - worked_ns;
        self.viewer.follow();
        let Model { simulation, snapshot, .. } = &self.viewer.model;
        // Orders of this picture are carried out before the next one.
        let has_orders = simulation.orders_sent() > snapshot.engine.orders_done;
        if let Some(due) = if has_orders { Some(SOON) } else { due } {
            ui.ctx().request_repaint_after(due);
        }
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.window_fill.to_normalized_gamma_f32()
    }
}

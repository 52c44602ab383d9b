//! The viewer in a page of a browser.

use super::model::Model;
use super::start::Start;
use super::viewer::{SOON, Viewer, surface};
use crate::gpu::Gpu;
use crate::platform::Browser;
use eframe::{CreationContext, Frame, WebOptions, WebRunner};
use egui::Ui;
use egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupCreateNew};
use std::sync::Arc;
use web_sys::HtmlCanvasElement;

/// Nanoseconds of each picture in which steps are taken: at least, and at most where drawing takes as long.
const WORK_NS: [u64; 2] = [8_000_000, 50_000_000];

/// Opens the viewer in a canvas, and goes on without it. Returns what sees whether it failed.
///
/// # Errors
///
/// If there is no adapter.
pub async fn open(
    canvas: HtmlCanvasElement,
    start: Start,
    browser: &'static Browser,
) -> Result<WebRunner, String> {
    let platform = browser.platform();
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
        browser.open_chosen(model.reporter(Model::open_dropped));
        let mut viewer = Viewer::new(model, gpu, platform.clock);
        viewer.begin(created, Browser::set_title);
        Ok(Box::new(Page { viewer, browser, drawn_ns: 0 }) as Box<dyn eframe::App>)
    });
    let runner = WebRunner::new();
    let started = runner.start(canvas, options, begin).await;
    started.map(|()| runner).map_err(|error| Browser::words_of(&error))
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
            return Browser::show_fault(&fault);
        }
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        if !dropped.is_empty() {
            let (browser, open) = (self.browser, self.viewer.model.reporter(Model::open_dropped));
            wasm_bindgen_futures::spawn_local(async move {
                let mut read = Vec::new();
                for file in dropped.iter().filter_map(|file| file.web_file()) {
                    read.push(browser.read(file).await);
                }
                open(read);
            });
        }
        let clock = self.viewer.clock;
        let began_ns = clock.now_ns();
        let until_ns = began_ns + self.drawn_ns.clamp(WORK_NS[0], WORK_NS[1]);
        let due = self.viewer.model.simulation.work(until_ns);
        let worked_ns = clock.now_ns();
        self.viewer.picture(ui, frame);
        self.drawn_ns = clock.now_ns() - worked_ns;
        let files = self.viewer.follow();
        let Model { simulation, snapshot, .. } = &self.viewer.model;
        // Orders of this picture are carried out before the next one.
        let has_orders = simulation.orders_sent() > snapshot.engine.orders_done;
        let due = if has_orders { Some(SOON) } else { due };
        if let Some(due) = [due, files].into_iter().flatten().min() {
            ui.ctx().request_repaint_after(due);
        }
    }

    /// When the page is left, and from time to time.
    fn save(&mut self, _: &mut dyn eframe::Storage) {
        if let Err(problem) = self.viewer.model.write_settings() {
            self.viewer.model.report(problem);
        }
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.window_fill.to_normalized_gamma_f32()
    }
}

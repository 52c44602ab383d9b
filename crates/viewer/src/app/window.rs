//! The window, and its pictures.

mod events;

use super::clipboard::Clipboard;
use super::display::{self, Display};
use super::error::WindowError;
use super::model::Model;
use super::scale;
use super::start::Start;
use super::viewer::{SOON, Viewer, surface};
use crate::console;
use crate::gpu::Gpu;
use crate::platform::Platform;
use eframe::{CreationContext, Frame, NativeOptions};
use egui::{Ui, ViewportBuilder};
use egui_wgpu::{WgpuConfiguration, WgpuSetup, WgpuSetupExisting};
use events::Events;
use measure::Clock;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use winit::dpi::PhysicalSize;
use winit::platform::run_on_demand::EventLoopExtRunOnDemand as _;
use winit::raw_window_handle::{HasDisplayHandle as _, RawDisplayHandle};
use winit::window::Window;

/// The window's class, and its title until the first picture.
const NAME: &str = "broad phase";

/// Runs a session in a window until it is closed.
///
/// # Errors
///
/// If the display opens no window, or drawing fails permanently.
pub fn run(display: Display, start: Start, clock: &'static dyn Clock) -> Result<(), WindowError> {
    let Display { mut event_loop, gpu, scale } = display;
    let handle = event_loop.display_handle().map(|display| display.as_raw());
    let is_wayland = matches!(handle, Ok(RawDisplayHandle::Wayland(_)));
    let model = Model::new(start, Platform::system(clock));
    let options = options(&model, gpu.clone(), scale, is_wayland);
    let viewer = Viewer::new(model, gpu, clock);
    let app = App { viewer, window: None, is_shown: false, failure: None };
    let app = Rc::new(RefCell::new(app));
    let begun = Rc::clone(&app);
    let begin = Box::new(move |context: &CreationContext<'_>| {
        begun.borrow_mut().begin(context, is_wayland)?;
        Ok(Box::new(Shared(begun)) as Box<dyn eframe::App>)
    });
    let native = eframe::create_native(NAME, options, begin, &event_loop);
    let mut events = Events::new(native, Rc::clone(&app));
    let ran = display::run(|| event_loop.run_app_on_demand(&mut events));
    let mut app = app.borrow_mut();
    let loop_returned = ran.is_ok();
    if let Err(fault) = ran {
        let fault = app
            .viewer
            .gpu
            .fault()
            .unwrap_or_else(|| format!("the window failed, or its display ended: {fault}"));
        app.fail(WindowError::Broken(fault));
    }
    if let Some(WindowError::Broken(_)) = app.failure
        && (app.is_shown || !loop_returned)
    {
        // The display is gone: closing the window over its connection would fail again.
        std::mem::forget((events, event_loop));
    }
    app.end()
}

/// How the window is opened on a display of this scale. eframe limits its size to that of the monitor.
fn options(model: &Model, gpu: Gpu, scale: f64, is_wayland: bool) -> NativeOptions {
    let Gpu { instance, adapter, device, queue, .. } = gpu;
    let viewport = ViewportBuilder::default()
        .with_icon(egui::IconData::default())
        .with_inner_size(scale::in_units(model.settings.window, scale));
    NativeOptions {
        viewport,
        wgpu_options: WgpuConfiguration {
            surface: surface(model.settings.vsync),
            wgpu_setup: WgpuSetup::Existing(WgpuSetupExisting { instance, adapter, device, queue }),
            ..WgpuConfiguration::default()
        },
        // The scene is dithered in its own shader; dithering every pixel again would only cost time.
        dithering: false,
        system_font_fallback: false,
        // On Wayland, egui-winit has the clipboard.
        clipboard_shortcuts: is_wayland,
        ..NativeOptions::default()
    }
}

/// The viewer in its window.
struct App {
    viewer: Viewer,
    window: Option<Arc<Window>>,
    /// A picture was presented, and no fault came of it.
    is_shown: bool,
    failure: Option<WindowError>,
}

/// The same for eframe.
struct Shared(Rc<RefCell<App>>);

impl eframe::App for Shared {
    fn ui(&mut self, ui: &mut Ui, frame: &mut Frame) {
        self.0.borrow_mut().picture(ui, frame);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.window_fill.to_normalized_gamma_f32()
    }
}

impl App {
    /// Begins in a window that is open, but not shown yet.
    fn begin(&mut self, created: &CreationContext<'_>, is_wayland: bool) -> Result<(), String> {
        let Some(window) = created.winit_window().cloned() else {
            return Err("there is no window".to_owned());
        };
        let context = created.egui_ctx.clone();
        if !is_wayland {
            context.add_plugin(Clipboard::open());
        }
        let waken = context.clone();
        let model = &mut self.viewer.model;
        let started = model.start(move || waken.request_repaint_after(SOON));
        if let Err(error) = started {
            let text = format!("no thread for the simulation: {error}");
            self.fail(WindowError::Broken(text.clone()));
            return Err(text);
        }
        #[cfg(all(unix, not(target_os = "macos")))]
        super::drags::watch(&window, model.reporter(|model, problem| model.report(problem)));
        let titled = Arc::clone(&window);
        if !self.viewer.begin(created, move |title| titled.set_title(title)) {
            return Err("the window has no surface".to_owned());
        }
        self.window = Some(window);
        Ok(())
    }

    /// Draws one picture.
    fn picture(&mut self, ui: &mut Ui, frame: &mut Frame) {
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        let dropped = dropped.iter().map(|file| Ok(file.path().to_owned()));
        self.viewer.model.open_dropped(dropped.collect());
        self.viewer.picture(ui, frame);
        if self.viewer.model.simulation.has_failed() {
            let text = "the simulation thread ended unexpectedly".to_owned();
            self.fail(WindowError::Broken(text));
        }
    }

    /// Follows pictures, files and faults. Returns how long until this is to be called again.
    fn follow(&mut self) -> Option<Duration> {
        if let Some(fault) = self.viewer.gpu.fault() {
            self.fail(WindowError::Broken(fault));
            return None;
        }
        self.is_shown |= self.viewer.begun_ns.is_some();
        self.viewer.follow()
    }

    /// Writes what is to outlive the window. Returns why it ended, if not by the user.
    fn end(&mut self) -> Result<(), WindowError> {
        let edits = self.viewer.model.write_files();
        let with_edits = |why: String| match &edits {
            Some(line) => format!("{why}; {line}"),
            None => why,
        };
        if self.window.is_none() {
            let text = "the display opens no second window".to_owned();
            self.fail(WindowError::NoWindow(text));
        }
        match self.failure.take() {
            // Keys may have edited the scene of a window that was never in sight.
            Some(WindowError::Broken(fault)) if !self.is_shown => {
                Err(WindowError::AtStart(with_edits(fault)))
            }
            Some(WindowError::Broken(fault)) => Err(WindowError::Broken(with_edits(fault))),
            Some(failure) => Err(failure),
            None => {
                edits.into_iter().for_each(console::note);
                Ok(())
            }
        }
    }

    /// Ends the window. The first failure is the reason for those that follow.
    fn fail(&mut self, failure: WindowError) {
        self.failure.get_or_insert(failure);
    }

    /// Notes a size that the surface follows, in pixels.
    fn resized(&mut self, size: PhysicalSize<u32>, scale: f64) {
        if size.width > 0 && size.height > 0 {
            self.viewer.model.settings.window = size.to_logical::<f32>(scale).into();
        }
    }

    /// Whether the window is to be closed.
    fn is_over(&mut self) -> bool {
        self.failure.is_some() || self.viewer.model.is_closed()
    }
}

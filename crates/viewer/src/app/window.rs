//! The window, and its pictures.

mod events;

use super::clipboard::{self, Clipboard};
use super::display::{self, Display};
use super::error::WindowError;
use super::frame_rate::FrameRate;
use super::model::Model;
use super::scale;
use super::scene_picture::SceneKey;
use super::scene_texture::SceneTexture;
use super::start::Start;
use super::title::Title;
use crate::camera::FreePart;
use crate::composer::Composer;
use crate::console;
use crate::gpu::Gpu;
use crate::offscreen::{OffscreenError, Picture, Studio};
use crate::panel::{self, NOTICEABLE};
use crate::platform::Platform;
use crate::session::{Drawing, MotionState};
use crate::simulation::Order;
use eframe::{CreationContext, Frame, NativeOptions};
use egui::emath::GuiRounding as _;
use egui::{Color32, Context, Pos2, Rect, Shape, Theme, Ui, Vec2, ViewportBuilder, vec2};
use egui_wgpu::{SurfaceConfig, WgpuConfiguration, WgpuSetup, WgpuSetupExisting};
use events::Events;
use measure::Clock;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;
use wgpu::PresentMode;
use winit::dpi::PhysicalSize;
use winit::platform::run_on_demand::EventLoopExtRunOnDemand as _;
use winit::raw_window_handle::{HasDisplayHandle as _, RawDisplayHandle};
use winit::window::Window;

/// The window's class, and its title until the first picture.
const NAME: &str = "broad phase";

/// The next picture follows at once. After a longer time than none, egui draws one and not two.
const SOON: Duration = Duration::from_nanos(1);

/// Time between two pictures while a long step runs, for the seconds that they show.
const BUSY_EVERY: Duration = Duration::from_millis(250);

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
    let options = options(&model, gpu.clone(), scale);
    let app = Rc::new(RefCell::new(App::new(model, gpu, clock)));
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
        let fault = app.gpu.fault().unwrap_or_else(|| format!("the window failed: {fault}"));
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
fn options(model: &Model, gpu: Gpu, scale: f64) -> NativeOptions {
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
        ..NativeOptions::default()
    }
}

/// The window once it is open.
struct Screen {
    window: Arc<Window>,
    context: Context,
    texture: SceneTexture,
    /// The part that the panels left to the scene, in pixels.
    scene: [u32; 2],
}

/// The model, the screen that shows it, and the state of drawing.
struct App {
    model: Model,
    screen: Option<Screen>,
    gpu: Gpu,
    adapter: String,
    composer: Composer,
    /// What the last picture of the scene shows; `None` once there is a newer snapshot.
    shown: Option<SceneKey>,
    /// Draws pictures for files, while they are of the same size.
    studio: Option<Studio>,
    frame_rate: FrameRate,
    /// When the present picture was begun.
    begun_ns: Option<u64>,
    /// The last picture, until the time that it took is known.
    drawn: Option<Drawing>,
    title: Title,
    /// A picture was presented, and no fault came of it.
    is_shown: bool,
    failure: Option<WindowError>,
    clock: &'static dyn Clock,
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
    fn new(model: Model, gpu: Gpu, clock: &'static dyn Clock) -> Self {
        Self {
            model,
            screen: None,
            adapter: gpu.adapter_summary().to_string(),
            gpu,
            composer: Composer::default(),
            shown: None,
            studio: None,
            frame_rate: FrameRate::default(),
            begun_ns: None,
            drawn: None,
            title: Title::default(),
            is_shown: false,
            failure: None,
            clock,
        }
    }

    /// Begins in a window that is open, but not shown yet.
    fn begin(&mut self, created: &CreationContext<'_>, is_wayland: bool) -> Result<(), String> {
        let (Some(window), Some(panels)) = (created.winit_window(), &created.wgpu_render_state)
        else {
            return Err("the window has no surface".to_owned());
        };
        let context = &created.egui_ctx;
        // egui would close the window before its last orders are carried out.
        context.options_mut(|options| options.quit_shortcuts.clear());
        // The window is cleared in the colour of panels. Where the CPU draws, that takes much less time than to paint them: a
        // picture with all algorithms compared took 48 ms instead of 74.
        context.all_styles_mut(|style| style.visuals.panel_fill = Color32::TRANSPARENT);
        if !is_wayland {
            context.add_plugin(Clipboard::open());
            context.copy_text(clipboard::SOMETHING.to_owned());
        }
        let waken = context.clone();
        let started = self.model.start(move || waken.request_repaint_after(SOON));
        if let Err(error) = started {
            let text = format!("no thread for the simulation: {error}");
            self.fail(WindowError::Broken(text.clone()));
            return Err(text);
        }
        #[cfg(all(unix, not(target_os = "macos")))]
        super::drags::watch(window, self.model.reporter(|model, problem| model.report(problem)));
        self.model.offer_edits();
        self.screen = Some(Screen {
            window: Arc::clone(window),
            context: context.clone(),
            texture: SceneTexture::new(&self.gpu, panels.clone()),
            scene: [1, 1],
        });
        Ok(())
    }

    /// Writes what is to outlive the window. Returns why it ended, if not by the user.
    fn end(&mut self) -> Result<(), WindowError> {
        let edits = self.model.write_files();
        let with_edits = |why: String| match &edits {
            Some(line) => format!("{why}; {line}"),
            None => why,
        };
        if self.screen.is_none() {
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

    /// Draws the view into a picture of its own, with smooth edges.
    fn draw_picture(&mut self) -> Result<Picture, OffscreenError> {
        let Some(screen) = &self.screen else {
            return Err(OffscreenError::Gpu("the window is not open".to_owned()));
        };
        let panel = &self.model.panel;
        let (size, factor) = panel.picture.size_of(screen.scene);
        let scale = screen.context.pixels_per_point() * factor;
        let [width, height] = size.map(|side| side as f32 / scale);
        let place = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        // Without the legend, the scene is in the middle.
        let free = if panel.picture.legend { panel::beside_legend(place) } else { FreePart::WHOLE };
        let key = self.model.scene_key(scale);
        let key = SceneKey { camera: key.camera.within(free), ..key };
        let studio = match &mut self.studio {
            Some(studio) if studio.size() == size => studio,
            other => other.insert(Studio::new(&self.gpu, size)?),
        };
        let Model { panel, snapshot, .. } = &self.model;
        let view = key.compose(&mut self.composer, snapshot);
        if !panel.picture.legend {
            return studio.draw(&view);
        }
        let over = |ui: &mut Ui| panel::over_picture(ui, panel, snapshot, key.camera);
        studio.draw_with_panels(&view, key.dark, scale, over)
    }

    /// Draws the picture that the user exports, and that of the step of a sequence.
    fn export_pictures(&mut self) {
        if let Some(path) = self.model.picture_path.take() {
            let picture = self.draw_picture().map_err(|error| error.to_string());
            self.model.write_picture(&path, picture);
        }
        if self.model.is_picture_due() {
            let picture = self.draw_picture().map_err(|error| error.to_string());
            self.model.add_picture(picture);
        } else if !self.model.records_pictures() {
            self.studio = None;
        }
    }

    /// Draws one picture: the newest snapshot with the panels.
    fn picture(&mut self, ui: &mut Ui, frame: &mut Frame) {
        self.begun_ns.get_or_insert(self.clock.now_ns());
        if let Some(drawing) = self.drawn.take() {
            self.report_drawing(drawing, frame);
        }
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        self.model.open_dropped(dropped.iter().map(|file| file.path()));
        self.model.obey_all();
        if self.model.simulation.has_failed() {
            let text = "the simulation thread ended unexpectedly".to_owned();
            return self.fail(WindowError::Broken(text));
        }
        if self.model.take_snapshot() {
            self.shown = None;
        }
        self.model.finish_files();
        self.draw(ui, frame);
        self.export_pictures();
    }

    /// Reports how long the last picture took. The scene's own time on the GPU may be that of one before.
    fn report_drawing(&mut self, drawing: Drawing, frame: &Frame) {
        let (Some(screen), Some(seconds)) = (&self.screen, frame.info().cpu_usage) else {
            return;
        };
        let render_ns = (f64::from(seconds) * 1e9) as u64 + screen.texture.gpu_ns();
        self.model.simulation.order(Order::Drawn(Drawing { render_ns, ..drawing }));
    }

    /// Draws the panels, and the scene if its picture has changed.
    fn draw(&mut self, ui: &mut Ui, frame: &mut Frame) {
        ui.ctx().set_theme(if self.model.panel.dark { Theme::Dark } else { Theme::Light });
        frame.set_wgpu_surface_config(surface(self.model.settings.vsync));
        let now_ns = self.clock.now_ns();
        self.model.camera.ease(now_ns);
        let fps = self.frame_rate.per_second(now_ns);
        // Below all that is laid out.
        let place = ui.painter().add(Shape::Noop);
        let scale = ui.pixels_per_point();
        let rect = self.model.show(ui, fps, &self.adapter).round_to_pixels(scale);
        let Some(screen) = &mut self.screen else { return };
        let Vec2 { x, y } = (rect.size() * scale).max(Vec2::ONE).round();
        screen.scene = [x as u32, y as u32];
        let key = self.model.scene_key(scale);
        if self.shown != Some(key) || screen.texture.is_lost(screen.scene) {
            self.shown = Some(key);
            let scene = key.compose(&mut self.composer, &self.model.snapshot);
            screen.texture.draw(screen.scene, &scene);
        }
        ui.painter().set(place, screen.texture.shape(rect));
        self.model.update_view();
    }

    /// Notes that a picture is presented, and shows its title. Returns when there is another one, unless a snapshot or an
    /// event comes first, or a panel asks for it.
    fn presented(&mut self, begun_ns: u64) -> Option<Duration> {
        self.is_shown = true;
        let presented_ns = self.clock.now_ns();
        self.frame_rate.picture(begun_ns, presented_ns);
        let MotionState { epoch, steps: step, .. } = self.model.snapshot.motion;
        self.drawn = Some(Drawing { epoch, step, presented_ns, render_ns: 0, pictures: 1 });
        let fps = self.frame_rate.per_second(presented_ns);
        let title = self.title.next(&self.model.snapshot, fps, presented_ns);
        if let (Some(title), Some(screen)) = (title, &self.screen) {
            screen.window.set_title(&title);
        }
        // Commands of the last picture are carried out with the next one.
        if self.model.camera.is_moving() || !self.model.commands.is_empty() {
            return Some(SOON);
        }
        let next = |busy: Duration| NOTICEABLE.saturating_sub(busy).max(BUSY_EVERY);
        let busy = self.model.simulation.at_work().map(|work| next(work.busy_for));
        // One more picture, without a frame rate: nothing is drawn after it.
        let idle = fps.and_then(|_| self.frame_rate.valid_for(presented_ns));
        [busy, idle].into_iter().flatten().min()
    }

    /// Follows pictures, news and files. Returns how long until this is to be called again.
    fn follow(&mut self) -> Option<Duration> {
        if let Some(fault) = self.gpu.fault() {
            self.fail(WindowError::Broken(fault));
            return None;
        }
        let files = self.model.keep_files(self.clock.now_ns());
        // A message about them is to be seen.
        let problem = files.filter(Duration::is_zero).map(|_| SOON);
        let next = self.begun_ns.take().and_then(|begun_ns| self.presented(begun_ns));
        if let (Some(wait), Some(screen)) = (problem.or(next), &self.screen) {
            screen.context.request_repaint_after(wait);
        }
        files
    }

    /// Notes a size that the surface follows, in pixels.
    fn resized(&mut self, size: PhysicalSize<u32>, scale: f64) {
        if size.width > 0 && size.height > 0 {
            self.model.settings.window = size.to_logical::<f32>(scale).into();
        }
    }

    /// Whether the window is to be closed.
    fn is_over(&mut self) -> bool {
        self.failure.is_some() || self.model.is_closed()
    }
}

/// How the surface presents, with low latency behind the mouse. Where the CPU draws, frames in advance would be slow ones.
fn surface(vsync: bool) -> SurfaceConfig {
    // Every surface offers Fifo. The other one is a mode without waiting if there is one.
    let present_mode = if vsync { PresentMode::Fifo } else { PresentMode::AutoNoVsync };
    SurfaceConfig { present_mode, desired_maximum_frame_latency: Some(1) }
}

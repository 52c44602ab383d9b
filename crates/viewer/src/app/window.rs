//! The window, and its pictures.

mod events;

use super::clipboard::Clipboard;
use super::display::{self, Display, DisplayDevice};
use super::error::WindowError;
use super::frame_rate::FrameRate;
use super::model::{Model, WindowCommand, WindowStatus};
use super::scale;
use super::scene_picture::{SceneKey, ScenePicture};
use super::scene_texture::SceneTexture;
use super::start::Start;
use super::title::Title;
use super::unfilled::Unfilled;
use crate::camera::FreePart;
use crate::console;
use crate::gpu::Gpu;
use crate::offscreen::{OffscreenError, Picture, Studio};
use crate::panel::{self, NOTICEABLE};
use crate::platform::{Answer, Platform, Question};
use crate::session::{Drawing, MotionState};
use crate::simulation::Order;
use eframe::{CreationContext, Frame, NativeOptions};
use egui::{Context, Pos2, RawInput, Rect, Shape, Ui, ViewportBuilder, ViewportId, vec2};
use egui_wgpu::{SurfaceConfig, WgpuConfiguration, WgpuSetup, WgpuSetupExisting};
use events::Events;
use measure::Clock;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;
use winit::dpi::PhysicalSize;
use winit::platform::run_on_demand::EventLoopExtRunOnDemand as _;
use winit::raw_window_handle::{HasDisplayHandle as _, RawDisplayHandle};
use winit::window::Window;

/// The window's class, and its title until the first picture.
const NAME: &str = "broad phase";

/// Least width and height of the window in points.
const MIN_SIZE: [f32; 2] = [640.0, 360.0];

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
    let Display { mut event_loop, device } = display;
    let handle = event_loop.display_handle().map(|display| display.as_raw());
    let is_wayland = matches!(handle, Ok(RawDisplayHandle::Wayland(_)));
    let model = Model::new(start, Platform::system(clock));
    let options = options(&model, &device, is_wayland);
    let app = Rc::new(RefCell::new(App::new(model, device, clock)));
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
        let fault = app.gpu.fault().unwrap_or(fault);
        app.failure.get_or_insert(WindowError::Broken(fault));
    }
    if let Some(WindowError::Broken(_)) = app.failure
        && (app.is_shown || !loop_returned)
    {
        // The display is gone: closing the window over its connection would fail again.
        std::mem::forget((events, event_loop));
    }
    app.end()
}

/// How the window is opened.
fn options(model: &Model, device: &DisplayDevice, is_wayland: bool) -> NativeOptions {
    let DisplayDevice { gpu, monitor, present_modes } = device;
    let Gpu { instance, adapter, device, queue, .. } = gpu.clone();
    let viewport = ViewportBuilder::default()
        .with_icon(egui::IconData::default())
        .with_inner_size(monitor.fit(model.settings.window))
        .with_min_inner_size(monitor.fit(MIN_SIZE))
        .with_clamp_size_to_monitor_size(false);
    NativeOptions {
        viewport,
        wgpu_options: WgpuConfiguration {
            surface: surface(present_modes, model.settings.vsync),
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

/// News from another thread.
enum News {
    /// A file dialog was answered.
    Answer(Answer),
    /// Files are dragged over the window that cannot be dropped.
    Undroppable(String),
}

/// The window once it is open.
struct Screen {
    window: Arc<Window>,
    context: Context,
    texture: SceneTexture,
    /// Inner size in pixels.
    size: [u32; 2],
    /// The part that the panels left to the scene, in pixels.
    scene: [u32; 2],
}

/// The model, the screen that shows it, and the state of drawing.
struct App {
    model: Model,
    screen: Option<Screen>,
    gpu: Gpu,
    adapter: String,
    present_modes: Vec<wgpu::PresentMode>,
    /// The display's last scale that the panels can have.
    scale: f64,
    scene_picture: ScenePicture,
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
    sender: Sender<News>,
    news: Receiver<News>,
}

/// The same for eframe.
struct Shared(Rc<RefCell<App>>);

impl eframe::App for Shared {
    fn ui(&mut self, ui: &mut Ui, frame: &mut Frame) {
        self.0.borrow_mut().picture(ui, frame);
    }

    fn raw_input_hook(&mut self, context: &Context, input: &mut RawInput) {
        self.0.borrow_mut().fit(context, input);
    }

    fn clear_color(&self, visuals: &egui::Visuals) -> [f32; 4] {
        visuals.panel_fill.to_normalized_gamma_f32()
    }
}

impl App {
    fn new(model: Model, device: DisplayDevice, clock: &'static dyn Clock) -> Self {
        let DisplayDevice { gpu, present_modes, .. } = device;
        let (sender, news) = channel();
        Self {
            model,
            screen: None,
            adapter: gpu.adapter_summary().to_string(),
            gpu,
            present_modes,
            scale: 1.0,
            scene_picture: ScenePicture::default(),
            studio: None,
            frame_rate: FrameRate::default(),
            begun_ns: None,
            drawn: None,
            title: Title::default(),
            is_shown: false,
            failure: None,
            clock,
            sender,
            news,
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
        context.add_plugin(Unfilled);
        if !is_wayland {
            context.add_plugin(Clipboard::open());
        }
        let report = self.reporter(context, News::Undroppable);
        #[cfg(all(unix, not(target_os = "macos")))]
        super::drags::watch(window, report);
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        drop(report);
        self.model.offer_edits();
        let waken = context.clone();
        let started = self.model.start(move || waken.request_repaint_after(SOON));
        if let Err(error) = started {
            let text = format!("no thread for the simulation: {error}");
            self.fail(WindowError::Broken(text.clone()));
            return Err(text);
        }
        self.screen = Some(Screen {
            window: Arc::clone(window),
            context: context.clone(),
            texture: SceneTexture::new(&self.gpu, panels.clone()),
            size: window.inner_size().into(),
            scene: [1, 1],
        });
        Ok(())
    }

    /// Sends news to the window, on any thread.
    fn reporter<T: 'static>(
        &self,
        context: &Context,
        of: fn(T) -> News,
    ) -> impl Fn(T) + Send + 'static {
        let (sender, context) = (self.sender.clone(), context.clone());
        move |news| {
            // A closed window needs none.
            let _ = sender.send(of(news));
            context.request_repaint_after(SOON);
        }
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

    fn obey(&mut self, command: WindowCommand, context: &Context) {
        match command {
            WindowCommand::Ask(question) => self.ask(question, context),
            WindowCommand::ExportPicture(path) => {
                let outcome = self.export_picture(&path).map_err(|e| e.to_string());
                self.model.written("picture", &path, outcome);
            }
        }
    }

    fn ask(&mut self, question: Question, context: &Context) {
        let answered = self.reporter(context, News::Answer);
        self.model.ask(question, answered);
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
        let view = self.scene_picture.compose(snapshot, key);
        if !panel.picture.legend {
            return studio.draw(&view);
        }
        let over = |ui: &mut Ui| panel::over_picture(ui, panel, snapshot, key.camera);
        studio.draw_with_panels(&view, key.dark, scale, over)
    }

    /// Adds a picture to the sequence that is being recorded, if there is one and its step is shown.
    fn record_picture(&mut self) {
        if self.model.is_picture_due() {
            let picture = self.draw_picture().map_err(|e| e.to_string());
            self.model.add_picture(picture);
        } else if !self.model.records_pictures() {
            self.studio = None;
        }
    }

    fn export_picture(&mut self, path: &Path) -> Result<(), OffscreenError> {
        let picture = self.draw_picture()?;
        let files = self.model.platform.files;
        let written = picture.png().and_then(|bytes| files.write_with_folder(path, &bytes));
        written.map_err(|source| OffscreenError::Write { path: path.to_owned(), source })
    }

    /// Fits the panels to the scale of the display, as far as the window follows it.
    fn fit(&mut self, context: &Context, input: &mut RawInput) {
        let Some(screen) = &mut self.screen else { return };
        context.set_theme(if self.model.panel.dark {
            egui::Theme::Dark
        } else {
            egui::Theme::Light
        });
        self.scale = scale::possible(screen.window.scale_factor()).unwrap_or(self.scale);
        context.options_mut(|options| scale::fit_zoom(options, self.scale));
        let scale = context.zoom_factor() * self.scale as f32;
        let [width, height] = screen.size.map(|side| side as f32 / scale);
        input.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, vec2(width, height)));
        let viewport = input.viewports.entry(ViewportId::ROOT).or_default();
        viewport.native_pixels_per_point = Some(self.scale as f32);
    }

    /// Draws one picture: the newest snapshot with the panels.
    fn picture(&mut self, ui: &mut Ui, frame: &mut Frame) {
        self.begun_ns.get_or_insert(self.clock.now_ns());
        if let Some(drawing) = self.drawn.take() {
            self.report_drawing(drawing, frame);
        }
        let dropped = ui.input(|input| input.raw.dropped_files.clone());
        self.model.open_dropped(dropped.iter().map(|file| file.path()));
        for command in std::mem::take(&mut self.model.commands) {
            if let Some(command) = self.model.obey(command) {
                self.obey(command, ui.ctx());
            }
        }
        if self.model.simulation.has_failed() {
            let text = "the simulation thread ended unexpectedly".to_owned();
            return self.fail(WindowError::Broken(text));
        }
        if self.model.take_snapshot() {
            self.scene_picture.outdate();
        }
        self.model.finish_files();
        self.draw(ui, frame);
        self.record_picture();
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
        let surface = surface(&self.present_modes, self.model.settings.vsync);
        frame.set_wgpu_surface_config(surface);
        let now_ns = self.clock.now_ns();
        self.model.camera.ease(now_ns);
        let status = WindowStatus {
            present_mode: words_of(surface.present_mode),
            fps: self.frame_rate.per_second(now_ns),
            adapter: &self.adapter,
        };
        // Below all that is laid out.
        let place = ui.painter().add(Shape::Noop);
        let rect = self.model.show(ui, &status);
        let Some(screen) = &mut self.screen else { return };
        let scale = ui.pixels_per_point();
        let rect = in_pixels(rect, scale, screen.size);
        screen.scene = [rect.width() as u32, rect.height() as u32];
        let key = self.model.scene_key(scale);
        let lost = screen.texture.is_lost(screen.scene);
        if let Some(scene) = self.scene_picture.update(&self.model.snapshot, key, lost) {
            screen.texture.draw(screen.scene, &scene);
        }
        ui.painter().set(place, screen.texture.shape(rect / scale));
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
        while let Ok(news) = self.news.try_recv() {
            match news {
                News::Answer(answer) => self.model.answered(answer),
                News::Undroppable(problem) => self.model.report(problem),
            }
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
        let Some(screen) = self.screen.as_mut().filter(|_| size.width > 0 && size.height > 0)
        else {
            return;
        };
        screen.size = size.into();
        self.model.settings.window = size.to_logical::<f32>(scale).into();
    }

    /// Whether the window is to be closed.
    fn is_over(&mut self) -> bool {
        self.failure.is_some() || self.model.is_closed()
    }
}

/// A rectangle of points in whole pixels, within a window of that size and never without area.
fn in_pixels(rect: Rect, scale: f32, [width, height]: [u32; 2]) -> Rect {
    let pixels = |points: f32, most: u32| (points * scale).round().clamp(0.0, most as f32);
    let (x, y) = (pixels(rect.left(), width - 1), pixels(rect.top(), height - 1));
    let (right, bottom) = (pixels(rect.right(), width), pixels(rect.bottom(), height));
    Rect::from_min_max(Pos2::new(x, y), Pos2::new(right.max(x + 1.0), bottom.max(y + 1.0)))
}

/// How the surface presents, with low latency behind the mouse. Where the CPU draws, frames in advance would be slow ones.
fn surface(offered: &[wgpu::PresentMode], vsync: bool) -> SurfaceConfig {
    let present_mode = present_mode(offered, vsync);
    SurfaceConfig { present_mode, desired_maximum_frame_latency: Some(1) }
}

/// Every surface offers Fifo. Of the modes without waiting, Immediate tears and Mailbox does not.
fn present_mode(offered: &[wgpu::PresentMode], vsync: bool) -> wgpu::PresentMode {
    use wgpu::PresentMode::{Fifo, Immediate, Mailbox};
    let wanted: &[_] = if vsync { &[] } else { &[Immediate, Mailbox] };
    wanted.iter().find(|mode| offered.contains(mode)).copied().unwrap_or(Fifo)
}

/// A present mode in words.
fn words_of(mode: wgpu::PresentMode) -> &'static str {
    match mode {
        wgpu::PresentMode::Immediate => "Immediate: does not wait",
        wgpu::PresentMode::Mailbox => "Mailbox: does not wait, shows whole pictures",
        _ => "Fifo: waits for the screen",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::PresentMode::{Fifo, Immediate, Mailbox};

    #[test]
    fn rectangle_in_pixels_lies_in_the_window_and_has_an_area() {
        let rect = |x: [f32; 2], y: [f32; 2]| Rect::from_x_y_ranges(x[0]..=x[1], y[0]..=y[1]);
        let half = in_pixels(rect([10.0, 485.25], [0.0, 360.0]), 2.0, [1280, 720]);
        assert_eq!(half, rect([20.0, 971.0], [0.0, 720.0]));
        let nothing = in_pixels(rect([700.0, 600.0], [-5.0, -9.0]), 2.0, [1280, 720]);
        assert_eq!(nothing, rect([1279.0, 1280.0], [0.0, 1.0]));
    }

    #[test]
    fn vertical_sync_is_switched_off_where_the_surface_can() {
        for offered in [&[Fifo][..], &[Fifo, Mailbox], &[Fifo, Mailbox, Immediate]] {
            assert_eq!(present_mode(offered, true), Fifo);
            assert_eq!(present_mode(offered, false), *offered.last().unwrap());
        }
    }
}

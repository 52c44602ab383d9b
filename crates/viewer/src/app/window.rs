//! The window's events, and its pictures.

use super::draw_times::{DrawTimes, Prepared};
use super::end_requests::EndRequests;
use super::error::WindowError;
use super::event_loop::{self, News};
use super::input::Pointer;
use super::model::{Model, WindowCommand, WindowStatus};
use super::scene_picture::{SceneKey, ScenePicture};
use super::screen::Screen;
use super::start::Start;
use super::title::Title;
use crate::console;
use crate::offscreen::OffscreenError;
use crate::panel::NOTICEABLE;
use crate::platform::{Platform, Question};
use crate::session::Drawing;
use crate::simulation::Order;
use glam::Vec2;
use measure::Clock;
use std::cell::RefCell;
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoopProxy};
use winit::window::WindowId;

/// Time until a surface without a texture is tried again. Trying at once would keep a core busy.
const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Time between two pictures while a long step runs, for the seconds that they show.
const BUSY_EVERY: Duration = Duration::from_millis(250);

/// Runs a session in a window until it is closed.
///
/// # Errors
///
/// If there is no display, window or adapter, drawing fails permanently, or the program is requested to end.
pub fn run(
    start: Start,
    clock: &'static dyn Clock,
    requests: &EndRequests,
) -> Result<(), WindowError> {
    let event_loop = event_loop::open()?;
    requests.pass_to(event_loop.create_proxy());
    let model = Model::new(start, Platform::system(clock));
    let app = App::new(model, clock, event_loop.create_proxy());
    let app = Rc::new(RefCell::new(app));
    let ran = event_loop::run(event_loop, &app, App::save_at_exit);
    let ended = end(&mut app.borrow_mut(), ran);
    requests.window_is_gone();
    ended
}

/// Ends the window after its event loop, which failed or not.
fn end(app: &mut App, ran: Result<(), String>) -> Result<(), WindowError> {
    let loop_returned = ran.is_ok();
    if let Err(fault) = ran {
        app.failure.get_or_insert(WindowError::Broken(fault));
    }
    if let Some(WindowError::Broken(_)) = app.failure
        && (app.is_shown || !loop_returned)
    {
        // The display is gone: closing the window over its connection would fail again.
        std::mem::forget(app.screen.take());
    }
    app.end()
}

/// The model, the screen that shows it, and the state of input and drawing.
struct App {
    model: Model,
    screen: Option<Screen>,
    adapter: String,
    pointer: Pointer,
    scene_picture: ScenePicture,
    times: DrawTimes,
    title: Title,
    /// A picture was presented, and no fault came of it.
    is_shown: bool,
    failure: Option<WindowError>,
    clock: &'static dyn Clock,
    proxy: EventLoopProxy<News>,
}

impl App {
    fn new(model: Model, clock: &'static dyn Clock, proxy: EventLoopProxy<News>) -> Self {
        Self {
            model,
            screen: None,
            adapter: String::new(),
            pointer: Pointer::default(),
            scene_picture: ScenePicture::default(),
            times: DrawTimes::default(),
            title: Title::default(),
            is_shown: false,
            failure: None,
            clock,
            proxy,
        }
    }

    /// Saves what is to outlive the window. Returns why it ended, if not by the user.
    fn end(&mut self) -> Result<(), WindowError> {
        if !self.model.catch_up() {
            console::note(
                "warning: the simulation did not answer in time; the last edits may be lost",
            );
        }
        self.model.write_settings();
        match self.failure.take() {
            // Keys may have edited the scene of a window that was never in sight.
            Some(WindowError::Broken(fault)) if !self.is_shown => {
                let saved = self.model.rescue_edits(&fault);
                Err(WindowError::AtStart(saved.unwrap_or(fault)))
            }
            Some(WindowError::Broken(fault)) => Err(WindowError::Broken(self.model.rescue(fault))),
            Some(WindowError::Stopped(why)) => Err(WindowError::Stopped(self.model.rescue(why))),
            Some(failure) => Err(failure),
            None => {
                if let Some(line) =
                    self.model.rescue_edits("the window was closed with unsaved edits")
                {
                    console::note(line);
                }
                Ok(())
            }
        }
    }

    /// As [`end`](Self::end), where the display is gone and the process is about to end.
    fn save_at_exit(&mut self) {
        let fault = "the connection to the display broke".to_owned();
        self.failure.get_or_insert(WindowError::Broken(fault));
        if let Err(failure) = self.end() {
            console::note(format_args!("error: {failure}"));
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, failure: WindowError) {
        // The first one is the reason for those that follow.
        self.failure.get_or_insert(failure);
        event_loop.exit();
    }

    fn obey(&mut self, command: WindowCommand) {
        match command {
            WindowCommand::Vsync(vsync) => {
                if let Some(screen) = &mut self.screen {
                    screen.set_vsync(vsync);
                }
            }
            WindowCommand::FrameAll => {
                if let Some(screen) = &self.screen {
                    self.model.frame_all(screen.scene_aspect());
                }
            }
            WindowCommand::Ask(question) => self.ask(question),
            WindowCommand::ExportPicture(path) => {
                let outcome = self.export_picture(&path).map_err(|e| e.to_string());
                self.model.written("picture", &path, outcome);
            }
        }
    }

    fn ask(&mut self, question: Question) {
        let proxy = self.proxy.clone();
        self.model.ask(question, move |answer| {
            // A closed window needs no answer.
            let _ = proxy.send_event(News::Answer(answer));
        });
    }

    fn export_picture(&mut self, path: &Path) -> Result<(), OffscreenError> {
        let Some(screen) = &self.screen else { return Ok(()) };
        let key = self.model.scene_key(screen.pixels_per_point());
        // Without panels, the scene is in the middle.
        let key = SceneKey { camera: key.camera.moved_to(Vec2::ZERO), ..key };
        let view = self.scene_picture.compose(self.model.snapshot(), key);
        let picture = screen.picture(&view)?;
        let files = self.model.files();
        let written = picture.png().and_then(|bytes| files.write_with_folder(path, &bytes));
        written.map_err(|source| OffscreenError::Write { path: path.to_owned(), source })
    }

    /// Draws one picture: the newest snapshot with the panels.
    fn picture(&mut self, event_loop: &ActiveEventLoop) {
        if self.model.is_closing() || self.failure.is_some() {
            return event_loop.exit();
        }
        for command in self.model.take_commands() {
            if let Some(command) = self.model.obey(command) {
                self.obey(command);
            }
        }
        if self.model.simulation().has_failed() {
            let text = "the simulation thread ended unexpectedly".to_owned();
            return self.fail(event_loop, WindowError::Broken(text));
        }
        if self.model.take_snapshot() {
            self.scene_picture.outdate();
        }
        self.model.finish_files();
        if let Err(fault) = self.draw() {
            self.fail(event_loop, WindowError::Broken(fault));
        }
    }

    /// Draws the panels, and the scene if its picture has changed.
    fn draw(&mut self) -> Result<(), String> {
        let Some(screen) = &mut self.screen else { return Ok(()) };
        if let Some(fault) = screen.fault() {
            return Err(fault);
        }
        // The surface first: without one nothing can be drawn, and nothing needs preparation.
        let Some(canvas) = screen.acquire() else { return Ok(()) };
        screen.set_dark(self.model.is_dark());
        self.model.camera_mut().ease(self.clock.now_ns());
        let start = self.clock.now_ns();
        let status = WindowStatus {
            present_mode: screen.present_mode(),
            fps: self.times.fps(start),
            gpu_ns: self.times.gpu_ns(),
            adapter: &self.adapter,
        };
        let (laid_out, lost) = screen.lay_out(|ui| self.model.show_panels(ui, &status));
        let key = self.model.scene_key(screen.pixels_per_point());
        let view = self.scene_picture.update(self.model.snapshot(), key, lost);
        let picture = self.times.next_picture();
        let drawn = screen.draw(&canvas, laid_out, view.as_ref(), picture);
        // Before the picture is presented, which may wait for the screen.
        let render_ns = self.clock.now_ns() - start;
        screen.present(canvas);
        drawn?;
        // Faults of the first picture are known here: the run without a window follows them.
        if !self.is_shown {
            screen.fault().map_or(Ok(()), Err)?;
            self.is_shown = true;
        }
        let presented_ns = self.clock.now_ns();
        self.times.presented(start, presented_ns);
        let (epoch, step) =
            (self.model.snapshot().motion.epoch, self.model.snapshot().motion.steps);
        let drawing = Drawing { epoch, step, presented_ns, render_ns, pictures: 1 };
        self.report_drawing(Prepared { picture, drawing });
        self.model.update_watch();
        self.update_title();
        Ok(())
    }

    /// Reports the drawing times that are complete to the simulation.
    fn report_drawing(&mut self, drawn: Prepared) {
        let Some(screen) = &mut self.screen else { return };
        let mut arrived = Vec::new();
        screen.drawn(|picture, gpu_ns| arrived.push((picture, gpu_ns)));
        for known in self.times.complete(drawn, screen.waits(), &arrived) {
            self.model.simulation_mut().order(Order::Drawn(known.drawing));
        }
    }

    fn update_title(&mut self) {
        let now_ns = self.clock.now_ns();
        let title = self.title.next(self.model.snapshot(), self.times.fps(now_ns), now_ns);
        if let (Some(title), Some(screen)) = (title, &self.screen) {
            screen.set_title(&title);
        }
    }

    fn click(&mut self, at: Vec2) {
        let Some(screen) = &self.screen else { return };
        let rect = screen.scene_rect();
        let pixel = at - Vec2::new(rect.x as f32, rect.y as f32);
        let size = Vec2::new(rect.width as f32, rect.height as f32);
        self.model.click(self.model.shown_camera().ray_through(pixel, size));
    }

    fn request_redraw(&self) {
        if let Some(screen) = &self.screen {
            screen.request_redraw();
        }
    }
}

impl ApplicationHandler<News> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() || self.failure.is_some() {
            return;
        }
        let settings = self.model.settings();
        match Screen::open(event_loop, settings.window, settings.vsync) {
            Ok(screen) => {
                self.adapter = screen.adapter();
                self.screen = Some(screen);
            }
            Err(failure) => return self.fail(event_loop, failure),
        }
        let proxy = self.proxy.clone();
        let wake = move || {
            // A closed window shows no more snapshots.
            let _ = proxy.send_event(News::Snapshot);
        };
        if let Err(e) = self.model.start(wake) {
            let text = format!("no thread for the simulation: {e}");
            self.fail(event_loop, WindowError::Broken(text));
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        // The time has come to announce a long step, or to repaint a panel.
        if let StartCause::ResumeTimeReached { .. } = cause {
            self.request_redraw();
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, news: News) {
        match news {
            News::Snapshot => {}
            News::Answer(answer) => self.model.answered(answer),
            News::EndRequested => {
                return self.fail(event_loop, WindowError::Stopped("stopped".to_owned()));
            }
        }
        self.request_redraw();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        let taken = screen.on_event(&event);
        match &event {
            WindowEvent::CloseRequested => event_loop.exit(),
            // By another program: the own one destroys it after the event loop.
            WindowEvent::Destroyed => {
                let text = "the window was destroyed".to_owned();
                return self.fail(event_loop, WindowError::Broken(text));
            }
            WindowEvent::RedrawRequested => return self.picture(event_loop),
            WindowEvent::Resized(size) => {
                screen.resize(size.width, size.height);
                if size.width > 0 && size.height > 0 {
                    self.model.set_window_size(screen.window_size());
                }
            }
            WindowEvent::Occluded(occluded) => screen.set_occluded(*occluded),
            WindowEvent::DroppedFile(path) => self.model.load(path),
            // Releases always count: a key whose release a panel took would stay held.
            WindowEvent::KeyboardInput { event, .. } if !taken || !event.state.is_pressed() => {
                if let Some(key) = self.pointer.key(event) {
                    self.model.key(key);
                }
            }
            // Panels keep their presses; a drag that began over the scene continues.
            WindowEvent::MouseInput { state, .. } if taken && state.is_pressed() => {}
            WindowEvent::MouseWheel { .. } if taken => {}
            _ => {
                let rect = screen.scene_rect();
                let camera = self.model.camera_mut().goal_mut();
                if let Some(at) = self.pointer.event(&event, rect, camera) {
                    self.click(at);
                }
            }
        }
        self.model.set_hold(self.pointer.hold());
        self.request_redraw();
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let settings_due = self.model.keep_settings(self.clock.now_ns());
        let Some(screen) = &self.screen else { return };
        if screen.is_hidden() {
            event_loop.set_control_flow(
                settings_due.map_or(ControlFlow::Wait, ControlFlow::wait_duration),
            );
        } else if screen.owes_picture() {
            event_loop.set_control_flow(ControlFlow::wait_duration(RETRY_AFTER));
            screen.request_redraw();
        } else if self.model.camera().is_moving() || self.model.has_commands() {
            // Commands of the last picture are carried out with the next one.
            event_loop.set_control_flow(ControlFlow::Poll);
            screen.request_redraw();
        } else {
            // Nothing is drawn until there is a snapshot or an event, or a panel asks for it.
            let next = |busy: Duration| NOTICEABLE.saturating_sub(busy).max(BUSY_EVERY);
            let work = self.model.simulation().at_work();
            let busy = work.map(|work| next(work.busy_for));
            // One more picture, without a frame rate: nothing is drawn after it.
            let idle = self.times.fps_lasts(self.clock.now_ns());
            let from_now = [busy, settings_due, idle].into_iter().flatten();
            let from_now = from_now.map(|wait| Instant::now() + wait);
            match screen.repaint_at().into_iter().chain(from_now).min() {
                Some(at) if at <= Instant::now() => screen.request_redraw(),
                Some(at) => event_loop.set_control_flow(ControlFlow::WaitUntil(at)),
                None => event_loop.set_control_flow(ControlFlow::Wait),
            }
        }
    }
}

//! The window, and its pictures.

mod events;

use super::draw_times::{DrawTimes, Prepared};
use super::error::WindowError;
use super::event_loop::{self, News};
use super::input::Pointer;
use super::model::{Model, WindowCommand, WindowStatus};
use super::scene_picture::{SceneKey, ScenePicture};
use super::screen::Screen;
use super::start::Start;
use super::title::Title;
use crate::camera::{FreePart, Ray};
use crate::console;
use crate::offscreen::{OffscreenError, Picture, Studio};
use crate::panel;
use crate::platform::{Platform, Question};
use crate::scene_renderer::Viewport;
use crate::session::{Drawing, MotionState};
use crate::simulation::Order;
use egui::{Pos2, Rect, Ui, vec2};
use glam::Vec2;
use measure::Clock;
use std::path::Path;
use winit::event_loop::{ActiveEventLoop, EventLoopProxy};

/// Runs a session in a window until it is closed.
///
/// # Errors
///
/// If there is no display, window or adapter, or drawing fails permanently.
pub fn run(start: Start, clock: &'static dyn Clock) -> Result<(), WindowError> {
    let event_loop = event_loop::open()?;
    let model = Model::new(start, Platform::system(clock));
    let mut app = App::new(model, clock, event_loop.create_proxy());
    let ran = event_loop::run(event_loop, &mut app);
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
    /// Draws pictures for files, while they are of the same size.
    studio: Option<Studio>,
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
            studio: None,
            times: DrawTimes::default(),
            title: Title::default(),
            is_shown: false,
            failure: None,
            clock,
            proxy,
        }
    }

    /// Writes what is to outlive the window. Returns why it ended, if not by the user.
    fn end(mut self) -> Result<(), WindowError> {
        let edits = self.model.write_files();
        let with_edits = |why: String| match &edits {
            Some(line) => format!("{why}; {line}"),
            None => why,
        };
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

    /// Draws the view into a picture of its own, with smooth edges.
    fn draw_picture(&mut self) -> Result<Picture, OffscreenError> {
        let Some(screen) = &self.screen else {
            return Err(OffscreenError::Gpu("the window is not open".to_owned()));
        };
        let Viewport { width, height, .. } = screen.scene_rect();
        let panel = &self.model.panel;
        let (size, factor) = panel.picture.size_of([width, height]);
        let scale = screen.pixels_per_point() * factor;
        let [width, height] = size.map(|side| side as f32 / scale);
        let place = Rect::from_min_size(Pos2::ZERO, vec2(width, height));
        // Without the legend, the scene is in the middle.
        let free = if panel.picture.legend { panel::beside_legend(place) } else { FreePart::WHOLE };
        let key = self.model.scene_key(scale);
        let key = SceneKey { camera: key.camera.within(free), ..key };
        let studio = match &mut self.studio {
            Some(studio) if studio.size() == size => studio,
            other => other.insert(screen.studio(size)?),
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

    /// Draws one picture: the newest snapshot with the panels.
    fn picture(&mut self, event_loop: &ActiveEventLoop) {
        if self.failure.is_some() {
            return event_loop.exit();
        }
        for command in std::mem::take(&mut self.model.commands) {
            if let Some(command) = self.model.obey(command) {
                self.obey(command);
            }
        }
        if self.model.simulation.has_failed() {
            let text = "the simulation thread ended unexpectedly".to_owned();
            return self.fail(event_loop, WindowError::Broken(text));
        }
        if self.model.take_snapshot() {
            self.scene_picture.outdate();
        }
        self.model.finish_files();
        if let Err(fault) = self.draw() {
            return self.fail(event_loop, WindowError::Broken(fault));
        }
        self.record_picture();
    }

    /// Draws the panels, and the scene if its picture has changed.
    fn draw(&mut self) -> Result<(), String> {
        let Some(screen) = &mut self.screen else { return Ok(()) };
        if let Some(fault) = screen.fault() {
            return Err(fault);
        }
        // The surface first: without one nothing can be drawn, and nothing needs preparation.
        let Some(canvas) = screen.acquire() else { return Ok(()) };
        screen.set_dark(self.model.panel.dark);
        self.model.camera.ease(self.clock.now_ns());
        let start = self.clock.now_ns();
        let status = WindowStatus {
            present_mode: screen.present_mode(),
            fps: self.times.fps(start),
            adapter: &self.adapter,
        };
        let (laid_out, lost) = screen.lay_out(|ui| self.model.show_panels(ui, &status));
        let key = self.model.scene_key(screen.pixels_per_point());
        let view = self.scene_picture.update(&self.model.snapshot, key, lost);
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
        let MotionState { epoch, steps: step, .. } = self.model.snapshot.motion;
        let drawing = Drawing { epoch, step, presented_ns, render_ns, pictures: 1 };
        self.report_drawing(Prepared { picture, drawing });
        self.model.update_view();
        self.update_title();
        Ok(())
    }

    /// Reports the drawing times that are complete to the simulation.
    fn report_drawing(&mut self, drawn: Prepared) {
        let Some(screen) = &mut self.screen else { return };
        let mut arrived = Vec::new();
        screen.drawn(|picture, gpu_ns| arrived.push((picture, gpu_ns)));
        for known in self.times.complete(drawn, screen.waits(), &arrived) {
            self.model.simulation.order(Order::Drawn(known.drawing));
        }
    }

    fn update_title(&mut self) {
        let now_ns = self.clock.now_ns();
        let title = self.title.next(&self.model.snapshot, self.times.fps(now_ns), now_ns);
        if let (Some(title), Some(screen)) = (title, &self.screen) {
            screen.set_title(&title);
        }
    }

    /// The ray through a pixel of the window.
    fn ray(&self, at: Vec2) -> Option<Ray> {
        let rect = self.screen.as_ref()?.scene_rect();
        let pixel = at - Vec2::new(rect.x as f32, rect.y as f32);
        let size = Vec2::new(rect.width as f32, rect.height as f32);
        Some(self.model.shown_camera().ray_through(pixel, size))
    }

    /// Clicks and drags of the pointer that concern objects.
    fn touch_objects(&mut self, clicked: Option<Vec2>) {
        if let Some(ray) = clicked.and_then(|at| self.ray(at)) {
            self.model.click(ray);
        }
        if let Some(ray) = self.pointer.pressed_at().and_then(|at| self.ray(at))
            && self.model.grip(ray)
        {
            self.pointer.grip();
        }
        let pulled_to = self.pointer.gripped_at().and_then(|at| self.ray(at));
        self.model.pull(pulled_to);
    }

    fn request_redraw(&self) {
        if let Some(screen) = &self.screen {
            screen.request_redraw();
        }
    }
}

//! The window: turns events into commands, commands into a session's next state, and draws it.

mod input;
mod screen;

use crate::camera::OrbitCamera;
use crate::composer::Composer;
use crate::gpu::GpuError;
use crate::panel::{self, Command, Notice, PanelState, Status};
use crate::scene_renderer::Theme;
use crate::session::Session;
use broadphase::ALGORITHMS;
use input::{Key, Pointer};
use measure::Clock;
use screen::Screen;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::event::WindowEvent;
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop};
use winit::window::WindowId;

/// The title shows the frame rate anew this often: a title that flickers cannot be read.
const TITLE_EVERY: Duration = Duration::from_millis(500);

/// Where the surface has no texture to draw on, it is asked again after this.
const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Why there is no window. The session is handed back with it, unharmed.
#[derive(Debug, thiserror::Error)]
pub enum WindowError {
    /// There is no display to open it on.
    #[error(
        "no display: {0}; set DISPLAY or WAYLAND_DISPLAY, or try a virtual one: \
         apt-get install xvfb libxkbcommon-x11-0 && xvfb-run cargo run --release"
    )]
    NoDisplay(String),
    /// The display refuses a window.
    #[error("the display opens no window: {0}")]
    NoWindow(String),
    /// Nothing can draw.
    #[error(transparent)]
    Gpu(#[from] GpuError),
    /// Drawing failed while the window was open.
    #[error("{0}")]
    Broken(String),
}

/// Runs a session in a window until it is closed.
///
/// `folder` is where exports go: a folder `results` within it.
///
/// # Errors
///
/// Where there is no display, no window or no adapter, or drawing fails for good.
pub fn run(
    session: Session,
    clock: &'static dyn Clock,
    folder: PathBuf,
    notice: Option<Notice>,
) -> Result<(), WindowError> {
    let event_loop = open_event_loop()?;
    let mut app = App::new(session, clock, folder, notice);
    event_loop
        .run_app(&mut app)
        .map_err(|e| WindowError::Broken(without_origin(&e.to_string())))?;
    match app.failure {
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// Opens the event loop. Without some of its libraries winit panics instead of telling.
fn open_event_loop() -> Result<EventLoop<()>, WindowError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let opened = catch_unwind(AssertUnwindSafe(EventLoop::new));
    std::panic::set_hook(hook);
    match opened {
        Ok(opened) => opened.map_err(|e| WindowError::NoDisplay(without_origin(&e.to_string()))),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().cloned();
            let text = text.or_else(|| payload.downcast_ref::<&str>().map(|s| (*s).to_owned()));
            Err(WindowError::NoDisplay(one_line(&text.unwrap_or_default())))
        }
    }
}

/// What an error of winit says, without the place in winit's sources that it begins with.
fn without_origin(text: &str) -> String {
    let text = one_line(text);
    let told = match text.strip_prefix("os error at ") {
        Some(origin_first) => origin_first.split_once(": ").map_or(&*text, |(_, told)| told),
        None => &text,
    };
    told.trim_end_matches('.').to_owned()
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// All that lives as long as the window.
struct App {
    session: Session,
    panel: PanelState,
    camera: OrbitCamera,
    composer: Composer,
    pointer: Pointer,
    running: bool,
    /// There was a step since the last picture.
    stepped: bool,
    vsync: bool,
    notice: Option<Notice>,
    adapter: String,
    clock: &'static dyn Clock,
    folder: PathBuf,
    commands: Vec<Command>,
    screen: Option<Screen>,
    /// When the title was set, and whether the motion ran then.
    titled: Option<(Instant, bool)>,
    failure: Option<WindowError>,
}

impl App {
    fn new(
        session: Session,
        clock: &'static dyn Clock,
        folder: PathBuf,
        notice: Option<Notice>,
    ) -> Self {
        Self {
            panel: PanelState::of_scene(session.scene()),
            camera: OrbitCamera::from_pose(session.scene().camera),
            composer: Composer::default(),
            pointer: Pointer::default(),
            running: true,
            stepped: false,
            vsync: true,
            notice,
            adapter: String::new(),
            clock,
            folder,
            commands: Vec::new(),
            screen: None,
            titled: None,
            failure: None,
            session,
        }
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, failure: WindowError) {
        self.failure = Some(failure);
        event_loop.exit();
    }

    fn key(&mut self, key: Key) {
        let command = match key {
            Key::ToggleRun => Command::Run(!self.running),
            Key::Step => Command::Step,
            Key::Export => Command::ExportCsv,
            Key::Algorithm(index) => match ALGORITHMS.get(index) {
                Some(row) => Command::Algorithm(row),
                None => return,
            },
            Key::FrameAll => {
                let bounds = self.session.world().scene().bounds();
                if let Some(screen) = &self.screen
                    && !bounds.is_empty()
                {
                    self.camera.frame(bounds, screen.scene_aspect());
                }
                return;
            }
        };
        self.commands.push(command);
    }

    /// Carries out what the user wants. A refusal is told, and changes nothing.
    fn obey(&mut self, command: Command) {
        match command {
            Command::Run(running) => self.running = running,
            Command::Step => {
                if !self.running {
                    self.step();
                }
            }
            Command::Algorithm(row) => {
                // What was wrong with another algorithm is over.
                let refusal = self.session.set_algorithm(row).err();
                self.notice = refusal.map(|refusal| Notice::Trouble(refusal.to_string()));
            }
            Command::Generate(scene) => match self.session.generate(*scene) {
                Ok(()) => {
                    self.panel.draw.triangles = self.session.scene().triangles;
                    let warning = self.session.world().placement_warning();
                    self.notice = warning.map(|w| Notice::Trouble(w.to_owned()));
                }
                Err(refusal) => self.notice = Some(Notice::Trouble(refusal.to_string())),
            },
            Command::Strict(strict) => self.session.world_mut().set_strict(strict),
            Command::Vsync(vsync) => {
                self.vsync = vsync;
                if let Some(screen) = &mut self.screen {
                    screen.set_vsync(vsync);
                }
            }
            Command::ExportCsv => self.export(),
        }
    }

    fn export(&mut self) {
        let path = self.session.export_path(&self.folder);
        self.notice = Some(match self.session.export(&path) {
            Ok(frames) => Notice::Done(format!("{frames} frames written to {}", path.display())),
            Err(e) => Notice::Trouble(e.to_string()),
        });
    }

    fn step(&mut self) {
        match self.session.step(self.pointer.hold()) {
            Ok(()) => self.stepped = true,
            Err(trouble) => {
                self.running = false;
                self.notice = Some(Notice::Trouble(trouble));
            }
        }
    }

    /// One frame: the motion, then the picture of it with the panel.
    fn frame(&mut self, event_loop: &ActiveEventLoop) {
        for command in std::mem::take(&mut self.commands) {
            self.obey(command);
        }
        let Some(screen) = &mut self.screen else { return };
        if let Some(fault) = screen.fault() {
            self.fail(event_loop, WindowError::Broken(fault));
            return;
        }
        // A surface first: without one nothing is drawn, and nothing should be prepared.
        let Some(canvas) = screen.acquire() else { return };
        if self.running {
            self.step();
        }
        let Some(screen) = &mut self.screen else { return };
        let start = self.clock.now_ns();
        let status = Status {
            running: self.running,
            vsync: self.vsync,
            adapter: &self.adapter,
            notice: self.notice.as_ref(),
        };
        let (panel_state, session, commands) = (&mut self.panel, &self.session, &mut self.commands);
        let panel = screen.lay_out(|ui| {
            panel::show(ui, panel_state, session, &status, commands);
        });
        let view = self.composer.view(
            &self.session,
            &self.panel.draw,
            self.camera,
            &Theme::DARK,
            screen.pixels_per_point(),
        );
        let drawn = screen.draw(&canvas, panel, &view);
        // Before the picture is presented, which may wait for the screen.
        let render_ns = self.clock.now_ns() - start;
        screen.present(canvas);
        if let Err(fault) = drawn {
            self.fail(event_loop, WindowError::Broken(fault));
            return;
        }
        if std::mem::take(&mut self.stepped) {
            self.session.drawn(render_ns);
        }
        self.retitle();
    }

    fn retitle(&mut self) {
        let fresh =
            |(at, running): (Instant, bool)| running == self.running && at.elapsed() < TITLE_EVERY;
        if self.titled.is_some_and(fresh) {
            return;
        }
        self.titled = Some((Instant::now(), self.running));
        let Some(screen) = &self.screen else { return };
        let fps = match self.session.history().rates() {
            Some(rates) if self.running => format!("{:.0} FPS", rates.fps),
            _ if self.running => "starting".to_owned(),
            _ => "stopped".to_owned(),
        };
        let (label, algorithm) = (self.session.label(), self.session.algorithm().id);
        screen.set_title(&format!("{fps} - {algorithm} - {label}"));
    }
}

impl ApplicationHandler for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() {
            return;
        }
        match Screen::open(event_loop, self.vsync) {
            Ok(screen) => {
                self.adapter = screen.adapter();
                self.screen = Some(screen);
            }
            Err(failure) => self.fail(event_loop, failure),
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        let taken = screen.on_event(&event);
        match &event {
            WindowEvent::CloseRequested => event_loop.exit(),
            WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::RedrawRequested => {
                self.frame(event_loop);
                return;
            }
            WindowEvent::Resized(size) => screen.resize(size.width, size.height),
            WindowEvent::Occluded(occluded) => screen.set_occluded(*occluded),
            // A release is always seen: a key that was held must not stay so.
            WindowEvent::KeyboardInput { event, .. } if !taken || !event.state.is_pressed() => {
                if let Some(key) = self.pointer.key(event) {
                    self.key(key);
                }
            }
            _ => self.pointer.event(&event, screen.scene_rect(), &mut self.camera),
        }
        if let Some(screen) = &self.screen {
            screen.request_redraw();
        }
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let Some(screen) = &self.screen else { return };
        if screen.is_hidden() {
            event_loop.set_control_flow(ControlFlow::Wait);
        } else if screen.owes_picture() {
            // The surface had no texture: to ask again at once would only keep a core busy.
            event_loop.set_control_flow(ControlFlow::wait_duration(RETRY_AFTER));
            screen.request_redraw();
        } else if self.running || !self.commands.is_empty() {
            // What was clicked in the last picture is carried out with the next one.
            event_loop.set_control_flow(ControlFlow::Poll);
            screen.request_redraw();
        } else {
            // Standing still, nothing is drawn until something happens or the panel wants it.
            match screen.repaint_at() {
                Some(at) if at <= Instant::now() => screen.request_redraw(),
                Some(at) => event_loop.set_control_flow(ControlFlow::WaitUntil(at)),
                None => event_loop.set_control_flow(ControlFlow::Wait),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_of_the_window_system_is_told_without_its_origin() {
        let text = "os error at /src/winit/x11.rs:765:\n neither A nor B: is set.";
        assert_eq!(without_origin(text), "neither A nor B: is set");
        assert_eq!(without_origin("not supported"), "not supported");
    }
}

//! The window: turns events into orders for the simulation, and draws its snapshots.

mod dialogs;
mod files;
mod frame_rate;
mod input;
mod rescue;
mod scene_texture;
mod screen;

use crate::camera::OrbitCamera;
use crate::chart_export;
use crate::composer::{Composer, DrawOptions, Selection};
use crate::gpu::GpuError;
use crate::panel::{self, ChartFormat, Command, PanelState, Status};
use crate::picking::nearest_sphere;
use crate::scene_renderer::Theme;
use crate::session::Session;
use crate::settings::Settings;
use crate::simulation::{Engine, Notice, Order, Simulation, Snapshot, Watch};
use broadphase::ALGORITHMS;
use dialogs::{Answer, Question};
use files::{Loading, shipped_scenes};
use frame_rate::FrameRate;
use glam::Vec2;
use input::{Key, Pointer};
use measure::Clock;
use screen::Screen;
use sim::{Hold, SceneDocument};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow, EventLoop, EventLoopProxy};
use winit::window::WindowId;

/// The title shows the frame rate anew this often: a title that flickers cannot be read.
const TITLE_EVERY: Duration = Duration::from_millis(500);

/// Where the surface has no texture to draw on, it is asked again after this.
const RETRY_AFTER: Duration = Duration::from_millis(100);

/// A step that takes longer than this is told.
const NOTICEABLE: Duration = Duration::from_millis(700);

/// How often the picture is drawn anew while such a step goes on.
const BUSY_EVERY: Duration = Duration::from_millis(250);

/// The camera has done nearly half of its way after this many seconds.
const EASING_SECONDS: f32 = 0.05;

/// Notices shown at once; older ones go.
const MOST_NOTICES: usize = 4;

/// By how much a key changes the response delay.
const DELAY_STEP: Duration = Duration::from_millis(1);

/// Why there is no window.
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

/// What a window begins with.
pub struct Start {
    /// The scene file, for its comments, where it is saved, and its name.
    pub document: SceneDocument,
    /// Where it lies.
    pub path: PathBuf,
    /// The scene in motion.
    pub session: Session,
    /// Where exports go: a folder `results` within it.
    pub folder: PathBuf,
    /// What lasts from one run to the next.
    pub settings: Settings,
    /// Where that is kept; `None` keeps it nowhere.
    pub settings_path: Option<PathBuf>,
    /// What is to be told at once.
    pub notices: Vec<Notice>,
}

/// Runs a session in a window until it is closed.
///
/// # Errors
///
/// Where there is no display, no window or no adapter, or drawing fails for good.
pub fn run(start: Start, clock: &'static dyn Clock) -> Result<(), WindowError> {
    let event_loop = open_event_loop()?;
    let mut app = App::new(start, clock, event_loop.create_proxy());
    event_loop
        .run_app(&mut app)
        .map_err(|e| WindowError::Broken(without_origin(&e.to_string())))?;
    app.remember();
    match app.failure.take() {
        Some(WindowError::Broken(fault)) => Err(WindowError::Broken(app.rescue(fault))),
        Some(failure) => Err(failure),
        None => Ok(()),
    }
}

/// What other threads tell the window.
#[derive(Debug)]
enum News {
    /// There is a new snapshot.
    Snapshot,
    /// A file dialog was answered.
    Answer(Answer),
}

/// Opens the event loop. Without some of its libraries winit panics instead of telling.
fn open_event_loop() -> Result<EventLoop<News>, WindowError> {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let opened = catch_unwind(AssertUnwindSafe(|| EventLoop::with_user_event().build()));
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

/// A picture that was handed to the GPU.
#[derive(Clone, Copy, Debug)]
struct Prepared {
    /// Its number.
    picture: u64,
    epoch: u64,
    step: u64,
    /// What the CPU took for it.
    render_ns: u64,
}

/// All that a picture of a snapshot depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
struct SceneKey {
    draw: DrawOptions,
    selection: Selection,
    camera: OrbitCamera,
    dark: bool,
    pixels_per_point: f32,
}

/// All that lives as long as the window.
struct App {
    /// Until the window is open.
    engine: Option<Engine>,
    /// From then on.
    simulation: Option<Simulation>,
    snapshot: Box<Snapshot>,
    panel: PanelState,
    document: SceneDocument,
    path: PathBuf,
    /// A file that is replaced if the scene is saved into it once more.
    replace: Option<PathBuf>,
    folder: PathBuf,
    shipped_scenes: Vec<PathBuf>,
    settings: Settings,
    settings_path: Option<PathBuf>,
    /// Where the camera is going, and where it is on its way.
    goal: OrbitCamera,
    camera: OrbitCamera,
    eased_at: Instant,
    composer: Composer,
    /// What the scene's picture shows; `None` once there is a newer snapshot.
    scene_key: Option<SceneKey>,
    pointer: Pointer,
    hold: Hold,
    watch: Watch,
    notices: Vec<Notice>,
    /// A dialog of the system is open.
    asking: bool,
    /// The window is to be closed.
    closing: bool,
    frame_rate: FrameRate,
    gpu_ns: Option<u64>,
    /// Pictures whose GPU time is still on its way.
    prepared: Vec<Prepared>,
    /// Pictures so far.
    pictures: u64,
    /// Orders given so far that a snapshot shows.
    given: u64,
    /// Scenes that were read, until the simulation has begun or refused them.
    loading: Vec<Loading>,
    /// A scene to be saved as soon as all edits are in the snapshot, and whether it may replace a
    /// file.
    saving: Option<(PathBuf, bool)>,
    adapter: String,
    clock: &'static dyn Clock,
    commands: Vec<Command>,
    screen: Option<Screen>,
    proxy: EventLoopProxy<News>,
    /// When the title was set, and what ran then.
    titled: Option<(Instant, bool, &'static str)>,
    failure: Option<WindowError>,
}

impl App {
    fn new(start: Start, clock: &'static dyn Clock, proxy: EventLoopProxy<News>) -> Self {
        let Start { document, path, session, folder, settings, settings_path, notices } = start;
        let snapshot = Box::new(Snapshot::of(&session, &Watch::default()));
        let scene = session.world().scene();
        let camera = OrbitCamera::from_pose(scene.camera);
        let camera = settings.camera_of(&path).unwrap_or(camera);
        let mut app = Self {
            panel: PanelState { dark: settings.dark, ..PanelState::of_scene(scene) },
            engine: Some(Engine::new(session, clock, true)),
            simulation: None,
            snapshot,
            document,
            replace: None,
            shipped_scenes: shipped_scenes(&folder),
            folder,
            settings,
            settings_path,
            goal: camera,
            camera,
            eased_at: Instant::now(),
            composer: Composer::default(),
            scene_key: None,
            pointer: Pointer::default(),
            hold: Hold::None,
            watch: Watch::default(),
            notices,
            asking: false,
            closing: false,
            frame_rate: FrameRate::default(),
            gpu_ns: None,
            prepared: Vec::new(),
            pictures: 0,
            given: 0,
            loading: Vec::new(),
            saving: None,
            adapter: String::new(),
            clock,
            commands: Vec::new(),
            screen: None,
            proxy,
            titled: None,
            failure: None,
            path: PathBuf::new(),
        };
        app.set_path(path);
        app
    }

    fn set_path(&mut self, path: PathBuf) {
        self.settings.remember_scene(&path);
        self.path = path;
    }

    fn fail(&mut self, event_loop: &ActiveEventLoop, failure: WindowError) {
        self.failure = Some(failure);
        event_loop.exit();
    }

    fn order(&mut self, order: Order) {
        if let Some(simulation) = &self.simulation {
            self.given += u64::from(order.is_shown());
            simulation.order(order);
        }
    }

    fn tell(&mut self, notice: Notice) {
        self.notices.push(notice);
        let excess = self.notices.len().saturating_sub(MOST_NOTICES);
        self.notices.drain(..excess);
    }

    fn key(&mut self, key: Key) {
        let command = match key {
            Key::ToggleRun => Order::Run(!self.snapshot.running).into(),
            Key::Step => Order::Step.into(),
            Key::StepBack => Order::StepBack.into(),
            Key::Restart => Order::Restart.into(),
            Key::Undo => Order::Undo.into(),
            Key::Export => Command::ExportFrames,
            Key::Picture => Command::ExportPicture,
            Key::FrameAll => Command::FrameAll,
            Key::Algorithm(index) => match ALGORITHMS.get(index) {
                Some(row) => Order::Algorithm(row).into(),
                None => {
                    let text = format!("there are {} algorithms", ALGORITHMS.len());
                    return self.tell(Notice::Trouble(text));
                }
            },
            Key::LessDelay => self.delay(self.snapshot.response_delay.saturating_sub(DELAY_STEP)),
            Key::MoreDelay => self
                .delay((self.snapshot.response_delay + DELAY_STEP).min(panel::MOST_RESPONSE_DELAY)),
            Key::Quit => return self.closing = true,
            Key::Help => return self.panel.help = !self.panel.help,
            Key::HidePanels => return self.panel.hidden = !self.panel.hidden,
            Key::LetGo => {
                self.panel.help = false;
                return self.panel.picked = None;
            }
        };
        self.commands.push(command);
    }

    /// Changes the response delay, at once in what is shown: a held key counts on from there.
    fn delay(&mut self, delay: Duration) -> Command {
        self.snapshot.response_delay = delay;
        Order::ResponseDelay(delay).into()
    }

    /// Carries out what the user wants. A refusal is told, and changes nothing.
    fn obey(&mut self, command: Command) {
        match command {
            Command::Order(order) => {
                match &order {
                    Order::Generate(scene) => {
                        self.panel.draw.triangles = scene.triangles;
                        self.panel.picked = None;
                    }
                    // Seen at once, though the step that is going on is not left for it.
                    Order::Pace(pace) => self.snapshot.pace = *pace,
                    Order::ResponseDelay(delay) => self.snapshot.response_delay = *delay,
                    _ => {}
                }
                self.order(order);
            }
            Command::Vsync(vsync) => {
                self.settings.vsync = vsync;
                if let Some(screen) = &mut self.screen {
                    screen.set_vsync(vsync);
                }
            }
            Command::Dark(dark) => {
                self.panel.dark = dark;
                self.settings.dark = dark;
            }
            Command::FrameAll => {
                let bounds = self.snapshot.scene.bounds();
                if let Some(screen) = &self.screen {
                    self.goal.frame(bounds, screen.scene_aspect());
                }
            }
            Command::Load(path) => self.load(&path),
            Command::Save(path) => self.saving = Some((path, false)),
            Command::AskForScene => self.ask(Question::Load),
            Command::AskWhereToSave => self.ask(Question::Save),
            Command::ExportFrames => {
                let path = self.export_path("-frames.csv");
                self.order(Order::ExportFrames(path));
            }
            Command::ExportSummary => {
                let path = self.export_path("-summary.csv");
                self.order(Order::ExportSummary(path));
            }
            Command::ExportPicture => {
                let path = self.export_path(".png");
                let outcome = self.export_picture(&path).map_err(|e| e.to_string());
                self.exported("picture", &path, outcome);
            }
            Command::ExportChart(format) => {
                let path = self.export_path(match format {
                    ChartFormat::Svg => "-chart.svg",
                    ChartFormat::Png => "-chart.png",
                });
                let chart = chart_export::chart(&self.snapshot);
                let outcome = chart_export::write(&chart, &path).map_err(|e| e.to_string());
                self.exported("chart", &path, outcome);
            }
            Command::DismissNotices => self.notices.clear(),
        }
    }

    /// One picture: the newest snapshot with the panels.
    fn picture(&mut self, event_loop: &ActiveEventLoop) {
        if self.closing {
            return event_loop.exit();
        }
        for command in std::mem::take(&mut self.commands) {
            self.obey(command);
        }
        if let Some(simulation) = &self.simulation {
            if simulation.has_ended() {
                let text = "the simulation has broken down".to_owned();
                return self.fail(event_loop, WindowError::Broken(text));
            }
            let picks = self.snapshot.picks;
            if simulation.take(&mut self.snapshot) {
                self.scene_key = None;
                if self.snapshot.picks != picks {
                    self.panel.picked = self.snapshot.picked.as_ref().map(|picked| picked.object);
                    self.watch.picked = self.panel.picked;
                }
                for notice in std::mem::take(&mut self.snapshot.notices) {
                    self.tell(notice);
                }
            }
        }
        self.finish_loading();
        self.finish_saving();
        let Some(screen) = &mut self.screen else { return };
        if let Some(fault) = screen.fault() {
            return self.fail(event_loop, WindowError::Broken(fault));
        }
        // A surface first: without one nothing is drawn, and nothing should be prepared.
        let Some(canvas) = screen.acquire() else { return };
        screen.set_dark(self.panel.dark);
        self.ease_camera();
        let busy_for = self.busy_for();
        let Some(screen) = &mut self.screen else { return };
        let start = self.clock.now_ns();
        let status = Status {
            vsync: self.settings.vsync,
            present_mode: screen.present_mode(),
            fps: self.frame_rate.per_second(),
            gpu_ns: self.gpu_ns,
            adapter: &self.adapter,
            camera: self.camera,
            busy_for: busy_for.map(|busy| busy.as_secs_f32()),
            asking: self.asking,
            notices: &self.notices,
            shipped_scenes: &self.shipped_scenes,
            recent_scenes: &self.settings.recent_scenes,
        };
        let (panel, snapshot, commands) = (&mut self.panel, &self.snapshot, &mut self.commands);
        let (laid_out, stale) =
            screen.lay_out(|ui| panel::window(ui, panel, snapshot, &status, commands));
        let key = SceneKey {
            draw: self.panel.draw,
            selection: self.panel.selection(),
            camera: self.camera,
            dark: self.panel.dark,
            pixels_per_point: screen.pixels_per_point(),
        };
        // A picture of the same scene is there already; composing it alone takes its time.
        let anew = stale || self.scene_key != Some(key);
        self.scene_key = Some(key);
        let view = anew.then(|| {
            self.composer.view(
                &self.snapshot,
                &key.draw,
                key.selection,
                key.camera,
                theme(key.dark),
                key.pixels_per_point,
            )
        });
        let picture = self.pictures;
        self.pictures += 1;
        let drawn = screen.draw(&canvas, laid_out, view.as_ref(), picture);
        // Before the picture is presented, which may wait for the screen.
        let render_ns = self.clock.now_ns() - start;
        screen.present(canvas);
        if let Err(fault) = drawn {
            return self.fail(event_loop, WindowError::Broken(fault));
        }
        self.frame_rate.picture(self.clock.now_ns());
        let (epoch, step) = (self.snapshot.epoch, self.snapshot.steps);
        self.report_drawing(Prepared { picture, epoch, step, render_ns });
        self.update_watch();
        self.retitle();
    }

    /// Tells the simulation how long pictures took: at once by our clock alone, where that has
    /// waited for the GPU, or with the GPU's own time when that comes in.
    fn report_drawing(&mut self, drawn: Prepared) {
        let Some(screen) = &mut self.screen else { return };
        let mut complete = Vec::new();
        if screen.waits() {
            complete.push(drawn);
        } else {
            self.prepared.push(drawn);
        }
        let (prepared, last) = (&mut self.prepared, &mut self.gpu_ns);
        screen.drawn(|picture, gpu_ns| {
            *last = Some(gpu_ns);
            if let Some(at) = prepared.iter().position(|known| known.picture == picture) {
                let known = prepared.remove(at);
                complete.push(Prepared { render_ns: known.render_ns + gpu_ns, ..known });
            }
        });
        // What the GPU never told of (more pictures than it times at once) is forgotten.
        let excess = self.prepared.len().saturating_sub(8);
        self.prepared.drain(..excess);
        for Prepared { epoch, step, render_ns, .. } in complete {
            self.order(Order::Drawn { epoch, step, render_ns });
        }
    }

    fn busy_for(&self) -> Option<Duration> {
        let busy = self.simulation.as_ref()?.busy_for()?;
        (busy >= NOTICEABLE).then_some(busy)
    }

    /// Asks the simulation for what the panel now shows.
    fn update_watch(&mut self) {
        let watch = self.panel.draw.watch(self.panel.picked);
        if watch != self.watch {
            self.watch = watch;
            self.order(Order::Watch(watch));
        }
    }

    /// Lets the camera follow the mouse softly, at the same speed at every frame rate.
    fn ease_camera(&mut self) {
        let seconds = self.eased_at.elapsed().as_secs_f32().min(0.1);
        self.eased_at = Instant::now();
        let share = 1.0 - (-seconds / EASING_SECONDS).exp();
        self.camera = self.camera.toward(&self.goal, share);
    }

    /// Picks the sphere under a click; beside all spheres, none.
    ///
    /// While all stands still the structure is asked, on its own thread. In motion it is that of a
    /// later step than the one that is seen: there the spheres of the picture are looked at.
    fn click(&mut self, at: Vec2) {
        let Some(screen) = &self.screen else { return };
        if !self.panel.draw.objects {
            // What is not seen is not picked.
            return self.panel.picked = None;
        }
        let rect = screen.scene_rect();
        let pixel = at - Vec2::new(rect.x as f32, rect.y as f32);
        let ray = self.camera.ray_through(pixel, Vec2::new(rect.width as f32, rect.height as f32));
        if self.snapshot.running {
            let (centers, radii) = (&self.snapshot.positions, &self.snapshot.radii);
            self.panel.picked = nearest_sphere(ray, centers, radii);
        } else {
            self.order(Order::Pick(ray));
        }
    }

    fn retitle(&mut self) {
        let (running, algorithm) = (self.snapshot.running, self.snapshot.algorithm.id);
        if let Some((at, ran, known)) = self.titled
            && (ran, known) == (running, algorithm)
            && at.elapsed() < TITLE_EVERY
        {
            return;
        }
        self.titled = Some((Instant::now(), running, algorithm));
        let Some(screen) = &self.screen else { return };
        let fps = match self.frame_rate.per_second() {
            _ if !running => "stopped".to_owned(),
            Some(fps) => format!("{fps:.0} FPS"),
            None => "starting".to_owned(),
        };
        let label = &self.snapshot.label;
        screen.set_title(&format!("{fps} - {algorithm} - {label}"));
    }
}

fn theme(dark: bool) -> &'static Theme {
    if dark { &Theme::DARK } else { &Theme::LIGHT }
}

impl ApplicationHandler<News> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        let Some(engine) = self.engine.take() else { return };
        match Screen::open(event_loop, self.settings.window, self.settings.vsync) {
            Ok(screen) => {
                self.adapter = screen.adapter();
                self.screen = Some(screen);
            }
            Err(failure) => return self.fail(event_loop, failure),
        }
        let proxy = self.proxy.clone();
        let wake = move || {
            // A window that is closed looks at nothing any more.
            let _ = proxy.send_event(News::Snapshot);
        };
        match Simulation::start(engine, self.clock, wake) {
            Ok(simulation) => self.simulation = Some(simulation),
            Err(e) => {
                let text = format!("no thread for the simulation: {e}");
                self.fail(event_loop, WindowError::Broken(text));
            }
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        // The time that something waited for has come: a long step is told of, a panel moves on.
        if let (StartCause::ResumeTimeReached { .. }, Some(screen)) = (cause, &self.screen) {
            screen.request_redraw();
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, news: News) {
        if let News::Answer(answer) = news {
            self.answered(answer);
        }
        if let Some(screen) = &self.screen {
            screen.request_redraw();
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        let taken = screen.on_event(&event);
        match &event {
            WindowEvent::CloseRequested | WindowEvent::Destroyed => event_loop.exit(),
            WindowEvent::RedrawRequested => return self.picture(event_loop),
            WindowEvent::Resized(size) => {
                screen.resize(size.width, size.height);
                if size.width > 0 && size.height > 0 {
                    self.settings.window = screen.window_size();
                }
            }
            WindowEvent::Occluded(occluded) => screen.set_occluded(*occluded),
            WindowEvent::DroppedFile(path) => self.load(path),
            // A release is always seen: a key that was held must not stay so.
            WindowEvent::KeyboardInput { event, .. } if !taken || !event.state.is_pressed() => {
                if let Some(key) = self.pointer.key(event) {
                    self.key(key);
                }
            }
            // What is pressed on a panel stays there; a drag that began over the scene goes on.
            WindowEvent::MouseInput { state, .. } if taken && state.is_pressed() => {}
            WindowEvent::MouseWheel { .. } if taken => {}
            _ => {
                let rect = screen.scene_rect();
                if let Some(at) = self.pointer.event(&event, rect, &mut self.goal) {
                    self.click(at);
                }
            }
        }
        if self.hold != self.pointer.hold() {
            self.hold = self.pointer.hold();
            self.order(Order::Hold(self.hold));
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
        } else if self.camera != self.goal || !self.commands.is_empty() {
            // What was clicked in the last picture is carried out with the next one.
            event_loop.set_control_flow(ControlFlow::Poll);
            screen.request_redraw();
        } else {
            // Nothing is drawn until the simulation has something new, something happens, or a
            // panel wants it.
            let busy = self.simulation.as_ref().and_then(Simulation::busy_for);
            let next = |busy: Duration| NOTICEABLE.saturating_sub(busy).max(BUSY_EVERY);
            let busy = busy.map(|busy| Instant::now() + next(busy));
            match screen.repaint_at().into_iter().chain(busy).min() {
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

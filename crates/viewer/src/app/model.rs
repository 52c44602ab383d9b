//! Everything that the window shows and edits, without the window itself.

use super::eased_camera::EasedCamera;
use super::input::Key;
use super::notices::Notices;
use super::rescue;
use super::scene_file::{Opened, SaveRequest, SceneFile, shipped_scenes};
use super::scene_picture::SceneKey;
use super::settings_file::SettingsFile;
use super::simulation_link::SimulationLink;
use super::start::Start;
use crate::camera::{OrbitCamera, Ray};
use crate::chart_export;
use crate::console;
use crate::panel::{self, Bookmark, ChartFormat, Command, NOTICEABLE, PanelState, Status};
use crate::picking::{nearest_body, nearest_box, nearest_sphere};
use crate::platform::{Answer, Platform, Question};
use crate::reproduction::{Reproduction, in_shell};
use crate::session::export_path;
use crate::settings::Settings;
use crate::simulation::{
    ColorBy, Engine, EngineState, Notice, ObjectStates, Order, Simulation, Snapshot, Watch,
};
use egui::{Rect, Ui};
use glam::Vec2;
use measure::{BoxesSpec, CaseOptions, Input};
use sim::{Hold, Scene, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// Change of the response delay by one press of a key.
const DELAY_STEP: Duration = Duration::from_millis(1);

/// A command that only the window can carry out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum WindowCommand {
    Vsync(bool),
    FrameAll,
    Ask(Question),
    ExportPicture(PathBuf),
}

/// The part of the panels' status that comes from the window.
#[derive(Clone, Copy, Debug)]
pub(super) struct WindowStatus<'a> {
    pub(super) present_mode: &'a str,
    pub(super) fps: Option<f64>,
    pub(super) gpu_ns: Option<u64>,
    pub(super) adapter: &'a str,
}

/// The simulation with its newest snapshot, the panels' state, the camera, files and messages.
pub(super) struct Model {
    simulation: SimulationLink,
    snapshot: Box<Snapshot>,
    panel: PanelState,
    /// Commands of the last picture, carried out with the next one.
    commands: Vec<Command>,
    camera: EasedCamera,
    /// Where the scene's middle is in its picture; see [`panel::middle`].
    middle: Vec2,
    notices: Notices,
    scene_file: SceneFile,
    shipped_scenes: Vec<PathBuf>,
    /// Where exports go: a folder `results` within it.
    folder: PathBuf,
    settings: Settings,
    settings_file: SettingsFile,
    /// The scene as it was opened or last saved; what differs from it is edited.
    kept: Arc<Scene>,
    /// The camera that the settings hold for the present scene, if they do.
    remembered_camera: Option<OrbitCamera>,
    hold: Hold,
    watch: Watch,
    /// The compared algorithms search: as in the engine, at first they do.
    comparing: bool,
    /// A text for the clipboard.
    to_copy: Option<String>,
    /// The user closes the window.
    closing: bool,
    /// A dialog is open.
    asking: bool,
    platform: Platform,
}

impl Model {
    pub(super) fn new(start: Start, platform: Platform) -> Self {
        let clock = platform.clock;
        let Start {
            opened,
            session,
            view,
            compared,
            first,
            folder,
            mut settings,
            settings_path,
            mut notices,
        } = start;
        let nothing = Scene::default();
        let scene = session.world().map_or(&nothing, World::scene);
        let remembered = opened.path.as_deref().and_then(|path| settings.camera_of(path));
        let snapshot = Box::new(Snapshot::of(&session, &Watch::default()));
        let camera = view.camera.or(remembered).unwrap_or_else(|| snapshot.first_camera());
        let settings_file = SettingsFile::new(settings_path, platform, &settings);
        if let Some(path) = &opened.path {
            settings.remember_scene(path);
        }
        let mut panel = PanelState { dark: settings.dark, ..PanelState::of_scene(scene) };
        panel.suggestions = first && settings.suggestions;
        view.apply_in_window(&mut panel.draw, snapshot.objects.positions.len());
        match view.picked_among(snapshot.objects.positions.len()) {
            Ok(picked) => panel.picked = picked,
            Err(problem) => notices.push(Notice::Problem(problem)),
        }
        if snapshot.motion.recording.is_some() && panel.draw.color.is_of_scenes() {
            panel.draw.color = ColorBy::Plain;
        }
        let mut engine = Engine::new(session, clock, view.step.is_none());
        if !compared.is_empty() {
            panel.compare.open = true;
            engine.obey(Order::Compare(compared));
        }
        if let Some(step) = view.step {
            // So that what changed in the steps before it is marked there.
            engine.obey(Order::Watch(panel.draw.watch(panel.picked)));
            engine.obey(Order::GoTo(step));
        }
        Self {
            panel,
            kept: snapshot.input.recipe.clone(),
            snapshot,
            simulation: SimulationLink::new(engine),
            commands: Vec::new(),
            camera: EasedCamera::new(camera, clock.now_ns()),
            middle: Vec2::ZERO,
            notices: Notices::at_start(notices, clock.now_ns()),
            scene_file: SceneFile::new(opened, platform.files),
            shipped_scenes: shipped_scenes(platform.files, &folder),
            folder,
            settings,
            settings_file,
            remembered_camera: None,
            hold: Hold::None,
            watch: Watch::default(),
            comparing: true,
            to_copy: None,
            closing: false,
            asking: false,
            platform,
        }
    }

    /// Carries out a key.
    pub(super) fn key(&mut self, key: Key) {
        let command = match key {
            Key::ToggleRun => Order::Run(!self.snapshot.engine.running).into(),
            Key::Step => Order::Step.into(),
            Key::StepBack => Order::StepBack.into(),
            Key::Restart => Order::Restart.into(),
            Key::Undo => Order::Undo.into(),
            Key::Export => Command::ExportFrames,
            Key::Picture => Command::ExportPicture,
            Key::FrameAll => Command::FrameAll,
            Key::Algorithm(index) => match self.snapshot.offered.families().nth(index) {
                Some(row) => Order::Algorithm(row).into(),
                None => {
                    let text = format!(
                        "there are {} algorithms",
                        self.snapshot.offered.families().count()
                    );
                    return self.report(text);
                }
            },
            Key::LessDelay => {
                self.delay(self.snapshot.input.response_delay.saturating_sub(DELAY_STEP))
            }
            Key::MoreDelay => self.delay(
                (self.snapshot.input.response_delay + DELAY_STEP).min(panel::MOST_RESPONSE_DELAY),
            ),
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

    /// Changes the response delay in the snapshot too: a held key counts on from there.
    fn delay(&mut self, delay: Duration) -> Command {
        self.snapshot.input.response_delay = delay;
        Order::ResponseDelay(delay).into()
    }

    /// Takes the commands to carry out.
    pub(super) fn take_commands(&mut self) -> Vec<Command> {
        std::mem::take(&mut self.commands)
    }

    /// Whether commands wait for the next picture.
    pub(super) fn has_commands(&self) -> bool {
        !self.commands.is_empty()
    }

    /// Carries out a command, or returns the part of it that only the window can carry out. A
    /// refusal changes nothing and is reported.
    pub(super) fn obey(&mut self, command: Command) -> Option<WindowCommand> {
        match command {
            Command::Order(order) => self.obey_order(order),
            Command::Vsync(vsync) => {
                self.settings.vsync = vsync;
                return Some(WindowCommand::Vsync(vsync));
            }
            Command::Dark(dark) => {
                self.panel.dark = dark;
                self.settings.dark = dark;
            }
            Command::Suggestions(suggestions) => {
                self.panel.suggestions = suggestions;
                self.settings.suggestions = suggestions;
            }
            Command::FrameAll => return Some(WindowCommand::FrameAll),
            Command::LookFrom(side) => self.camera.goal_mut().look_from(side),
            Command::Show(Bookmark { step, camera }) => {
                *self.camera.goal_mut() = camera;
                self.simulation.order(Order::GoTo(step));
            }
            Command::CopyCommand => self.copy_command(),
            Command::Load(path) => self.load(&path),
            Command::PlayBoxes(spec) => self.play_boxes(spec),
            Command::Save(path) => self.scene_file.request_save(path, false),
            Command::AskForScene => return Some(WindowCommand::Ask(Question::Load)),
            Command::AskWhereToSave => return Some(WindowCommand::Ask(Question::Save)),
            Command::ExportFrames => {
                let path = self.export_path("-frames.csv");
                self.simulation.order(Order::ExportFrames(path));
            }
            Command::ExportSummary => {
                let path = self.export_path("-summary.csv");
                self.simulation.order(Order::ExportSummary(path));
            }
            Command::ExportPicture => {
                return Some(WindowCommand::ExportPicture(self.export_path(".png")));
            }
            Command::ExportChart(format) => {
                let path = self.export_path(match format {
                    ChartFormat::Svg => "-chart.svg",
                    ChartFormat::Png => "-chart.png",
                });
                let shown = self.panel.shows_comparison().then_some(&self.panel.compare);
                let chart = chart_export::chart(&self.snapshot, shown);
                let outcome = chart_export::write(&chart, self.platform.files, &path);
                let outcome = outcome.map_err(|e| e.to_string());
                self.written("chart", &path, outcome);
            }
            Command::ExportPair => {
                let path = self.export_path("-pair.scene");
                self.simulation.order(Order::ExportPair(path));
            }
            Command::DismissNotices => self.notices.clear(),
        }
        None
    }

    /// Copies the command line that shows the same.
    fn copy_command(&mut self) {
        let shown = Reproduction {
            path: self.scene_file.path(),
            original: self.scene_file.scene(),
            snapshot: &self.snapshot,
            draw: &self.panel.draw,
            compares: self.panel.shows_comparison(),
            camera: self.camera.goal(),
        };
        let program = std::env::args().next().unwrap_or_else(|| "viewer".to_owned());
        let words: Vec<String> = std::iter::once(program).chain(shown.arguments()).collect();
        let line = in_shell(&words);
        let lack = shown.lack();
        self.notices.push(Notice::Done(format!("copied: {line}")), self.platform.clock.now_ns());
        self.to_copy = Some(line);
        if let Some(lack) = lack {
            self.report(lack);
        }
    }

    fn obey_order(&mut self, order: Order) {
        match &order {
            Order::Generate(scene) => {
                self.panel.draw.triangles = scene.triangles;
                self.panel.picked = None;
                // They are steps of the scene as it was.
                self.panel.bookmarks.clear();
            }
            // Shown at once, though the present step is not stopped for it.
            Order::Pace(pace) => self.snapshot.engine.pace = *pace,
            Order::ResponseDelay(delay) => self.snapshot.input.response_delay = *delay,
            Order::Methods(methods) => self.settings.remember_methods(*methods),
            Order::BoxKind(kind) => self.settings.remember_box_kind(*kind),
            _ => {}
        }
        self.simulation.order(order);
    }

    fn export_path(&self, ending: &str) -> PathBuf {
        export_path(&self.snapshot.input.label, &self.folder, ending)
    }

    /// Takes the newest snapshot with its messages. Returns whether there is a newer one.
    pub(super) fn take_snapshot(&mut self) -> bool {
        let picks = self.snapshot.engine.picks;
        if !self.simulation.take(&mut self.snapshot) {
            return false;
        }
        if self.snapshot.engine.picks != picks {
            self.panel.picked = self.snapshot.picked.as_ref().map(|picked| picked.object);
            self.watch.picked = self.panel.picked;
            self.note_miss();
        }
        let now_ns = self.platform.clock.now_ns();
        for notice in std::mem::take(&mut self.snapshot.notices) {
            self.notices.push(notice, now_ns);
        }
        true
    }

    /// Requests the parts that the panel now shows.
    pub(super) fn update_watch(&mut self) {
        let comparing = self.panel.shows_comparison();
        if comparing != self.comparing {
            self.comparing = comparing;
            self.simulation.order(Order::Comparing(comparing));
        }
        let watch = Watch { properties: comparing, ..self.panel.draw.watch(self.panel.picked) };
        if watch != self.watch {
            self.watch = watch;
            self.simulation.order(Order::Watch(watch));
        }
    }

    /// Lets the line attract or repel.
    pub(super) fn set_hold(&mut self, hold: Hold) {
        if self.hold != hold {
            self.hold = hold;
            self.simulation.order(Order::Hold(hold));
        }
    }

    /// Picks the first object on a ray, or none.
    ///
    /// While the motion is stopped, the simulation asks the structure. During motion the structure
    /// is that of a later step than the picture, so that the snapshot's objects are checked.
    pub(super) fn click(&mut self, ray: Ray) {
        if !self.panel.draw.objects {
            // Hidden objects cannot be picked.
            self.panel.picked = None;
        } else if self.snapshot.engine.running {
            let ObjectStates { positions, radii, boxes, bodies, space, .. } =
                &self.snapshot.objects;
            self.panel.picked = match (&self.snapshot.motion.recording, bodies) {
                (Some(_), _) => nearest_box(ray, boxes, *space),
                (None, Some(bodies)) => nearest_body(ray, 0..positions.len() as u32, |object| {
                    bodies.body(object as usize, *positions.get(object as usize)?)
                }),
                (None, None) => nearest_sphere(ray, positions, radii),
            };
        } else {
            return self.simulation.order(Order::Pick(ray));
        }
        self.note_miss();
    }

    /// Says that a click met no object.
    fn note_miss(&mut self) {
        if self.panel.picked.is_none() {
            let text = "no object where you clicked".to_owned();
            self.notices.push(Notice::Done(text), self.platform.clock.now_ns());
        }
    }

    /// Moves the camera so that it sees the whole scene in the free part of a picture of this aspect.
    pub(super) fn frame_all(&mut self, aspect: f32) {
        let free = aspect * (1.0 - self.middle.x.abs());
        self.camera.goal_mut().frame(self.snapshot.objects.space, free);
    }

    /// Opens a file dialog, unless one is open. Its answer is to come back by `answer`.
    pub(super) fn ask(&mut self, question: Question, answer: impl FnOnce(Answer) + Send + 'static) {
        if !std::mem::replace(&mut self.asking, true) {
            self.platform.dialogs.ask(question, self.scene_file.path(), Box::new(answer));
        }
    }

    /// Carries out the answer of a file dialog.
    pub(super) fn answered(&mut self, answer: Answer) {
        self.asking = false;
        match answer {
            Answer::Chosen(Question::Load, path) => self.load(&path),
            // The dialog has asked whether to replace a file.
            Answer::Chosen(Question::Save, path) => self.scene_file.request_save(path, true),
            Answer::Cancelled => {}
            Answer::Unavailable => self.report(
                "the system shows no file dialog; type the path, or drop a file on the window",
            ),
        }
    }

    /// Begins another scene or trace. One that cannot be read leaves the running one as it is.
    pub(super) fn load(&mut self, path: &Path) {
        match self.platform.files.open(path) {
            Ok(input) => self.begin(&input, Some(path.to_owned())),
            Err(error) => self.report(error),
        }
    }

    /// Begins generated boxes.
    fn play_boxes(&mut self, spec: BoxesSpec) {
        self.begin(&Input::boxes(spec), None);
    }

    fn begin(&mut self, input: &Input, path: Option<PathBuf>) {
        let case = match input.cases(&CaseOptions::default()) {
            Ok(mut cases) => cases.remove(0),
            Err(error) => return self.report(error),
        };
        // An edit of the last moment counts, too.
        self.wait_for_orders();
        self.finish_files();
        let rescued = self.rescue_edits("the scene before had unsaved edits");
        self.notices.clear();
        for warning in input.warnings.iter().chain(&rescued) {
            self.report(warning);
        }
        self.simulation.order(Order::Begin(Box::new(case)));
        // The window shows the old input until the simulation has begun the new one.
        let opened = Opened { document: input.document().cloned(), path };
        self.scene_file.wait_for(self.simulation.given(), opened);
    }

    /// Ends loads and saves that waited for the simulation.
    pub(super) fn finish_files(&mut self) {
        let EngineState { heard, begun, .. } = self.snapshot.engine;
        self.remember_camera();
        if self.scene_file.take_begun(heard, begun) {
            self.kept.clone_from(&self.snapshot.input.recipe);
            self.panel.begin_scene(&self.snapshot.input.recipe);
            self.panel.draw.hide_structure_of_many(self.snapshot.objects.positions.len());
            if self.snapshot.motion.recording.is_some() && self.panel.draw.color.is_of_scenes() {
                self.panel.draw.color = ColorBy::Plain;
            }
            *self.camera.goal_mut() = self.snapshot.first_camera();
            if let Some(path) = self.scene_file.path() {
                self.settings.remember_scene(path);
            }
            self.remembered_camera = None;
        }
        if heard >= self.simulation.given()
            && let Some(request) = self.scene_file.take_save()
        {
            self.save(&request);
        }
    }

    /// Writes the scene with all edits and the present view.
    fn save(&mut self, request: &SaveRequest) {
        let path = &request.path;
        if let Some(objection) = self.scene_file.objection(request) {
            return self.report(objection);
        }
        let mut scene = (*self.snapshot.input.recipe).clone();
        if self.camera.goal() != OrbitCamera::from_pose(scene.camera) {
            scene.camera = self.camera.goal().pose();
        }
        (scene.triangles, scene.shading) = (self.panel.draw.triangles, self.panel.draw.shading);
        let saved = self.scene_file.save(scene, path);
        if saved.is_ok() {
            self.kept.clone_from(&self.snapshot.input.recipe);
            self.remembered_camera = None;
            self.settings.remember_scene(path);
            self.simulation.order(Order::Rename(path.display().to_string()));
        }
        self.written("scene", path, saved);
    }

    /// Shows a message about something that failed, or is doubtful.
    fn report(&mut self, text: impl ToString) {
        self.notices.problem(text, self.platform.clock.now_ns());
    }

    /// Reports the outcome of writing a file.
    pub(super) fn written(&mut self, what: &str, path: &Path, outcome: Result<(), String>) {
        self.notices.written(what, path, outcome, self.platform.clock.now_ns());
    }

    fn remember_camera(&mut self) {
        let camera = self.camera.goal();
        if self.remembered_camera != Some(camera)
            && let Some(path) = self.scene_file.path()
        {
            self.settings.remember_camera(path, &camera);
            self.remembered_camera = Some(camera);
        }
    }

    /// Writes the settings some time after they changed, unless the window never opened. Returns how long until
    /// this is to be called again.
    pub(super) fn keep_settings(&mut self, now_ns: u64) -> Option<Duration> {
        if !self.simulation.has_started() {
            return None;
        }
        self.remember_camera();
        let (wait, problem) = self.settings_file.follow(&self.settings, now_ns);
        let Some(problem) = problem else { return wait };
        self.notices.problem(problem, now_ns);
        // It is to be seen.
        Some(Duration::ZERO)
    }

    /// Writes the settings at the end, unless the window never opened.
    pub(super) fn write_settings(&mut self) {
        if !self.simulation.has_started() {
            return;
        }
        self.remember_camera();
        if let Err(problem) = self.settings_file.finish(&self.settings) {
            console::note(format_args!("warning: {problem}"));
        }
    }

    /// Carries out the last commands, and takes the snapshot that shows them. Returns whether there was one within a few
    /// seconds.
    pub(super) fn catch_up(&mut self) -> bool {
        for command in self.take_commands() {
            // The window can carry out no more.
            let _ = self.obey(command);
        }
        let is_current = self.wait_for_orders();
        self.finish_files();
        is_current
    }

    /// Takes the snapshot that shows all orders. Returns whether there was one within a few seconds.
    fn wait_for_orders(&mut self) -> bool {
        self.take_snapshot();
        let since = self.platform.clock.now_ns();
        while self.simulation.has_started()
            && !self.simulation.has_failed()
            && self.snapshot.engine.heard < self.simulation.given()
            && self.platform.clock.now_ns() - since < Simulation::MAX_PATIENCE_NS
        {
            thread::sleep(Duration::from_millis(2));
            self.take_snapshot();
        }
        self.snapshot.engine.heard >= self.simulation.given()
    }

    /// The scene, if it has edits that are in no file.
    fn edited(&self) -> Option<&Scene> {
        let recipe = &*self.snapshot.input.recipe;
        (self.snapshot.motion.recording.is_none() && *recipe != *self.kept).then_some(recipe)
    }

    /// Saves the scene in a file of its own if it has unsaved edits. Returns a line with `why` and its path.
    pub(super) fn rescue_edits(&self, why: &str) -> Option<String> {
        let scene = self.edited()?;
        let path = self.export_path(".scene");
        Some(rescue::rescue(why.to_owned(), Some(scene), self.platform.files, &path, None))
    }

    /// Saves an edited scene and the frames after drawing failed. Returns the fault with their paths.
    pub(super) fn rescue(&mut self, fault: String) -> String {
        let frames = (self.snapshot.recorded > 0).then(|| self.rescue_frames());
        self.simulation.end();
        let path = self.export_path(".scene");
        rescue::rescue(fault, self.edited(), self.platform.files, &path, frames)
    }

    /// Writes the recorded frames. Returns their path, or why they are not there.
    fn rescue_frames(&mut self) -> Result<PathBuf, String> {
        let path = self.export_path("-frames.csv");
        // An export waits for the steps that were ordered before.
        self.simulation.order(Order::Run(false));
        self.simulation.order(Order::ExportFrames(path.clone()));
        self.catch_up();
        self.simulation.end();
        if path.exists() {
            return Ok(path);
        }
        let folder = self.folder.display().to_string();
        let problem = self.notices.all().iter().rev().find_map(|notice| match notice {
            Notice::Problem(text) if text.contains(&folder) => Some(text.clone()),
            _ => None,
        });
        Err(problem.unwrap_or_else(|| "the simulation did not answer".to_owned()))
    }

    /// Lays out the panels. Returns the part that is left to the scene, in points.
    pub(super) fn show_panels(&mut self, ui: &mut Ui, window: &WindowStatus<'_>) -> Rect {
        if let Some(text) = self.to_copy.take() {
            ui.ctx().copy_text(text);
        }
        self.notices.expire(self.platform.clock.now_ns(), self.snapshot.engine.running);
        let status = Status {
            vsync: self.settings.vsync,
            present_mode: window.present_mode,
            fps: window.fps,
            gpu_ns: window.gpu_ns,
            adapter: window.adapter,
            camera: self.camera.shown(),
            at_work: self.simulation.at_work().filter(|work| work.busy_for >= NOTICEABLE),
            asking: self.asking,
            notices: self.notices.all(),
            shipped_scenes: &self.shipped_scenes,
            recent_scenes: &self.settings.recent_scenes,
        };
        let scene = panel::window(ui, &mut self.panel, &self.snapshot, &status, &mut self.commands);
        self.middle = panel::middle(scene, &self.panel);
        scene
    }

    /// The camera as it is drawn, beside the legend.
    pub(super) fn shown_camera(&self) -> OrbitCamera {
        self.camera.shown().moved_to(self.middle)
    }

    /// Everything that the scene's picture depends on.
    pub(super) fn scene_key(&self, pixels_per_point: f32) -> SceneKey {
        SceneKey {
            draw: self.panel.draw,
            selection: self.panel.selection(),
            camera: self.shown_camera(),
            dark: self.panel.dark,
            pixels_per_point,
        }
    }

    pub(super) fn set_window_size(&mut self, size: [f32; 2]) {
        self.settings.window = size;
    }

    pub(super) fn settings(&self) -> &Settings {
        &self.settings
    }

    pub(super) fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    pub(super) fn is_closing(&self) -> bool {
        self.closing
    }

    pub(super) fn is_dark(&self) -> bool {
        self.panel.dark
    }

    pub(super) fn camera(&self) -> &EasedCamera {
        &self.camera
    }

    pub(super) fn camera_mut(&mut self) -> &mut EasedCamera {
        &mut self.camera
    }

    pub(super) fn simulation(&self) -> &SimulationLink {
        &self.simulation
    }

    /// Starts the simulation, once. It calls `wake` whenever there is a new snapshot.
    pub(super) fn start(&mut self, wake: impl Fn() + Send + 'static) -> std::io::Result<()> {
        self.simulation.start(self.platform, wake)
    }

    pub(super) fn simulation_mut(&mut self) -> &mut SimulationLink {
        &mut self.simulation
    }
}

#[cfg(test)]
mod tests;

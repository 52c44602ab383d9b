//! Everything that the window shows and edits, without the window itself.

mod commands;
#[cfg(not(target_family = "wasm"))]
mod ending;
mod files;
mod grip;
mod input;
mod measuring;
mod pictures;

use super::autosave::{self, EditedScene};
use super::eased_camera::EasedCamera;
use super::following_file::FollowingFile;
use super::scene_file::SceneFile;
use super::start::Start;
use crate::camera::{OrbitCamera, Ray, corners};
use crate::composer::{Rails, SceneKey};
use crate::measuring::Measuring;
use crate::panel::{self, Command, NOTICEABLE, PanelState, Status};
use crate::platform::Platform;
use crate::session::Session;
use crate::settings::Settings;
use crate::shipped_scenes;
use crate::simulation::{Engine, Notice, Order, Simulation, Snapshot};
use crate::view::{ColorBy, Row, View, ViewOptions};
use broadphase::inspect::Overlay;
use broadphase::registry::Algorithm;
use egui::{Rect, Ui};
use files::NextInput;
use glam::Vec3;
use grip::Grip;
use pictures::PictureSequence;
use sim::{DriveKeys, Hold, Scene, World};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

/// A change that another thread asks for.
type Change = Box<dyn FnOnce(&mut Model) + Send>;

/// The simulation with its newest snapshot, the panels' state, the camera, files and messages.
pub(super) struct Model {
    pub(super) simulation: Simulation,
    pub(super) snapshot: Box<Snapshot>,
    pub(super) panel: PanelState,
    /// Commands of the last picture, carried out with the next one.
    pub(super) commands: Vec<Command>,
    pub(super) camera: EasedCamera,
    /// The part of the window that the last panels left to the scene, in points.
    scene: Rect,
    /// Whether lists are shown beside the scene: the camera backs off for the first ones, unless it was given with them.
    has_rails: bool,
    scene_file: SceneFile,
    shipped_scenes: Vec<PathBuf>,
    /// Where exports go: a folder `results` within it.
    folder: PathBuf,
    pub(super) settings: Settings,
    settings_file: FollowingFile<Settings>,
    /// The file of this window with its unsaved edits.
    autosave: FollowingFile<Option<EditedScene>>,
    /// The folder of those files.
    unsaved: Option<PathBuf>,
    /// The scene as it was opened or last saved; another one is edited.
    saved_scene: Arc<Scene>,
    /// An input that is to begin once the last edits are known.
    next: Option<NextInput>,
    /// Edits that are made once the scene is shown that they belong to.
    restored: Option<Box<Scene>>,
    /// The file that the shown edits come from, until they are in that of this window.
    restored_from: Option<PathBuf>,
    hold: Hold,
    drive: DriveKeys,
    /// The file with the keys of the scene, if it was begun with one.
    drive_file: Option<PathBuf>,
    grip: Option<Grip>,
    /// The view that the simulation knows.
    ordered_view: View,
    /// The compared algorithms search: as in the engine, at first they do.
    comparing: bool,
    /// A text for the clipboard.
    to_copy: Option<String>,
    /// How long a window waits that the user has closed, in ns.
    closing_until_ns: Option<u64>,
    /// A dialog is open.
    asking: bool,
    /// All algorithms are measured over the whole input, or were.
    measuring: Option<Measuring>,
    /// The file of a picture that is to be drawn.
    pub(super) picture_path: Option<PathBuf>,
    /// The pictures that are being recorded.
    sequence: Option<PictureSequence>,
    changes: (Sender<Change>, Receiver<Change>),
    /// Lets the window draw another picture.
    wake: Arc<dyn Fn() + Send + Sync>,
    pub(super) platform: Platform,
}

impl Model {
    pub(super) fn new(start: Start, platform: Platform) -> Self {
        let clock = platform.clock;
        let Start { opened, session, view, mut settings, .. } = start;
        let settings_file = FollowingFile::new(
            "settings",
            start.settings_path,
            platform,
            Settings::write,
            settings.clone(),
        );
        if let Some(path) = &opened.path {
            settings.remember_scene(path);
        }
        let remembered = settings.camera.filter(|_| opened.path.is_some());
        let snapshot = Box::new(Snapshot::of(&session, &View::default()));
        let given = view.camera.or(remembered);
        let camera = given.unwrap_or_else(|| snapshot.opening_camera());
        let mut panel = first_panel(&session, start.first, &settings);
        if opened.path.is_some() {
            panel.bookmarks = settings.bookmarks();
        }
        let objects = snapshot.objects.positions.len();
        view.apply_in_window(&mut panel.view, &snapshot.input.scene, objects);
        if let Err(problem) = view.picked_among(objects) {
            panel.view.picked = None;
            panel.toasts.push(Notice::Problem(problem), clock.now_ns());
        }
        start.notices.into_iter().for_each(|notice| panel.toasts.push(notice, clock.now_ns()));
        if snapshot.motion.recording.is_some() && panel.view.color.is_of_scenes() {
            panel.view.color = ColorBy::Plain;
        }
        panel.compare.open |= !start.compared.is_empty();
        let engine = engine(session, platform, &view, start.compared, &panel);
        Self {
            has_rails: given.is_some() && snapshot.draws(&panel.view, Overlay::Endpoints),
            panel,
            saved_scene: snapshot.input.recipe.clone(),
            snapshot,
            simulation: Simulation::new(engine, clock),
            commands: Vec::new(),
            camera: EasedCamera::new(camera, clock.now_ns()),
            scene: Rect::NOTHING,
            scene_file: SceneFile::new(opened, platform.files),
            shipped_scenes: shipped_scenes::listed(platform.files, &start.folder),
            folder: start.folder,
            settings,
            settings_file,
            autosave: autosave::file(None, platform),
            unsaved: start.unsaved,
            next: None,
            restored: None,
            restored_from: None,
            hold: Hold::None,
            drive: DriveKeys::NONE,
            drive_file: start.drive,
            grip: None,
            ordered_view: View::default(),
            comparing: true,
            to_copy: None,
            closing_until_ns: None,
            asking: false,
            measuring: None,
            picture_path: None,
            sequence: None,
            changes: channel(),
            wake: Arc::new(|| ()),
            platform,
        }
    }

    /// Carries out `change` with what another thread sends, before the next picture.
    pub(super) fn reporter<T: Send + 'static>(
        &self,
        change: fn(&mut Self, T),
    ) -> impl Fn(T) + Send + 'static {
        let (changes, wake) = (self.changes.0.clone(), Arc::clone(&self.wake));
        move |sent| {
            // A closed window needs none.
            let _ = changes.send(Box::new(move |model| change(model, sent)));
            wake();
        }
    }

    /// Takes the newest snapshot with its messages, and what other threads sent. Returns whether there is a newer snapshot.
    pub(super) fn take_snapshot(&mut self) -> bool {
        while let Ok(change) = self.changes.1.try_recv() {
            change(self);
        }
        if !self.simulation.take(&mut self.snapshot) {
            return false;
        }
        std::mem::take(&mut self.snapshot.notices)
            .into_iter()
            .for_each(|notice| self.notify(notice));
        self.back_off_for_lists();
        true
    }

    /// Requests the parts that the panel now shows.
    pub(super) fn update_view(&mut self) {
        let comparing = self.panel.shows_comparison();
        if comparing != self.comparing {
            self.comparing = comparing;
            self.simulation.order(Order::Comparing(comparing));
        }
        let view = self.panel.shown_view();
        if view != self.ordered_view {
            self.ordered_view = view;
            self.simulation.order(Order::View(view));
        }
    }

    /// Lets the line attract or repel.
    fn set_hold(&mut self, hold: Hold) {
        if self.hold != hold {
            self.hold = hold;
            self.simulation.order(Order::Hold(hold));
        }
    }

    /// Whether the scene has a driven body.
    fn has_driven(&self) -> bool {
        self.snapshot.driven().next().is_some()
    }

    /// Whether letters drive bodies, as arrow keys do.
    fn drives_by_letters(&self) -> bool {
        self.panel.drive && self.has_driven()
    }

    /// Holds keys that drive bodies, where there are any.
    fn set_drive(&mut self, keys: DriveKeys) {
        // In the plane of a flat scene, bodies jump upwards.
        let jump = keys.jump || (keys.up && self.snapshot.input.scene.flat);
        let keys = if self.has_driven() { DriveKeys { jump, ..keys } } else { DriveKeys::NONE };
        if self.drive != keys {
            self.drive = keys;
            self.simulation.order(Order::Drive(keys));
        }
    }

    /// Picks the first object on a ray, or none. Hidden objects cannot be picked.
    fn click(&mut self, ray: Ray) {
        let is_shown = self.panel.view.shows(Row::Objects);
        self.panel.view.picked = is_shown.then(|| self.snapshot.pick(ray)).flatten();
        if self.panel.view.picked.is_none() {
            self.notify(Notice::Done("no object where you clicked".to_owned()));
        }
    }

    /// Moves the camera so that it sees the scene, also objects that escaped from it, and the lists beside it. Of objects on
    /// a ground it sees all, and a part of the ground.
    fn frame_all(&mut self) {
        let mut points = corners(&self.snapshot.framed()).to_vec();
        points.extend(self.rail_ends());
        let aspect = self.aspect();
        self.camera.goal.frame(&points, aspect);
    }

    /// Moves the camera away from the first lists beside the scene.
    fn back_off_for_lists(&mut self) {
        let has_rails = self.snapshot.drawing.rail_ends(&self.panel.view).next().is_some();
        if has_rails && !self.has_rails && self.sequence.is_none() {
            let (ends, aspect) = (self.rail_ends(), self.aspect());
            self.camera.goal.back_off(&ends, aspect);
        }
        self.has_rails = has_rails
            || self.has_rails && self.snapshot.draws(&self.panel.view, Overlay::Endpoints);
    }

    /// The ends of lines on rails, as the camera will see them.
    fn rail_ends(&self) -> Vec<Vec3> {
        let rails = Rails::of(&self.snapshot, &self.camera.goal);
        let ends = self.snapshot.drawing.rail_ends(&self.panel.view);
        ends.filter_map(|end| rails.place(end)).collect()
    }

    /// Width of the free part of the scene's picture over its height. It is square at least.
    fn aspect(&self) -> f32 {
        (self.scene.width() / self.scene.height()).max(1.0)
    }

    /// Moves the camera so that it sees the picked object and all objects whose boxes overlap its box.
    fn frame_picked(&mut self) {
        let Some(picked) =
            self.snapshot.picked.as_ref().filter(|_| self.panel.view.picked.is_some())
        else {
            return self.report("no object is picked: click on one first");
        };
        let partners = picked.candidates.iter().filter_map(|of| self.snapshot.bounds_of(*of));
        let bounds = partners.fold(picked.bounds, |all, partner| all.union(&partner));
        let aspect = self.aspect();
        self.camera.goal.frame(&corners(&bounds), aspect);
    }

    /// Shows a message.
    fn notify(&mut self, notice: Notice) {
        self.panel.toasts.push(notice, self.platform.clock.now_ns());
    }

    /// Shows a message about something that failed, or is doubtful.
    pub(super) fn report(&mut self, text: impl ToString) {
        self.notify(Notice::Problem(text.to_string()));
    }

    /// Reports the outcome of writing a file.
    pub(super) fn written(&mut self, what: &str, path: &Path, outcome: Result<(), String>) {
        let done = || Notice::Done(format!("{what} written to {}", path.display()));
        self.notify(outcome.map_or_else(Notice::Problem, |()| done()));
    }

    /// Carries out the user's input, and lays out the panels. Returns the part that is left to the scene, in points.
    pub(super) fn show(&mut self, ui: &mut Ui, fps: Option<f64>, adapter: &str) -> Rect {
        self.take_input(ui);
        if let Some(text) = self.to_copy.take() {
            ui.ctx().copy_text(text);
        }
        let now_ns = self.platform.clock.now_ns();
        self.panel.toasts.expire(now_ns, self.snapshot.engine.running);
        let measuring = self.follow_measuring();
        let status = Status {
            fps,
            adapter,
            camera: self.camera.shown,
            at_work: self.simulation.at_work().filter(|work| work.busy_for >= NOTICEABLE),
            measuring: measuring.as_ref(),
            asking: self.asking,
            recorded_pictures: self.recorded_pictures(),
            shipped_scenes: &self.shipped_scenes,
            recent_scenes: &self.settings.recent_scenes,
        };
        self.scene =
            panel::window(ui, &mut self.panel, &self.snapshot, &status, &mut self.commands);
        self.scene
    }

    /// The camera as it is drawn.
    fn shown_camera(&self) -> OrbitCamera {
        self.camera.shown.within(panel::free_part(self.scene))
    }

    /// Everything that the scene's picture depends on.
    pub(super) fn scene_key(&self, pixels_per_point: f32) -> SceneKey {
        SceneKey {
            view: self.panel.view,
            selection: self.panel.selection(),
            camera: self.shown_camera(),
            dark: self.panel.dark,
            pixels_per_point,
        }
    }

    /// Starts the simulation on its thread, once. It calls `wake` whenever there is a new snapshot.
    #[cfg(not(target_family = "wasm"))]
    pub(super) fn start(&mut self, wake: impl Fn() + Send + Sync + 'static) -> std::io::Result<()> {
        self.wake = Arc::new(wake);
        let wake = Arc::clone(&self.wake);
        self.simulation.start(self.platform, move || wake())
    }

    /// Starts the simulation without a thread, once.
    #[cfg(target_family = "wasm")]
    pub(super) fn start_here(&mut self, context: &egui::Context) {
        let context = context.clone();
        self.wake = Arc::new(move || context.request_repaint());
        self.simulation.start_here();
    }
}

/// The panels at their start; `first` shows the structure and suggests things to try.
fn first_panel(session: &Session, first: bool, settings: &Settings) -> PanelState {
    let nothing = Scene::default();
    let scene = session.world().map_or(&nothing, World::scene);
    let Settings { dark, vsync, .. } = *settings;
    let mut panel = PanelState { dark, vsync, ..PanelState::of_scene(scene) };
    panel.suggestions = first && settings.suggestions;
    if first {
        panel.view.set(Overlay::Planes, session.algorithm().shows(Overlay::Planes));
        panel.view.set(Row::Contacts, scene.has_bodies());
    }
    panel
}

/// The engine at its start: at the step that is asked for, with others compared.
fn engine(
    session: Session,
    platform: Platform,
    view: &ViewOptions,
    compared: Vec<&'static Algorithm>,
    panel: &PanelState,
) -> Engine {
    let mut engine = Engine::new(session, platform, view.step.is_none());
    if !compared.is_empty() {
        engine.obey(Order::Compare(compared));
    }
    if let Some(step) = view.step {
        // So that what changed in the steps before it is marked there.
        engine.obey(Order::View(panel.shown_view()));
        engine.obey(Order::GoTo(step));
    }
    engine
}

#[cfg(test)]
mod tests;

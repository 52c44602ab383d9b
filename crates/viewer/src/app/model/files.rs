//! Inputs that are loaded, scenes and settings that are saved.

use super::Model;
use crate::app::autosave::{self, EditedScene};
use crate::app::scene_file::Opened;
use crate::camera::OrbitCamera;
use crate::panel::UnsavedEdits;
use crate::shipped_scenes::{self, OpenedInput};
use crate::simulation::{EngineState, InputState, Notice, Order, Simulation};
use crate::view::{ColorBy, Row};
use measure::{BoxesSpec, CaseOptions, Input};
use sim::Scene;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Time between two looks at what a closing window waits for.
const CLOSING_EVERY: Duration = Duration::from_millis(50);

/// An input that is to begin.
pub(in crate::app) struct NextInput {
    input: Input,
    path: Option<PathBuf>,
    /// The scene with unsaved edits, and the file that has them.
    edits: Option<(Box<Scene>, PathBuf)>,
    /// Messages about it.
    notices: Vec<Notice>,
    /// How long it waits, in ns.
    until_ns: u64,
}

impl NextInput {
    fn new(input: Input, path: Option<PathBuf>) -> Self {
        Self { input, path, edits: None, notices: Vec::new(), until_ns: 0 }
    }
}

impl Model {
    /// Begins another scene or trace. One that cannot be read leaves the running one as it is.
    pub(in crate::app) fn load(&mut self, path: &Path) {
        match shipped_scenes::open(self.platform.files, path) {
            Ok(OpenedInput { input, path, note }) => {
                let notices = note.into_iter().map(Notice::Done).collect();
                self.begin(NextInput { notices, ..NextInput::new(input, Some(path)) });
            }
            Err(error) => self.report(error),
        }
    }

    /// Opens the last of dropped files that can be read. The others are named in one notice: a notice for each would be
    /// cleared by the next input, or pushed out by later ones.
    pub(in crate::app) fn open_dropped(&mut self, dropped: Vec<Result<PathBuf, String>>) {
        let (mut last, mut refused) = (None, Vec::<String>::new());
        for dropped in dropped {
            let opened = dropped.and_then(|path| {
                let input = self.platform.files.open(&path).map_err(|error| error.to_string())?;
                Ok((input, path))
            });
            match opened {
                Ok(opened) => refused.extend(last.replace(opened).map(|(_, before)| {
                    format!("{}: one input is shown at a time", before.display())
                })),
                Err(error) => refused.push(error),
            }
        }
        let refused = (!refused.is_empty()).then(|| Notice::Problem(refused.join("\n")));
        match last {
            Some((input, path)) => {
                let notices = refused.into_iter().collect();
                self.begin(NextInput { notices, ..NextInput::new(input, Some(path)) });
            }
            None => refused.into_iter().for_each(|refused| self.notify(refused)),
        }
    }

    /// Begins generated boxes.
    pub(in crate::app) fn play_boxes(&mut self, spec: BoxesSpec) {
        self.begin(NextInput::new(Input::boxes(spec), None));
    }

    /// Begins an input once the snapshot shows all edits of the present one.
    fn begin(&mut self, next: NextInput) {
        self.next = Some(NextInput { until_ns: self.patience_ends_ns(), ..next });
        self.finish_files();
    }

    fn begin_now(&mut self, next: NextInput) {
        let NextInput { input, path, edits, notices, .. } = next;
        let case = match input.cases(&CaseOptions::default()) {
            Ok(mut cases) => cases.remove(0),
            Err(error) => return self.report(error),
        };
        self.panel.toasts.clear();
        self.leave_edits();
        input.warnings.iter().for_each(|warning| self.report(warning));
        notices.into_iter().for_each(|notice| self.notify(notice));
        let boxes = case.scene().is_none().then(|| case.clone());
        // It measures an input that is no longer shown.
        self.measuring = self.measuring.take().filter(|measuring| !measuring.is_running());
        self.simulation.order(Order::Begin(Box::new(case)));
        // The window shows the old input until the simulation has begun the new one.
        let opened = Opened { document: input.document().cloned(), path, boxes };
        self.scene_file.wait_for(self.simulation.orders_sent(), opened);
        (self.restored, self.restored_from) = edits.unzip();
    }

    /// Until when something waits that begins now.
    fn patience_ends_ns(&self) -> u64 {
        self.platform.clock.now_ns() + Simulation::MAX_PATIENCE_NS
    }

    /// Whether the snapshot shows the effects of all orders, or it is too late to wait for them.
    pub(super) fn is_current(&self, until_ns: u64) -> bool {
        let is_late = || self.platform.clock.now_ns() >= until_ns;
        self.snapshot.engine.orders_done >= self.simulation.orders_sent() || is_late()
    }

    /// Closes the window once the last orders are carried out, or at once if the user asks again.
    pub(in crate::app) fn close(&mut self) {
        let again = self.closing_until_ns.map(|_| 0);
        self.closing_until_ns = again.or_else(|| Some(self.patience_ends_ns()));
    }

    /// Ends loads and saves that waited for the simulation.
    pub(in crate::app) fn finish_files(&mut self) {
        let EngineState { orders_done, scene_order, .. } = self.snapshot.engine;
        self.remember_view();
        if self.scene_file.take_begun(orders_done, scene_order) {
            self.saved_scene.clone_from(&self.snapshot.input.recipe);
            (self.measuring, self.drive_file) = (None, None);
            self.panel.begin_scene(&self.snapshot.input.recipe);
            let InputState { recipe, .. } = &self.snapshot.input;
            self.panel.view.begin_scene(recipe, self.snapshot.objects.positions.len());
            if let Some(bodies) = &self.snapshot.objects.bodies {
                let methods = bodies.methods.of_scene(recipe);
                if methods != bodies.methods {
                    self.simulation.order(Order::Methods(methods));
                }
            }
            if self.snapshot.motion.recording.is_some() && self.panel.view.color.is_of_scenes() {
                self.panel.view.color = ColorBy::Plain;
            }
            self.camera.goal = self.snapshot.opening_camera();
            self.has_rails = false;
            self.back_off_for_lists();
            if let Some(path) = self.scene_file.path() {
                self.settings.remember_scene(path);
                self.panel.bookmarks = self.settings.bookmarks();
            }
            if let Some(scene) = self.restored.take() {
                self.obey_order(Order::Generate(scene));
            }
        }
        if orders_done >= self.simulation.orders_sent()
            && let Some((path, may_replace)) = self.scene_file.take_save()
        {
            self.save(&path, may_replace);
        }
        if let Some(until_ns) = self.next.as_ref().map(|next| next.until_ns)
            && self.is_current(until_ns)
            && let Some(next) = self.next.take()
        {
            self.begin_now(next);
        }
    }

    /// The scene, if it has edits that are in no file.
    pub(super) fn edited(&self) -> Option<EditedScene> {
        let (recipe, saved) = (&self.snapshot.input.recipe, &self.saved_scene);
        let is_saved = Arc::ptr_eq(recipe, saved) || recipe == saved;
        if self.snapshot.motion.recording.is_some() || is_saved {
            return None;
        }
        let path = self.scene_file.path().unwrap_or(Path::new(&*self.snapshot.input.label));
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Some(EditedScene { path, scene: recipe.clone() })
    }

    /// Keeps unsaved edits of a scene that is replaced by another one, and offers them.
    fn leave_edits(&mut self) {
        let Some(edited) = self.edited() else { return };
        match edited.write(self.platform.files, &self.export_path(".scene")) {
            Ok(edits) => self.panel.toasts.offers.push(edits),
            Err(problem) => self.report(problem),
        }
    }

    /// Takes a file for unsaved edits, and offers those of windows that have ended.
    pub(in crate::app) fn offer_edits(&mut self) {
        let Some(folder) = self.unsaved.take() else { return };
        let (own, left) = autosave::claim(&folder);
        self.autosave = autosave::file(own, self.platform);
        self.panel.toasts.offers.extend(left);
    }

    /// Opens the scene that was edited, and makes the edits again; their own file if the scene is gone.
    pub(super) fn open_edits(&mut self, edits: UnsavedEdits) {
        let UnsavedEdits { scene, path, .. } = edits;
        self.panel.toasts.offers.retain(|offer| offer.path != path);
        let edited = match self.platform.files.open(&path) {
            Ok(edited) => edited,
            Err(error) => return self.report(error),
        };
        let original = shipped_scenes::open(self.platform.files, &scene);
        let original = original.ok().filter(|original| original.input.is_scene());
        self.begin(match (original, edited.document()) {
            (Some(original), Some(document)) => {
                let edits = Some((Box::new(document.scene().clone()), path));
                NextInput { edits, ..NextInput::new(original.input, Some(original.path)) }
            }
            _ => NextInput::new(edited, Some(path)),
        });
    }

    /// Removes edits that were offered.
    pub(super) fn discard_edits(&mut self, path: &Path) {
        self.panel.toasts.offers.retain(|offer| offer.path != path);
        if let Err(error) = self.platform.files.remove(path) {
            self.report(format_args!("cannot remove {}: {error}", path.display()));
        }
    }

    /// Writes the scene with all edits and the present view.
    fn save(&mut self, path: &Path, may_replace: bool) {
        if let Some(objection) = self.scene_file.objection(path, may_replace) {
            return self.report(objection);
        }
        let mut scene = (*self.snapshot.input.recipe).clone();
        if self.camera.goal != OrbitCamera::from_pose(scene.camera) {
            scene.camera = self.camera.goal.pose();
        }
        (scene.triangles, scene.shading) =
            (self.panel.view.triangles, self.panel.view.shows(Row::Shading));
        let saved = self.scene_file.save(scene, path);
        if saved.is_ok() {
            self.saved_scene.clone_from(&self.snapshot.input.recipe);
            self.settings.remember_scene(path);
            self.simulation.order(Order::Rename(path.display().to_string()));
        }
        self.written("scene", path, saved);
    }

    /// Keeps theme and vertical sync, and the camera and the bookmarks of the present file, in the settings.
    fn remember_view(&mut self) {
        (self.settings.dark, self.settings.vsync) = (self.panel.dark, self.panel.vsync);
        if self.scene_file.path().is_some() {
            self.settings.camera = Some(self.camera.goal);
            self.settings.remember_bookmarks(&self.panel.bookmarks);
        }
    }

    /// Writes settings and unsaved edits some time after they changed, unless the window never opened. Returns how long
    /// until this is to be called again.
    pub(in crate::app) fn keep_files(&mut self, now_ns: u64) -> Option<Duration> {
        if !self.simulation.has_started() {
            return None;
        }
        self.remember_view();
        let (settings_due, problem) = self.settings_file.follow(&self.settings, now_ns);
        let (edits_due, unkept) = self.autosave.follow(&self.edited(), now_ns);
        if let Some(path) =
            self.restored_from.take_if(|_| matches!(self.autosave.written(), Some(Some(_))))
        {
            self.discard_edits(&path);
        }
        let problems = [problem, unkept].into_iter().flatten();
        let number = problems.map(|problem| self.report(problem)).count();
        // They are to be seen.
        let at_once = (number > 0).then_some(Duration::ZERO);
        let closing = self.closing_until_ns.map(|_| CLOSING_EVERY);
        [at_once, closing, settings_due, edits_due].into_iter().flatten().min()
    }

    /// Writes the settings now.
    ///
    /// # Errors
    ///
    /// A message of one line if they cannot be written.
    pub(in crate::app) fn write_settings(&mut self) -> Result<(), String> {
        self.remember_view();
        self.settings_file.finish(&self.settings).map(drop)
    }
}

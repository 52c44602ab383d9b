//! Inputs that are loaded, scenes and settings that are saved.

use super::Model;
use crate::app::scene_file::{Opened, SaveRequest};
use crate::camera::OrbitCamera;
use crate::console;
use crate::shipped_scenes::{self, OpenedInput};
use crate::simulation::{EngineState, InputState, Notice, Order};
use crate::view::{ColorBy, Row};
use measure::{BoxesSpec, CaseOptions, Input};
use std::path::{Path, PathBuf};
use std::time::Duration;

impl Model {
    /// Begins another scene or trace. One that cannot be read leaves the running one as it is.
    pub(in crate::app) fn load(&mut self, path: &Path) {
        match shipped_scenes::open(self.platform.files, path) {
            Ok(OpenedInput { input, path, note }) => {
                self.begin(&input, Some(path));
                if let Some(note) = note {
                    self.notices.push(Notice::Done(note), self.platform.clock.now_ns());
                }
            }
            Err(error) => self.report(error),
        }
    }

    /// A file was dropped on the window. Several come one by one.
    pub(in crate::app) fn drop_file(&mut self, path: &Path) {
        self.dropped.push(path.to_owned());
    }

    /// Opens the last of the dropped files that can be read. The others are named in one notice: a notice for each would be
    /// cleared by the next input, or pushed out by later ones.
    pub(in crate::app) fn open_dropped(&mut self) {
        let (mut last, mut refused) = (None, Vec::new());
        for path in std::mem::take(&mut self.dropped) {
            match self.platform.files.open(&path) {
                Ok(input) => {
                    if let Some((_, before)) = last.replace((input, path)) {
                        let before: PathBuf = before;
                        refused.push(format!("{}: one input is shown at a time", before.display()));
                    }
                }
                Err(error) => refused.push(error.to_string()),
            }
        }
        if let Some((input, path)) = last {
            self.begin(&input, Some(path));
        }
        if !refused.is_empty() {
            self.report(refused.join("\n"));
        }
    }

    /// Begins generated boxes.
    pub(in crate::app) fn play_boxes(&mut self, spec: BoxesSpec) {
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
        let boxes = case.scene().is_none().then(|| case.clone());
        // It measures an input that is no longer shown.
        self.measuring = self.measuring.take().filter(|measuring| !measuring.is_running());
        self.simulation.order(Order::Begin(Box::new(case)));
        // The window shows the old input until the simulation has begun the new one.
        let opened = Opened { document: input.document().cloned(), path, boxes };
        self.scene_file.wait_for(self.simulation.given(), opened);
    }

    /// Ends loads and saves that waited for the simulation.
    pub(in crate::app) fn finish_files(&mut self) {
        let EngineState { heard, begun, .. } = self.snapshot.engine;
        self.remember_view();
        if self.scene_file.take_begun(heard, begun) {
            self.kept.clone_from(&self.snapshot.input.recipe);
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
            *self.camera.goal_mut() = self.snapshot.opening_camera();
            if let Some(path) = self.scene_file.path() {
                self.settings.remember_scene(path);
                self.panel.bookmarks = self.settings.bookmarks_of(path);
            }
            (self.remembered_camera, self.remembered_bookmarks) = (None, None);
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
        (scene.triangles, scene.shading) =
            (self.panel.view.triangles, self.panel.view.shows(Row::Shading));
        let saved = self.scene_file.save(scene, path);
        if saved.is_ok() {
            self.kept.clone_from(&self.snapshot.input.recipe);
            (self.remembered_camera, self.remembered_bookmarks) = (None, None);
            self.settings.remember_scene(path);
            self.simulation.order(Order::Rename(path.display().to_string()));
        }
        self.written("scene", path, saved);
    }

    /// Keeps the camera and the bookmarks of the present file in the settings.
    fn remember_view(&mut self) {
        let Some(path) = self.scene_file.path() else { return };
        let camera = self.camera.goal();
        if self.remembered_camera != Some(camera) {
            self.settings.remember_camera(path, &camera);
            self.remembered_camera = Some(camera);
        }
        let bookmarks = &self.panel.bookmarks;
        if self.remembered_bookmarks.as_ref() != Some(bookmarks) {
            self.settings.remember_bookmarks(path, bookmarks);
            self.remembered_bookmarks = Some(bookmarks.clone());
        }
    }

    /// Writes the settings some time after they changed, unless the window never opened. Returns how long until
    /// this is to be called again.
    pub(in crate::app) fn keep_settings(&mut self, now_ns: u64) -> Option<Duration> {
        if !self.simulation.has_started() {
            return None;
        }
        self.remember_view();
        let (wait, problem) = self.settings_file.follow(&self.settings, now_ns);
        let Some(problem) = problem else { return wait };
        self.notices.problem(problem, now_ns);
        // It is to be seen.
        Some(Duration::ZERO)
    }

    /// Writes the settings at the end, unless the window never opened.
    pub(in crate::app) fn write_settings(&mut self) {
        if !self.simulation.has_started() {
            return;
        }
        self.remember_view();
        if let Err(problem) = self.settings_file.finish(&self.settings) {
            console::note(format_args!("warning: {problem}"));
        }
    }
}

//! The panels around a stopped scene, on a virtual screen, clicked without a window.

use super::{clock, platform, row};
use broadphase::registry::Algorithm;
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use egui_kittest::{Harness, Node};
use sim::Scene;
use std::path::PathBuf;
use viewer::camera::OrbitCamera;
use viewer::composer::{Composer, SceneKey};
use viewer::measuring::MeasuringState;
use viewer::panel::{self, Command, PanelState, Status};
use viewer::scene_renderer::SceneView;
use viewer::session::{AtWork, Session};
use viewer::simulation::{Engine, Order, Snapshot};
use viewer::view::{Row, View};

/// Width of the column with legend and card, in points.
pub(crate) const COLUMN: f32 = 254.0;

/// The state of a window, without the window and the thread.
pub(crate) struct Stage {
    pub(crate) engine: Engine,
    pub(crate) snapshot: Snapshot,
    pub(crate) panel: PanelState,
    pub(crate) at_work: Option<AtWork>,
    pub(crate) measuring: Option<MeasuringState>,
    pub(crate) recorded_pictures: Option<u32>,
    pub(crate) shipped: Vec<PathBuf>,
    pub(crate) recent: Vec<PathBuf>,
    pub(crate) asking: bool,
    pub(crate) commands: Vec<Command>,
    /// Where the scene is seen from; at first as the scene says.
    pub(crate) camera: Option<OrbitCamera>,
    /// The view that the engine knows.
    ordered: View,
    composer: Composer,
    /// The part that was left to the scene, in points.
    pub(crate) scene: egui::Rect,
}

impl Stage {
    pub(crate) fn new(session: Session) -> Self {
        let nothing = sim::Scene::default();
        let panel = PanelState::of_scene(session.world().map_or(&nothing, sim::World::scene));
        let panel_view = panel.view;
        let mut engine = Engine::new(session, platform(), false);
        // As the program by default, however many processors there are.
        engine.obey(Order::Threads(1));
        let mut snapshot = Snapshot::of(engine.session(), &panel.view);
        snapshot.engine.threads = 1;
        Self {
            engine,
            snapshot,
            panel,
            at_work: None,
            measuring: None,
            recorded_pictures: None,
            shipped: Vec::new(),
            recent: Vec::new(),
            asking: false,
            commands: Vec::new(),
            camera: None,
            ordered: panel_view,
            composer: Composer::default(),
            scene: egui::Rect::NOTHING,
        }
    }

    /// Lays out the panels.
    pub(crate) fn show(&mut self, ui: &mut egui::Ui) {
        let status = Status {
            fps: Some(59.9),
            adapter: "Some adapter [Vulkan, software]",
            camera: self.camera(),
            at_work: self.at_work,
            measuring: self.measuring.as_ref(),
            asking: self.asking,
            recorded_pictures: self.recorded_pictures,
            shipped_scenes: &self.shipped,
            recent_scenes: &self.recent,
        };
        self.scene =
            panel::window(ui, &mut self.panel, &self.snapshot, &status, &mut self.commands);
    }

    fn camera(&self) -> OrbitCamera {
        self.camera.unwrap_or_else(|| self.snapshot.first_camera())
    }

    /// Carries out a command as the window does, except those that need the window.
    pub(crate) fn obey(&mut self, command: Command) {
        match command {
            Command::Order(order) => self.engine.obey(order),
            Command::Suggestions(suggestions) => self.panel.suggestions = suggestions,
            Command::LookFrom(side) => {
                let mut camera = self.camera();
                camera.look_from(side);
                self.camera = Some(camera);
            }
            _ => {}
        }
        self.engine.snapshot(&mut self.snapshot);
        self.look();
    }

    /// Takes a step, regardless of time.
    pub(crate) fn step(&mut self) {
        self.engine.obey(Order::Step);
        self.engine.advance();
        self.look();
    }

    /// Takes the newest snapshot.
    pub(crate) fn look(&mut self) {
        self.ordered = self.panel.shown_view();
        self.engine.obey(Order::View(self.ordered));
        self.engine.obey(Order::Comparing(self.panel.shows_comparison()));
        self.engine.snapshot(&mut self.snapshot);
        // A stopped simulation searches the present boxes on its own.
        if !self.snapshot.engine.running && self.engine.due_in().is_some() {
            self.engine.advance();
        }
        self.engine.snapshot(&mut self.snapshot);
        let notices = self.snapshot.notices.drain(..);
        notices.for_each(|notice| self.panel.toasts.push(notice, 0));
    }

    /// The scene as it is drawn now.
    pub(crate) fn view(&mut self) -> SceneView<'_> {
        self.look();
        self.drawn()
    }

    /// The snapshot as it is drawn.
    pub(crate) fn drawn(&mut self) -> SceneView<'_> {
        let key = SceneKey::new(self.panel.view, self.snapshot.first_camera());
        let key = SceneKey { selection: self.panel.selection(), ..key };
        self.composer.view(&self.snapshot, &key)
    }
}

/// A stage on a virtual screen.
pub(crate) struct Bench {
    pub(crate) harness: Harness<'static, Stage>,
}

impl Bench {
    /// On a screen high enough to show all of the panel.
    pub(crate) fn new(session: Session) -> Self {
        Self::sized(session, 1280.0, 1400.0)
    }

    pub(crate) fn sized(session: Session, width: f32, height: f32) -> Self {
        let mut harness = Harness::builder().with_size(egui::vec2(width, height)).build_ui_state(
            |ui, stage: &mut Stage| {
                stage.show(ui);
            },
            Stage::new(session),
        );
        harness.run();
        Self { harness }
    }

    pub(crate) fn of(algorithm: &str) -> Self {
        Self::with(super::crowded(), algorithm)
    }

    /// A scene under an algorithm.
    pub(crate) fn with(scene: Scene, algorithm: &str) -> Self {
        Self::under(scene, row(algorithm))
    }

    /// A scene under an algorithm that the registry may not know.
    pub(crate) fn under(scene: Scene, entry: &'static Algorithm) -> Self {
        Self::new(Session::new("crowded.scene", &scene, entry, clock(), None).unwrap())
    }

    /// Changes the panels, and shows the effect.
    pub(crate) fn set_up(&mut self, change: impl FnOnce(&mut PanelState)) {
        change(&mut self.stage().panel);
        self.look();
    }

    /// Takes the newest snapshot, and shows it.
    pub(crate) fn look(&mut self) {
        self.stage().look();
        self.harness.run();
    }

    /// Shows rows of the view.
    pub(crate) fn show(&mut self, rows: &[Row]) {
        self.set_up(|panel| rows.iter().for_each(|row| panel.view.set(*row, true)));
    }

    /// Whether a label has this text in it.
    pub(crate) fn says(&self, part: &str) -> bool {
        self.harness.query_all_by_label_contains(part).next().is_some()
    }

    /// The tooltip of a control.
    pub(crate) fn meaning(&self, role: Role, name: &str) -> String {
        self.node(role, name).accesskit_node().data().description().unwrap().to_owned()
    }

    /// The words within a part of the window, line by line. Controls are in brackets.
    pub(crate) fn words_in(&self, part: egui::Rect) -> String {
        let mut lines: Vec<(f32, String)> = Vec::new();
        for node in self.harness.root().children_recursive() {
            let of = node.accesskit_node();
            let text = match of.role() {
                Role::Label => of.value(),
                Role::Button | Role::CheckBox | Role::Link => {
                    of.label().map(|name| format!("[{name}]"))
                }
                _ => None,
            };
            let Some(text) = text else { continue };
            let at = node.rect().center();
            match lines.last_mut() {
                _ if !part.contains(at) => {}
                Some((y, line)) if (*y - at.y).abs() < 4.0 => *line += &format!(" {text}"),
                _ => lines.push((at.y, text)),
            }
        }
        lines.iter().map(|(_, line)| format!("{}\n", line.trim_end())).collect()
    }

    /// The words of the legend and of the card.
    pub(crate) fn column(&self) -> String {
        let scene = self.harness.state().scene;
        let right = scene.right() + COLUMN;
        self.words_in(egui::Rect::from_x_y_ranges(scene.right()..=right, scene.y_range()))
    }

    pub(crate) fn node(&self, role: Role, name: &str) -> Node<'_> {
        let found: Vec<_> = self.harness.query_all_by_role(role).collect();
        let mut named = found
            .into_iter()
            .filter(|node| node.accesskit_node().label().is_some_and(|label| label == name));
        let node = named.next().unwrap_or_else(|| panic!("no {role:?} {name:?}"));
        assert!(named.next().is_none(), "more than one {role:?} {name:?}");
        node
    }

    pub(crate) fn has(&self, role: Role, name: &str) -> bool {
        self.harness.query_all_by_role_and_label(role, name).next().is_some()
    }

    pub(crate) fn is_disabled(&self, role: Role, name: &str) -> bool {
        self.node(role, name).accesskit_node().is_disabled()
    }

    pub(crate) fn is_ticked(&self, name: &str) -> bool {
        let toggled = self.node(Role::CheckBox, name).accesskit_node().toggled();
        toggled == Some(egui::accesskit::Toggled::True)
    }

    pub(crate) fn click(&mut self, role: Role, name: &str) {
        self.node(role, name).click();
        self.run();
    }

    pub(crate) fn set(&mut self, role: Role, name: &str, value: f64) {
        self.node(role, name).set_value_accesskit(value);
        self.run();
    }

    /// Shows what the last input caused: another view is drawn by the engine.
    pub(crate) fn run(&mut self) {
        self.harness.run();
        let Stage { panel, ordered, .. } = self.stage();
        if panel.shown_view() != *ordered {
            self.stage().look();
            self.harness.run();
        }
    }

    /// The figure with this meaning.
    pub(crate) fn figure(&self, meaning: &str) -> String {
        let mut texts = self.harness.get_all_by_role(Role::Label).filter_map(|node| {
            let label = node.accesskit_node();
            (label.data().description() == Some(meaning)).then(|| label.value().unwrap())
        });
        texts.next_back().unwrap_or_else(|| panic!("no figure {meaning:?}"))
    }

    /// The figure of a row of the funnel.
    pub(crate) fn funnel(&self, name: &str) -> String {
        let label = self.harness.get_all_by_label(name).next().unwrap();
        let meaning = label.accesskit_node().data().description().unwrap().to_owned();
        self.figure(&meaning).trim().replace(',', "")
    }

    /// Passes everything that is drawn, with its clip rectangle, to `see`, without nesting.
    fn see_shapes(&self, see: &mut dyn FnMut(&egui::Shape, egui::Rect)) {
        type See<'a> = &'a mut dyn FnMut(&egui::Shape, egui::Rect);
        fn walk(shape: &egui::Shape, clip: egui::Rect, see: See<'_>) {
            match shape {
                egui::Shape::Vec(parts) => parts.iter().for_each(|part| walk(part, clip, see)),
                shape if shape.visual_bounding_rect().intersects(clip) => see(shape, clip),
                _ => {}
            }
        }
        for clipped in &self.harness.output().shapes {
            walk(&clipped.shape, clipped.clip_rect, see);
        }
    }

    /// Results of `of` for the shapes that are drawn.
    pub(crate) fn shapes<T>(&self, of: impl Fn(&egui::Shape) -> Option<T>) -> Vec<T> {
        let mut found = Vec::new();
        self.see_shapes(&mut |shape, _| found.extend(of(shape)));
        found
    }

    /// The texts that are drawn, each with the part of its place that is not clipped and the size of its smallest letters in
    /// points.
    pub(crate) fn texts(&self) -> Vec<(String, egui::Rect, f32)> {
        let mut found = Vec::new();
        self.see_shapes(&mut |shape, clip| {
            let egui::Shape::Text(drawn) = shape else { return };
            let job = &drawn.galley.job;
            let sizes = job.sections.iter().map(|section| section.format.font_id.size);
            let place = drawn.visual_bounding_rect().intersect(clip);
            found.push((job.text.clone(), place, sizes.fold(f32::INFINITY, f32::min)));
        });
        found.retain(|(_, place, _)| place.is_positive());
        found
    }

    /// Whether a text is drawn.
    pub(crate) fn draws(&self, text: &str) -> bool {
        self.texts().iter().any(|(drawn, ..)| drawn == text)
    }

    pub(crate) fn stage(&mut self) -> &mut Stage {
        self.harness.state_mut()
    }

    pub(crate) fn session(&self) -> &Session {
        self.harness.state().engine.session()
    }

    pub(crate) fn draw(&self) -> View {
        self.harness.state().panel.view
    }

    /// Takes steps and shows them.
    pub(crate) fn steps(&mut self, number: u32) {
        for _ in 0..number {
            self.stage().step();
        }
        self.harness.run();
    }

    /// Picks an object, or none, and shows it.
    pub(crate) fn pick(&mut self, object: Option<u32>) {
        self.set_up(|panel| panel.view.picked = object);
    }

    /// Drags the mouse from one place to another.
    pub(crate) fn drag(&mut self, from: egui::Pos2, to: egui::Pos2) {
        self.harness.hover_at(from);
        self.harness.run();
        self.harness.drag_at(from);
        self.harness.run();
        self.harness.hover_at(to);
        self.harness.run();
        self.harness.drop_at(to);
        self.harness.run();
    }

    /// The one command that the last click caused.
    #[track_caller]
    pub(crate) fn command(&mut self) -> Command {
        let mut commands = std::mem::take(&mut self.stage().commands);
        assert_eq!(commands.len(), 1, "{commands:?}");
        commands.remove(0)
    }

    #[track_caller]
    pub(crate) fn assert_no_command(&self) {
        let commands = &self.harness.state().commands;
        assert!(commands.is_empty(), "{commands:?}");
    }

    /// Carries out a command, and shows its effect.
    pub(crate) fn obey(&mut self, command: impl Into<Command>) {
        self.stage().obey(command.into());
        self.harness.run();
    }

    /// Clicks, and carries out the one command that this causes.
    #[track_caller]
    pub(crate) fn click_and_obey(&mut self, role: Role, name: &str) -> Command {
        self.click(role, name);
        let command = self.command();
        self.obey(command.clone());
        command
    }

    /// Chooses an algorithm by its id.
    pub(crate) fn choose(&mut self, algorithm: &str) {
        self.obey(Order::Algorithm(row(algorithm)));
    }
}

//! *More about the scene*: edits in general.

use crate::common::bench::Bench;
use crate::common::{crowded, cube, session};
use broadphase::Axis;
use egui::accesskit::Role;
use egui::{Event, Key};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use sim::scene::{Obstacle, Source};
use sim::{Edit, Scene, SceneDocument, World};
use std::path::Path;
use viewer::composer::Selection;
use viewer::simulation::Order;

pub(crate) fn fer() -> Scene {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/fer.scene");
    SceneDocument::read(Path::new(path)).unwrap().scene().clone()
}

/// Two halves of a cube as sources, with a wall between them.
pub(crate) fn divided() -> Scene {
    let half = |x: f32, percent: f32| Source {
        corner: Vec3::new(x, -1.0, -1.0),
        size: Vec3::new(1.0, 2.0, 2.0),
        percent,
        floor: true,
    };
    let wall = Obstacle {
        corner: Vec3::new(0.0, -0.5, -0.5),
        size: Vec3::new(0.0, 1.0, 1.0),
        normal: Axis::X,
    };
    Scene { sources: vec![half(-1.0, 40.0), half(0.0, 60.0)], obstacles: vec![wall], ..crowded() }
}

/// A bench with *More about the scene* open.
pub(crate) fn scene_bench(scene: Scene) -> Bench {
    let mut bench = Bench::new(session(scene, "bsp"));
    bench.stage().panel.more.open = true;
    bench.harness.run();
    bench
}

impl Bench {
    pub(crate) fn world(&self) -> &World {
        self.session().world().unwrap()
    }

    pub(crate) fn recipe(&self) -> &Scene {
        self.world().recipe()
    }

    /// Clicks the row of a list that begins with `row`.
    pub(crate) fn select(&mut self, row: &str) {
        let rows = self.harness.get_all_by_role(Role::Button);
        let named = |label: String| label.starts_with(row);
        let mut rows = rows.filter(|node| node.accesskit_node().label().is_some_and(named));
        let found = rows.next().unwrap_or_else(|| panic!("no row {row:?}"));
        assert!(rows.next().is_none(), "more than one row {row:?}");
        found.click();
        drop(rows);
        self.harness.run();
    }

    /// Types into a field as a user does: click, letter by letter, Enter.
    pub(crate) fn type_into(&mut self, role: Role, name: &str, text: &str) {
        self.click(role, name);
        self.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        self.harness.run();
        // An empty text leaves the field empty; other texts come letter by letter.
        self.harness.key_press(Key::Delete);
        for letter in text.chars() {
            self.harness.event(Event::Text(letter.to_string()));
            self.harness.step();
        }
        self.harness.run();
        self.harness.key_press(Key::Enter);
        self.harness.run();
    }

    pub(crate) fn type_number(&mut self, name: &str, text: &str) {
        self.type_into(Role::SpinButton, name, text);
    }

    pub(crate) fn value(&self, name: &str) -> f64 {
        self.node(Role::SpinButton, name).accesskit_node().numeric_value().unwrap()
    }

    /// The refusal that begins with `beginning`.
    pub(crate) fn refusal(&self, beginning: &str) -> Option<String> {
        let mut found = self.harness.query_all_by_label_contains(beginning);
        found.next().and_then(|node| node.accesskit_node().value())
    }

    /// Indices of the obstacles that are drawn lighter.
    pub(crate) fn lighter(&mut self) -> Vec<usize> {
        let view = self.stage().view();
        let panes = view.panes.iter().enumerate();
        panes.filter(|(_, pane)| pane.selected).map(|(place, _)| place).collect()
    }
}

#[test]
fn a_selection_is_drawn_lighter_while_it_is_shown() {
    let mut bench = scene_bench(divided());
    bench.select("1   40 %");
    bench.select("1   y-z");
    let selection = |bench: &Bench| bench.harness.state().panel.selection();
    let all = Selection { source: Some(1), obstacle: Some(0), line: Some([0.0, 0.0]) };
    assert_eq!(selection(&bench), all);
    for (group, rest) in [
        ("Forces", Selection { line: None, ..all }),
        ("Obstacles", Selection { line: None, obstacle: None, ..all }),
        ("Sources", Selection::default()),
    ] {
        bench.click(Role::DisclosureTriangle, group);
        assert_eq!(selection(&bench), rest, "{group}");
    }
    bench.click(Role::DisclosureTriangle, "Sources");
    assert_eq!(selection(&bench).source, Some(1));
    bench.click(Role::Button, "More about the scene");
    assert_eq!(selection(&bench), Selection::default());
}

#[test]
fn an_invalid_edit_is_refused_with_a_notice() {
    let mut bench = scene_bench(divided());
    bench.select("1   40 %");
    bench.type_number("Source sides y", "0");
    bench.click_and_obey(Role::Button, "Apply source");
    bench.harness.get_by_label_contains("expected the side along y to be greater than 0");
    assert_eq!(bench.recipe().sources, divided().sources);
    assert_eq!(bench.value("Source sides y"), 0.0, "what was typed is kept");
}

#[test]
fn typed_text_outlives_other_edits() {
    let mut bench = scene_bench(divided());
    bench.select("1   40 %");
    bench.type_number("Source corner x", "-3");
    bench.obey(Order::Restart);
    bench.obey(Order::Edit(Edit::SetSource { number: 1, source: cube() }));
    assert_eq!(bench.value("Source corner x"), -3.0);
    bench.select("2   0 %");
    bench.select("1   100 %");
    assert_eq!(bench.value("Source corner x"), -1.0, "another selection drops it");
}

#[test]
fn an_edited_scene_survives_saving_and_reading() {
    let mut bench = scene_bench(fer());
    bench.select("3   33 %");
    bench.type_number("Source corner x", "-0.3");
    bench.click_and_obey(Role::Button, "Apply source");
    bench.click_and_obey(Role::Button, "New source");
    bench.select("2   33 %");
    bench.click_and_obey(Role::Button, "Delete source");
    bench.select("1   x-z");
    bench.click(Role::Button, "Obstacle in a x-y plane");
    bench.click_and_obey(Role::Button, "Apply obstacle");
    bench.click_and_obey(Role::Button, "Gravity weak");
    let recipe = bench.stage().snapshot.input.recipe.clone();
    assert_ne!(*recipe, fer());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edited.scene");
    std::fs::write(&path, SceneDocument::from_scene(&recipe).unwrap().to_text()).unwrap();
    assert_eq!(*SceneDocument::read(&path).unwrap().scene(), *recipe);
}

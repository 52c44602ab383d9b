//! *More about the scene*, clicked and typed into without a window: what each control does to the
//! world.

#![allow(clippy::unwrap_used, reason = "this is a test")]

mod common;

use broadphase::Axis;
use common::bench::Bench;
use common::cube;
use egui::accesskit::Role;
use egui::{Event, Key};
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::Vec3;
use sim::scene::{Gravity, Obstacle, Source};
use sim::{Edit, Scene, SceneDocument, World};
use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;
use viewer::composer::{Composer, Selection};
use viewer::panel::Command;
use viewer::simulation::Order;

fn fer() -> Scene {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/fer.scene");
    SceneDocument::read(Path::new(path)).unwrap().scene().clone()
}

/// A half cube beside the other half, and a wall between them.
fn divided() -> Scene {
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
    Scene {
        sources: vec![half(-1.0, 40.0), half(0.0, 60.0)],
        obstacles: vec![wall],
        ..common::crowded()
    }
}

/// A scene with all that there is about it in view.
fn bench(scene: Scene) -> Bench {
    let mut bench = Bench::new(common::session(scene, "bsp"));
    bench.stage().panel.more.open = true;
    bench.harness.run();
    bench
}

impl Bench {
    fn world(&self) -> &World {
        self.session().world()
    }

    fn recipe(&self) -> &Scene {
        self.world().recipe()
    }

    /// Clicks the row of a list that begins so.
    fn select(&mut self, row: &str) {
        let rows = self.harness.get_all_by_role(Role::Button);
        let named = |label: String| label.starts_with(row);
        let mut rows = rows.filter(|node| node.accesskit_node().label().is_some_and(named));
        let found = rows.next().unwrap_or_else(|| panic!("no row {row:?}"));
        assert!(rows.next().is_none(), "more than one row {row:?}");
        found.click();
        drop(rows);
        self.harness.run();
    }

    /// Types into a field as a person does: click, letter by letter, Enter.
    fn type_into(&mut self, role: Role, name: &str, text: &str) {
        self.click(role, name);
        self.harness.key_press_modifiers(egui::Modifiers::COMMAND, Key::A);
        self.harness.run();
        // An empty text leaves nothing; of others each letter is seen for itself.
        self.harness.key_press(Key::Delete);
        for letter in text.chars() {
            self.harness.event(Event::Text(letter.to_string()));
            self.harness.step();
        }
        self.harness.run();
        self.harness.key_press(Key::Enter);
        self.harness.run();
    }

    fn type_number(&mut self, name: &str, text: &str) {
        self.type_into(Role::SpinButton, name, text);
    }

    fn value(&self, name: &str) -> f64 {
        self.node(Role::SpinButton, name).accesskit_node().numeric_value().unwrap()
    }

    /// The one complaint that begins so.
    fn complaint(&self, beginning: &str) -> Option<String> {
        let mut told = self.harness.query_all_by_label_contains(beginning);
        told.next().and_then(|node| node.accesskit_node().value())
    }

    /// Places of the obstacles that are drawn lighter.
    fn lighter(&mut self) -> Vec<usize> {
        let mut composer = Composer::default();
        let view = self.stage().view(&mut composer);
        let panes = view.panes.iter().enumerate();
        panes.filter(|(_, pane)| pane.selected).map(|(place, _)| place).collect()
    }
}

#[test]
fn deleting_the_letters_sources_sets_their_spheres_free() {
    let letters = ["2   33 %", "3   33 %", "4   100 %"];
    // Without its own events, which delete the sources after two seconds.
    let scene = || Scene { events: Vec::new(), objects: 150, ..fer() };
    let [stems, beside] = [true, false].map(|is_kept| {
        let mut bench = bench(scene());
        let stems: Vec<_> = bench.recipe().sources[1..].iter().map(Source::bounds).collect();
        if !is_kept {
            for (letter, number) in letters.into_iter().zip(2..) {
                bench.select(letter);
                bench.click(Role::Button, "Delete source");
                let command = bench.command();
                let Command::Order(Order::Edit(Edit::DeleteSource { number: deleted })) = command
                else {
                    panic!("{command:?}")
                };
                assert_eq!(deleted, number);
                bench.obey(command);
            }
            assert_eq!(bench.world().sources().count(), 1);
        }
        bench.steps(90);
        let inside = |center: &&Vec3| {
            stems.iter().any(|stem| center.cmpge(stem.min).all() && center.cmple(stem.max).all())
        };
        let world = bench.world();
        let held = world.positions().iter().filter(inside).count();
        (held, world.len() - held)
    });
    assert_eq!(stems, (150, 0), "their walls hold them");
    assert!(beside.1 > 20, "{beside:?}");
}

#[test]
fn a_source_is_changed_once_it_is_applied_and_changed_back_by_undo() {
    let mut bench = bench(divided());
    assert!(bench.is_disabled(Role::Button, "Undo"));
    for name in ["Apply source", "Delete source"] {
        assert!(bench.is_disabled(Role::Button, name), "{name} of no source");
    }
    bench.select("1   40 %");
    assert!(bench.is_disabled(Role::Button, "Apply source"), "nothing is changed");
    let typed = [
        ("Source corner x", "-1.5", -1.5),
        ("Source corner y", "-1.25", -1.25),
        ("Source corner z", "-2", -2.0),
        ("Source sides x", "1.5", 1.5),
        ("Source sides y", "2.5", 2.5),
        ("Source sides z", "1e1", 10.0),
        ("Source share in per cent", "12.5", 12.5),
    ];
    for (name, text, value) in typed {
        bench.type_number(name, text);
        assert_eq!(bench.value(name), value, "{name}");
    }
    bench.click(Role::CheckBox, "Source has a floor");
    bench.assert_no_command();
    assert_eq!(bench.recipe().sources, divided().sources, "typing alone changes nothing");

    bench.click_and_obey(Role::Button, "Apply source");
    let expected = Source {
        corner: Vec3::new(-1.5, -1.25, -2.0),
        size: Vec3::new(1.5, 2.5, 10.0),
        percent: 12.5,
        floor: false,
    };
    assert_eq!(bench.world().sources().next(), Some((1, &expected)));
    assert_eq!(bench.recipe().sources[1].percent, 87.5, "the last gets what is left");
    assert!(bench.is_disabled(Role::Button, "Apply source"), "it is applied");

    bench.click_and_obey(Role::Button, "Undo: change source 1");
    assert_eq!(bench.recipe().sources, divided().sources);
    assert_eq!(bench.value("Source sides z"), 2.0, "the form follows");
    assert!(bench.is_ticked("Source has a floor"));
    assert!(bench.is_disabled(Role::Button, "Undo"));
}

#[test]
fn what_is_typed_and_not_applied_outlives_changes_from_elsewhere() {
    let mut bench = bench(divided());
    bench.select("1   40 %");
    bench.type_number("Source corner x", "-3");
    bench.obey(Order::Restart);
    bench.obey(Order::Edit(Edit::SetSource { number: 1, source: cube() }));
    assert_eq!(bench.value("Source corner x"), -3.0);
    bench.select("2   0 %");
    bench.select("1   100 %");
    assert_eq!(bench.value("Source corner x"), -1.0, "selecting anew forgets it");
}

#[test]
fn a_new_source_stands_beside_the_selected_one_and_is_selected() {
    let mut bench = bench(divided());
    bench.click_and_obey(Role::Button, "New source");
    let sources = bench.recipe().sources.clone();
    let middle =
        Source { corner: Vec3::splat(-0.25), size: Vec3::splat(0.5), percent: 0.0, floor: true };
    assert_eq!(sources[2], middle, "none was selected: in the middle");
    assert_eq!(bench.value("Source sides x"), 0.5, "it is selected");
    bench.click_and_obey(Role::Button, "New source");
    assert_eq!(bench.recipe().sources[3], Source { corner: Vec3::splat(-0.2), ..middle });
    bench.type_number("Source corner x", "0.3");
    bench.click_and_obey(Role::Button, "New source");
    let typed = Source { corner: Vec3::new(0.3, -0.2, -0.2), ..middle };
    assert_eq!(bench.recipe().sources[4], typed, "as typed");
    let numbers: Vec<_> = bench.world().sources().map(|(number, _)| number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    for left in [4, 3, 2] {
        bench.click_and_obey(Role::Button, "Undo: new source");
        assert_eq!(bench.recipe().sources.len(), left);
    }
}

#[test]
fn a_new_source_is_selected_whatever_share_is_left_to_it() {
    let mut bench = bench(divided());
    bench.select("1   40 %");
    bench.click_and_obey(Role::Button, "New source");
    assert_eq!(bench.recipe().sources[2].percent, 0.0, "40 were asked for");
    assert_eq!(bench.value("Source share in per cent"), 0.0, "it is selected");
}

#[test]
fn no_other_source_is_selected_for_one_that_was_refused() {
    let mut bench = bench(divided());
    bench.select("1   40 %");
    bench.type_number("Source sides y", "0");
    bench.click_and_obey(Role::Button, "New source");
    assert_eq!(bench.recipe().sources.len(), 2);
    bench.obey(Order::Edit(Edit::NewSource(cube())));
    assert_eq!(bench.recipe().sources.len(), 3);
    assert_eq!(bench.value("Source sides y"), 0.0, "what was typed is kept");
}

#[test]
fn the_last_source_takes_what_the_others_leave_and_the_only_one_stays() {
    let mut bench = bench(divided());
    bench.select("1   40 %");
    assert!(!bench.is_disabled(Role::SpinButton, "Source share in per cent"));
    bench.select("2   60 %");
    assert!(bench.is_disabled(Role::SpinButton, "Source share in per cent"));
    assert_eq!(bench.value("Source share in per cent"), 60.0);
    bench.obey(Order::Edit(Edit::DeleteSource { number: 1 }));
    assert_eq!(bench.value("Source share in per cent"), 100.0);
    assert!(bench.is_disabled(Role::Button, "Delete source"));
    bench.click(Role::Button, "Delete source");
    bench.assert_no_command();
}

#[test]
fn an_edit_that_makes_no_sense_is_refused_with_a_notice() {
    let mut bench = bench(divided());
    bench.select("1   40 %");
    bench.type_number("Source sides y", "0");
    bench.click_and_obey(Role::Button, "Apply source");
    bench.harness.get_by_label_contains("expected the side along y to be greater than 0");
    assert_eq!(bench.recipe().sources, divided().sources);
    assert_eq!(bench.value("Source sides y"), 0.0, "what was typed is kept");
}

#[test]
fn an_obstacle_is_applied_made_deleted_and_taken_back() {
    let mut bench = bench(divided());
    assert_eq!(bench.lighter(), [0; 0]);
    bench.select("1   y-z");
    assert_eq!(bench.lighter(), [0]);
    assert!(bench.is_disabled(Role::SpinButton, "Obstacle sides x"));
    bench.type_number("Obstacle position z", "0.25");
    bench.click(Role::Button, "Obstacle in a x-y plane");
    assert!(bench.is_disabled(Role::SpinButton, "Obstacle sides z"));
    assert!(!bench.is_disabled(Role::SpinButton, "Obstacle sides x"));
    bench.type_number("Obstacle sides y", "0.75");
    bench.assert_no_command();
    bench.click_and_obey(Role::Button, "Apply obstacle");
    let turned = Obstacle {
        corner: Vec3::new(0.0, -0.5, 0.25),
        size: Vec3::new(1.0, 0.75, 0.0),
        normal: Axis::Z,
    };
    assert_eq!(bench.recipe().obstacles, [turned]);

    bench.click_and_obey(Role::Button, "New obstacle");
    let above = Obstacle { corner: Vec3::new(0.0, -0.5, 0.35), ..turned };
    assert_eq!(bench.recipe().obstacles, [turned, above]);
    assert_eq!(bench.lighter(), [1], "the new one is selected");
    bench.select("1   x-y");
    bench.click_and_obey(Role::Button, "Delete obstacle");
    assert_eq!(bench.recipe().obstacles, [above]);
    assert_eq!(bench.lighter(), [0; 0]);
    for obstacles in [vec![turned, above], vec![turned], divided().obstacles] {
        bench.select("Undo: ");
        let undo = bench.command();
        bench.obey(undo);
        assert_eq!(bench.recipe().obstacles, obstacles);
    }
    bench.select("1   y-z");
    bench.click_and_obey(Role::Button, "Delete obstacle");
    bench.harness.get_by_label("The scene has none.");
    bench.click_and_obey(Role::Button, "New obstacle");
    let middle = bench.recipe().obstacles[0];
    assert_eq!((middle.corner, middle.normal), (Vec3::new(-0.25, -0.25, 0.0), Axis::Z));
    assert_eq!(bench.lighter(), [0]);
}

#[test]
fn the_selected_obstacle_stays_selected_while_others_go() {
    let mut bench = bench(fer());
    bench.select("3   x-z");
    bench.obey(Order::Edit(Edit::DeleteObstacle { index: 0 }));
    assert_eq!(bench.lighter(), [1]);
    bench.obey(Order::Undo);
    assert_eq!(bench.lighter(), [2]);
}

#[test]
fn only_the_rows_in_view_of_a_long_list_are_laid_out() {
    let scene = fer();
    let obstacles = scene.obstacles.iter().cycle().take(5000).copied().collect();
    let bench = bench(Scene { obstacles, ..scene });
    let rows = bench.harness.get_all_by_role(Role::Button);
    let plane = |label: String| label.contains("   x-z   ") || label.contains("   y-z   ");
    let rows = rows.filter(|node| node.accesskit_node().label().is_some_and(plane)).count();
    assert!((4..=10).contains(&rows), "{rows}");
}

#[test]
fn what_is_selected_is_drawn_lighter_only_while_it_is_shown() {
    let mut bench = bench(divided());
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
fn gravity_pulls_from_the_next_step_on() {
    let mut bench = bench(divided());
    for gravity in [Gravity::Weak, Gravity::Medium, Gravity::Strong, Gravity::Off] {
        bench.click_and_obey(Role::Button, &format!("Gravity {}", gravity.word()));
        assert_eq!(bench.world().scene().gravity, gravity);
        let text = format!("It pulls downwards with {} units/s².", gravity.acceleration());
        bench.harness.get_by_label(&text);
    }
    bench.click(Role::Button, "Gravity off");
    bench.assert_no_command();

    let mut bench = self::bench(common::meeting());
    bench.click_and_obey(Role::Button, "Gravity strong");
    bench.steps(1);
    let fall = Gravity::Strong.acceleration() * common::meeting().dt;
    assert!(bench.world().velocities().iter().all(|v| (v.z + fall).abs() < 1e-6));
}

#[test]
fn the_line_goes_where_it_is_typed_to_once_the_field_is_left() {
    let mut bench = bench(divided());
    bench.click(Role::SpinButton, "Line x");
    bench.harness.event(Event::Text("0.5".to_owned()));
    bench.harness.run();
    bench.assert_no_command();
    bench.harness.key_press(Key::Enter);
    bench.harness.run();
    let command = bench.command();
    bench.obey(command);
    assert_eq!(bench.world().scene().line, [0.5, 0.0]);
    bench.type_number("Line y", "-0.25");
    let command = bench.command();
    bench.obey(command);
    assert_eq!(bench.world().scene().line, [0.5, -0.25]);
    bench.click_and_obey(Role::Button, "Undo: line at 0.5, -0.25");
    assert_eq!(bench.value("Line y"), 0.0);
}

#[test]
fn a_dragged_line_is_seen_at_once_and_moved_once() {
    let mut bench = bench(divided());
    let from = bench.node(Role::SpinButton, "Line x").rect().center();
    let pointer = |bench: &mut Bench, event: Event| {
        bench.harness.event(event);
        bench.harness.run();
    };
    let button = |pos, pressed| Event::PointerButton {
        pos,
        button: egui::PointerButton::Primary,
        pressed,
        modifiers: egui::Modifiers::NONE,
    };
    pointer(&mut bench, Event::PointerMoved(from));
    pointer(&mut bench, button(from, true));
    for moved in [10.0, 20.0, 30.0] {
        pointer(&mut bench, Event::PointerMoved(from + egui::vec2(moved, 0.0)));
    }
    let seen = bench.harness.state().panel.selection().line.unwrap();
    assert!(seen[0] > 0.1, "{seen:?}");
    bench.assert_no_command();
    pointer(&mut bench, button(from + egui::vec2(30.0, 0.0), false));
    let command = bench.command();
    assert_eq!(bench.harness.state().panel.selection().line, Some(seen), "the order is on its way");
    bench.obey(command);
    assert_eq!(bench.world().scene().line, seen);
}

#[test]
fn each_collision_costs_the_delay() {
    let mut bench = bench(divided());
    bench.set(Role::Slider, "Response delay", 30.0);
    let command = bench.command();
    bench.obey(command);
    assert_eq!(bench.session().response_delay(), Duration::from_millis(30));
    bench.type_number("Response delay in ms", "7");
    let command = bench.command();
    bench.obey(command);
    assert_eq!(bench.session().response_delay(), Duration::from_millis(7));
    bench.type_number("Response delay in ms", "101");
    bench.assert_no_command();
    assert!(bench.complaint("Response delay in ms: expected a whole number").is_some());
}

#[test]
fn rates_are_those_of_the_history() {
    let mut bench = bench(divided());
    bench.steps(8);
    let rates = bench.session().history().rates().unwrap();
    for (meaning, rate) in [
        (
            "Pairs of boxes compared, over the last second; a dash before the second step",
            rates.tests,
        ),
        ("Spheres that touched, over the last second; a dash before the second step", rates.hits),
    ] {
        let figure = bench.figure(meaning).replace(',', "");
        assert_eq!(figure, format!("{rate:.0}"), "{meaning}");
    }
}

#[test]
fn nonsense_is_not_taken_and_told_until_something_better_comes() {
    let mut bench = bench(divided());
    bench.select("1   40 %");
    bench.select("1   y-z");
    let fields = [
        "Count",
        "Radius",
        "Speed",
        "Source corner x",
        "Source sides z",
        "Source share in per cent",
        "Obstacle position y",
        "Obstacle sides y",
        "Line x",
        "Response delay in ms",
    ];
    for name in fields {
        let before = bench.value(name);
        for text in ["", "abc", "NaN", "inf", "-1e13", "12x"] {
            bench.type_number(name, text);
            assert_eq!(bench.value(name), before, "{name}: {text}");
            let complaint = bench.complaint(&format!("{name}: expected "));
            let complaint = complaint.unwrap_or_else(|| panic!("{name}: {text} is not told"));
            let found = if text.is_empty() { "found nothing" } else { text };
            assert!(complaint.contains(found), "{complaint}");
            bench.assert_no_command();
        }
        bench.type_number(name, &before.to_string());
        assert_eq!(bench.complaint(&format!("{name}: ")), None, "{name}");
    }
    for name in ["Source sides x", "Obstacle sides z", "Speed", "Source share in per cent"] {
        let before = bench.value(name);
        bench.type_number(name, "-5");
        assert_eq!(bench.value(name), before, "{name}");
        assert!(bench.complaint(&format!("{name}: expected ")).is_some(), "{name}");
    }
}

#[test]
fn a_field_that_is_only_looked_at_keeps_every_digit() {
    let mut scene = divided();
    scene.sources[0].corner.x = -1.000_000_1;
    let mut bench = bench(scene);
    bench.select("1   40 %");
    bench.click(Role::SpinButton, "Source corner x");
    bench.harness.key_press(Key::Enter);
    bench.harness.run();
    assert_eq!(bench.value("Source corner x"), f64::from(-1.000_000_1f32));
    assert!(bench.is_disabled(Role::Button, "Apply source"));
    bench.type_number("Source corner x", "7");
    assert_eq!(bench.value("Source corner x"), 7.0, "all of the old text was replaced");
}

#[test]
fn files_are_loaded_and_saved_under_the_path_in_the_box() {
    let mut bench = bench(divided());
    let shown = bench.node(Role::TextInput, "Scene file").value();
    assert_eq!(shown.as_deref(), Some("crowded.scene"));
    bench.click(Role::Button, "Load");
    assert!(matches!(bench.command(), Command::Load(path) if path == Path::new("crowded.scene")));
    // Enter loads.
    bench.type_into(Role::TextInput, "Scene file", " my/own.scene ");
    assert!(matches!(bench.command(), Command::Load(path) if path == Path::new("my/own.scene")));
    bench.click(Role::Button, "Save");
    assert!(matches!(bench.command(), Command::Save(path) if path == Path::new("my/own.scene")));
    bench.type_into(Role::TextInput, "Scene file", "");
    for name in ["Load", "Save"] {
        assert!(bench.is_disabled(Role::Button, name), "{name}");
    }
    bench.click(Role::Button, "Open...");
    assert!(matches!(bench.command(), Command::AskForScene));
    bench.click(Role::Button, "Save as...");
    assert!(matches!(bench.command(), Command::AskWhereToSave));
    bench.obey(Order::Begin { label: "other.scene".to_owned(), scene: Box::new(fer()) });
    let shown = bench.node(Role::TextInput, "Scene file").value();
    assert_eq!(shown.as_deref(), Some("other.scene"));

    bench.stage().asking = true;
    bench.harness.run();
    for name in ["Open...", "Save as..."] {
        assert!(bench.is_disabled(Role::Button, name), "{name}");
    }
}

#[test]
fn shipped_and_recent_scenes_are_a_click_away() {
    let mut bench = bench(divided());
    bench.stage().shipped = vec!["scenes/pad.scene".into()];
    bench.stage().recent = vec!["/a/pad.scene".into(), "/b/pad.scene".into()];
    bench.harness.run();
    for (name, expected) in [
        ("Shipped scene scenes/pad.scene", "scenes/pad.scene"),
        ("Recent scene /a/pad.scene", "/a/pad.scene"),
        ("Recent scene /b/pad.scene", "/b/pad.scene"),
    ] {
        bench.click(Role::Button, name);
        assert!(matches!(bench.command(), Command::Load(path) if path == Path::new(expected)));
    }
}

#[test]
fn every_control_has_a_name_of_its_own() {
    use Role::{Button, CheckBox, ComboBox, RadioButton, Slider, SpinButton, TextInput};
    let controls = [Button, CheckBox, ComboBox, RadioButton, Slider, SpinButton, TextInput];
    let mut bench = bench(divided());
    bench.stage().shipped = vec!["scenes/pad.scene".into(), "scenes/random.scene".into()];
    bench.stage().recent = vec!["/a/pad.scene".into(), "/b/pad.scene".into()];
    bench.select("1   40 %");
    bench.select("1   y-z");
    let mut names = HashSet::new();
    for node in bench.harness.root().children_recursive() {
        let control = node.accesskit_node();
        if controls.contains(&control.role()) {
            let name = control.label().unwrap_or_default();
            assert!(!name.trim().is_empty(), "{node:?}");
            assert!(names.insert((control.role(), name)), "a second {node:?}");
        }
    }
    assert!(names.len() >= 70, "{}: {names:?}", names.len());
}

#[test]
fn an_edited_scene_is_saved_and_read_as_it_is() {
    let mut bench = bench(fer());
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
    let recipe = bench.stage().snapshot.recipe.clone();
    assert_ne!(*recipe, fer());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edited.scene");
    SceneDocument::from_scene(&recipe).unwrap().save(&path).unwrap();
    assert_eq!(*SceneDocument::read(&path).unwrap().scene(), *recipe);
}

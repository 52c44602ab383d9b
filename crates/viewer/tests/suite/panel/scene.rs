//! Objects, sources, obstacles, forces and files: forms, and the edits that they cause.

use super::*;
use egui::{Event, Key};
use measure::Case;
use std::path::Path;
use viewer::composer::Selection;
use viewer::platform::Question;

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
    let mut bench = Bench::with(scene, "bsp");
    bench.set_up(|panel| panel.editor.open = true);
    bench
}

/// Rows of the lists of the divided scene.
const SOURCE: &str = "1   40 %";
const WALL: &str = "1   y-z";

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

    /// Types a number, and carries out the one command that this causes.
    #[track_caller]
    fn type_and_obey(&mut self, name: &str, text: &str) {
        self.type_number(name, text);
        let command = self.command();
        self.obey(command);
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
    fn lighter(&mut self) -> Vec<usize> {
        let panes = self.stage().view().rectangles.iter().enumerate();
        let lighter = panes.filter(|(_, pane)| pane.fill == Theme::DARK.selected_pane);
        lighter.map(|(place, _)| place).collect()
    }
}

/// Where an applied number is in the recipe.
type Applied = fn(&Scene) -> f32;

/// Fields of the selected source and obstacle, a text for each, and its number.
const FIELDS: [(&str, &str, Applied); 10] = [
    ("Source corner x", "-1.5", |scene| scene.sources[0].corner.x),
    ("Source corner y", "-1.25", |scene| scene.sources[0].corner.y),
    ("Source corner z", "-2", |scene| scene.sources[0].corner.z),
    ("Source sides x", "1.5", |scene| scene.sources[0].size.x),
    ("Source sides y", "2.5", |scene| scene.sources[0].size.y),
    ("Source sides z", "1e1", |scene| scene.sources[0].size.z),
    ("Source share in per cent", "12.5", |scene| scene.sources[0].percent),
    ("Obstacle position z", "0.25", |scene| scene.obstacles[0].corner.z),
    ("Obstacle sides y", "0.75", |scene| scene.obstacles[0].size.y),
    ("Obstacle sides z", "2", |scene| scene.obstacles[0].size.z),
];

#[test]
fn typed_numbers_are_applied_and_undone() {
    for (field, text, applied) in FIELDS {
        let mut bench = scene_bench(divided());
        bench.select(SOURCE);
        bench.select(WALL);
        let before = bench.value(field);
        bench.type_and_obey(field, text);
        assert_eq!(applied(bench.recipe()), text.parse::<f32>().unwrap(), "{field}");
        bench.select("Undo: ");
        let undo = bench.command();
        bench.obey(undo);
        assert_eq!(*bench.recipe(), divided(), "{field}");
        assert_eq!(bench.value(field), before, "{field}: the form follows");
    }
}

#[test]
fn invalid_text_is_refused_and_reported_until_replaced() {
    let mut bench = scene_bench(divided());
    bench.select(SOURCE);
    bench.select(WALL);
    let names = ["Count", "Radius", "Speed", "Line x"];
    for (place, name) in FIELDS.map(|(name, ..)| name).into_iter().chain(names).enumerate() {
        let before = bench.value(name);
        // Every text in one field, and in each field one text and one number out of its range.
        let texts: &[&str] = match place {
            0 => &["", "abc", "NaN", "inf", "-1e13", "12x"],
            _ if name.contains("sides") || name.contains("share") => &["12x", "-5"],
            _ => &["12x", "-1e13"],
        };
        for &text in texts {
            bench.type_number(name, text);
            assert_eq!(bench.value(name), before, "{name}: {text}");
            let refusal = bench.refusal(&format!("{name}: expected "));
            let refusal = refusal.unwrap_or_else(|| panic!("{name}: {text} is not reported"));
            let found = if text.is_empty() { "found nothing" } else { text };
            assert!(refusal.contains(found), "{refusal}");
            bench.assert_no_command();
        }
        bench.type_number(name, &before.to_string());
        assert_eq!(bench.refusal(&format!("{name}: ")), None, "{name}");
    }
}

#[test]
fn an_untouched_field_keeps_every_digit() {
    let mut scene = divided();
    (scene.sources[0].corner.x, scene.sources[0].corner.y) = (-1.000_000_1, -0.001_234_56);
    let mut bench = scene_bench(scene);
    bench.select(SOURCE);
    bench.click(Role::SpinButton, "Source corner x");
    bench.harness.key_press(Key::Enter);
    bench.harness.run();
    assert_eq!(bench.value("Source corner x"), f64::from(-1.000_000_1f32));
    // The keyboard edits the next one too.
    bench.click(Role::SpinButton, "Source corner x");
    for key in [Key::Tab, Key::Tab] {
        bench.harness.key_press(key);
        bench.harness.run();
    }
    assert_eq!(bench.value("Source corner y"), f64::from(-0.001_234_56f32));
    bench.assert_no_command();
}

#[test]
fn new_elements_are_selected_edited_and_deleted() {
    let mut bench = scene_bench(divided());
    bench.click_and_obey(Role::Button, "New source");
    let middle =
        Source { corner: Vec3::splat(-0.25), size: Vec3::splat(0.5), percent: 0.0, floor: true };
    assert_eq!(bench.recipe().sources[2], middle);
    bench.type_and_obey("Source corner x", "0.3");
    bench.click_and_obey(Role::CheckBox, "Source has a floor");
    let typed = Source { corner: Vec3::new(0.3, -0.25, -0.25), floor: false, ..middle };
    assert_eq!(bench.recipe().sources[2], typed, "it is selected, whatever its share");
    bench.click_and_obey(Role::Button, "Delete source");
    assert_eq!(bench.recipe().sources, divided().sources);
    assert!(bench.is_disabled(Role::Button, "Delete source"), "none is selected");

    let mut bench = scene_bench(divided());
    bench.select(WALL);
    assert!(bench.is_disabled(Role::SpinButton, "Obstacle sides x"));
    bench.click_and_obey(Role::Button, "Obstacle in a x-y plane");
    assert!(bench.is_disabled(Role::SpinButton, "Obstacle sides z"));
    let corner = Vec3::new(0.0, -0.5, -0.5);
    let turned = Obstacle { corner, size: Vec3::new(1.0, 1.0, 0.0), normal: Axis::Z };
    assert_eq!(bench.recipe().obstacles, [turned]);
    bench.click_and_obey(Role::Button, "New obstacle");
    let middle = bench.recipe().obstacles[1];
    assert_eq!((middle.corner, middle.normal), (Vec3::new(-0.25, -0.25, 0.0), Axis::Z));
    assert_eq!(bench.lighter(), [1], "the new one is selected");
    bench.select("1   x-y");
    bench.obey(Order::Edit(Edit::DeleteObstacle { index: 0 }));
    assert_eq!(bench.lighter(), [0; 0], "its number may be that of another one");
    bench.obey(Order::Undo);
    bench.select("2   x-y");
    for left in [1, 0] {
        bench.click_and_obey(Role::Button, "Delete obstacle");
        assert_eq!((bench.recipe().obstacles.len(), bench.lighter()), (left, vec![]));
        if left > 0 {
            bench.select("1   x-y");
        }
    }
    bench.harness.get_by_label("The scene has none.");
}

#[test]
fn the_last_source_takes_the_rest_and_cannot_be_deleted() {
    let mut bench = scene_bench(divided());
    bench.select("2   60 %");
    assert!(bench.is_disabled(Role::SpinButton, "Source share in per cent"));
    assert_eq!(bench.value("Source share in per cent"), 60.0);
    bench.obey(Order::Edit(Edit::DeleteSource { number: 1 }));
    assert_eq!(bench.value("Source share in per cent"), 100.0);
    bench.click(Role::Button, "Delete source");
    bench.assert_no_command();
}

#[test]
fn an_invalid_edit_is_refused_with_a_notice() {
    let mut bench = scene_bench(divided());
    bench.select(SOURCE);
    bench.type_and_obey("Source sides y", "0");
    assert!(bench.says("expected the side along y to be greater than 0"));
    assert_eq!(bench.recipe().sources, divided().sources);
    assert_eq!(bench.value("Source sides y"), 2.0);
}

#[test]
fn a_selection_is_drawn_lighter_while_it_is_shown() {
    let mut bench = scene_bench(divided());
    bench.select(SOURCE);
    bench.select(WALL);
    let selection = |bench: &Bench| bench.harness.state().panel.selection();
    let all = Selection { source: Some(1), obstacle: Some(0), line: Some([0.0, 0.0]) };
    assert_eq!((selection(&bench), bench.lighter()), (all, vec![0]));
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
fn only_visible_rows_of_a_long_list_are_laid_out() {
    let obstacles = divided().obstacles.iter().cycle().take(5000).copied().collect();
    let bench = scene_bench(Scene { obstacles, ..divided() });
    let rows = bench.harness.get_all_by_role(Role::Button);
    let plane = |label: String| label.contains("   y-z   ");
    let rows = rows.filter(|node| node.accesskit_node().label().is_some_and(plane)).count();
    assert!((4..=10).contains(&rows), "{rows}");
}

#[test]
fn gravity_acts_from_the_next_step_on() {
    let mut bench = scene_bench(meeting());
    for gravity in [Gravity::Off, Gravity::Weak, Gravity::Medium, Gravity::Strong] {
        if gravity != Gravity::Off {
            bench.click_and_obey(Role::Button, &format!("Gravity {gravity}"));
        }
        assert_eq!(bench.world().scene().gravity, gravity);
    }
    bench.click(Role::Button, "Gravity strong");
    bench.assert_no_command();
    bench.steps(1);
    let fall = Gravity::Strong.acceleration() * meeting().dt;
    assert!(bench.world().velocities().iter().all(|v| (v.z + fall).abs() < 1e-6));
}

#[test]
fn the_line_moves_once_its_field_is_left() {
    let mut bench = scene_bench(divided());
    bench.click(Role::SpinButton, "Line x");
    bench.harness.event(Event::Text("0.5".to_owned()));
    bench.harness.run();
    bench.assert_no_command();
    bench.harness.key_press(Key::Enter);
    bench.harness.run();
    let command = bench.command();
    bench.obey(command);
    bench.type_and_obey("Line y", "-0.25");
    assert_eq!(bench.world().scene().line, [0.5, -0.25]);
    bench.click_and_obey(Role::Button, "Undo: line at 0.5, -0.25");
    assert_eq!(bench.value("Line y"), 0.0);

    let from = bench.node(Role::SpinButton, "Line x").rect().center();
    bench.drag(from, from + egui::vec2(30.0, 0.0));
    let command = bench.command();
    bench.obey(command);
    assert!(bench.world().scene().line[0] > 0.6);
}

#[test]
fn the_response_delay_is_set_by_a_slider() {
    let mut bench = scene_bench(divided());
    bench.set(Role::Slider, "Response delay", 30.0);
    let command = bench.command();
    bench.obey(command);
    assert_eq!(bench.session().response_delay(), Duration::from_millis(30));
    assert!(bench.has(Role::Label, "Delay of each response 30 ms"));
}

#[test]
fn objects_are_generated_from_the_form_by_the_button() {
    let mut bench = Bench::of("sap-matrix");
    bench.steps(3);
    let before = motion(bench.session());
    let set = |bench: &mut Bench, count: f64, radius: f64| {
        bench.set(Role::SpinButton, "Count", count);
        bench.set(Role::SpinButton, "Radius", radius);
        bench.assert_no_command();
        bench.click(Role::Button, "Generate objects");
        let command = bench.command();
        bench.obey(command.clone());
        command
    };
    set(&mut bench, 1e6, 1e-3);
    assert!(bench.says("sap-matrix needs 1.0 TB"));
    assert_eq!((motion(bench.session()), bench.session().recorded()), (before, 3));
    bench.set(Role::SpinButton, "Speed", 1.5);
    bench.click(Role::Button, "80");
    let command = set(&mut bench, 80.0, 0.05);
    let Command::Order(Order::Generate(scene)) = &command else { panic!("{command:?}") };
    let expected = Scene {
        objects: 80,
        radius: Radius::Equal(0.05),
        speed: 1.5,
        triangles: Triangles::Eighty,
        ..crowded()
    };
    assert_eq!(**scene, expected);
    let world = bench.world();
    assert_eq!((world.len(), world.steps()), (80, 0));
    assert!(world.radii().iter().all(|&radius| radius == 0.05));
    assert!(world.velocities().iter().all(|v| (v.length() - 1.5).abs() < 1e-5));
    // Numbers out of range are clamped.
    for (name, typed, taken) in [
        ("Count", 0.0, 1.0),
        ("Count", 1e12, 1e7),
        ("Radius", -1.0, 1e-6),
        ("Radius", 5e7, 1e6),
        ("Speed", -3.0, 0.0),
    ] {
        bench.set(Role::SpinButton, name, typed);
        let now = bench.value(name);
        assert!((now - taken).abs() < 1e-6, "{name}: {typed} became {now}");
    }
}

#[test]
fn files_are_loaded_and_saved_by_the_typed_path() {
    let mut bench = scene_bench(divided());
    let shown = |bench: &Bench| bench.node(Role::TextInput, "Scene file").value().unwrap();
    assert_eq!(shown(&bench), "crowded.scene");
    bench.click(Role::Button, "Load");
    assert!(matches!(bench.command(), Command::Load(path) if path == Path::new("crowded.scene")));
    // Enter loads.
    bench.type_into(Role::TextInput, "Scene file", " my/own.scene ");
    assert!(matches!(bench.command(), Command::Load(path) if path == Path::new("my/own.scene")));
    bench.click(Role::Button, "Save");
    assert!(matches!(bench.command(), Command::Save(path) if path == Path::new("my/own.scene")));
    bench.type_into(Role::TextInput, "Scene file", "");
    assert!(["Load", "Save"].iter().all(|name| bench.is_disabled(Role::Button, name)));
    bench.click(Role::Button, "Open...");
    assert!(matches!(bench.command(), Command::Ask(Question::Load)));
    bench.click(Role::Button, "Save as...");
    assert!(matches!(bench.command(), Command::Ask(Question::Save)));
    bench.stage().asking = true;
    bench.harness.run();
    assert!(["Open...", "Save as..."].iter().all(|name| bench.is_disabled(Role::Button, name)));
    let case = Case::of_scene("other.scene", shipped("fer.scene"), 0, 1);
    bench.obey(Order::Begin(Box::new(case)));
    assert_eq!(shown(&bench), "other.scene");

    bench.stage().shipped = vec!["scenes/pad.scene".into()];
    bench.stage().recent = vec!["/a/pad.scene".into(), "/b/pad.scene".into()];
    bench.harness.run();
    assert!(bench.draws("a/pad") && bench.draws("b/pad"), "two of one name");
    for (name, expected) in [
        ("Shipped scene scenes/pad.scene", "scenes/pad.scene"),
        ("Recent scene /a/pad.scene", "/a/pad.scene"),
        ("Recent scene /b/pad.scene", "/b/pad.scene"),
    ] {
        bench.click(Role::Button, name);
        assert!(matches!(bench.command(), Command::Load(path) if path == Path::new(expected)));
    }
}

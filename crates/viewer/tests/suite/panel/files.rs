//! Group *Files*.

use crate::panel::scene::{divided, fer, scene_bench};
use egui::accesskit::Role;
use measure::Case;
use std::path::Path;
use viewer::panel::Command;
use viewer::simulation::Order;

#[test]
fn files_are_loaded_and_saved_by_the_typed_path() {
    let mut bench = scene_bench(divided());
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
    bench.obey(Order::Begin(Box::new(Case::of_scene("other.scene", fer(), 0, 1))));
    let shown = bench.node(Role::TextInput, "Scene file").value();
    assert_eq!(shown.as_deref(), Some("other.scene"));

    bench.stage().asking = true;
    bench.harness.run();
    for name in ["Open...", "Save as..."] {
        assert!(bench.is_disabled(Role::Button, name), "{name}");
    }
}

#[test]
fn shipped_and_recent_scenes_load_by_a_click() {
    let mut bench = scene_bench(divided());
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

//! Edits that an ending window saves.

use super::*;

/// Files in `results` of a folder whose names end so.
fn results(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder.join("results")).into_iter().flatten().flatten();
    let is_named = |path: &PathBuf| path.to_string_lossy().ends_with(ending);
    entries.map(|entry| entry.path()).filter(is_named).collect()
}

#[test]
fn unsaved_edits_are_rescued_where_the_window_closes() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = started(SPHERES);
    model.folder = folder.path().to_owned();
    let own = folder.path().join("own.scene");
    let closed = |model: &mut Model, command: Command| {
        model.commands.push(command);
        assert!(model.catch_up());
        model.rescue_edits("the window was closed with unsaved edits")
    };
    assert_eq!(closed(&mut model, Order::Step.into()), None);
    let strict = |strict| Command::from(Order::Edit(sim::Edit::Strict(strict)));
    let line = closed(&mut model, strict(true)).unwrap();
    let [rescued] = &results(folder.path(), ".scene")[..] else { panic!("{line}") };
    let path = rescued.display();
    assert_eq!(
        line,
        format!("the window was closed with unsaved edits; the scene is saved in {path}")
    );
    assert!(SceneDocument::read(rescued).unwrap().scene().strict);
    assert_eq!(closed(&mut model, Command::Save(own.clone())), None, "saved in {own:?}");
    assert!(closed(&mut model, strict(false)).is_some());
    assert_eq!(closed(&mut model, Order::Undo.into()), None, "the edit is undone");
    assert!(closed(&mut model, strict(false)).is_some());
    assert_eq!(closed(&mut model, Command::Load(own.clone())), None, "another scene has begun");
    let notice = model.notices.all().last().cloned();
    let Some(Notice::Problem(line)) = notice else { panic!("no line about its edits: {notice:?}") };
    assert!(
        line.starts_with("the scene before had unsaved edits; the scene is saved in "),
        "{line}"
    );
    assert_eq!(results(folder.path(), ".scene").len(), 4);
    assert_eq!(closed(&mut model, Command::Load(own)), None);
    assert!(model.notices.all().is_empty(), "a scene without edits needs no file");
}

#[test]
fn window_ends_though_its_simulation_never_answers() {
    let double = Double::leaked();
    let mut model =
        start(Model::new(start_of(SPHERES.as_bytes(), "bsp", double), double.platform()));
    model.obey(Order::Step.into());
    assert!(!model.catch_up());
    model.simulation.end();
    // Its thread never ran.
    assert_eq!(double.let_go(), ["simulation"]);
}

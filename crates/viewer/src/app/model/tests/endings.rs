//! Unsaved edits, and the end of a window.

use super::*;

/// Edits the scene, and waits until the snapshot shows it.
fn edit(model: &mut Model, strict: bool) {
    model.obey(Order::Edit(sim::Edit::Strict(strict)).into());
    settle(model);
}

/// Follows the settings and the edits for at most two seconds, until the edits are written or removed.
#[track_caller]
fn follow(model: &mut Model, own: &Path, is_kept: bool) {
    let since_ns = model.platform.clock.now_ns();
    while own.exists() != is_kept {
        let now_ns = model.platform.clock.now_ns();
        assert!(now_ns - since_ns < 2_000_000_000, "kept: {}", !is_kept);
        model.keep_files(now_ns);
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn edits_survive_a_window_that_is_killed_and_no_other() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    std::fs::write(path("a.scene"), SPHERES).unwrap();
    let opened = || {
        let mut model = started(SCENE);
        model.folder = folder.path().to_owned();
        model.unsaved = Some(path("unsaved"));
        model.offer_edits();
        model
    };
    let mut model = opened();
    let own = path("unsaved/0.scene");
    model.load(&path("a.scene"));
    settle(&mut model);
    edit(&mut model, true);
    follow(&mut model, &own, true);
    // Saved, or undone: there is nothing to keep.
    model.obey(Command::Save(path("a.scene")));
    settle(&mut model);
    follow(&mut model, &own, false);
    edit(&mut model, false);
    follow(&mut model, &own, true);
    model.obey(Order::Undo.into());
    settle(&mut model);
    follow(&mut model, &own, false);
    assert!(model.panel.toasts.offers.is_empty());

    // Replaced by another scene at once: they are offered, and discarded.
    model.obey(Order::Edit(sim::Edit::Strict(false)).into());
    model.load(&path("a.scene"));
    settle(&mut model);
    follow(&mut model, &own, false);
    let [left] = &model.panel.toasts.offers[..] else { panic!("not offered") };
    let (left, scene) = (left.path.clone(), left.scene.clone());
    assert_eq!(scene, path("a.scene"));
    model.obey(Command::DiscardEdits(left.clone()));
    assert!(model.panel.toasts.offers.is_empty() && !left.exists());

    // Another window neither takes nor replaces them.
    edit(&mut model, false);
    follow(&mut model, &own, true);
    let mut other = opened();
    assert!(other.panel.toasts.offers.is_empty());
    edit(&mut other, true);
    follow(&mut other, &path("unsaved/1.scene"), true);
    // As after SIGKILL.
    std::fs::rename(&own, path("unsaved/7.scene")).unwrap();
    let mut next = opened();
    let [offer] = &next.panel.toasts.offers[..] else { panic!("not offered") };
    let offer = offer.clone();
    assert_eq!(offer.scene, path("a.scene"));
    assert!(opened().panel.toasts.offers.is_empty(), "once");
    next.obey(Command::OpenEdits(offer.clone()));
    wait(&mut next, "the edits", |model| {
        model.scene_file.path() == Some(&*offer.scene) && !model.snapshot.input.recipe.strict
    });
    assert!(next.saved_scene.strict, "they are not saved");
    follow(&mut next, &path("unsaved/2.scene"), true);
    follow(&mut next, &offer.path, false);
    assert_eq!(
        next.write_files().unwrap(),
        format!("the next start offers the unsaved edits of {}", offer.scene.display())
    );
}

#[test]
fn edits_without_a_place_of_their_own_are_in_the_results() {
    let folder = tempfile::tempdir().unwrap();
    let mut model = started(SPHERES);
    model.folder = folder.path().to_owned();
    edit(&mut model, true);
    let line = model.write_files().unwrap();
    let path = line.strip_prefix("the scene with its edits is saved in ").unwrap();
    assert!(SceneDocument::read(Path::new(path)).unwrap().scene().strict);
}

#[test]
fn window_ends_though_its_simulation_never_answers() {
    let double = Double::leaked();
    let mut model =
        start(Model::new(start_of(SPHERES.as_bytes(), "bsp", double), double.platform()));
    assert!(!model.is_closed(), "it is open");
    model.obey(Order::Step.into());
    model.close();
    let looks = (0..).take_while(|_| !model.is_closed()).count();
    // Each look takes a millisecond.
    assert!((100..=3000).contains(&looks), "{looks}");
    // A second request closes it at once.
    model.closing_until_ns = None;
    model.close();
    assert!(!model.is_closed());
    model.close();
    assert!(model.is_closed());
    model.simulation.end();
    // Its thread never ran.
    assert_eq!(double.let_go(), ["simulation"]);
}

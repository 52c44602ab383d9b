//! Edits of a running world: what is refused, and what the recipe keeps for the next start.

use crate::edited_world::{balls, cube, edit, numbers, steps, undo, wall_at};
use broadphase::Layer;
use glam::Vec3;
use sim::scene::{Action, Event, Gravity, LayerRule, LayerTarget, Obstacle, Source};
use sim::{Edit, EditError, Scene, SceneDocument, World};
use std::path::Path;

fn fer() -> SceneDocument {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes/fer.scene");
    SceneDocument::read(&path).unwrap()
}

fn removals(scene: &Scene) -> Vec<u32> {
    let removed = |event: &Event| match event.action {
        Action::RemoveSource(number) => Some(number),
        Action::Hold { .. } => None,
    };
    scene.events.iter().filter_map(removed).collect()
}

#[test]
fn refused_edit_gives_a_reason_and_changes_nothing() {
    let source = cube(1.0, 40.0);
    let (size, corner) = (source.size, source.corner);
    let set = |source| Edit::SetSource { number: 1, source };
    let refused: Vec<(Edit, &str)> = vec![
        (
            Edit::NewSource(Source { size: size - Vec3::X * 3.0, ..source }),
            "expected the side along x to be greater than 0, found `-1`",
        ),
        (
            set(Source { corner: corner.with_y(f32::NAN), ..source }),
            "expected a finite number for the corner's y, found `NaN`",
        ),
        (
            set(Source { size: size.with_z(2e12), ..source }),
            "expected a number for the side along z of at most 1e12, found `2e12`",
        ),
        (
            set(Source { percent: -1.0, ..source }),
            "expected the share to be within 0 and 100, found `-1`",
        ),
        (
            set(Source { percent: 100.5, ..source }),
            "expected the share to be within 0 and 100, found `100.5`",
        ),
        (
            Edit::NewObstacle(Obstacle { size: Vec3::splat(0.1), ..wall_at(0.0) }),
            "expected the side along x to be 0, along the obstacle's normal, found `0.1`",
        ),
        (
            Edit::SetObstacle {
                index: 0,
                obstacle: Obstacle { size: Vec3::new(0.0, -1.0, 1.0), ..wall_at(0.0) },
            },
            "expected the side along y to be 0 or more, found `-1`",
        ),
        (
            Edit::Line([0.0, f32::INFINITY]),
            "expected a finite number for the line's y, found `inf`",
        ),
        (
            Edit::SetSource { number: 7, source },
            "there is no source 7 (it may have been deleted, or removed by a timed event)",
        ),
        (
            Edit::DeleteSource { number: 0 },
            "there is no source 0 (it may have been deleted, or removed by a timed event)",
        ),
        (
            Edit::SetObstacle { index: 1, obstacle: wall_at(0.0) },
            "there is no obstacle 2: the scene has 1",
        ),
    ];
    let mut world = World::new(&balls(&[0.0]));
    edit(&mut world, Edit::NewObstacle(wall_at(3.0)));
    let (recipe, hash) = (world.recipe().clone(), world.hash());
    for (edit, reason) in refused {
        let error = world.edit(&edit).unwrap_err();
        assert_eq!(error.to_string(), reason, "{edit}");
        assert_eq!(
            (world.recipe(), world.scene(), world.hash()),
            (&recipe, &recipe, hash),
            "{edit}"
        );
        assert_eq!(world.undoable().as_deref(), Some("new obstacle"), "{edit}");
    }
    let (index, count) = (usize::MAX, 1);
    let error = world.edit(&Edit::DeleteObstacle { index }).unwrap_err();
    assert_eq!(error, EditError::NoObstacle { index, count });
    assert!(error.to_string().ends_with("the scene has 1"), "{error}");
}

#[test]
fn shares_above_100_are_refused_and_the_last_is_the_remainder() {
    let mut scene = balls(&[0.0]);
    scene.sources.push(cube(2.0, 0.0));
    let mut world = World::new(&scene);
    let percent = |world: &World| -> Vec<f32> {
        world.recipe().sources.iter().map(|source| source.percent).collect()
    };
    let error = world.edit(&Edit::SetSource { number: 1, source: cube(1.0, 41.0) }).unwrap_err();
    assert_eq!(error.to_string(), "expected shares that add up to 100 at most, found 101");
    edit(&mut world, Edit::SetSource { number: 1, source: cube(1.0, 10.0) });
    assert_eq!(percent(&world), [10.0, 60.0, 30.0]);
    edit(&mut world, Edit::NewSource(cube(3.0, 99.0)));
    assert_eq!(percent(&world), [10.0, 60.0, 30.0, 0.0]);
    edit(&mut world, Edit::DeleteSource { number: 2 });
    assert_eq!(percent(&world), [10.0, 30.0, 60.0]);
    for what in ["delete source 2", "new source", "change source 1"] {
        undo(&mut world, what);
    }
    assert_eq!(world.recipe(), &scene);
}

#[test]
fn the_last_source_is_not_deleted() {
    let mut world = World::new(&balls(&[0.0]));
    edit(&mut world, Edit::DeleteSource { number: 2 });
    let error = world.edit(&Edit::DeleteSource { number: 1 }).unwrap_err();
    assert_eq!(error, EditError::LastSource(1));
    let reason = "source 1 cannot be deleted: a scene needs at least one source";
    assert_eq!(error.to_string(), reason);
    assert_eq!(numbers(&world), [1]);
}

#[test]
fn an_edit_that_changes_nothing_leaves_nothing_to_undo() {
    let mut scene = balls(&[0.0]);
    scene.obstacles.push(wall_at(3.0));
    let mut world = World::new(&scene);
    for same in [
        Edit::Strict(false),
        Edit::Gravity(Gravity::Off),
        Edit::Line([0.0, 0.0]),
        Edit::SetSource { number: 1, source: scene.sources[0] },
        // The share of the last source is not taken from the edit.
        Edit::SetSource { number: 2, source: Source { percent: 5.0, ..scene.sources[1] } },
        Edit::SetObstacle { index: 0, obstacle: scene.obstacles[0] },
    ] {
        edit(&mut world, same);
        assert_eq!(world.undoable(), None, "{same}");
    }
}

#[test]
fn the_last_hundred_edits_can_be_undone() {
    let mut world = World::new(&balls(&[0.0]));
    for i in 1..=150 {
        edit(&mut world, Edit::Line([i as f32, 1.0]));
    }
    let undone = std::iter::from_fn(|| world.undo()).count();
    assert_eq!((undone, world.scene().line), (100, [50.0, 1.0]));
}

#[test]
fn source_removed_by_an_event_stays_in_the_recipe() {
    let document = fer();
    let mut world = World::new(&Scene { objects: 60, ..document.scene().clone() });
    edit(&mut world, Edit::Gravity(Gravity::Weak));
    let recipe = world.recipe().clone();
    steps(&mut world, 150);
    assert_eq!((numbers(&world), world.recipe()), (vec![1], &recipe));
    let error = world.edit(&Edit::DeleteSource { number: 2 }).unwrap_err();
    assert_eq!(error, EditError::NoSource(2), "it is listed no longer");
    undo(&mut world, "gravity weak");
    assert_eq!((numbers(&world), world.recipe().sources.len()), (vec![1], 4));
}

#[test]
fn events_follow_their_source_through_edits() {
    let mut world = World::new(&Scene { objects: 60, ..fer().scene().clone() });
    edit(&mut world, Edit::DeleteSource { number: 3 });
    edit(&mut world, Edit::DeleteSource { number: 1 });
    edit(&mut world, Edit::NewSource(cube(0.5, 0.0)));
    assert_eq!((numbers(&world), removals(world.recipe())), (vec![2, 4, 5], vec![1, 2]));
    let mut again = World::new(world.recipe());
    assert_eq!(again.placement_warning(), None);
    steps(&mut world, 150);
    assert_eq!(numbers(&world), [5], "the sources that were 2 and 4 in the file are removed");
    steps(&mut again, 150);
    assert_eq!(numbers(&again), [3], "so are they after a new start");
    for what in ["new source", "delete source 1", "delete source 3"] {
        undo(&mut world, what);
    }
    // The event that would have removed source 3 is past.
    assert_eq!((numbers(&world), removals(world.recipe())), (vec![1, 3], vec![2, 3, 4]));
}

#[test]
fn an_edited_recipe_is_saved_and_read_again() {
    let mut document = fer();
    let mut world = World::new(document.scene());
    steps(&mut world, 10);
    edit(&mut world, Edit::DeleteSource { number: 2 });
    edit(&mut world, Edit::DeleteObstacle { index: 3 });
    edit(&mut world, Edit::NewObstacle(wall_at(0.125)));
    edit(&mut world, Edit::NewSource(cube(0.25, 0.0)));
    edit(&mut world, Edit::Line([0.5, -0.5]));
    edit(&mut world, Edit::Gravity(Gravity::Medium));
    steps(&mut world, 140);
    document.set_scene(world.recipe().clone()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("edited.scene");
    document.save(&path).unwrap();
    let again = SceneDocument::read(&path).unwrap();
    assert_eq!((again.scene(), again.warnings().len()), (world.recipe(), 0));
    assert_eq!((again.scene().sources.len(), removals(again.scene())), (4, vec![2, 3]));
    assert!(again.to_text().contains("# The stem of the E."), "comments are kept");
}

#[test]
fn layer_rules_follow_their_source_and_objects_keep_layers() {
    let rule = |target, group| LayerRule { target, layer: Layer { group, ..Layer::STATIC } };
    let (one, two, three) =
        (LayerTarget::Source(1), LayerTarget::Source(2), LayerTarget::Source(3));
    let scene = Scene {
        objects: 30,
        sources: vec![cube(2.0, 20.0), cube(1.0, 30.0), cube(0.75, 50.0)],
        layers: vec![rule(three, 3), rule(LayerTarget::Balls, 4), rule(two, 2), rule(one, 1)],
        ..Scene::default()
    };
    let mut world = World::new(&scene);
    let layers = world.layers().to_vec();
    edit(&mut world, Edit::DeleteSource { number: 2 });
    let left = [rule(two, 3), rule(LayerTarget::Balls, 4), rule(one, 1)];
    assert_eq!(world.recipe().layers, left);
    edit(&mut world, Edit::NewSource(cube(1.0, 0.0)));
    assert_eq!(world.recipe().layers, left, "a new source has no layer");
    assert_eq!(world.layers(), layers);
    steps(&mut world, 3);
    SceneDocument::from_scene(world.recipe()).unwrap();
    undo(&mut world, "new source");
    undo(&mut world, "delete source 2");
    assert_eq!(world.recipe(), &scene);
    assert_eq!(world.layers(), layers);
}

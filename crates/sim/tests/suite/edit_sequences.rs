//! Any sequence of edits, undos and steps leaves a scene that can be restarted and saved.

use crate::world_run::scene;
use broadphase::Axis;
use glam::Vec3;
use proptest::prelude::*;
use sim::scene::{Driving, Gravity, MoveRule, Obstacle, Source};
use sim::{Edit, Hold, Scene, SceneDocument, World};

fn homes(world: &World) -> Vec<Option<u32>> {
    (0..world.len()).map(|object| world.home(object)).collect()
}

/// An operation on a running world.
#[derive(Clone, Copy, Debug)]
enum Operation {
    Edit(Edit),
    Undo,
    Steps(usize),
}

/// Mostly valid numbers.
fn number() -> impl Strategy<Value = f32> {
    prop_oneof![
        30 => (-8i32..=8).prop_map(|i| i as f32 * 0.25),
        1 => Just(f32::NAN),
        1 => Just(3e12f32),
    ]
}

fn vector() -> impl Strategy<Value = Vec3> {
    [number(), number(), number()].prop_map(Vec3::from)
}

fn any_source() -> impl Strategy<Value = Source> {
    let source = (vector(), 1u8..12, -20f32..60.0, any::<bool>());
    source.prop_map(|(corner, side, percent, floor)| {
        let size = Vec3::splat(f32::from(side) * 0.25);
        Source { corner, size, percent, floor }
    })
}

fn any_obstacle() -> impl Strategy<Value = Obstacle> {
    (vector(), 0u8..4, 0usize..3).prop_map(|(corner, side, axis)| {
        let mut size = Vec3::splat(f32::from(side) * 0.5);
        // Sometimes with a thickness.
        size[axis] = if side == 3 { 0.5 } else { 0.0 };
        Obstacle { corner, size, normal: Axis::ALL[axis] }
    })
}

fn operation() -> impl Strategy<Value = Operation> {
    let edit = prop_oneof![
        any_source().prop_map(Edit::NewSource),
        (0u32..9, any_source()).prop_map(|(number, source)| Edit::SetSource { number, source }),
        (0u32..9).prop_map(|number| Edit::DeleteSource { number }),
        any_obstacle().prop_map(Edit::NewObstacle),
        (0usize..4, any_obstacle())
            .prop_map(|(index, obstacle)| Edit::SetObstacle { index, obstacle }),
        (0usize..4).prop_map(|index| Edit::DeleteObstacle { index }),
        (0usize..4).prop_map(|i| Edit::Gravity(Gravity::ALL[i])),
        [number(), number()].prop_map(Edit::Line),
        vector().prop_map(|gravity| Edit::Gravity(Gravity::Vector(gravity))),
        (0usize..3, number()).prop_map(|(rule, speed)| {
            let rule = [MoveRule::Slide, MoveRule::Walk, MoveRule::Refuse("obb")][rule];
            Edit::Driving(Driving { rule, speed })
        }),
        any::<bool>().prop_map(Edit::Strict),
    ];
    prop_oneof![
        6 => edit.prop_map(Operation::Edit),
        2 => Just(Operation::Undo),
        1 => (1usize..6).prop_map(Operation::Steps),
    ]
}

/// Three sources, which events remove, and a wall.
const EVENTFUL: &str = "#!objects 30\n#!dt 0.125\ni -2 -2 -2  4 4 4  20 t\ni -1 -1 -1  2 2 2  30 t\n\
    i -0.75 -0.75 -0.75  1.5 1.5 1.5  50 t\np 0.5 -1 -1  0 2 2  x\n#!event 0.5 remove-source 3\n\
    #!event 1 remove-source 1\n#!event 1.5 remove-source 2\n#!layer source 2 group 7\n\
    #!layer source 3 group 7\n";

const RODS: &str =
    "#!shape rod capsule 0.1 1\n#!bodies source 1  rod 40\n#!bodies source 3  rod 40\n";

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn recipe_stays_a_valid_scene_and_undo_restores_it(
        operations in proptest::collection::vec(operation(), 1..40),
        has_bodies in any::<bool>(),
    ) {
        let scene = scene(&format!("{EVENTFUL}{}", if has_bodies { RODS } else { "" }));
        let mut world = World::new(&scene);
        prop_assert_eq!(world.bodies().is_some(), has_bodies);
        let mut document = SceneDocument::from_scene(&scene).unwrap();
        let layers = world.layers().to_vec();
        // The recipe, the sources of the objects and the step before each edit that can be undone.
        let mut before = Vec::new();
        for operation in operations {
            let (recipe, homes_before) = (world.recipe().clone(), homes(&world));
            let (hash, undoable) = (world.hash(), world.undoable());
            match operation {
                Operation::Steps(count) => (0..count).for_each(|_| world.step(Hold::None)),
                Operation::Undo => {
                    prop_assert_eq!(world.undo(), undoable);
                    let (restored, held, step) =
                        before.pop().unwrap_or((recipe, homes_before, world.steps()));
                    prop_assert_eq!(world.recipe(), &restored);
                    let now = homes(&world);
                    // An object that sticks out of its source stays free.
                    let is_held = now.iter().zip(&held).all(|(now, held)| now == held || now.is_none());
                    prop_assert!(step != world.steps() || is_held);
                }
                Operation::Edit(edit) => match world.edit(&edit) {
                    Ok(()) if world.recipe() == &recipe => {
                        prop_assert_eq!(world.undoable(), undoable);
                    }
                    Ok(()) => {
                        prop_assert_eq!(world.undoable(), Some(edit.to_string()));
                        before.push((recipe, homes_before, world.steps()));
                    }
                    Err(error) => {
                        prop_assert!(!error.to_string().contains('\n'), "{}", error);
                        prop_assert_eq!((world.recipe(), homes(&world)), (&recipe, homes_before));
                        prop_assert_eq!(world.undoable(), undoable);
                    }
                },
            }
            if !matches!(operation, Operation::Steps(_)) {
                prop_assert_eq!(world.hash(), hash, "{:?} has moved something", operation);
            }
            prop_assert_eq!(world.layers(), &layers[..]);
            // The scene as it is now is the recipe less some sources.
            let now = world.scene();
            let mut recipe_sources = world.recipe().sources.iter();
            prop_assert!(now.sources.iter().all(|s| recipe_sources.any(|r| r == s)));
            let all = Scene { sources: world.recipe().sources.clone(), ..now.clone() };
            prop_assert_eq!(&all, world.recipe());
            prop_assert!(world.sources().map(|(_, s)| s).eq(&now.sources));

            document.set_scene(world.recipe().clone()).unwrap();
            let again = SceneDocument::parse("again", document.to_text().as_bytes()).unwrap();
            prop_assert_eq!(again.scene(), world.recipe());
        }
        prop_assert_eq!(World::new(world.recipe()).len(), 30);
        while let Some((recipe, ..)) = before.pop() {
            world.undo().unwrap();
            prop_assert_eq!(world.recipe(), &recipe);
        }
        prop_assert_eq!(world.recipe(), &scene);
    }
}

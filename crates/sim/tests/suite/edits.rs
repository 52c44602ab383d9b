//! Edits of a running world: what each does, what is refused, and what the recipe keeps for the next start.

use crate::body_reach::reach;
use crate::world_run::{scene, shipped};
use broadphase::{Axis, Layer};
use glam::{DVec3, Vec3};
use sim::scene::{
    Action, Ball, Driving, Event, Gravity, LayerRule, LayerTarget, MoveRule, Obstacle, Source,
};
use sim::{Edit, Hold, Scene, World, WorldState};
use std::panic::{AssertUnwindSafe, catch_unwind};

fn cube(half: f32, percent: f32) -> Source {
    Source { corner: Vec3::splat(-half), size: Vec3::splat(2.0 * half), percent, floor: true }
}

fn wall_at(x: f32) -> Obstacle {
    let (corner, size) = (Vec3::new(x, -1.0, -1.0), Vec3::new(0.0, 2.0, 2.0));
    Obstacle { corner, size, normal: Axis::X }
}

fn numbers(world: &World) -> Vec<u32> {
    world.sources().map(|(number, _)| number).collect()
}

fn steps(world: &mut World, steps: usize) {
    (0..steps).for_each(|_| world.step(Hold::None));
}

/// Balls of radius 0.25 on the x axis, each flying along +x at 1. The first source is a cube of
/// side 2, the second far away.
fn balls(xs: &[f32]) -> Scene {
    let ball = |x: &f32| Ball { center: Vec3::X * *x, velocity: Vec3::X, radius: Some(0.25) };
    let far = Source { corner: Vec3::splat(90.0), ..cube(1.0, 60.0) };
    Scene {
        objects: 0,
        dt: 0.125,
        sources: vec![cube(1.0, 40.0), far],
        balls: xs.iter().map(ball).collect(),
        ..Scene::default()
    }
}

/// A line for each case: where balls are at first, what is done to them, and what is seen. Edits are undone by
/// `undo`, which may be followed by their text; `same` is an edit that changes nothing, `refused` one with the error after
/// `because`. `xs` are places, of which `-` may be any.
const TABLE: &str = "
a deleted source releases its balls; half of the second has passed the wall when it is back:
    -0.5 0.5: delete 1; numbers 2; steps 4; undo; numbers 1 2; steps 12; xs 0 2.5
a new source holds the free balls wholly inside it, under a number of its own:
    0 4 5.375: new -2 -1 -1 7.5 2 2 0; numbers 1 2 3; steps 16; xs -0.5 4.5 7.375; undo; steps 24; xs - 1.5 -; \
    new -2 -1 -1 7.5 2 2 0; delete 4; new -2 -1 -1 7.5 2 2 0; numbers 1 2 5
a smaller source releases the balls at its walls:
    -0.5 0.5 4: set 1 -1 -1 -1 1.5 2 2 40; steps 8; xs 0 1.5 5
undone, it holds them again:
    -0.5 0.5 4: set 1 -1 -1 -1 1.5 2 2 40; undo; steps 8; xs 0.5 0 5
a larger source holds all inside, and the third turns back at 5.75:
    -0.5 0.5 4: set 1 -1 -1 -1 1.5 2 2 40; steps 8; set 1 -6 -6 -6 12 12 12 40; steps 8; xs -1 2.5 5.5
undone, what it had taken is free:
    -0.5 0.5 4: set 1 -1 -1 -1 1.5 2 2 40; steps 8; set 1 -6 -6 -6 12 12 12 40; undo; steps 8; xs - 2.5 6
balls outside the smaller source are released:
    0 -4: set 1 -6 -6 -6 12 12 12 40; steps 32; xs 4 0; undo; steps 16; xs 6 2
a source with an unchanged box keeps a ball that sticks out:
    0.875: set 1 -1 -1 -1 2 2 2 10; lift 1; set 2 50 50 50 2 2 2 0; steps 1; xs 0.75
obstacles act from the next step on:
    4: wall 4.75; steps 8; xs 4; wall 3.25 0; steps 8; xs 4; open 0; steps 8; xs 5; undo delete obstacle 1; \
    undo change obstacle 1; undo new obstacle; original
a strict scene turns back to the first source:
    4: steps 8; xs 5; strict; steps 1; xs 4.875; undo objects strictly inside; original
the last source has the rest of the shares:
    0: new 9 9 9 1 1 1 0; shares 40 60 0; set 1 -1 -1 -1 2 2 2 10; shares 10 60 30; new 9 9 9 1 1 1 99; \
    shares 10 60 30 0; delete 2; shares 10 30 60; undo; undo; undo; undo; original
edits that change nothing leave nothing to undo; the share of the last source is not taken from the edit:
    0: wall 3; same wall 3 0; undo; same set 1 -1 -1 -1 2 2 2 40; same set 2 90 90 90 2 2 2 5; original; \
    strict; same strict; line 1 2; same line 1 2; gravity; same gravity; drive 2; same drive 2; \
    undo driving slide 2; undo; undo; undo; original
bad edits are refused with a reason and change nothing:
    0: wall 3; refused new -1 -1 -1 -1 2 2 40 because expected the side along x to be greater than 0, found `-1`; \
    refused set 1 -1 NaN -1 2 2 2 40 because expected a finite number for the corner's y, found `NaN`; \
    refused set 1 -1 -1 -1 2 2 2 100.5 because expected the share to be within 0 and 100, found `100.5`; \
    refused plate 0.1 1 because no file can describe the scene: the side along the obstacle's normal is read as 0; \
    refused plate 0 -1 because expected the side along y to be 0 or more, found `-1`; \
    refused line 0 inf because expected a finite number for the line's y, found `inf`; \
    refused drive -1 because expected the speed of driven bodies to be greater than 0, found `-1`; \
    refused set 7 -1 -1 -1 2 2 2 40 because there is no source 7 (it may have been deleted, or removed by a timed \
    event); refused wall 0 1 because there is no obstacle 2: the scene has 1; \
    refused open 1e30 because there is no obstacle 18446744073709551615: the scene has 1; undo new obstacle; original
shares above 100 and the deletion of the last source are refused:
    0: new 9 9 9 1 1 1 0; refused set 1 -1 -1 -1 2 2 2 41 because expected shares that add up to 100 at most, found 101; \
    delete 2; delete 3; refused delete 1 because source 1 cannot be deleted: a scene needs at least one source; numbers 1
a restored moment keeps the edits made since:
    0: store; gravity; delete 2; steps 1; restore; xs 0; numbers 1; undo delete source 2; undo gravity weak; original
sources that were edited since hold the objects at the restored moment:
    0 4: store; steps 16; xs -0.5 6; delete 1; restore; steps 16; xs 2 6; undo; new -6 -6 -6 12 12 12 0; restore; \
    steps 16; xs -0.5 5.5; set 1 -0.125 -0.125 -0.125 0.25 0.25 0.25 40; restore; steps 16; xs 2 5.5
";

/// The edit that words describe.
fn edit_of(words: &str, world: &World) -> Edit {
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let given: Vec<f32> = rest.split_whitespace().map(|word| word.parse().unwrap()).collect();
    let source = |of: &[f32]| {
        let [corner, size] = [0, 3].map(|at| Vec3::from_slice(&of[at..]));
        Source { corner, size, percent: of[6], floor: true }
    };
    match verb {
        "new" => Edit::NewSource(source(&given)),
        "set" => Edit::SetSource { number: given[0] as u32, source: source(&given[1..]) },
        "lift" => {
            let number = given[0] as u32;
            let (_, source) = world.sources().find(|(listed, _)| *listed == number).unwrap();
            Edit::SetSource { number, source: Source { floor: false, ..*source } }
        }
        "delete" => Edit::DeleteSource { number: given[0] as u32 },
        "wall" => match given[..] {
            [x] => Edit::NewObstacle(wall_at(x)),
            _ => Edit::SetObstacle { index: given[1] as usize, obstacle: wall_at(given[0]) },
        },
        "plate" => {
            let size = Vec3::new(given[0], given[1], 1.0);
            Edit::NewObstacle(Obstacle { size, ..wall_at(0.0) })
        }
        "open" => Edit::DeleteObstacle { index: given[0] as usize },
        "strict" => Edit::Strict(true),
        "line" => Edit::Line([given[0], given[1]]),
        "gravity" => Edit::Gravity(Gravity::Weak),
        "drive" => Edit::Driving(Driving { rule: MoveRule::Slide, speed: given[0] }),
        _ => panic!("no act {words:?}"),
    }
}

fn act(world: &mut World, state: &mut WorldState, start: &Scene, words: &str) {
    let (recipe, hash, undoable) = (world.recipe().clone(), world.hash(), world.undoable());
    let (verb, rest) = words.split_once(' ').unwrap_or((words, ""));
    let given = rest.split_whitespace();
    match verb {
        "steps" => return steps(world, rest.parse().unwrap()),
        "store" => world.store(state),
        "restore" => return world.restore(state),
        "undo" => {
            assert!(undoable.as_deref().is_some_and(|text| rest.is_empty() || text == rest));
            assert_eq!(world.undo(), undoable);
        }
        "xs" => {
            assert_eq!(given.clone().count(), world.len());
            for (place, expected) in world.positions().iter().zip(given) {
                assert!(expected == "-" || expected.parse() == Ok(place.x), "{place}");
            }
        }
        "numbers" => {
            assert!(given.map(|number| number.parse::<u32>().unwrap()).eq(numbers(world)));
        }
        "shares" => {
            let shares = world.recipe().sources.iter().map(|source| source.percent);
            assert!(given.map(|share| share.parse::<f32>().unwrap()).eq(shares));
        }
        "original" => assert_eq!((world.recipe(), world.scene()), (start, start)),
        "same" => {
            world.edit(&edit_of(rest, world)).unwrap();
            assert_eq!((world.recipe(), world.undoable()), (&recipe, undoable));
        }
        "refused" => {
            let (words, reason) = rest.split_once(" because ").unwrap();
            assert_eq!(world.edit(&edit_of(words, world)).unwrap_err().to_string(), reason);
            assert_eq!((world.recipe(), world.undoable()), (&recipe, undoable));
        }
        _ => {
            let edit = edit_of(words, world);
            world.edit(&edit).unwrap_or_else(|error| panic!("{edit}: {error}"));
            assert_eq!(world.undoable(), Some(edit.to_string()));
        }
    }
    assert_eq!(world.hash(), hash, "an edit has moved or pushed something");
}

#[test]
fn edits_do_what_the_table_says() {
    let lines: Vec<&str> = TABLE.lines().filter(|line| !line.is_empty()).collect();
    for case in lines.chunks(2) {
        let (places, acts) = case[1].split_once(':').unwrap();
        let places: Vec<f32> =
            places.split_whitespace().map(|place| place.parse().unwrap()).collect();
        let start = balls(&places);
        let (mut world, mut state) = (World::new(&start), WorldState::default());
        for words in acts.split(';').map(str::trim) {
            // Before a failure, its place in the table.
            println!("{} {words}", case[0]);
            act(&mut world, &mut state, &start, words);
        }
    }
}

#[test]
fn state_of_another_world_is_refused() {
    let die =
        "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n#!shape die box 1 1 1\n#!body die 0 0 0  0 0 0\n";
    let mut state = WorldState::default();
    World::new(&balls(&[0.0])).store(&mut state);
    for other in [balls(&[0.0, 4.0]), scene(die)] {
        let restore = AssertUnwindSafe(|| World::new(&other).restore(&state));
        let text = catch_unwind(restore).unwrap_err().downcast::<String>().unwrap();
        assert!(text.contains("the state is of another world"), "{text}");
    }
}

#[test]
fn the_last_hundred_edits_can_be_undone() {
    let mut world = World::new(&balls(&[0.0]));
    for i in 1..=150 {
        world.edit(&Edit::Line([i as f32, 1.0])).unwrap();
    }
    let undone = std::iter::from_fn(|| world.undo()).count();
    assert_eq!((undone, world.scene().line), (100, [50.0, 1.0]));
}

fn removals(scene: &Scene) -> Vec<u32> {
    let removed = |event: &Event| match event.action {
        Action::RemoveSource(number) => Some(number),
        Action::Hold { .. } => None,
    };
    scene.events.iter().filter_map(removed).collect()
}

#[test]
fn events_follow_their_source_through_edits() {
    // Events remove three of four sources in step 120.
    let mut world = World::new(&Scene { objects: 60, ..shipped("fer") });
    world.edit(&Edit::DeleteSource { number: 3 }).unwrap();
    world.edit(&Edit::DeleteSource { number: 1 }).unwrap();
    world.edit(&Edit::NewSource(cube(0.5, 0.0))).unwrap();
    assert_eq!((numbers(&world), removals(world.recipe())), (vec![2, 4, 5], vec![1, 2]));
    let recipe = world.recipe().clone();
    let mut again = World::new(&recipe);
    assert_eq!(again.placement_warning(), None);
    steps(&mut world, 150);
    steps(&mut again, 150);
    // The sources that were 2 and 4 in the file are removed, after a new start, too.
    assert_eq!((numbers(&world), numbers(&again), world.recipe()), (vec![5], vec![3], &recipe));
    let error = world.edit(&Edit::DeleteSource { number: 2 }).unwrap_err().to_string();
    assert!(error.starts_with("there is no source 2 ("), "{error}: it is listed no longer");
    for what in ["new source", "delete source 1", "delete source 3"] {
        assert_eq!(world.undo().as_deref(), Some(what));
    }
    // The event that would have removed source 3 is past.
    assert_eq!((numbers(&world), removals(world.recipe())), (vec![1, 3], vec![2, 3, 4]));
}

#[test]
fn layer_rules_follow_their_source() {
    use LayerTarget::{Balls, Source};
    let rule = |target, group| LayerRule { target, layer: Layer { group, ..Layer::STATIC } };
    let layers = vec![rule(Source(2), 2), rule(Balls, 4), rule(Source(1), 1)];
    let mut world = World::new(&Scene { layers, ..balls(&[]) });
    world.edit(&Edit::DeleteSource { number: 1 }).unwrap();
    world.edit(&Edit::NewSource(cube(1.0, 0.0))).unwrap();
    assert_eq!(world.recipe().layers, [rule(Source(1), 2), rule(Balls, 4)]);
}

#[test]
fn source_takes_hold_of_bodies_by_their_extent() {
    // The bounding sphere of the plank sticks out of the source, the plank does not; the ball and the die do.
    let text = "\
i -1 -1 -1  2 2 2  100 t
i 9 9 9  1 1 1  0 t
#!objects 0
#!shape plank box 0.1 0.1 0.9
#!shape die box 0.2 0.2 0.2
#!body plank 0.1 0.5 0.5  0 0 0
#!body die 0.1 0.5 0.5  0 0 0  rotate 0 1 0 45
#!ball 0.09 0.5 0.5  0 0 0  0.1
";
    let mut world = World::new(&scene(text));
    world.edit(&Edit::DeleteSource { number: 1 }).unwrap();
    let source = Source { corner: Vec3::ZERO, ..cube(0.5, 0.0) };
    world.edit(&Edit::NewSource(source)).unwrap();
    // Balls come before the bodies.
    assert_eq!([0, 1, 2].map(|object| world.home(object).is_some()), [false, true, false]);
}

#[test]
fn edited_obstacle_holds_bodies_until_it_is_undone() {
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n#!shape die box 0.2 0.2 0.2\n#!body die 0 0 -0.5  0 0 1\n";
    let mut world = World::new(&scene(text));
    let (corner, size) = (Vec3::new(-1.0, -1.0, 0.0), Vec3::new(2.0, 2.0, 0.0));
    let highest = |world: &mut World| {
        let tops = (0..240).map(|_| {
            world.step(Hold::None);
            reach(&world.bodies().unwrap().body(0), DVec3::Z)
        });
        tops.fold(f64::MIN, f64::max)
    };
    world.edit(&Edit::NewObstacle(Obstacle { corner, size, normal: Axis::Z })).unwrap();
    let below = highest(&mut world);
    assert!((-1e-3..=0.0).contains(&below), "{below}");
    world.undo().unwrap();
    let above = highest(&mut world);
    assert!((0.5..=1.0).contains(&above), "{above}");
}

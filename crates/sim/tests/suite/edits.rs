//! Edits of a running world: which objects are held, and what acts on them.

use crate::edited_world::{balls, cube, edit, numbers, steps, undo, wall_at};
use glam::Vec3;
use sim::scene::{Gravity, Source};
use sim::{Edit, Hold, World};

fn xs(world: &World) -> Vec<f32> {
    world.positions().iter().map(|p| p.x).collect()
}

#[test]
fn deleted_source_releases_objects_and_undo_holds_them_again() {
    let mut world = World::new(&balls(&[-0.5, 0.5]));
    edit(&mut world, Edit::DeleteSource { number: 1 });
    assert_eq!(numbers(&world), [2]);
    steps(&mut world, 4);
    // The second ball is at 1: half of it has passed the wall.
    undo(&mut world, "delete source 1");
    assert_eq!(numbers(&world), [1, 2]);
    steps(&mut world, 12);
    assert_eq!(xs(&world), [0.0, 2.5], "the first turns back at 0.75, the second flies on");
}

#[test]
fn a_new_source_holds_the_free_objects_wholly_inside_it() {
    let mut world = World::new(&balls(&[0.0, 4.0, 5.375]));
    let source = Source {
        corner: Vec3::new(-2.0, -1.0, -1.0),
        size: Vec3::new(7.5, 2.0, 2.0),
        ..cube(1.0, 0.0)
    };
    edit(&mut world, Edit::NewSource(source));
    assert_eq!(numbers(&world), [1, 2, 3]);
    steps(&mut world, 16);
    let expected = [-0.5, 4.5, 7.375];
    assert_eq!(xs(&world), expected, "held by source 1, turned back at 5.25, across the wall");
    undo(&mut world, "new source");
    steps(&mut world, 24);
    assert_eq!(xs(&world)[1], 1.5, "free, it flies out of where the source was");
    edit(&mut world, Edit::NewSource(source));
    edit(&mut world, Edit::DeleteSource { number: 4 });
    edit(&mut world, Edit::NewSource(source));
    assert_eq!(numbers(&world), [1, 2, 5], "a number is given once");
}

#[test]
fn changed_source_box_releases_and_takes_hold_of_objects() {
    let mut world = World::new(&balls(&[-0.5, 0.5, 4.0]));
    let small = Source { size: Vec3::new(1.5, 2.0, 2.0), ..cube(1.0, 40.0) };
    edit(&mut world, Edit::SetSource { number: 1, source: small });
    let shrunk = world.clone();
    steps(&mut world, 8);
    assert_eq!(xs(&world), [0.0, 1.5, 5.0], "turned back at 0.25; free; free");

    let mut restored = shrunk;
    undo(&mut restored, "change source 1");
    steps(&mut restored, 8);
    assert_eq!(xs(&restored), [0.5, 0.0, 5.0], "both are held again, and turn back at 0.75");

    edit(&mut world, Edit::SetSource { number: 1, source: cube(6.0, 40.0) });
    let mut undone = world.clone();
    steps(&mut world, 8);
    assert_eq!(xs(&world), [-1.0, 2.5, 5.5], "all are held, and the third turns back at 5.75");
    undo(&mut undone, "change source 1");
    steps(&mut undone, 8);
    assert_eq!(xs(&undone)[1..], [2.5, 6.0], "what the larger box had taken is free");
}

#[test]
fn undoing_a_larger_box_releases_objects_outside_the_smaller() {
    let mut world = World::new(&balls(&[0.0, -4.0]));
    edit(&mut world, Edit::SetSource { number: 1, source: cube(6.0, 40.0) });
    steps(&mut world, 32);
    assert_eq!(xs(&world), [4.0, 0.0]);
    undo(&mut world, "change source 1");
    steps(&mut world, 16);
    assert_eq!(xs(&world), [6.0, 2.0], "no wall turns them back");
}

#[test]
fn source_with_an_unchanged_box_keeps_its_objects() {
    // The ball belongs to the cube by its centre, and sticks out.
    let mut world = World::new(&balls(&[0.875]));
    edit(&mut world, Edit::SetSource { number: 1, source: cube(1.0, 10.0) });
    edit(
        &mut world,
        Edit::SetSource { number: 1, source: Source { floor: false, ..cube(1.0, 10.0) } },
    );
    let elsewhere = Source { corner: Vec3::splat(50.0), ..cube(1.0, 0.0) };
    edit(&mut world, Edit::SetSource { number: 2, source: elsewhere });
    steps(&mut world, 1);
    assert_eq!(xs(&world), [0.75]);
}

#[test]
fn edited_obstacles_and_forces_act_from_the_next_step_on() {
    let mut world = World::new(&balls(&[4.0]));
    edit(&mut world, Edit::NewObstacle(wall_at(4.75)));
    steps(&mut world, 8);
    assert_eq!(xs(&world), [4.0], "turned back at 4.5");
    edit(&mut world, Edit::SetObstacle { index: 0, obstacle: wall_at(3.25) });
    steps(&mut world, 8);
    assert_eq!(xs(&world), [4.0], "turned back at 3.5");
    edit(&mut world, Edit::DeleteObstacle { index: 0 });
    steps(&mut world, 8);
    assert_eq!(xs(&world), [5.0]);
    for what in ["delete obstacle 1", "change obstacle 1", "new obstacle"] {
        undo(&mut world, what);
    }
    assert_eq!(world.scene(), &balls(&[4.0]));
    edit(&mut world, Edit::Strict(true));
    steps(&mut world, 1);
    assert_eq!(xs(&world), [4.875], "it turns back to the first source");
    edit(&mut world, Edit::Gravity(Gravity::Strong));
    edit(&mut world, Edit::Line([4.0, 7.0]));
    world.step(Hold::Attract);
    assert!(world.velocities()[0].y > 0.0 && world.velocities()[0].z < 0.0);
    for what in ["line at 4, 7", "gravity strong", "objects strictly inside"] {
        undo(&mut world, what);
    }
    assert_eq!(world.scene(), &balls(&[4.0]));
    assert_eq!((world.undo(), world.undoable()), (None, None));
}

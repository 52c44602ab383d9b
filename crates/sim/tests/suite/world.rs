//! Scenes in motion: invariants, and what the shipped scenes must show.

use crate::world_run::{run_shipped, shipped};
use broadphase::{Aabb, Axis};
use glam::Vec3;
use sim::scene::{Action, Ball, Event, Gravity, Obstacle, Source};
use sim::{Hold, Scene, SceneDocument, World};

#[test]
fn shipped_scenes_have_room_for_five_thousand_spheres() {
    for name in ["random", "fer", "stepenice", "pad", "layers"] {
        let world = World::new(&Scene { objects: 5000, ..shipped(name) });
        assert_eq!((name, world.placement_warning()), (name, None));
    }
}

#[test]
fn objects_fall_out_of_pad_and_go_down_the_stairs() {
    let of = |name, steps| run_shipped(name, 500, steps).world;
    assert!(of("pad", 0).positions().iter().all(|p| p.z > 0.4));
    let fallen = of("pad", 240);
    assert!(fallen.positions().iter().filter(|p| p.z < 0.4).count() > 400);
    assert!((0..500).filter(|object| fallen.home(*object).is_none()).count() > 400);
    assert!(fallen.positions().iter().all(|p| p.abs().max_element() <= 1.0 - 0.02 + 1e-5));
    assert!(of("stepenice", 600).positions().iter().filter(|p| p.x > 0.2).count() > 100);
}

#[test]
fn fer_fills_its_letters_and_nothing_leaves_them() {
    let world = run_shipped("fer", 1200, 900).world;
    assert_eq!(world.scene().sources.len(), 1, "the stems are deleted after two seconds");
    // The front faces of the letters are the lit cells.
    let obstacles = world.scene().obstacles.iter();
    let faces = obstacles.filter(|o| o.normal == Axis::Y && o.corner.y < 0.0);
    let faces: Vec<_> = faces.map(Obstacle::bounds).collect();
    let mut inhabitants = vec![0; faces.len()];
    for (p, r) in world.positions().iter().zip(world.radii()) {
        assert!(p.y.abs() <= 0.1 - r + 1e-5, "{p} has left through a face");
        let on_face = Vec3::new(p.x, -0.1, p.z);
        let here = faces.iter().position(|face| face.overlaps(&Aabb::new(on_face, on_face)));
        inhabitants[here.unwrap_or_else(|| panic!("{p} is outside the letters"))] += 1;
    }
    assert!(inhabitants.iter().all(|n| *n > 0), "a part of a letter is empty: {inhabitants:?}");
}

#[test]
fn the_line_of_figure_6_4_empties_the_middle() {
    let run = run_shipped("fig-6-4", 300, 300);
    let near = run.world.positions().iter().filter(|p| p.truncate().length() < 0.3).count();
    assert!(near < 12, "{near} of 300 spheres stand near the line");
}

fn lone_ball(velocity: Vec3) -> Scene {
    let source =
        Source { corner: Vec3::NEG_ONE, size: Vec3::splat(2.0), percent: 100.0, floor: true };
    Scene {
        objects: 0,
        dt: 0.125,
        sources: vec![source],
        balls: vec![Ball { center: Vec3::ZERO, velocity, radius: Some(0.25) }],
        ..Scene::default()
    }
}

#[test]
fn ball_is_free_once_its_source_is_deleted() {
    // The wall stops the centre at three quarters.
    for (events, expected) in [
        (vec![], (0.625, -1.0)),
        (vec![Event { time: 0.5, action: Action::RemoveSource(1) }], (0.875, 1.0)),
    ] {
        let mut world = World::new(&Scene { events, ..lone_ball(Vec3::X) });
        (0..7).for_each(|_| world.step(Hold::None));
        assert_eq!((world.positions()[0].x, world.velocities()[0].x), expected);
        assert_eq!(world.scene().sources.len(), usize::from(expected.1 < 0.0));
    }
}

#[test]
fn events_of_many_sources_end_soon() {
    // With a scan of all sources for each event, object and layer, a step would take an hour.
    let mut text = "#!objects 20000\n".to_owned();
    for source in 1..=20_000 {
        text += &format!("i {} 0 0 1 1 1 0.005 t\n", 2 * source);
    }
    for source in 1..20_000 {
        text += &format!("#!event 0 remove-source {source}\n#!layer source {source} group 2\n");
    }
    let mut world =
        World::new(SceneDocument::parse("many.scene", text.as_bytes()).unwrap().scene());
    world.step(Hold::None);
    assert_eq!(world.sources().map(|(number, _)| number).collect::<Vec<_>>(), [20_000]);
    let held = (0..world.len()).filter(|object| world.home(*object).is_some());
    assert_eq!(held.collect::<Vec<_>>(), [19_999]);
    assert_eq!((world.layers()[19_998].group, world.layers()[19_999].group), (2, 0));
}

#[test]
fn strict_source_is_the_first_listed_and_holds_free_objects() {
    for (strict, furthest) in [(false, 8.0), (true, 2.75)] {
        let mut scene = Scene { strict, ..lone_ball(Vec3::X) };
        let (corner, size) = (Vec3::splat(-3.0), Vec3::splat(6.0));
        scene.sources.push(Source { corner, size, ..scene.sources[0] });
        scene.events = vec![Event { time: 0.5, action: Action::RemoveSource(1) }];
        let mut world = World::new(&scene);
        let reached = (0..64).fold(0.0, |reached: f32, _| {
            world.step(Hold::None);
            reached.max(world.positions()[0].x)
        });
        assert_eq!(reached, furthest);
    }
}

#[test]
fn keys_and_events_hold_the_line() {
    let (none, attract, repel) = (Hold::None, Hold::Attract, Hold::Repel);
    // The second one is shorter than a step.
    for (time, seconds, hold, expected) in [
        (0.25, 0.25, repel, [none, none, repel, repel, none]),
        (0.2, 0.01, attract, [none, attract, none, none, none]),
    ] {
        let action = Action::Hold { attract: hold == attract, seconds };
        let events = vec![Event { time, action }];
        let mut world = World::new(&Scene { line: [0.5, 0.0], events, ..lone_ball(Vec3::ZERO) });
        let holds = [0; 5].map(|_| {
            world.step(none);
            world.hold()
        });
        assert_eq!(holds, expected);
        assert_eq!(world.velocities()[0].x < 0.0, hold == repel);
        world.step(attract);
        assert_eq!(world.hold(), attract);
    }
}

#[test]
fn a_wedged_sphere_stays_where_it_is() {
    let mut scene = lone_ball(Vec3::new(3.0, 2.0, 1.0));
    let wall = |x| Obstacle {
        corner: Vec3::new(x, -1.0, -1.0),
        size: Vec3::new(0.0, 2.0, 2.0),
        normal: Axis::X,
    };
    // Nearer to each other than the ball's diameter.
    scene.obstacles = vec![wall(-0.2), wall(0.2)];
    scene.gravity = Gravity::Strong;
    let mut world = World::new(&scene);
    for _ in 0..200 {
        world.step(Hold::None);
        assert!(world.positions()[0].x.abs() < 0.2, "{}", world.positions()[0]);
    }
}

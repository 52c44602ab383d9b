//! Bodies that keys drive, by each of the rules.

use crate::laws::driven;
use crate::scene_text::document;
use broadphase::Pair;
use glam::{DVec3, Vec3};
use sim::scene::{Continuous, Driving, MoveRule};
use sim::{DriveKeys, Edit, Hold, Refusal, RefusedBy, Scene, World, WorldState};

const LEFT: DriveKeys = DriveKeys { left: true, ..DriveKeys::NONE };
const RIGHT: DriveKeys = DriveKeys { right: true, ..DriveKeys::NONE };
const UP: DriveKeys = DriveKeys { up: true, ..DriveKeys::NONE };
const JUMP: DriveKeys = DriveKeys { jump: true, ..DriveKeys::NONE };

/// A square of side 1 at the origin, and a round pillar of radius 0.5 at x = 3, as in the lab text.
pub(crate) const LAB: &str = "\
i -9 -0.5 -9  18 1 18  100 t
#!objects 0
#!flat
#!dt 0.01
#!shape square box 1 0.5 1
#!shape pillar cylinder 0.5 0.5 64
#!body square 0 0 0  0 0 0  driven
#!body pillar 3 0 0  0 0 0  static
";

fn lab(rule: MoveRule) -> World {
    let driving = Driving { rule, speed: 1.0 };
    World::new(&Scene { driving, ..document(LAB).scene().clone() })
}

/// A step with collisions.
fn advance(world: &mut World) {
    world.step(Hold::None);
    let mut boxes = Vec::new();
    world.boxes(&mut boxes);
    let mut pairs: Vec<Pair> = Vec::new();
    for (b, other) in (0..).zip(&boxes) {
        let overlapping = (0..b).filter(|a| boxes[*a as usize].overlaps(other));
        pairs.extend(overlapping.map(|a| Pair { a, b }));
    }
    pairs.sort_unstable();
    world.respond(&pairs);
}

fn drive(world: &mut World, keys: DriveKeys, steps: usize) {
    world.set_drive(keys);
    (0..steps).for_each(|_| advance(world));
}

fn place(world: &World, object: usize) -> DVec3 {
    world.bodies().unwrap().states()[object].position
}

/// Where the square stops, and what refused it there.
fn stopped(mut world: World) -> (f64, Refusal) {
    drive(&mut world, RIGHT, 400);
    let [refusal] = world.refusals() else { panic!("{:?}", world.refusals()) };
    (place(&world, 0).x, *refusal)
}

#[test]
fn volume_stops_the_square_early_or_lets_it_in() {
    // The pillar's side towards the square is a corner of 64: its radii are 0.5 and 0.5 cos(pi / 64).
    let inscribed = 0.5 * libm::cos(std::f64::consts::PI / 64.0);
    let (outer, inner) = (0.5 * 2f64.sqrt() + 0.5, 0.5 + inscribed);
    // A step of 0.01 further, the volumes would touch.
    for (id, reach) in [
        ("sphere", outer),
        ("sphere-inside", inner),
        ("sphere-between", 0.5 * (outer + inner) + 0.25 * (0.5 - inscribed)),
        ("none", 1.0),
        ("hull", 1.0),
    ] {
        let (x, refusal) = stopped(lab(MoveRule::Refuse(id)));
        let room = 3.0 - reach - x;
        assert!((0.0..=0.010_001).contains(&room), "{id}: stopped at {x}, {room} too early");
        assert_eq!((refusal.object, refusal.by), (0, RefusedBy::Object(1)), "{id}");
        let gap = 3.0 - 0.5 - 0.5 - x;
        assert!((refusal.gap - gap).abs() < 1e-9, "{id}: {refusal:?}, expected {gap}");
    }
}

#[test]
fn inscribed_circle_lets_a_corner_into_the_pillar() {
    // Above the pillar's axis by almost both radii: the circles miss each other, the corner does not miss.
    let text = LAB.replace("square 0 0 0", "square 0 0 0.99");
    let scene = document(&text).scene().clone();
    let world = |id| {
        let driving = Driving { rule: MoveRule::Refuse(id), speed: 1.0 };
        World::new(&Scene { driving, ..scene.clone() })
    };
    let (x, refusal) = stopped(world("sphere-inside"));
    // To a step, the centres are at a distance of the sum of the radii.
    let reach = 0.5 + 0.5 * libm::cos(std::f64::consts::PI / 64.0);
    let expected = 3.0 - (reach * reach - 0.99 * 0.99).sqrt();
    assert!((expected - 0.010_001..expected).contains(&x), "{x}, expected {expected}");
    // The pillar's top is 0.01 above the square's lower side.
    assert!((-0.011..-0.009).contains(&refusal.gap), "{refusal:?}");
    let (x, refusal) = stopped(world("sphere"));
    let expected = 3.0 - ((0.5f64 * 2f64.sqrt() + 0.5).powi(2) - 0.99 * 0.99).sqrt();
    assert!((expected - 0.010_001..expected).contains(&x), "{x}, expected {expected}");
    assert!(refusal.gap > 0.0, "{refusal:?}");
}

#[test]
fn refused_body_can_leave_and_does_not_turn() {
    let mut world = lab(MoveRule::Refuse("sphere"));
    drive(&mut world, RIGHT, 400);
    let x = place(&world, 0).x;
    drive(&mut world, LEFT, 10);
    assert!((place(&world, 0).x - (x - 0.1)).abs() < 1e-8);
    assert_eq!(world.refusals(), []);
    assert_eq!(world.bodies().unwrap().states()[0].rotation, glam::DQuat::IDENTITY);
}

#[test]
fn body_whose_volume_overlaps_at_the_start_can_leave() {
    let text = LAB.replace("square 0 0 0", "square 2.1 0 0");
    let driving = Driving { rule: MoveRule::Refuse("sphere"), speed: 1.0 };
    let mut world = World::new(&Scene { driving, ..document(&text).scene().clone() });
    drive(&mut world, RIGHT, 5);
    assert_eq!(place(&world, 0).x, f64::from(2.1f32));
    assert!(world.refusals()[0].gap < 0.0);
    drive(&mut world, LEFT, 50);
    assert!((place(&world, 0).x - 1.6).abs() < 1e-6);
}

#[test]
fn circle_meets_walls_and_obstacles_itself() {
    let text =
        LAB.replace("i -9 -0.5 -9  18 1 18", "i -2 -0.5 -2  9 1 4") + "p -2 -0.5 1.5  2.5 1 0  z\n";
    let circle = 0.5 * 2f64.sqrt();
    for (id, reach) in [("sphere", circle), ("sphere-inside", 0.5), ("obb", 0.5)] {
        let driving = Driving { rule: MoveRule::Refuse(id), speed: 1.0 };
        let mut world = World::new(&Scene { driving, ..document(&text).scene().clone() });
        for (keys, by) in [(LEFT, RefusedBy::Wall), (UP, RefusedBy::Obstacle(0))] {
            drive(&mut world, keys, 300);
            let at = place(&world, 0);
            let center = if keys == LEFT { at.x + 2.0 } else { 1.5 - at.z };
            let room = center - reach;
            assert!((-1e-6..=0.010_001).contains(&room), "{id} {by:?}: {at}");
            let [refusal] = world.refusals() else { panic!("{id} {by:?}") };
            assert_eq!(refusal.by, by, "{id}");
            assert!((refusal.gap - (room + reach - 0.5)).abs() < 1e-6, "{id}: {refusal:?}");
        }
    }
}

#[test]
fn sliding_body_moves_along_a_slope_and_stops_in_a_corner() {
    let text = "\
i -4 -4 -4  8 8 8  100 t
#!objects 0
#!dt 0.01
#!shape cube box 1 1 1
#!body cube 0 0 0  0 0 0  driven
#!body cube 1.5 1 0  0 0 0  rotate 0 0 1 45  static
";
    let driving = Driving { rule: MoveRule::Slide, speed: 1.0 };
    let mut world = World::new(&Scene { driving, ..document(text).scene().clone() });
    // Its upper right corner meets the slope, which leads it down along it.
    let keys = DriveKeys { right: true, up: true, ..DriveKeys::NONE };
    drive(&mut world, keys, 100);
    let met = place(&world, 0);
    drive(&mut world, RIGHT, 30);
    let way = place(&world, 0) - met;
    assert!(way.x > 0.1 && (way.y + way.x).abs() < 1e-3, "{met} {way}");
    let gap = |world: &World| {
        let bodies = world.bodies().unwrap();
        narrowphase::Reference::new().examine(&bodies.body(0), &bodies.body(1)).gap
    };
    assert!((0.0..1e-6).contains(&gap(&world)), "{}", gap(&world));
    let keys = DriveKeys { left: true, down: true, ..DriveKeys::NONE };
    drive(&mut world, keys, 900);
    let at = place(&world, 0);
    assert!(at.distance(DVec3::new(-3.5, -3.5, 0.0)) < 3e-6, "{at}");
    assert!(at.x > -3.5 && at.y > -3.5, "{at}");
}

const PLATFORMS: &str = "\
i -4 -1 0  8 2 8  100 t
#!objects 0
#!flat
#!gravity strong
#!dt 0.01
#!driving walk 1
#!shape figure box 0.4 0.5 1
#!shape platform box 2 0.5 0.5
#!body figure -1 0 2  0 0 0  driven
#!body platform -1 0 1.25  0 0 0  static
";

#[test]
fn walker_stands_on_a_platform_and_falls_from_its_edge() {
    let mut world = World::new(document(PLATFORMS).scene());
    drive(&mut world, DriveKeys::NONE, 200);
    let at = place(&world, 0);
    assert!((at.z - 2.0).abs() < 1e-6 && at.x == -1.0, "{at}");
    // It stands with its left edge on the platform: until x = 0.2.
    drive(&mut world, RIGHT, 115);
    assert!(
        (place(&world, 0) - DVec3::new(0.15, 0.0, 2.0)).length() < 1e-5,
        "{}",
        place(&world, 0)
    );
    drive(&mut world, RIGHT, 10);
    assert!(place(&world, 0).z < 1.9999);
    drive(&mut world, DriveKeys::NONE, 200);
    let at = place(&world, 0);
    assert!((at.z - 0.5).abs() < 1e-6, "on the floor: {at}");
    // At the side of the platform, it goes no further.
    drive(&mut world, LEFT, 100);
    assert!((place(&world, 0).x - 0.2).abs() < 1e-6, "{}", place(&world, 0));
}

#[test]
fn driven_bodies_do_not_catch_on_the_seam_of_two_platforms() {
    let platform = "#!body platform -1 0 1.25  0 0 0  static\n";
    let text = PLATFORMS.replace(platform, &format!("{platform}{}", platform.replace("-1", "1")));
    for rule in [MoveRule::Walk, MoveRule::Slide] {
        let driving = Driving { rule, speed: 1.0 };
        let mut world = World::new(&Scene { driving, ..document(&text).scene().clone() });
        drive(&mut world, RIGHT, 150);
        let at = place(&world, 0);
        assert!((at - DVec3::new(0.5, 0.0, 2.0)).length() < 1e-5, "{rule:?}: {at}");
    }
}

#[test]
fn walker_jumps_from_where_it_stands_only() {
    let mut world = World::new(document(PLATFORMS).scene());
    drive(&mut world, DriveKeys::NONE, 10);
    let radius = world.bodies().unwrap().body(0).bounding_radius();
    let mut highest = 0.0f64;
    for step in 0..400 {
        drive(&mut world, if step < 300 { JUMP } else { DriveKeys::NONE }, 1);
        highest = highest.max(place(&world, 0).z - 2.0);
    }
    // Held, the key makes it jump again each time that it has landed, to one bounding radius.
    assert!((0.9 * radius..1.05 * radius).contains(&highest), "{highest} of {radius}");
    assert!((place(&world, 0).z - 2.0).abs() < 1e-6, "{}", place(&world, 0));
}

/// A roof of two slabs, whose slopes of 30 degrees begin at the floor and meet at x = 0.
fn roof() -> World {
    let text = "\
i -4 -1 0  8 2 8  100 t
#!objects 0
#!flat
#!gravity strong
#!dt 0.0166667
#!driving walk 0.5
#!shape figure box 0.4 0.5 1
#!shape slab box 2.42487 0.5 0.2
#!body figure -2.5 0 0.501  0 0 0  driven
#!body slab -1 0 0  0 0 0  rotate 0 1 0 -30 static
#!body slab 1 0 0  0 0 0  rotate 0 1 0 30 static
";
    World::new(document(text).scene())
}

#[test]
fn walker_goes_up_a_roof_and_down_again_without_flying() {
    let mut world = roof();
    drive(&mut world, DriveKeys::NONE, 60);
    let slope = libm::tan(std::f64::consts::PI / 6.0);
    // The height of the upper sides, and of the body's lower one.
    let top = slope + 0.1 * 2.0 / 3f64.sqrt();
    let (mut highest, mut climbing, mut descending, mut standing) = (0.0f64, 0, 0, 0);
    let mut was_standing = false;
    for _ in 0..900 {
        let before = place(&world, 0);
        drive(&mut world, RIGHT, 1);
        let (at, velocity) = (place(&world, 0), world.velocities()[0]);
        highest = highest.max(at.z - 0.5);
        // The nearer lower corner is above the side of a slab, or the lower side is above the ridge.
        let corner = (at.x.abs() - 0.2).max(0.0);
        let gap = at.z - 0.5 - (top - slope * corner).max(0.0);
        assert!(gap > -1e-6, "{gap} at {at}");
        let (is_standing, stood) = (gap < 1e-5, was_standing);
        was_standing = is_standing;
        standing += usize::from(is_standing);
        let is_on_slope = at.z > 0.55 && corner > 0.02;
        climbing += usize::from(is_on_slope && before.x < 0.0);
        descending += usize::from(is_on_slope && before.x > 0.0);
        if is_on_slope && is_standing && stood && corner > 0.05 {
            let along = 0.5 * slope.copysign(-at.x);
            assert!((f64::from(velocity.z) - along).abs() < 1e-5, "{velocity} at {at}");
            let mut jumping = world.clone();
            drive(&mut jumping, JUMP, 1);
            assert!(jumping.velocities()[0].z > 1.0, "the key is dead at {at}");
        }
    }
    assert!(climbing > 100 && descending > 100, "{climbing} {descending} steps are no test");
    assert!(standing > 870, "it stands in {standing} of 900 steps");
    // It is above the ridge by the climb of a step at most.
    assert!(highest < top + 0.5 * slope / 60.0 + 1e-6, "{highest}, ridge at {top}");
    assert!((place(&world, 0).z - 0.5).abs() < 1e-6, "{}", place(&world, 0));
}

#[test]
fn walker_is_carried_down_by_a_kinematic_platform() {
    let text = PLATFORMS
        .replace("platform -1 0 1.25  0 0 0  static", "platform -1 0 1.25  0 0 -0.25  kinematic");
    let mut world = World::new(document(&text).scene());
    drive(&mut world, DriveKeys::NONE, 100);
    for _ in 0..100 {
        drive(&mut world, DriveKeys::NONE, 1);
        let above = place(&world, 0).z - place(&world, 1).z;
        assert!((0.75 - 1e-7..0.75 + 1e-5).contains(&above), "{above}");
    }
}

#[test]
fn walker_is_carried_up_by_a_kinematic_platform() {
    let text = PLATFORMS
        .replace("platform -1 0 1.25  0 0 0  static", "platform -1 0 1.25  0 0 0.5  kinematic");
    let mut world = World::new(document(&text).scene());
    drive(&mut world, DriveKeys::NONE, 200);
    let above = place(&world, 0).z - place(&world, 1).z;
    assert!((place(&world, 1).z - 2.25).abs() < 1e-6);
    assert!((0.75 - 1e-7..0.7501).contains(&above), "{above}");
}

#[test]
fn driven_body_pushes_others_and_is_not_pushed() {
    let text = LAB.replace("pillar 3 0 0  0 0 0  static", "pillar 1.5 0 0  -3 0 0");
    for rule in [MoveRule::Slide, MoveRule::Walk, MoveRule::Refuse("hull")] {
        let driving = Driving { rule, speed: 1.0 };
        let mut world = World::new(&Scene { driving, ..document(&text).scene().clone() });
        drive(&mut world, LEFT, 10);
        assert!((place(&world, 0).x + 0.1).abs() < 1e-8, "{rule:?}");
        drive(&mut world, DriveKeys::NONE, 20);
        assert_eq!(world.velocities()[0], Vec3::ZERO, "{rule:?}");
        let pushed = world.velocities()[1].x;
        assert!(pushed > 2.5, "{rule:?}: {pushed}");
    }
}

#[test]
fn two_driven_bodies_both_move_and_do_not_pass_each_other() {
    let text = LAB.replace("pillar 3 0 0  0 0 0  static", "square 1.5 0 0  0 0 0  driven");
    let mut world = World::new(document(&text).scene());
    assert_eq!(world.driven(), [0, 1]);
    let both = |world: &World| [0, 1].map(|object| place(world, object).x);
    drive(&mut world, RIGHT, 100);
    assert_eq!(both(&world).map(|x| (x * 1e6).round()), [500_000.0, 2_000_000.0]);
    // At the wall the first one stops, the second one behind it.
    drive(&mut world, RIGHT, 2000);
    let [one, other] = both(&world);
    assert!((other - 8.5).abs() < 1e-5 && (one - 7.5).abs() < 1e-5, "{one} {other}");
}

#[test]
fn driven_bodies_that_turn_round_push_no_other_one_back() {
    let text = LAB.replace("pillar 3 0 0  0 0 0  static", "square 1.001 0 0  0 0 0  driven");
    let mut world = World::new(document(&text).scene());
    let both = |world: &World| [0, 1].map(|object| place(world, object).x);
    drive(&mut world, LEFT, 5);
    for (keys, steps) in [(RIGHT, 5), (DriveKeys { up: true, ..RIGHT }, 50), (RIGHT, 1700)] {
        for _ in 0..steps {
            let [before, _] = both(&world);
            drive(&mut world, keys, 1);
            let [one, other] = both(&world);
            assert!(one >= before && other - one > 1.0 - 1e-6, "{keys:?}: {one} {other}");
        }
    }
    assert!(both(&world)[0] > 7.4);
}

#[test]
fn scripted_keys_move_a_body_as_held_ones_do() {
    for rule in [MoveRule::Slide, MoveRule::Walk, MoveRule::Refuse("sphere")] {
        let scene = driven(rule);
        let mut scripted = World::new(&scene);
        drive(&mut scripted, DriveKeys::NONE, 300);
        let mut held = World::new(&Scene { drive: Vec::new(), ..scene });
        for (keys, steps) in [
            (RIGHT, 50),
            (DriveKeys::NONE, 25),
            (DriveKeys { up: true, ..RIGHT }, 100),
            (DriveKeys { left: true, ..JUMP }, 100),
            (DriveKeys::NONE, 25),
        ] {
            drive(&mut held, keys, steps);
        }
        assert_eq!(held.hash(), scripted.hash(), "{rule:?}");
    }
}

#[test]
fn held_keys_go_before_the_scene_and_come_back_with_a_state() {
    let text = format!("{LAB}#!drive 1 right\n#!drive 1 up\n");
    let mut world = World::new(document(&text).scene());
    assert_eq!(world.next_drive(), RIGHT);
    drive(&mut world, LEFT, 100);
    assert_eq!(world.next_drive(), LEFT);
    let mut state = WorldState::default();
    world.store(&mut state);
    world.set_drive(DriveKeys::NONE);
    assert_eq!(world.next_drive(), UP);
    drive(&mut world, DriveKeys::NONE, 100);
    assert_eq!(world.next_drive(), DriveKeys::NONE);
    world.restore(&state);
    assert_eq!(world.drive(), LEFT);
}

#[test]
fn rule_can_be_edited_and_undone() {
    let mut world = lab(MoveRule::Refuse("sphere"));
    drive(&mut world, RIGHT, 300);
    let early = place(&world, 0).x;
    world
        .edit(&Edit::Driving(Driving { rule: MoveRule::Refuse("sphere-inside"), speed: 1.0 }))
        .unwrap();
    drive(&mut world, RIGHT, 300);
    assert!(place(&world, 0).x > early + 0.1);
    world.undo().unwrap();
    assert_eq!(world.scene().driving.rule, MoveRule::Refuse("sphere"));
}

#[test]
fn driven_bodies_stop_among_thousands() {
    let mut text = LAB.replace("pillar 3 0 0  0 0 0  static", "pillar 1.2 0 0  0 0 0  static");
    text += &"#!body pillar 1.2 0 0.01  0 0 0  static\n".repeat(10_000);
    for rule in [MoveRule::Slide, MoveRule::Walk, MoveRule::Refuse("sphere")] {
        let driving = Driving { rule, speed: 1.0 };
        let mut world = World::new(&Scene { driving, ..document(&text).scene().clone() });
        world.set_drive(RIGHT);
        (0..5).for_each(|_| world.step(Hold::None));
        assert!(place(&world, 0).x < 0.2, "{rule:?}");
    }
}

#[test]
fn driven_body_that_reaches_its_work_waits_in_all_worlds() {
    let mut text = LAB.replace("#!body square 0 0 0", "#!body comb 0 0 0");
    text = text.replace(
        "#!body comb",
        &format!("#!shape comb compound\n{}#!body comb", "#!part comb square 0 0 0\n".repeat(8)),
    );
    text += &"#!body pillar 3 0 0.01  0 0 0  static\n".repeat(10_000);
    let driving = Driving { rule: MoveRule::Slide, speed: 200.0 };
    for continuous in [Continuous::Off, Continuous::Bullets, Continuous::All] {
        let scene = Scene { driving, continuous, ..document(&text).scene().clone() };
        let mut world = World::new(&scene);
        world.set_drive(RIGHT);
        world.step(Hold::None);
        assert_eq!(world.waiting().objects, 1, "{continuous:?}");
        world.respond(&[]);
        assert_eq!(world.waiting().objects, 1, "{continuous:?}");
    }
}

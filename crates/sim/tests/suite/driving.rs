//! Bodies that keys drive, by each of the rules.

use crate::laws::driven;
use crate::world_run::{MODES, Run, run, scene};
use glam::{DQuat, DVec3, Vec3};
use narrowphase::Reference;
use sim::scene::{Driving, MoveRule};
use sim::{DriveKeys, Hold, RefusedBy, Scene, World, WorldState};

const LEFT: DriveKeys = DriveKeys { left: true, ..DriveKeys::NONE };
const RIGHT: DriveKeys = DriveKeys { right: true, ..DriveKeys::NONE };
const UP: DriveKeys = DriveKeys { up: true, ..DriveKeys::NONE };
const JUMP: DriveKeys = DriveKeys { jump: true, ..DriveKeys::NONE };

const RULES: [MoveRule; 3] = [MoveRule::Slide, MoveRule::Walk, MoveRule::Refuse("sphere")];

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

/// The scene of a text under a rule, at a speed of 1.
fn ruled(text: &str, rule: MoveRule) -> Scene {
    Scene { driving: Driving { rule, speed: 1.0 }, ..scene(text) }
}

fn drive(run: &mut Run, keys: DriveKeys, steps: usize) {
    run.world.set_drive(keys);
    run.steps(steps);
}

fn place(run: &Run, object: usize) -> DVec3 {
    run.state(object).position
}

/// Where the first two bodies are.
fn xs(run: &Run) -> [f64; 2] {
    [0, 1].map(|object| place(run, object).x)
}

#[test]
fn volume_stops_the_square_early_or_lets_it_in() {
    // The pillar's side towards the square is a corner of 64: its radii are 0.5 and 0.5 cos(pi / 64).
    let inscribed = 0.5 * libm::cos(std::f64::consts::PI / 64.0);
    let (outer, inner) = (0.5 * 2f64.sqrt() + 0.5, 0.5 + inscribed);
    for (id, z, reach) in [
        ("sphere", 0.0, outer),
        ("sphere-inside", 0.0, inner),
        ("sphere-between", 0.0, 0.5 * (outer + inner) + 0.25 * (0.5 - inscribed)),
        ("none", 0.0, 1.0),
        ("hull", 0.0, 1.0),
        // Above the pillar's axis by almost both radii: the inner circles let the corner in.
        ("sphere", 0.99, outer),
        ("sphere-inside", 0.99, inner),
    ] {
        let text = LAB.replace("square 0 0 0", &format!("square 0 0 {z}"));
        let mut run = run(&ruled(&text, MoveRule::Refuse(id)));
        drive(&mut run, RIGHT, 400);
        // A step of 0.01 further, the volumes would touch.
        let room = 3.0 - (reach * reach - z * z).sqrt() - place(&run, 0).x;
        assert!((0.0..=0.010_001).contains(&room), "{id}, {z}: {room} too early");
        let [refusal] = run.world.refusals() else { panic!("{:?}", run.world.refusals()) };
        assert_eq!((refusal.object, refusal.by), (0, RefusedBy::Object(1)), "{id}");
        let bodies = run.bodies();
        let gap = Reference::new().examine(&bodies.body(0), &bodies.body(1)).gap;
        assert!((refusal.gap - gap).abs() < 1e-9, "{id}, {z}: {refusal:?}, expected {gap}");
        assert_eq!(gap < 0.0, id == "sphere-inside" && z > 0.0, "{id}, {z}: {gap}");
    }
}

#[test]
fn refused_body_can_leave_and_does_not_turn() {
    // The volumes overlap at the second start.
    for (start, steps) in [(0.0f32, 400), (2.1, 5)] {
        let text = LAB.replace("square 0", &format!("square {start}"));
        let mut run = run(&ruled(&text, MoveRule::Refuse("sphere")));
        drive(&mut run, RIGHT, steps);
        let x = place(&run, 0).x;
        assert!(start == 0.0 || x == f64::from(start), "{x}");
        drive(&mut run, LEFT, 50);
        assert!((place(&run, 0).x - (x - 0.5)).abs() < 1e-6, "from {x}");
        assert_eq!(run.world.refusals(), []);
        assert_eq!(run.state(0).rotation, DQuat::IDENTITY);
    }
}

#[test]
fn circle_meets_walls_and_obstacles_itself() {
    let text =
        LAB.replace("i -9 -0.5 -9  18 1 18", "i -2 -0.5 -2  9 1 4") + "p -2 -0.5 1.5  2.5 1 0  z\n";
    for (id, reach) in [("sphere", 0.5 * 2f64.sqrt()), ("sphere-inside", 0.5), ("obb", 0.5)] {
        let mut run = run(&ruled(&text, MoveRule::Refuse(id)));
        for (keys, by) in [(LEFT, RefusedBy::Wall), (UP, RefusedBy::Obstacle(0))] {
            drive(&mut run, keys, 300);
            let at = place(&run, 0);
            let room = if keys == LEFT { at.x + 2.0 } else { 1.5 - at.z } - reach;
            assert!((-1e-6..=0.010_001).contains(&room), "{id} {by:?}: {at}");
            let [refusal] = run.world.refusals() else { panic!("{id} {by:?}") };
            assert_eq!(refusal.by, by, "{id}");
            assert!((refusal.gap - (room + reach - 0.5)).abs() < 1e-6, "{id}: {refusal:?}");
        }
    }
}

#[test]
fn sliding_body_moves_along_a_slope_and_stops_in_a_corner() {
    let text = "i -4 -4 -4  8 8 8  100 t\n#!objects 0\n#!dt 0.01\n#!shape cube box 1 1 1\n\
                #!body cube 0 0 0  0 0 0  driven\n\
                #!body cube 1.5 1 0  0 0 0  rotate 0 0 1 45  static\n";
    let mut run = run(&ruled(text, MoveRule::Slide));
    // Its upper right corner meets the slope, which leads it down along it.
    drive(&mut run, DriveKeys { up: true, ..RIGHT }, 100);
    let met = place(&run, 0);
    drive(&mut run, RIGHT, 30);
    let way = place(&run, 0) - met;
    assert!(way.x > 0.1 && (way.y + way.x).abs() < 1e-3, "{met} {way}");
    let bodies = run.bodies();
    let gap = Reference::new().examine(&bodies.body(0), &bodies.body(1)).gap;
    assert!((0.0..1e-6).contains(&gap), "{gap}");
    drive(&mut run, DriveKeys { down: true, ..LEFT }, 900);
    let room = place(&run, 0) + DVec3::new(3.5, 3.5, 0.0);
    assert!(room.length() < 3e-6 && room.x > 0.0 && room.y > 0.0, "{room}");
}

const PLATFORMS: &str = "i -4 -1 0  8 2 8  100 t\n#!objects 0\n#!flat\n#!gravity strong\n\
    #!dt 0.01\n#!driving walk 1\n#!shape figure box 0.4 0.5 1\n#!shape platform box 2 0.5 0.5\n\
    #!body figure -1 0 2  0 0 0  driven\n#!body platform -1 0 1.25  0 0 0  static\n";

#[test]
fn walker_stands_on_a_platform_and_falls_from_its_edge() {
    let halves = "#!shape half box 0.4 0.5 0.5\n#!shape figure compound\n\
                  #!part figure half 0 0 -0.25\n#!part figure half 0 0 0.25";
    for figure in ["#!shape figure box 0.4 0.5 1", halves] {
        let mut run = run(&scene(&PLATFORMS.replace("#!shape figure box 0.4 0.5 1", figure)));
        // It stands with its left edge on the platform: until x = 0.2. On the floor, its side stops it.
        for (keys, steps, [x, z]) in [
            (DriveKeys::NONE, 200, [-1.0, 2.0]),
            (RIGHT, 115, [0.15, 2.0]),
            (RIGHT, 10, [0.25, 1.994]),
            (DriveKeys::NONE, 200, [0.25, 0.5]),
            (LEFT, 100, [0.2, 0.5]),
        ] {
            drive(&mut run, keys, steps);
            let at = place(&run, 0);
            assert!(at.distance(DVec3::new(x, 0.0, z)) < 1e-5, "{at}, not {x}, {z}");
        }
    }
}

#[test]
fn driven_bodies_do_not_catch_on_the_seam_of_two_platforms() {
    let platform = "#!body platform -1 0 1.25  0 0 0  static\n";
    let text = PLATFORMS.replace(platform, &format!("{platform}{}", platform.replace("-1", "1")));
    for rule in [MoveRule::Walk, MoveRule::Slide] {
        let mut run = run(&ruled(&text, rule));
        drive(&mut run, RIGHT, 150);
        let at = place(&run, 0);
        assert!((at - DVec3::new(0.5, 0.0, 2.0)).length() < 1e-5, "{rule:?}: {at}");
    }
}

#[test]
fn walker_jumps_from_where_it_stands_only() {
    let mut run = run(&scene(PLATFORMS));
    drive(&mut run, DriveKeys::NONE, 10);
    let radius = run.bodies().body(0).bounding_radius();
    let mut highest = 0.0f64;
    for step in 0..400 {
        drive(&mut run, if step < 300 { JUMP } else { DriveKeys::NONE }, 1);
        highest = highest.max(place(&run, 0).z - 2.0);
    }
    // Held, the key makes it jump again each time that it has landed, to one bounding radius.
    assert!((0.9 * radius..1.05 * radius).contains(&highest), "{highest} of {radius}");
    assert!((place(&run, 0).z - 2.0).abs() < 1e-6, "{}", place(&run, 0));
}

/// A roof of two slabs, whose slopes of 30 degrees begin at the floor and meet at x = 0.
const ROOF: &str = "i -4 -1 0  8 2 8  100 t\n#!objects 0\n#!flat\n#!gravity strong\n\
    #!dt 0.0166667\n#!driving walk 0.5\n#!shape figure box 0.4 0.5 1\n\
    #!body figure -2.5 0 0.501  0 0 0  driven\n#!shape slab box 2.42487 0.5 0.2\n\
    #!body slab -1 0 0  0 0 0  rotate 0 1 0 -30 static\n\
    #!body slab 1 0 0  0 0 0  rotate 0 1 0 30 static\n";

#[test]
fn walker_goes_up_a_roof_and_down_again_without_flying() {
    let mut run = run(&scene(ROOF));
    drive(&mut run, DriveKeys::NONE, 60);
    let slope = libm::tan(std::f64::consts::PI / 6.0);
    // The height of the upper sides, and of the body's lower one.
    let top = slope + 0.1 * 2.0 / 3f64.sqrt();
    let (mut highest, mut standing, mut stood) = (0.0f64, 0, false);
    for _ in 0..900 {
        drive(&mut run, RIGHT, 1);
        let (at, velocity) = (place(&run, 0), run.world.velocities()[0]);
        highest = highest.max(at.z - 0.5);
        // The nearer lower corner is above the side of a slab, or the lower side is above the ridge.
        let corner = (at.x.abs() - 0.2).max(0.0);
        let gap = at.z - 0.5 - (top - slope * corner).max(0.0);
        assert!(gap > -1e-6, "{gap} at {at}");
        let stands = gap < 1e-5;
        standing += usize::from(stands);
        if stands && stood && at.z > 0.55 && corner > 0.05 {
            let along = 0.5 * slope.copysign(-at.x);
            assert!((f64::from(velocity.z) - along).abs() < 1e-5, "{velocity} at {at}");
            let mut jumping = run.world.clone();
            jumping.set_drive(JUMP);
            jumping.step(Hold::None);
            assert!(jumping.velocities()[0].z > 1.0, "the key is dead at {at}");
        }
        stood = stands;
    }
    assert!(standing > 870, "it stands in {standing} of 900 steps");
    // It is above the ridge by the climb of a step at most.
    assert!((0.0..0.5 * slope / 60.0 + 1e-6).contains(&(highest - top)), "{highest}, not {top}");
    let end = place(&run, 0);
    assert!(end.x > 2.5 && (end.z - 0.5).abs() < 1e-6, "{end}");
}

#[test]
fn walker_is_carried_by_a_kinematic_platform() {
    for (speed, most) in [(-0.25, 1e-5), (0.5, 1e-4)] {
        let moving = format!("1.25  0 0 {speed}  kinematic");
        let mut run = run(&scene(&PLATFORMS.replace("1.25  0 0 0  static", &moving)));
        drive(&mut run, DriveKeys::NONE, 100);
        for _ in 0..100 {
            drive(&mut run, DriveKeys::NONE, 1);
            let above = place(&run, 0).z - place(&run, 1).z - 0.75;
            assert!((-1e-7..most).contains(&above), "{speed}: {above}");
        }
        assert!((place(&run, 1).z - (1.25 + 2.0 * speed)).abs() < 1e-6);
    }
}

#[test]
fn driven_body_pushes_others_and_is_not_pushed() {
    let text = LAB.replace("pillar 3 0 0  0 0 0  static", "pillar 1.5 0 0  -3 0 0");
    for rule in [MoveRule::Slide, MoveRule::Walk, MoveRule::Refuse("hull")] {
        let mut run = run(&ruled(&text, rule));
        drive(&mut run, LEFT, 10);
        assert!((place(&run, 0).x + 0.1).abs() < 1e-8, "{rule:?}");
        drive(&mut run, DriveKeys::NONE, 20);
        let [driven, pushed] = [0, 1].map(|object: usize| run.world.velocities()[object]);
        assert!(driven == Vec3::ZERO && pushed.x > 2.5, "{rule:?}: {pushed}");
    }
}

#[test]
fn two_driven_bodies_move_together_and_push_no_other_one_back() {
    let text = LAB.replace("pillar 3 0 0  0 0 0  static", "square 1.001 0 0  0 0 0  driven");
    let mut run = run(&scene(&text));
    assert_eq!(run.world.driven(), [0, 1]);
    // At the wall the first one stops, the second one behind it.
    for (keys, steps, x, most) in [
        (LEFT, 5, [-0.025, 0.976], 1e-6),
        (RIGHT, 5, [0.0, 1.001], 1e-6),
        (DriveKeys { up: true, ..RIGHT }, 50, [0.176_777, 1.177_777], 1e-5),
        (RIGHT, 1700, [7.5, 8.5], 1e-5),
    ] {
        for _ in 0..steps {
            let [before, _] = xs(&run);
            drive(&mut run, keys, 1);
            let [one, other] = xs(&run);
            assert!(one >= before || keys == LEFT, "{keys:?}: {before} {one}");
            assert!(other - one > 1.0 - 1e-6, "{keys:?}: {one} {other}");
        }
        let errors = [0, 1].map(|i| (xs(&run)[i] - x[i]).abs());
        assert!(errors[0].max(errors[1]) < most, "{keys:?}: {:?}, not {x:?}", xs(&run));
    }
}

#[test]
fn scripted_keys_move_a_body_as_held_ones_do() {
    for rule in RULES {
        let keyed = driven(rule);
        let (mut scripted, mut held) = (run(&keyed), run(&Scene { drive: Vec::new(), ..keyed }));
        for _ in 0..300 {
            drive(&mut held, scripted.world.next_drive(), 1);
            scripted.step();
        }
        assert_eq!(held.world.hash(), scripted.world.hash(), "{rule:?}");
    }
}

#[test]
fn held_keys_go_before_the_scene_and_come_back_with_a_state() {
    let mut run = run(&scene(&format!("{LAB}#!drive 1 right\n#!drive 1 up\n")));
    assert_eq!(run.world.next_drive(), RIGHT);
    drive(&mut run, LEFT, 100);
    assert_eq!(run.world.next_drive(), LEFT);
    let mut state = WorldState::default();
    run.world.store(&mut state);
    run.world.set_drive(DriveKeys::NONE);
    assert_eq!(run.world.next_drive(), UP);
    drive(&mut run, DriveKeys::NONE, 100);
    assert_eq!(run.world.next_drive(), DriveKeys::NONE);
    run.world.restore(&state);
    assert_eq!(run.world.drive(), LEFT);
}

#[test]
fn driven_body_that_reaches_its_work_waits_in_all_worlds() {
    // A body of 32 parts in front of 2100 pillars: each rule stops it, and only the refusing one is done.
    let comb = format!("#!shape comb compound\n{}", "#!part comb square 0 0 0\n".repeat(32));
    let mut text = LAB.replace("#!body square", &format!("{comb}#!body comb"));
    text += &"#!body pillar 1.2 0 0.01  0 0 0  static\n".repeat(2100);
    let crowd = scene(&text);
    for (rule, continuous) in RULES.into_iter().flat_map(|rule| MODES.map(|mode| (rule, mode))) {
        let driving = Driving { rule, speed: 200.0 };
        let mut world = World::new(&Scene { driving, continuous, ..crowd.clone() });
        world.set_drive(RIGHT);
        world.step(Hold::None);
        let waiting = u32::from(rule != RULES[2]);
        assert_eq!(world.waiting().objects, waiting, "{rule:?}, {continuous:?}");
        world.respond(&[]);
        assert_eq!(world.waiting().objects, waiting, "{rule:?}, {continuous:?}");
        assert_eq!(world.positions()[0].x, 0.0, "{rule:?}, {continuous:?}");
    }
}

//! Restitution, density, forces and kinematic bodies; bodies that wait.

use crate::world_run::{MODES, free, run, scene};
use glam::{DVec3, Vec3};
use sim::scene::{BodyForce, Continuous, ShapeValue};
use sim::{Scene, World};

pub(crate) fn all(value: f32) -> Vec<ShapeValue> {
    vec![ShapeValue { shape: None, value }]
}

fn of(shape: &str, value: f32) -> ShapeValue {
    ShapeValue { shape: Some(shape.to_owned()), value }
}

#[test]
fn smaller_restitution_of_two_bodies_counts() {
    let text = "#!shape hard sphere 0.5\n#!shape soft sphere 0.5\n\
                #!body hard 0 0 0  1 0 0\n#!body soft 1.001 0 0  -1 0 0\n";
    for continuous in MODES {
        for (hard, soft, expected) in
            [(1.0, 0.25, 0.25), (0.5, 0.75, 0.5), (1.0, 1.0, 1.0), (0.0, 1.0, 0.0)]
        {
            let restitution = vec![of("hard", hard), of("soft", soft)];
            let mut run = run(&Scene { restitution, ..free(text, continuous) });
            assert_eq!(run.step().resolved, 1);
            let [one, other] = [0, 1].map(|object| run.state(object).velocity.x);
            // Bodies that move on together part by a share of their speed.
            let error = (one + expected).abs().max((other - expected).abs());
            assert!(error < 2e-6 && other >= one, "{continuous:?}, {expected}: {one}, {other}");
        }
    }
}

#[test]
fn walls_obstacles_and_static_bodies_return_the_restitution() {
    let away = "i 30 30 30  1 1 1  100 t\n#!objects 0\n";
    for support in [
        "i -9 -9 0  18 18 18  100 t\n#!objects 0\n",
        // A sphere that fills its source.
        "i -0.5 -0.5 -1  1 1 1  100 t\n#!objects 1\n#!radius 0.5\n#!layer source 1 static\n",
        &format!("{away}p -1 -1 0  2 2 0  z\n"),
        &format!("{away}#!shape slab box 4 4 2\n#!body slab 0 0 -1  0 0 0  static\n"),
    ] {
        for object in ["#!ball 0 0 0.3  0 0 -2  0.25\n", "#!body die 0 0 0.3  0 0 -2  scale 0.5\n"]
        {
            for continuous in MODES {
                let text = format!("{support}#!shape die box 1 1 1\n{object}");
                let mut run = run(&Scene { restitution: all(0.25), continuous, ..scene(&text) });
                run.steps(4);
                let speed: f64 = run.bodies().states().iter().map(|state| state.velocity.z).sum();
                assert!((speed - 0.5).abs() < 1e-9, "{speed}, {continuous:?}:\n{text}");
            }
        }
    }
}

#[test]
fn mass_is_density_times_volume() {
    let text = "#!shape lead sphere 0.5\n#!ball -1 0 0  1 0 0  0.5\n#!body lead 0.001 0 0  0 0 0\n";
    for continuous in MODES {
        let density = vec![of("lead", 3.0)];
        let mut run = run(&Scene { density, ..free(text, continuous) });
        run.step();
        // Masses 1 and 3: the lighter one returns with half of its speed, the heavier one leaves with half.
        for (object, expected) in [(0, -0.5), (1, 0.5)] {
            assert!((run.state(object).velocity.x - expected).abs() < 1e-9, "{continuous:?}");
        }
    }
    let heavy = Scene { density: all(2.0), ..free("#!ball 0 0 0  1 0 0  1\n", Continuous::Off) };
    assert!((World::new(&heavy).kinetic_energy() - 1.0).abs() < 1e-12);
}

#[test]
fn force_acts_for_its_seconds_and_a_part_of_a_step() {
    let text = "#!ball 9 9 9  0 0 0  1\n#!shape die box 1 1 1\n\
                #!body die 0 0 0  0 0 0\n#!body die 5 0 0  0 0 0\n";
    for continuous in MODES {
        let mut scene = free(text, continuous);
        let [long, short] = [2.25, 0.5].map(|steps| steps * scene.dt);
        let force = |body, force, seconds| BodyForce { body, force, seconds };
        scene.body_forces =
            vec![force(2, Vec3::Y * 3.0, long), force(2, Vec3::X, short), force(9, Vec3::X, 1.0)];
        let mut run = run(&scene);
        let (mass, dt) = (run.bodies().mass(2), f64::from(scene.dt));
        for steps in [1.0, 2.0, 2.25, 2.25] {
            run.step();
            let expected = DVec3::new(0.5 * dt, 3.0 * steps * dt, 0.0) / mass;
            let found = run.state(2).velocity;
            let error = found.distance(expected) / expected.length();
            assert!(error < 1e-6, "{continuous:?}, {steps}: {found}");
        }
        assert_eq!([0, 1].map(|object| run.state(object).velocity), [DVec3::ZERO; 2]);
    }
}

#[test]
fn kinematic_body_moves_as_told_and_is_never_passed() {
    // A plate that moves by 0.5 units a step, a static one in its way, and bodies on both sides of it.
    let text = "#!gravity strong\n#!shape plate box 0.2 4 4\n#!shape pin box 0.1 0.1 0.1\n\
                #!body plate 0 0 0  30 0 0  spin 0 0 1 kinematic\n#!body plate 3 0 0  0 0 0  static\n\
                #!body pin 0.8 0.5 0  0 0 0\n#!body pin 1.3 0 0.5  -40 0 0\n#!ball -2 0 0  90 0 0  0.1\n";
    for continuous in [Continuous::Bullets, Continuous::All] {
        let mut run = run(&free(text, continuous));
        let mut is_pushed = false;
        // Until just before the plates meet.
        for step in 1..=4 {
            run.step();
            is_pushed |= run.state(3).velocity.x > 30.0;
            let plate = run.state(1);
            let x = 30.0 * run.world.time();
            assert!((plate.position - DVec3::X * x).length() < 1e-12, "{plate:?}");
            assert_eq!(plate.velocity, DVec3::X * 30.0);
            assert!(run.bodies().angular_velocity(1).distance(DVec3::Z) < 1e-14);
            for (object, side) in [(0, -1.0), (3, 1.0), (4, 1.0)] {
                let line = run.state(object).position - plate.position;
                let ahead = plate.rotation.conjugate() * line;
                assert!(ahead.x * side > 0.1, "{continuous:?}, step {step}: {object} at {ahead}");
            }
        }
        assert!(is_pushed, "{continuous:?}");
    }
}

#[test]
fn kinematic_bodies_pass_static_and_kinematic_ones_and_walls() {
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n#!shape die box 0.2 0.2 0.2\n\
                #!body die -0.5 0 0  9 0 0  kinematic\n#!body die 0.1 0 0  -9 0 0  kinematic\n\
                #!body die 0.5 0 0  0 0 0  static\n";
    for continuous in MODES {
        let mut run = run(&Scene { continuous, ..scene(text) });
        assert_eq!(run.steps(30), 0);
        assert_eq!([0, 1].map(|object| run.state(object).velocity.x), [9.0, -9.0]);
        assert!(run.world.positions()[0].x > 3.9 && run.bodies().contacts().is_empty());
        assert!(!run.world.can_be_pulled(0));
    }
}

#[test]
fn body_between_closing_plates_waits_and_the_world_goes_on() {
    // Contacts with a static plate count like those with one that moves.
    for (left, right) in [("24", "0 0 0  static"), ("12", "-12 0 0  kinematic")] {
        let text = format!(
            "#!shape plate box 0.2 1 1\n#!body plate -0.4 0 0  {left} 0 0  kinematic\n\
             #!body plate 0.4 0 0  {right}\n#!ball 0 0 0  50 0 0  0.1\n"
        );
        let mut run = run(&free(&text, Continuous::All));
        run.step();
        assert_eq!(run.bodies().waiting_objects(), [0]);
        assert_eq!(run.world.waiting().objects, 1);
        let contacts = run.bodies().impacts().len();
        assert!((24..=32).contains(&contacts), "{contacts}");
        run.steps(20);
        assert!(run.world.waiting().is_empty() && run.state(0).velocity.is_finite());
    }
}

#[test]
fn ball_in_a_closed_box_of_static_plates_waits() {
    let mut text = String::from(
        "#!shape plate box 1 1 0.1\n#!body plate 0 0 0  900 800 700  scale 0.3\n\
         #!ball 0.3 0.3 0.3  1e5 0 0  0.1\n",
    );
    for (axis, turn) in [(DVec3::X, "0 1 0"), (DVec3::Y, "1 0 0"), (DVec3::Z, "0 0 1")] {
        for DVec3 { x, y, z } in [axis * 0.501, axis * -0.501] {
            text += &format!("#!body plate {x} {y} {z}  0 0 0  rotate {turn} 90 static\n");
        }
    }
    for continuous in MODES {
        let mut run = run(&free(&text, continuous));
        run.steps(5);
        assert!(!run.world.waiting().is_empty(), "{continuous:?}");
        for place in &run.world.positions()[..2] {
            assert!(place.abs().max_element() < 0.5, "{place}");
        }
    }
}

#[test]
fn bodies_whose_first_contact_is_not_found_in_time_wait() {
    // Two rows of balls pass each other: each of a thousand pairs needs its planes. A kinematic row never waits. A shot that
    // meets the other row later in the step waits in front of it.
    let beads: String = (0..32).map(|i| format!("#!part row bead {i} 0 0\n")).collect();
    for (kinematic, expected) in [("", &[0, 1, 2][..]), ("kinematic", &[1, 2])] {
        let mut run = run(&free(
            &format!(
                "#!shape bead sphere 0.2\n#!shape row compound\n{beads}#!shape shot sphere 0.1\n\
                 #!body row -30 -29.3 0  2700 2700 0  rotate 0 0 1 45 {kinematic}\n\
                 #!body row 0 0 0  0 0 0  rotate 0 0 1 45\n#!body shot 20 20 0  -590 -590 0\n"
            ),
            Continuous::All,
        ));
        run.step();
        assert_eq!(run.bodies().waiting_objects(), expected);
        assert!(run.bodies().impacts().is_empty());
        assert_eq!(run.world.waiting().objects as usize, expected.len());
        let x = run.state(0).position.x;
        assert_eq!((-29.0..0.0).contains(&x), kinematic.is_empty(), "{x}");
        run.steps(3);
        // It has passed without a contact, and the shot has met the row.
        assert!(run.state(0).position.x > 40.0, "{:?}", run.state(0));
        assert_eq!(run.state(0).velocity, DVec3::new(2700.0, 2700.0, 0.0));
        assert!(run.world.waiting().is_empty() && run.state(1).velocity.x < -1.0);
    }
}

#[test]
fn balls_that_meet_in_one_point_end_their_step() {
    // Each may meet every other one, most of them after pushes. For 700 that is more than the work of a step.
    for (count, radius, speed, steps) in [(100, 0.01, 120.0, 8), (700, 0.005, 70.0, 2)] {
        let mut text = format!("#!radius {radius}\n");
        for i in 0..count {
            let (i, count) = (f64::from(i), f64::from(count));
            let (z, turn) = ((2.0 * i + 1.0) / count - 1.0, 2.4 * i);
            let ring = (1.0 - z * z).sqrt();
            let at = DVec3::new(ring * libm::cos(turn), ring * libm::sin(turn), z);
            let v = at * -speed;
            text += &format!("#!ball {} {} {z}  {} {} {}\n", at.x, at.y, v.x, v.y, v.z);
        }
        let mut run = run(&free(&text, Continuous::All));
        let before = run.world.kinetic_energy();
        let mut all_waited = 0;
        for _ in 0..steps {
            run.step();
            all_waited += u32::from(run.bodies().waiting_objects().len() == count as usize);
            let states = run.bodies().states();
            for (a, one) in states.iter().enumerate() {
                for other in &states[..a] {
                    let distance = one.position.distance(other.position);
                    assert!(distance >= 2.0 * radius * (1.0 - 1e-6), "{distance}");
                }
            }
        }
        let drift = run.world.kinetic_energy() / before - 1.0;
        assert!(drift.abs() < 1e-12, "{drift:e}");
        assert_eq!(all_waited > 0, count == 700, "all waited {all_waited} times");
        let away = run.world.positions().iter().filter(|position| position.length() > 1.0).count();
        assert!(away > 80 || count == 700, "{away} of 100 have left");
    }
}

#[test]
fn extreme_velocities_and_steps_of_no_time_end() {
    let text = "#!shape die box 1 1 1\n#!body die 0 0 0  1 0 0\n\
                #!body die 9 0 0  -1 1 0\n#!ball 3 0 0  1 0 0  0.5\n#!ball 4 0 0  0 0 0  0.5\n";
    for continuous in MODES {
        for dt in [0.0, f32::MIN_POSITIVE, 1.0 / 60.0, 1.0] {
            // Beyond what a scene file may say.
            let mut scene = Scene { dt, ..free(text, continuous) };
            scene.placed_bodies.iter_mut().for_each(|body| body.velocity *= 1e30);
            scene.placed_bodies[0].spin = Vec3::X * 1e30;
            scene.balls[0].velocity *= 3e38;
            let mut run = run(&scene);
            let before = run.world.positions().to_vec();
            run.steps(4);
            assert!(dt > 0.0 || run.world.positions() == before, "{continuous:?}");
        }
    }
}

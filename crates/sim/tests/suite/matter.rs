//! Restitution, density, forces and kinematic bodies; bodies that wait.

use crate::continuous::{free, scene};
use crate::laws::fast;
use crate::world_run::{Run, kd_tree};
use glam::{DVec3, Vec3};
use sim::scene::{BodyForce, Continuous, ShapeValue};
use sim::{Hold, Scene, World};

pub(crate) const MODES: [Continuous; 3] = [Continuous::Off, Continuous::Bullets, Continuous::All];

pub(crate) fn all(value: f32) -> Vec<ShapeValue> {
    vec![ShapeValue { shape: None, value }]
}

fn of(shape: &str, value: f32) -> ShapeValue {
    ShapeValue { shape: Some(shape.to_owned()), value }
}

fn velocity(run: &Run, object: usize) -> DVec3 {
    run.world.bodies().unwrap().states()[object].velocity
}

#[test]
fn smaller_restitution_of_two_bodies_counts() {
    let text = "#!shape hard sphere 0.5\n#!shape soft sphere 0.5\n\
                #!body hard 0 0 0  1 0 0\n#!body soft 1.001 0 0  -1 0 0\n";
    for continuous in MODES {
        for (hard, soft, expected) in [(1.0, 0.25, 0.25), (0.5, 0.75, 0.5), (1.0, 1.0, 1.0)] {
            let restitution = vec![of("hard", hard), of("soft", soft)];
            let mut run = Run::new(&Scene { restitution, ..free(text, continuous) }, kd_tree());
            assert_eq!(run.step().resolved, 1);
            let [one, other] = [0, 1].map(|object| velocity(&run, object).x);
            assert!((one + expected).abs() < 1e-9, "{continuous:?}: {one}, not -{expected}");
            assert!((other - expected).abs() < 1e-9, "{continuous:?}: {other}");
        }
    }
}

#[test]
fn walls_obstacles_and_static_bodies_return_the_restitution() {
    let supports = [
        "i -9 -9 0  18 18 18  100 t\n",
        "i 30 30 30  1 1 1  100 t\np -1 -1 0  2 2 0  z\n",
        "i 30 30 30  1 1 1  100 t\n#!shape slab box 4 4 2\n#!body slab 0 0 -1  0 0 0  static\n",
    ];
    for support in supports {
        for object in ["#!ball 0 0 0.3  0 0 -2  0.25\n", "#!body die 0 0 0.3  0 0 -2  scale 0.5\n"]
        {
            for continuous in MODES {
                let text = format!("{support}#!objects 0\n#!shape die box 1 1 1\n{object}");
                let restitution = all(0.25);
                let mut run =
                    Run::new(&Scene { restitution, ..scene(&text, continuous) }, kd_tree());
                run.steps(4);
                let is_static = |object: &usize| {
                    run.world.layers().get(*object).is_some_and(|layer| layer.is_static)
                };
                let moving = (0..run.world.len()).find(|object| !is_static(object)).unwrap();
                let speed = velocity(&run, moving).z;
                assert!((speed - 0.5).abs() < 1e-9, "{speed}, {continuous:?}:\n{text}");
            }
        }
    }
}

#[test]
fn plastic_spheres_move_on_together() {
    let text = "#!ball -1 0 0  120 0 0  0.25\n#!ball 1 0 0  0 0 0  0.25\n";
    let restitution = all(0.0);
    let mut run = Run::new(&Scene { restitution, ..free(text, Continuous::All) }, kd_tree());
    run.step();
    for object in 0..2 {
        let speed = velocity(&run, object).x;
        assert!((speed - 60.0).abs() < 1e-3, "{speed}");
    }
    assert!(velocity(&run, 1).x >= velocity(&run, 0).x);
}

#[test]
fn mass_is_density_times_volume() {
    let text = "#!shape lead sphere 0.5\n#!ball -1 0 0  1 0 0  0.5\n#!body lead 0.001 0 0  0 0 0\n";
    for continuous in MODES {
        let density = vec![of("lead", 3.0)];
        let mut run = Run::new(&Scene { density, ..free(text, continuous) }, kd_tree());
        run.step();
        // Masses 1 and 3: the lighter one returns with half of its speed, the heavier one leaves with half.
        assert!((velocity(&run, 0).x + 0.5).abs() < 1e-9, "{continuous:?}");
        assert!((velocity(&run, 1).x - 0.5).abs() < 1e-9, "{continuous:?}");
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
        let force = Vec3::new(0.0, 3.0, 0.0);
        scene.body_forces = vec![
            BodyForce { body: 2, force, seconds: long },
            BodyForce { body: 2, force: Vec3::X, seconds: short },
            BodyForce { body: 9, force: Vec3::X, seconds: 1.0 },
        ];
        let mut run = Run::new(&scene, kd_tree());
        let mass = run.world.bodies().unwrap().mass(2);
        for steps in [1.0, 2.0, 2.25, 2.25] {
            run.step();
            let expected =
                DVec3::new(f64::from(short), 3.0 * steps * f64::from(scene.dt), 0.0) / mass;
            let error = velocity(&run, 2).distance(expected) / expected.length();
            assert!(error < 1e-6, "{continuous:?}, {steps}: {}", velocity(&run, 2));
        }
        assert_eq!((velocity(&run, 0), velocity(&run, 1)), (DVec3::ZERO, DVec3::ZERO));
    }
}

/// A kinematic plate that moves by 0.5 units a step, a static one in its way, and balls on both sides of it.
fn pushed(continuous: Continuous) -> Run {
    let text = "#!gravity strong\n#!shape plate box 0.2 4 4\n#!body plate 0 0 0  30 0 0  spin 0 0 1\n\
                #!body plate 3 0 0  0 0 0  static\n#!shape pin box 0.1 0.1 0.1\n\
                #!body pin 0.8 0.5 0  0 0 0\n#!body pin 1.3 0 0.5  -40 0 0\n#!ball -2 0 0  90 0 0  0.1\n";
    let mut scene = free(text, continuous);
    scene.placed_bodies[0].is_kinematic = true;
    Run::new(&scene, kd_tree())
}

#[test]
fn kinematic_body_moves_as_told_and_is_never_passed() {
    for continuous in [Continuous::Bullets, Continuous::All] {
        let mut run = pushed(continuous);
        let mut is_pushed = false;
        // Until just before the plates meet.
        for step in 1..=4 {
            run.step();
            let bodies = run.world.bodies().unwrap();
            let plate = bodies.states()[1];
            is_pushed |= bodies.states()[3].velocity.x > 30.0;
            let x = 30.0 * run.world.time();
            assert!((plate.position - DVec3::X * x).length() < 1e-12, "{plate:?}");
            assert_eq!(plate.velocity, DVec3::X * 30.0);
            assert!(bodies.angular_velocity(1).distance(DVec3::Z) < 1e-14);
            for (object, side) in [(0, -1.0), (3, 1.0), (4, 1.0)] {
                let ahead = plate.rotation.conjugate()
                    * (bodies.states()[object].position - plate.position);
                assert!(ahead.x * side > 0.1, "{continuous:?}, step {step}: {object} at {ahead}");
            }
        }
        assert!(is_pushed, "{continuous:?}");
    }
}

#[test]
fn kinematic_bodies_pass_static_and_kinematic_ones_and_walls() {
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n#!shape die box 0.2 0.2 0.2\n\
                #!body die -0.5 0 0  9 0 0\n#!body die 0.1 0 0  -9 0 0\n#!body die 0.5 0 0  0 0 0  static\n";
    for continuous in MODES {
        let mut scene = scene(text, continuous);
        scene.placed_bodies[0].is_kinematic = true;
        scene.placed_bodies[1].is_kinematic = true;
        let mut run = Run::new(&scene, kd_tree());
        assert_eq!(run.steps(30), 0);
        assert_eq!([0, 1].map(|object| velocity(&run, object).x), [9.0, -9.0]);
        assert!(
            run.world.positions()[0].x > 3.9 && run.world.bodies().unwrap().contacts().is_empty()
        );
        assert!(!run.world.can_be_pulled(0));
    }
}

#[test]
fn body_between_closing_plates_waits_and_the_world_goes_on() {
    // Contacts with a static plate count like those with one that moves.
    for is_static in [false, true] {
        let text = format!(
            "#!shape plate box 0.2 1 1\n#!body plate -0.4 0 0  {} 0 0\n#!body plate 0.4 0 0  {}\n\
             #!ball 0 0 0  50 0 0  0.1\n",
            if is_static { 24 } else { 12 },
            if is_static { "0 0 0  static" } else { "-12 0 0" }
        );
        let mut scene = free(&text, Continuous::All);
        scene.placed_bodies[0].is_kinematic = true;
        scene.placed_bodies[1].is_kinematic = !is_static;
        let mut run = Run::new(&scene, kd_tree());
        run.step();
        assert_eq!(run.world.bodies().unwrap().waiting_objects(), [0]);
        assert_eq!(run.world.waiting().objects, 1);
        let contacts = run.world.bodies().unwrap().impacts().len();
        assert!((24..=32).contains(&contacts), "{contacts}");
        run.steps(20);
        assert!(run.world.bodies().unwrap().waiting_objects().is_empty());
        assert!(velocity(&run, 0).is_finite());
    }
}

#[test]
fn bodies_that_meet_one_that_waits_wait_in_front_of_it() {
    // Balls between two kinematic plates that close, and one that flies into them.
    let text = "#!shape plate box 0.2 4 4\n#!body plate -0.55 0 0  12 0 0\n#!body plate 0.55 0 0  -12 0 0\n\
                #!ball 0 0 0  50 0 0  0.1\n#!ball 0 2 0  0 -100 0  0.1\n#!ball 0 2.5 0  0 -125 0  0.1\n";
    let mut scene = free(text, Continuous::All);
    scene.placed_bodies[0].is_kinematic = true;
    scene.placed_bodies[1].is_kinematic = true;
    let mut run = Run::new(&scene, kd_tree());
    for _ in 0..2 {
        run.step();
        let bodies = run.world.bodies().unwrap();
        for (a, b) in [(0, 1), (0, 2), (1, 2)] {
            let [a, b] = [a, b].map(|object: usize| bodies.states()[object].position);
            assert!(a.distance(b) >= 0.2 - 1e-8, "{a} {b}");
        }
    }
}

#[test]
fn ball_in_a_closed_box_of_static_plates_waits() {
    let mut text = String::from("#!shape plate box 1 1 0.1\n");
    for (axis, turn) in
        [("0.501 0 0", "0 1 0 90"), ("0 0.501 0", "1 0 0 90"), ("0 0 0.501", "1 0 0 0")]
    {
        let minus = axis.replace("0.501", "-0.501");
        for at in [axis, &minus] {
            text += &format!("#!body plate {at}  0 0 0  rotate {turn} static\n");
        }
    }
    text += "#!body plate 0 0 0  900 800 700  scale 0.3\n#!ball 0.3 0.3 0.3  1e5 0 0  0.1\n";
    for continuous in MODES {
        let mut run = Run::new(&free(&text, continuous), kd_tree());
        run.steps(5);
        assert!(!run.world.waiting().is_empty(), "{continuous:?}");
        let positions = run.world.positions();
        for object in [0, 7] {
            assert!(positions[object].abs().max_element() < 0.5, "{}", positions[object]);
        }
    }
}

#[test]
fn bodies_whose_first_contact_is_not_found_in_time_wait() {
    // Two rows of balls pass each other: each of a thousand pairs needs its planes. A kinematic row never waits. A shot that
    // meets the other row later in the step waits in front of it.
    let mut text = String::from("#!shape bead sphere 0.2\n#!shape row compound\n");
    for i in 0..32 {
        text += &format!("#!part row bead {i} 0 0\n");
    }
    text += "#!body row -30 -29.3 0  2700 2700 0  rotate 0 0 1 45\n\
             #!body row 0 0 0  0 0 0  rotate 0 0 1 45\n\
             #!shape shot sphere 0.1\n#!body shot 20 20 0  -590 -590 0\n";
    for is_kinematic in [false, true] {
        let mut scene = free(&text, Continuous::All);
        scene.placed_bodies[0].is_kinematic = is_kinematic;
        let mut run = Run::new(&scene, kd_tree());
        let x = |run: &Run| f64::from(run.world.positions()[0].x);
        run.step();
        let expected: &[u32] = if is_kinematic { &[1, 2] } else { &[0, 1, 2] };
        assert_eq!(run.world.bodies().unwrap().waiting_objects(), expected);
        assert!(run.world.bodies().unwrap().impacts().is_empty());
        assert_eq!(run.world.waiting().objects as usize, expected.len());
        assert_eq!((-29.0..0.0).contains(&x(&run)), !is_kinematic, "{}", x(&run));
        run.steps(3);
        // It has passed without a contact, and the shot has met the row.
        assert!(x(&run) > 40.0, "{}", x(&run));
        assert_eq!(velocity(&run, 0), DVec3::new(2700.0, 2700.0, 0.0));
        assert!(run.world.waiting().is_empty() && velocity(&run, 1).x < -1.0);
    }
}

#[test]
fn balls_that_meet_in_one_point_end_their_step() {
    let mut text = String::from("#!radius 0.01\n");
    for i in 0..100 {
        let (z, turn) = (f64::from(i) / 50.0 - 0.99, 2.4 * f64::from(i));
        let ring = (1.0 - z * z).sqrt();
        let at = [ring * libm::cos(turn), ring * libm::sin(turn), z];
        let [v, w, u] = at.map(|x| -120.0 * x);
        text += &format!("#!ball {} {} {z}  {v} {w} {u}\n", at[0], at[1]);
    }
    let mut run = Run::new(&free(&text, Continuous::All), kd_tree());
    let before = run.world.kinetic_energy();
    for _ in 0..8 {
        run.step();
        let states = run.world.bodies().unwrap().states();
        for (a, one) in states.iter().enumerate() {
            for other in &states[..a] {
                assert!(one.position.distance(other.position) >= 0.02 * (1.0 - 1e-6));
            }
        }
    }
    let drift = run.world.kinetic_energy() / before - 1.0;
    assert!(drift.abs() < 1e-12, "{drift:e}");
    let away = run.world.positions().iter().filter(|position| position.length() > 1.0).count();
    assert!(away > 80, "{away} of 100 have left");
}

#[test]
fn all_bodies_wait_at_the_bound_of_the_work_of_a_step() {
    // Every ball may meet every other one, most of them after pushes.
    let mut text = String::from("#!radius 0.005\n");
    for i in 0..700 {
        let (z, turn) = ((f64::from(i) + 0.5) / 350.0 - 1.0, 2.4 * f64::from(i));
        let ring = (1.0 - z * z).sqrt();
        let at = [ring * libm::cos(turn), ring * libm::sin(turn), z];
        let [v, w, u] = at.map(|x| -70.0 * x);
        text += &format!("#!ball {} {} {z}  {v} {w} {u}\n", at[0], at[1]);
    }
    let mut run = Run::new(&free(&text, Continuous::All), kd_tree());
    let before = run.world.kinetic_energy();
    let mut stopped = 0;
    for _ in 0..2 {
        run.step();
        let bodies = run.world.bodies().unwrap();
        stopped += u32::from(bodies.waiting_objects().len() == 700);
        for (a, one) in bodies.states().iter().enumerate() {
            for other in &bodies.states()[..a] {
                assert!(one.position.distance(other.position) >= 0.01 * (1.0 - 1e-6));
            }
        }
    }
    assert!(stopped > 0);
    let drift = run.world.kinetic_energy() / before - 1.0;
    assert!(drift.abs() < 1e-12, "{drift:e}");
}

#[test]
fn objects_at_rest_in_a_continuous_world_gain_no_height() {
    let supports = [
        "i -9 -9 0  18 18 18  100 t\n#!objects 0\n",
        "i 30 30 30  1 1 1  100 t\n#!objects 0\np -1 -1 0  2 2 0  z\n",
        "i -0.497 -0.5 -1  1 1 1  100 t\n#!layer source 1 static\n#!objects 1\n",
        "i 30 30 30  1 1 1  100 t\n#!objects 0\n#!shape slab box 4 4 0.2\n#!body slab 0 0 -0.1  0 0 0\n",
    ];
    for (support, radius) in supports.into_iter().flat_map(|s| [(s, 0.01), (s, 0.2)]) {
        for (object, dt) in [("sphere 1", "0.0333"), ("box 2 2 2", "0.0167"), ("sphere 1", "0.004")]
        {
            let z = radius + 1.3e-7;
            let text = format!(
                "#!radius 0.5\n#!dt {dt}\n#!gravity strong\n{support}#!shape it {object}\n\
                 #!body it 0 0 {z:.10}  0 0 0  scale {radius}\n"
            );
            let mut scene = scene(&text, Continuous::All);
            scene.placed_bodies[0].is_kinematic = scene.placed_bodies.len() == 2;
            let mut run = Run::new(&scene, kd_tree());
            let object = run.world.len() - 1;
            let mut highest = f64::NEG_INFINITY;
            for _ in 0..1000 {
                run.step();
                highest = highest.max(run.world.bodies().unwrap().states()[object].position.z);
            }
            let rise = (highest - radius) / radius;
            assert!(rise <= 1e-3, "{rise:e} of the radius:\n{text}");
            let height = run.world.bodies().unwrap().states()[object].position.z;
            // It slides off a sphere.
            let stays = height > 0.9 * radius || support.contains("static");
            assert!(stays, "it fell to {height}:\n{text}");
        }
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
            let mut run = Run::new(&scene, kd_tree());
            run.steps(4);
            assert_eq!(run.world.len(), 4);
        }
    }
    let mut world = World::new(&Scene { dt: 0.0, ..fast(400, Continuous::All) });
    let before = world.positions().to_vec();
    world.step(Hold::None);
    world.respond(&[]);
    assert_eq!(world.positions(), before);
}

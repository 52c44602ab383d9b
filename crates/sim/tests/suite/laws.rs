//! Laws of every kind of world: each test takes all rows of one table.

use crate::body_reach::furthest_behind_walls;
use crate::driving::LAB;
use crate::matter::all;
use crate::world_layers::layered;
use crate::world_run::{MIXED, Run, kd_tree, scene, shipped};
use broadphase::registry::ALGORITHMS;
use broadphase::{Aabb, Axis};
use glam::Vec3;
use narrowphase::BoxKind;
use sim::scene::{Continuous, Driving, Gravity, MoveRule, Obstacle, PlacedBody, Radius, Source};
use sim::{Edit, Hold, Scene, World, WorldState};
use std::sync::atomic::AtomicBool;

/// A kind of world.
struct Kind {
    name: &'static str,
    scene: Scene,
    /// Steps after which every run has the same hash, on any platform.
    hashed: (usize, &'static str),
    /// Steps, and the collisions that are resolved in them at least.
    steps: (usize, u64),
    energy: Energy,
}

enum Energy {
    /// It changes by at most this share.
    Kept(f64),
    /// It falls in some steps, and rises in none.
    Falls,
    /// Keys and kinematic bodies change it.
    Driven,
}

/// Mixed bodies, fast enough for several contacts of a body in a step.
pub(crate) fn fast(objects: u32, continuous: Continuous) -> Scene {
    let radius = Radius::Uniform(0.06, 0.1);
    Scene { objects, radius, speed: 6.0, spin: 20.0, continuous, ..scene(MIXED) }
}

/// Fast mixed bodies, enough for several threads, and a row of bullets below the upper wall.
fn with_bullets(continuous: Continuous) -> Scene {
    let bullet = |x: f32| PlacedBody {
        shape: "die".to_owned(),
        center: Vec3::new(x, 0.0, 0.97),
        velocity: Vec3::new(-90.0, 80.0, -70.0),
        scale: 0.04,
        spin: Vec3::ONE,
        is_bullet: true,
        ..PlacedBody::default()
    };
    let placed_bodies = (-9..9).map(|i| bullet(i as f32 * 0.1)).collect();
    Scene { placed_bodies, ..fast(300, continuous) }
}

/// A body that keys drive among others that fall.
pub(crate) fn driven(rule: MoveRule) -> Scene {
    let script = "#!drive 0.5 right\n#!drive 0.25 none\n#!drive 1 up+right\n#!drive 1 jump+left\n";
    let text = format!("{LAB}#!body pillar 1 0 0.9  -1 0 0.2\n#!gravity weak\n{script}");
    Scene { driving: Driving { rule, speed: 1.0 }, ..scene(&text) }
}

/// Letters whose stems end in step 120.
fn letters() -> Scene {
    Scene { objects: 2400, ..shipped("fer") }
}

fn kinds() -> Vec<Kind> {
    use Continuous::{All, Bullets, Off};
    use Energy::{Driven, Falls, Kept};
    let kind = |name, scene, hashed, steps, energy| Kind { name, scene, hashed, steps, energy };
    let radius = Radius::LogUniform(0.02, 0.15);
    let sizes = Scene { objects: 200, radius, ..shipped("random") };
    let falling = Scene { objects: 200, ..shipped("stepenice") };
    let mixed = Scene { objects: 400, ..scene(MIXED) };
    let flat = Scene { objects: 300, flat: true, ..scene(MIXED) };
    let soft = |value, continuous| Scene { restitution: all(value), ..fast(60, continuous) };
    let soft_bullets = Scene { restitution: all(0.5), ..with_bullets(Bullets) };
    // Shipped scenes without the keys that drive bodies.
    let idle = |name| Scene { drive: Vec::new(), ..shipped(name) };
    let refusing = driven(MoveRule::Refuse("sphere"));
    vec![
        kind("letters", letters(), (40, "5834fbbab4a9d016"), (300, 1000), Kept(1e-5)),
        kind("many sizes", sizes, (40, "8c24ec3e56dea45b"), (1500, 1000), Kept(1e-5)),
        kind("layers", layered(), (40, "d66529f172b641ca"), (300, 1000), Kept(1e-5)),
        kind("falling", falling, (40, "b66d7604985cc226"), (900, 500), Kept(1e-5)),
        kind("mixed", mixed, (12, "6cee83a183f05669"), (200, 100), Kept(1e-10)),
        kind("flat", flat, (12, "b6c189e3a85c54c9"), (60, 30), Kept(1e-10)),
        kind("no bullets", with_bullets(Off), (8, "fc89d34b52cb8206"), (30, 200), Kept(1e-10)),
        kind("bullets", with_bullets(Bullets), (8, "2b9ef29b81227b1a"), (30, 200), Kept(1e-10)),
        kind("continuous", with_bullets(All), (8, "d1884e4d626d2c52"), (30, 200), Kept(1e-10)),
        kind("plastic", soft(0.0, All), (4, "bf8780a1df67cfef"), (20, 10), Falls),
        kind("soft", soft(0.5, Off), (4, "589df10755b5f6fe"), (20, 10), Falls),
        kind("soft bullets", soft_bullets, (4, "4204b5070d31bcc3"), (20, 10), Falls),
        kind("hard", soft(0.95, All), (4, "f2739e77a952ad2d"), (20, 10), Falls),
        kind("slide", driven(MoveRule::Slide), (40, "4386dca65a6bfc1f"), (300, 1), Driven),
        kind("walk", driven(MoveRule::Walk), (40, "aa77f34fcc2d8ba2"), (300, 1), Driven),
        kind("refuse", refusing, (40, "5833596e6a0c5d6b"), (300, 1), Driven),
        kind("zoo", idle("zoo"), (8, "ccf4420868fadacf"), (300, 300), Kept(1e-10)),
        kind("jacks", idle("jacks"), (8, "e6458bec8c81198e"), (300, 50), Kept(1e-10)),
        kind("contacts", idle("contacts"), (8, "30ed106c3100769f"), (300, 16), Kept(1e-10)),
        kind("simple", idle("simple-shapes"), (8, "1609af1f46de13ee"), (300, 50), Kept(1e-10)),
        kind("lab", idle("lab"), (8, "83576bbd5f4d92f9"), (300, 50), Kept(1e-10)),
    ]
}

#[test]
fn trajectory_depends_on_nothing_but_the_scene() {
    // `trajectories.rs` of `measure` takes all scenes, and as many steps as it is asked for.
    let pools = [1, 2, 4]
        .map(|threads| rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    let mut differences = Vec::new();
    for Kind { name, scene, hashed: (steps, hash), .. } in kinds() {
        for (index, entry) in ALGORITHMS.iter().enumerate() {
            // Every count of threads meets every kind of boxes.
            let (pool, kind) = (&pools[index % 3], BoxKind::ALL[index / 3 % 3]);
            let mut run = Run::new(&scene, entry);
            run.world.set_box_kind(kind);
            pool.install(|| run.steps(steps));
            let (found, threads) = (run.world.hash(), pool.current_num_threads());
            if format!("{found:016x}") != hash {
                let id = entry.id;
                differences.push(format!("{name}: {id}, {threads} threads: {found:016x}"));
            }
        }
    }
    assert!(differences.is_empty(), "{differences:#?}");
}

/// Kinetic energy at the end of the step, and the potential energy of gravity above the lowest corner.
fn energy(world: &World) -> f64 {
    let (scene, gravity) = (world.scene(), world.scene().gravity.vector());
    let corner = scene.bounds().min;
    let potential = |(object, place): (usize, &Vec3)| {
        let mass = match world.bodies() {
            Some(bodies) => bodies.mass(object),
            None => f64::from(world.radii()[object]).powi(3),
        };
        let is_static = world.layers().get(object).is_some_and(|layer| layer.is_static);
        let is_moving = mass.is_finite() && !is_static;
        if is_moving { -mass * gravity.dot((*place - corner).as_dvec3()) } else { 0.0 }
    };
    // The stored velocities are those of half a step ago.
    let ahead = world.momentum().dot(gravity) * (0.5 * f64::from(scene.dt));
    world.kinetic_energy()
        + ahead
        + world.positions().iter().enumerate().map(potential).sum::<f64>()
}

/// How deep a sphere is in an obstacle, in its radii.
fn deepest_in_obstacles(world: &World) -> f64 {
    let obstacles: Vec<_> = world.scene().obstacles.iter().map(Obstacle::bounds).collect();
    let depth = |(center, radius): (&Vec3, &f32)| {
        let gap = |b: &Aabb| center.distance(center.clamp(b.min, b.max));
        1.0 - obstacles.iter().map(gap).fold(*radius, f32::min) / radius
    };
    let spheres = world.positions().iter().zip(world.radii());
    f64::from(spheres.map(depth).fold(0.0, f32::max))
}

#[test]
fn energy_is_kept_walls_hold_and_static_objects_stay() {
    for Kind { name, scene, steps: (steps, least), energy: law, .. } in kinds() {
        let mut run = Run::new(&scene, kd_tree());
        assert_eq!(run.world.placement_warning(), None, "{name}");
        let (places, start) = (run.world.positions().to_vec(), energy(&run.world));
        let (mut resolved, mut before) = (0, start);
        for step in 0..steps {
            resolved += run.step().resolved;
            let now = energy(&run.world);
            match law {
                Energy::Kept(most) => {
                    let drift = now / start - 1.0;
                    assert!(drift.abs() < most, "{name}, step {step}: relative drift {drift:e}");
                }
                Energy::Falls => {
                    assert!(now / before <= 1.0 + 1e-12, "{name}, step {step}: it rises")
                }
                Energy::Driven => {}
            }
            before = now;
            let (behind, most) = match run.world.bodies() {
                // A piece of a path is halved ten times: what rotates by 16 rad in it may pass a little.
                Some(_) => (furthest_behind_walls(&run.world), 2e-9),
                None => (deepest_in_obstacles(&run.world), 1e-4),
            };
            assert!(behind <= most, "{name}, step {step}: {behind:e} of its radius");
        }
        assert!(resolved >= least, "{name}: {resolved} collisions are no test");
        assert!(
            !matches!(law, Energy::Falls) || before < 0.99 * start,
            "{name}: {before} of {start}"
        );
        for (object, layer) in run.world.layers().iter().enumerate() {
            let is_driven = run.world.driven().contains(&(object as u32));
            let has_moved = run.world.positions()[object] != places[object];
            assert!(is_driven || has_moved != layer.is_static, "{name}: {object}");
        }
    }
}

/// All that can be seen of a moment and that states keep.
fn seen(world: &World) -> impl PartialEq + use<> {
    let mut boxes = Vec::new();
    world.boxes(&mut boxes);
    let objects = 0..world.len();
    let homes: Vec<_> = objects.clone().map(|object| world.home(object)).collect();
    let numbers: Vec<_> = world.sources().map(|(number, _)| number).collect();
    let record = world.bodies().map(|bodies| {
        let start_of = |object| bodies.start_of(object);
        let starts =
            objects.map(|object| start_of(object).map(|(body, motion)| (body.pose, motion)));
        let starts: Vec<_> = starts.collect();
        (starts, bodies.impacts().to_vec(), bodies.waiting_objects().to_vec())
    });
    let clock = (world.steps(), world.hold(), world.next_drive());
    (world.hash(), clock, numbers, homes, boxes, record)
}

fn stored(world: &World) -> WorldState {
    let mut state = WorldState::default();
    world.store(&mut state);
    state
}

/// Steps in which the line is held now and then.
fn play(run: &mut Run, steps: usize) {
    for _ in 0..steps {
        run.step_held(if run.world.steps() % 50 < 5 { Hold::Repel } else { Hold::None });
    }
}

#[test]
fn restored_moment_shows_and_repeats_what_it_did() {
    for Kind { name, scene, steps: (steps, _), .. } in kinds() {
        // The letters lose their stems in the second part.
        let part = steps.min(300) / 4;
        let mut run = Run::new(&scene, kd_tree());
        let mut moments = Vec::new();
        for _ in 0..4 {
            play(&mut run, part);
            moments.push((stored(&run.world), seen(&run.world)));
        }
        for from in [2, 0, 3, 1] {
            run.world.restore(&moments[from].0);
            for (at, (_, expected)) in moments.iter().enumerate().skip(from) {
                assert!(seen(&run.world) == *expected, "{name}: moment {at} from {from}");
                play(&mut run, part);
            }
        }
    }
}

#[test]
fn undone_edits_and_stopped_steps_leave_no_trace() {
    let size = Vec3::ONE;
    let source = Source { corner: Vec3::splat(-0.5), size, percent: 0.0, floor: true };
    let wall = Obstacle { corner: source.corner, size: size.with_x(0.0), normal: Axis::X };
    let edits = [
        Edit::NewSource(source),
        Edit::SetSource { number: 1, source: Source { size: 3.0 * size, ..source } },
        Edit::DeleteSource { number: 1 },
        Edit::NewObstacle(wall),
        Edit::Gravity(Gravity::Strong),
        Edit::Strict(true),
        Edit::Driving(Driving { rule: MoveRule::Slide, speed: 3.0 }),
    ];
    let (stop, go) = (AtomicBool::new(true), AtomicBool::new(false));
    for Kind { name, scene, hashed: (steps, _), .. } in kinds() {
        let mut run = Run::new(&scene, kd_tree());
        play(&mut run, steps);
        let (state, before) = (stored(&run.world), seen(&run.world));
        play(&mut run, steps);
        let expected = seen(&run.world);

        run.world.restore(&state);
        edits.iter().for_each(|edit| run.world.edit(edit).unwrap());
        play(&mut run, steps);
        assert!(seen(&run.world) != expected, "{name}: the edits do nothing");
        while run.world.undo().is_some() {}
        run.world.restore(&state);
        assert!(seen(&run.world) == before, "{name}: restored after edits");

        assert!(!run.world.step_unless(Hold::None, &stop), "{name}");
        assert_eq!(run.world.steps(), state.steps(), "{name}");
        run.world.restore(&state);
        assert!(run.world.step_unless(Hold::None, &go), "{name}");
        assert_eq!(run.world.respond_unless(&run.pairs, &stop), None, "{name}");
        run.world.restore(&state);
        assert!(seen(&run.world) == before, "{name}: restored after a stop");
        play(&mut run, steps);
        assert!(seen(&run.world) == expected, "{name}");
    }
}

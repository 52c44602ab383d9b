//! Steps of scenes with planted large figures: their work is bounded, objects wait, and a step can be stopped.

use crate::world_run::{run, scene};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sim::{BodyState, Hold, MAX_WORK, SceneDocument, World};
use std::sync::atomic::{AtomicBool, Ordering};

/// Work of a contact and a comparison that had begun at the bound.
const BEGUN: u32 = MAX_WORK / 32 + 32;

/// Fast bodies in a source that is narrower than they are.
fn narrow(objects: u32) -> String {
    format!(
        "i -1 -1 -1  0.001 0.001 0.001  100 t\n#!objects {objects}\n#!radius 0.05\n#!speed 100\n\
         #!dt 1\n#!shape die box 1 1 1\n#!bodies source 1 die 100\n"
    )
}

/// Plays 12 frames. Returns how many objects waited in all of them; `None` for a text that is no scene.
fn play(text: &str) -> Option<u32> {
    let document = SceneDocument::parse("test.scene", text.as_bytes()).ok()?;
    let (mut run, mut waited) = (run(document.scene()), 0);
    for _ in 0..12 {
        run.step();
        let largest = run.bodies().largest_work();
        assert!(largest <= MAX_WORK + BEGUN, "work {largest}:\n{text}");
        let is_finite = |state: &BodyState| {
            state.position.is_finite() && state.velocity.is_finite() && state.rotation.is_finite()
        };
        assert!(run.bodies().states().iter().all(is_finite), "{text}");
        waited += run.world.waiting().objects;
    }
    Some(waited)
}

#[test]
fn bodies_in_a_narrow_source_wait() {
    assert!(play(&narrow(20)).unwrap() > 0);
}

/// Tops and jacks that touch the floor while they rotate: their gap hardly changes.
#[test]
fn spinning_bodies_at_rest_have_bounded_continuous_steps() {
    for spin in ["1", "100", "100000"] {
        let text = format!(
            "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n#!radius 0.1\n#!gravity medium\n#!continuous all\n\
             #!shape ball sphere 1\n#!shape rod capsule 0.1 3\n#!shape jack compound\n\
             #!part jack rod  0 0 0\n#!part jack rod  0 0 0  1 0 0 90\n\
             #!body ball 0.5 0.5 -0.9  0 0 0  spin 0 {spin} {spin} scale 0.1\n\
             #!body rod -0.5 0 -0.9  0 0 0  spin 0 0 {spin} scale 0.1\n\
             #!body jack 0.3 -0.5 -0.8  0 0 0  spin 0 0 {spin} scale 0.1\n"
        );
        assert!(play(&text).is_some());
    }
}

#[test]
fn mutated_scenes_of_bodies_have_bounded_steps() {
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let mut one_of = |values: &[&'static str]| values[random.random_range(0..values.len())];
    let mut played = 0;
    for _ in 0..60 {
        let side = one_of(&["0.001", "0.1", "2", "2", "1000000"]);
        let half = format!("-{}", one_of(&["0.001", "0.5", "1", "1", "100000"]));
        let text = format!(
            "i {half} {half} {half}  {side} {side} {side}  100 {}\np -0.5 -0.5 0  1 1 0  z\n\
             #!objects {}\n#!radius {}\n#!speed {}\n#!spin {}\n#!dt {}\n#!gravity {}\n\
             #!continuous {}\n\
             #!shape die box 1 1 1\n#!shape rod capsule 0.1 3\n#!shape rock hull 24\n\
             #!shape jack compound\n#!part jack rod  0 0 0\n#!part jack rod  0 0 0  1 0 0 90\n\
             #!bodies source 1  die 30 rod 20 rock 30 jack 20\n#!body die 0.2 0 0  0 0 0  scale 0.2 static\n",
            one_of(&["t", "f"]),
            one_of(&["1", "5", "12"]),
            one_of(&["0.0001", "0.05", "0.05", "0.4", "30"]),
            one_of(&["0", "1", "100", "1000000", "1000000000000"]),
            one_of(&["0", "2", "100", "100000", "1000000000000"]),
            one_of(&["0.0001", "0.0166667", "1"]),
            one_of(&["off", "medium", "strong"]),
            one_of(&["off", "bullets", "all"]),
        );
        played += u32::from(play(&text).is_some());
    }
    assert!(played > 30, "{played} scenes are no test");
}

#[test]
fn fast_spheres_wait_at_their_bounces() {
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 0\n#!dt 1\n#!ball 0 0 0  1000 0 0  0.1\n\
                #!ball 0 0.5 0  1 0 0  0.1\n";
    let mut world = World::new(&scene(text));
    world.step(Hold::None);
    let said = world.waiting().to_string();
    assert!(said.starts_with("1 object waits for the next step"), "{said}");
    assert!((f64::from(world.positions()[0].x).abs() - 0.9).abs() < 1e-6, "at its wall");
    assert_eq!(world.velocities()[0].x.abs(), 1000.0);
}

#[test]
fn stop_ends_a_step_of_many_slow_bodies() {
    // Whole steps of it take minutes.
    let mut world = World::new(&scene(&narrow(3000)));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        // Before the step or within it.
        scope.spawn(|| stop.store(true, Ordering::Relaxed));
        assert!(!world.step_unless(Hold::None, &stop));
    });
    assert_eq!(world.steps(), 0);
}

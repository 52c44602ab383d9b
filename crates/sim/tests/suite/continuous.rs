//! Contacts within a step: what is hit, in which order, and what the motion does not depend on.

use crate::laws::fast;
use crate::world_run::{MODES, Run, free, run, scene};
use broadphase::Pair;
use glam::DVec3;
use narrowphase::Reference;
use sim::scene::Continuous;
use sim::{Scene, World};

#[test]
fn bullet_hits_a_sheet_only_if_it_is_continuous() {
    // 2 units a step: it is in front of the sheet before, and behind it after.
    for (continuous, bullet, is_hit) in [
        (Continuous::Off, "bullet", false),
        (Continuous::Bullets, "", false),
        (Continuous::Bullets, "bullet", true),
        (Continuous::All, "", true),
    ] {
        let text = format!(
            "#!shape sheet box 0.02 1 1\n#!shape slug sphere 0.05\n\
             #!body sheet 0 0 0  0 0 0\n#!body slug -1 0 0  120 0 0  {bullet}\n"
        );
        let mut run = run(&free(&text, continuous));
        assert_eq!(run.step().resolved, u64::from(is_hit), "{continuous:?}");
        let [sheet, slug] = [0, 1].map(|object| run.state(object));
        assert_eq!((sheet.velocity.x > 0.0), is_hit, "{continuous:?}");
        assert_eq!(slug.position.x < sheet.position.x, is_hit, "{continuous:?}");
        let (bodies, impacts) = (run.bodies(), run.bodies().impacts());
        assert_eq!(impacts.len(), usize::from(is_hit));
        if is_hit {
            // The centres are 0.06 apart; momentum and energy in one dimension.
            let [m, n] = [0, 1].map(|object| bodies.mass(object));
            assert!((impacts[0].time - 0.94 / 120.0).abs() < 1e-9, "{:?}", impacts[0]);
            assert!((sheet.velocity.x - 240.0 * n / (m + n)).abs() < 1e-9, "{sheet:?}");
            assert!((slug.velocity.x - 120.0 * (n - m) / (m + n)).abs() < 1e-9, "{slug:?}");
            assert!(impacts[0].normal.distance(DVec3::NEG_X) < 1e-9, "{:?}", impacts[0]);
            assert!((impacts[0].point.x + 0.01).abs() < 1e-8, "{:?}", impacts[0]);
            assert!((bodies.contacts()[0].point - impacts[0].point).length() < 1e-12);
        }
    }
}

#[test]
fn nothing_has_met_before_the_first_step() {
    let text = "#!ball -1 0 0  120 9 0  0.25\n#!ball 1 0.3 0  -60 20 0  0.25\n";
    let mut world = World::new(&free(text, Continuous::All));
    let before = world.hash();
    assert_eq!(world.respond(&[Pair::new(0, 1)]).resolved, 0);
    assert_eq!(world.hash(), before);
}

#[test]
fn fast_spheres_that_meet_aslant_do_not_rotate() {
    let text = "#!ball -1 0 0  120 9 0  0.25\n#!ball 1 0.3 0  -60 20 0  0.25\n";
    let mut run = run(&free(text, Continuous::All));
    assert_eq!(run.step().resolved, 1);
    let impact = run.bodies().impacts()[0];
    for object in 0..2 {
        assert!(run.bodies().angular_velocity(object).length() < 1e-9, "{object}");
        let distance = impact.point.distance(impact.centres[object]);
        assert!((distance - 0.25).abs() < 1e-9, "{object}: {distance}");
    }
}

#[test]
fn corner_that_rotates_past_a_surface_within_a_step_meets_it() {
    // In the middle of the step the corner is sqrt(1 + 0.05^2) = 1.00125 from the centre, at both ends 0.9986.
    let shapes = "#!shape rod box 2 0.1 0.1\n#!shape cube box 1 1 1\n";
    let rod = |x: f64| format!("#!body rod {x} 0 0  0 0 0  rotate 0 0 1 -7 spin 0 0 14.66\n");
    let wall = "i -1.5 -1.5 -1.5  2.4995 3 3  100 t\n#!objects 0\n";
    for continuous in MODES {
        let walled = scene(&format!("{wall}{shapes}{}", rod(0.0)));
        let near = |other: &str| free(&format!("{shapes}{}{other}", rod(0.0)), continuous);
        for (scene, is_always) in [
            (Scene { continuous, ..walled }, true),
            (near("#!body cube 1.4995 0 0  0 0 0  static\n"), true),
            (near("#!body cube 1.5005 0 0  0 0 0\n"), false),
            (near(&rod(1.995)), false),
        ] {
            let mut run = run(&scene);
            run.step();
            let meets = is_always || continuous == Continuous::All;
            assert_eq!(run.state(0).velocity.x < 0.0, meets, "{continuous:?}: {scene:?}");
        }
    }
}

/// Balls of radius 0.01 on a line: where elastic ones of one mass are after a time, from left to right. They exchange
/// their velocities, so points that pass each other are at the same places, but for the diameters.
fn line_after(starts: &[(f64, f64)], time: f64) -> Vec<f64> {
    let diameter = 2.0 * f64::from(0.01_f32);
    // They start in the order of the line.
    let points = starts.iter().enumerate().map(|(i, (x, v))| x - diameter * i as f64 + v * time);
    let mut after: Vec<f64> = points.collect();
    after.sort_by(f64::total_cmp);
    after.iter().enumerate().map(|(i, x)| x + diameter * i as f64).collect()
}

#[test]
fn line_of_balls_with_many_contacts_a_step_is_exact() {
    // Most balls meet several others in a step, most of them after a push: contacts that were queued turn stale, and balls
    // come to places that no candidate knew of. `f32` holds the numbers.
    let start = |i: u32| {
        let i = f64::from(i);
        (f64::from((i * 0.07 - 1.4) as f32), 3.0 * ((i * 37.0 + 11.0) % 41.0 - 20.0))
    };
    let starts: Vec<(f64, f64)> = (0..40).map(start).collect();
    let balls: String = starts.iter().map(|(x, v)| format!("#!ball {x} 0 0  {v} 0 0\n")).collect();
    let mut run = run(&free(&format!("#!radius 0.01\n{balls}"), Continuous::All));
    let mut contacts = 0;
    for step in 1..=20 {
        run.step();
        contacts += run.bodies().impacts().len();
        for (i, expected) in line_after(&starts, run.world.time()).into_iter().enumerate() {
            let x = run.state(i).position.x;
            assert!((x - expected).abs() < 1e-6, "step {step}, ball {i}: {x} not {expected}");
        }
    }
    assert!(run.world.waiting().is_empty());
    assert!(contacts > 200, "{contacts} contacts are no test");
}

/// The deepest overlap of two bodies, in units of their radii.
fn deepest_overlap(run: &Run) -> f64 {
    let (bodies, mut reference) = (run.bodies(), Reference::new());
    let mut deepest: f64 = 0.0;
    for b in 0..run.world.len() {
        for a in 0..b {
            let (one, other) = (bodies.body(a), bodies.body(b));
            let reach = one.bounding_radius() + other.bounding_radius();
            if one.pose.position.distance(other.pose.position) <= reach {
                deepest = deepest.max(-reference.examine(&one, &other).gap / reach);
            }
        }
    }
    deepest
}

#[test]
fn mixed_bodies_never_overlap() {
    let mut run = run(&fast(400, Continuous::All));
    let dt = f64::from(run.world.scene().dt);
    let (mut resolved, mut repeated) = (0, 0);
    for step in 0..30 {
        resolved += run.step().resolved;
        let overlap = deepest_overlap(&run);
        assert!(overlap <= 1e-9, "step {step}: {overlap:e} of the radii");
        let impacts = run.bodies().impacts();
        assert!(impacts.is_sorted_by(|a, b| (a.time, a.pair) <= (b.time, b.pair)));
        assert!(impacts.iter().all(|impact| (0.0..=dt).contains(&impact.time)));
        let mut counts = vec![0; run.world.len()];
        impacts.iter().for_each(|impact| counts[impact.pair.a as usize] += 1);
        repeated += counts.iter().filter(|count| **count > 1).count();
        assert!(run.bodies().contacts().is_sorted_by(|a, b| a.pair < b.pair));
    }
    assert!(resolved > 1000 && repeated > 100, "{resolved}, {repeated} are no test");
}

#[test]
fn start_is_that_of_the_step_with_its_forces() {
    // In the second scene it bounces within the step.
    for (obstacle, is_free) in [("", true), ("p -1 -1 0.27  2 2 0  z\n", false)] {
        let text = format!("#!gravity strong\n#!ball 0 0 0  1 2 3  0.25\n{obstacle}");
        let mut run = run(&free(&text, Continuous::All));
        assert!(run.bodies().start_of(0).is_none());
        run.step();
        let dt = f64::from(run.world.scene().dt);
        let (body, motion) = run.bodies().start_of(0).unwrap();
        assert_eq!(body.pose.position, DVec3::ZERO);
        let velocity = DVec3::new(1.0, 2.0, 3.0 - 4.0 * dt);
        assert!(motion.velocity.distance(velocity) < 1e-15, "{motion:?}");
        let after = motion.pose_after(&body.pose, dt).position;
        assert_eq!(after == run.state(0).position, is_free);
    }
}

#[test]
fn bodies_that_overlap_at_the_start_part() {
    let text = "#!shape die box 1 1 1\n#!body die 0 0 0  1 0 0\n#!body die 0.9 0 0  -1 0 0\n";
    let mut run = run(&free(text, Continuous::All));
    assert_eq!(run.step().resolved, 1);
    assert_eq!((run.bodies().impacts().len(), run.bodies().impacts()[0].time), (1, 0.0));
    assert_eq!(run.state(0).velocity, DVec3::NEG_X);
    // They part, still overlap, and are left alone.
    let response = run.step();
    assert_eq!((response.hits, response.resolved), (1, 0));
    assert_eq!(run.state(0).velocity, DVec3::NEG_X);
    run.steps(60);
    assert!(deepest_overlap(&run) <= 0.0);
}

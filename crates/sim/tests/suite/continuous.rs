//! Contacts within a step: what is hit, in which order, and what the motion does not depend on.

use crate::laws::fast;
use crate::matter::MODES;
use crate::world_run::{self, Run, kd_tree};
use glam::{DVec3, Vec3};
use narrowphase::Reference;
use sim::scene::Continuous;
use sim::{Scene, World};

pub(crate) fn scene(text: &str, continuous: Continuous) -> Scene {
    Scene { continuous, ..world_run::scene(text) }
}

/// A scene whose walls are far away.
pub(crate) fn free(text: &str, continuous: Continuous) -> Scene {
    scene(&format!("i -900 -900 -900  1800 1800 1800  100 t\n#!objects 0\n{text}"), continuous)
}

fn velocity(run: &Run, object: usize) -> DVec3 {
    run.world.bodies().unwrap().states()[object].velocity
}

#[test]
fn bullet_hits_a_sheet_only_if_it_is_continuous() {
    // 2 units a step: it is in front of the sheet before, and behind it after.
    let text = "#!shape sheet box 0.02 1 1\n#!shape slug sphere 0.05\n\
                #!body sheet 0 0 0  0 0 0\n#!body slug -1 0 0  120 0 0\n";
    for (continuous, is_bullet, is_hit) in [
        (Continuous::Off, true, false),
        (Continuous::Bullets, false, false),
        (Continuous::Bullets, true, true),
        (Continuous::All, false, true),
    ] {
        let mut scene = free(text, continuous);
        scene.placed_bodies[1].is_bullet = is_bullet;
        let mut run = Run::new(&scene, kd_tree());
        let response = run.step();
        let [sheet, slug] = [0, 1].map(|object| velocity(&run, object));
        assert_eq!(
            (response.resolved, sheet.x > 0.0),
            (u64::from(is_hit), is_hit),
            "{continuous:?}"
        );
        let bodies = run.world.bodies().unwrap();
        let position = |object: usize| bodies.states()[object].position.x;
        assert_eq!(position(1) < position(0), is_hit, "{continuous:?}");
        let impacts = bodies.impacts();
        assert_eq!(impacts.len(), usize::from(is_hit));
        if is_hit {
            // The centres are 0.06 apart; momentum and energy in one dimension.
            let [m, n] = [0, 1].map(|object| bodies.mass(object));
            assert!((impacts[0].time - 0.94 / 120.0).abs() < 1e-9, "{:?}", impacts[0]);
            assert!((sheet.x - 240.0 * n / (m + n)).abs() < 1e-9, "{sheet}");
            assert!((slug.x - 120.0 * (n - m) / (m + n)).abs() < 1e-9, "{slug}");
            assert!(impacts[0].normal.distance(DVec3::NEG_X) < 1e-9, "{:?}", impacts[0]);
            assert!((impacts[0].point.x + 0.01).abs() < 1e-8, "{:?}", impacts[0]);
            assert!((bodies.contacts()[0].point - impacts[0].point).length() < 1e-12);
        }
    }
}

#[test]
fn fast_spheres_swap_their_velocities_where_they_meet() {
    let text = "#!ball -1 0 0  120 0 0  0.25\n#!ball 1 0 0  -60 0 0  0.25\n";
    let mut run = Run::new(&free(text, Continuous::All), kd_tree());
    run.step();
    // After 1.5 / 180 seconds their centres are at 0 and 0.5.
    let rest = f64::from(run.world.scene().dt) - 1.5 / 180.0;
    for (object, center, velocity) in [(0, 0.0, -60.0), (1, 0.5, 120.0)] {
        let state = run.world.bodies().unwrap().states()[object];
        assert_eq!(state.velocity, DVec3::X * velocity);
        let place = center + velocity * rest;
        assert!((state.position.x - place).abs() < 1e-9, "{state:?}, not at {place}");
    }
}

#[test]
fn fast_spheres_that_meet_aslant_do_not_rotate() {
    let text = "#!ball -1 0 0  120 9 0  0.25\n#!ball 1 0.3 0  -60 20 0  0.25\n";
    let mut run = Run::new(&free(text, Continuous::All), kd_tree());
    assert_eq!(run.step().resolved, 1);
    let bodies = run.world.bodies().unwrap();
    let impact = bodies.impacts()[0];
    for object in 0..2 {
        assert!(bodies.angular_velocity(object).length() < 1e-9, "{object}");
        let distance = impact.point.distance(impact.centres[object]);
        assert!((distance - 0.25).abs() < 1e-9, "{object}: {distance}");
    }
}

#[test]
fn fast_sphere_bounces_off_a_static_one() {
    let text = "i -900 -900 -900  1800 1800 1800  100 t\ni -0.26 -0.26 -0.26  0.52 0.52 0.52  0 t\n\
                #!objects 1\n#!radius 0.25\n#!layer source 1 static\n#!ball -1 0 0  120 0 0  0.25\n";
    let text = text.replace("100 t\ni", "0 t\ni").replace("0.52  0 t", "0.52  100 t");
    let text = text.replace("source 1 static", "source 2 static");
    for (continuous, back) in
        [(Continuous::Off, false), (Continuous::Bullets, true), (Continuous::All, true)]
    {
        let mut run = Run::new(&scene(&text, continuous), kd_tree());
        run.step();
        assert_eq!(run.world.velocities()[1].x < 0.0, back, "{continuous:?}");
        assert_eq!(run.world.velocities()[0], Vec3::ZERO);
        if continuous != Continuous::Off {
            let bodies = run.world.bodies().unwrap();
            assert_eq!((bodies.impacts().len(), bodies.contacts().len()), (1, 1));
            let pair = bodies.impacts()[0].pair;
            assert_eq!((pair.a, pair.b), (0, 1));
        }
    }
}

#[test]
fn corner_that_rotates_past_a_surface_within_a_step_meets_it() {
    // In the middle of the step the corner is sqrt(1 + 0.05^2) = 1.00125 from the centre, at both ends 0.9988.
    let rod = "#!shape rod box 2 0.1 0.1\n\
               #!body rod 0 0 0  0 0 0  rotate 0 0 1 -6.8754935 spin 0 0 14.4\n";
    let cube = "#!shape cube box 1 1 1\n#!body cube 1.4995 0 0  0 0 0  static\n";
    let wall = format!("i -1.5 -1.5 -1.5  2.4995 3 3  100 t\n#!objects 0\n{rod}");
    for continuous in MODES {
        let cube = free(&format!("{rod}{cube}"), continuous);
        for scene in [cube, scene(&wall, continuous)] {
            let mut run = Run::new(&scene, kd_tree());
            run.step();
            assert!(velocity(&run, 0).x < 0.0, "{continuous:?}");
        }
    }
}

/// Balls of radius 0.01 on a line: where elastic ones of one mass are after a time, from left to right. They exchange
/// their velocities, so points that pass each other are at the same places, but for the diameters.
fn line_after(starts: &[(f64, f64)], time: f64) -> Vec<f64> {
    let rank = |x: f64, others: &[f64]| others.iter().filter(|other| **other < x).count() as f64;
    let before: Vec<f64> = starts.iter().map(|(x, _)| *x).collect();
    let mut after: Vec<f64> =
        starts.iter().map(|(x, v)| x - 0.02 * rank(*x, &before) + v * time).collect();
    after.sort_by(f64::total_cmp);
    (0..after.len()).map(|i| after[i] + 0.02 * i as f64).collect()
}

#[test]
fn line_of_balls_with_many_contacts_a_step_is_exact() {
    // Most balls meet several others in a step, most of them after a push: contacts that were queued turn stale, and balls
    // come to places that no candidate knew of.
    let starts: Vec<(f64, f64)> = (0..40)
        .map(|i| {
            let i = f64::from(i);
            // Numbers that f32 holds.
            let speed = 3.0 * ((i * 37.0 + 11.0) % 41.0 - 20.0);
            (f64::from((i * 0.07 - 1.4) as f32), speed)
        })
        .collect();
    let mut text = String::from("#!radius 0.01\n");
    for (x, v) in &starts {
        text += &format!("#!ball {x} 0 0  {v} 0 0\n");
    }
    let mut run = Run::new(&free(&text, Continuous::All), kd_tree());
    let mut contacts = 0;
    for step in 1..=20 {
        run.step();
        contacts += run.world.bodies().unwrap().impacts().len();
        let radius = f64::from(0.01_f32);
        let diameters = 2.0 * radius - 0.02;
        let expected = line_after(&starts, run.world.time());
        let states = run.world.bodies().unwrap().states();
        for (i, (state, expected)) in states.iter().zip(expected).enumerate() {
            let expected = expected + diameters * i as f64;
            let error = (state.position.x - expected).abs();
            assert!(error < 1e-6, "step {step}, ball {i}: {} not {expected}", state.position.x);
        }
    }
    assert!(run.world.waiting().is_empty());
    assert!(contacts > 200, "{contacts} contacts are no test");
}

#[test]
fn contact_that_a_push_prevents_is_not_answered() {
    // The first ball pushes the second out of the way of the third.
    let text =
        "#!ball -1 0 0  120 0 0  0.25\n#!ball 0 0 0  0 0 0  0.25\n#!ball 0 -1.5 0  0 90 0  0.25\n";
    let mut run = Run::new(&free(text, Continuous::All), kd_tree());
    let response = run.step();
    let bodies = run.world.bodies().unwrap();
    assert_eq!(bodies.impacts().len(), 1, "{:?}", bodies.impacts());
    assert_eq!(response.resolved, 1);
    assert_eq!(velocity(&run, 2), DVec3::Y * 90.0);
}

/// The deepest overlap of two bodies, in units of their radii, and how many pairs overlap.
fn deepest_overlap(world: &World) -> f64 {
    let bodies = world.bodies().unwrap();
    let mut reference = Reference::new();
    let mut deepest: f64 = 0.0;
    for a in 0..world.len() {
        for b in a + 1..world.len() {
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
    let mut run = Run::new(&fast(400, Continuous::All), kd_tree());
    assert_eq!(run.world.placement_warning(), None);
    let dt = f64::from(run.world.scene().dt);
    let (mut resolved, mut repeated) = (0, 0);
    for step in 0..30 {
        resolved += run.step().resolved;
        let overlap = deepest_overlap(&run.world);
        assert!(overlap <= 1e-9, "step {step}: {overlap:e} of the radii");
        let bodies = run.world.bodies().unwrap();
        let impacts = bodies.impacts();
        assert!(impacts.is_sorted_by(|a, b| (a.time, a.pair) <= (b.time, b.pair)));
        assert!(impacts.iter().all(|impact| (0.0..=dt).contains(&impact.time)));
        let mut counts = vec![0; run.world.len()];
        impacts.iter().for_each(|impact| counts[impact.pair.a as usize] += 1);
        repeated += counts.iter().filter(|count| **count > 1).count();
        let contacts = bodies.contacts();
        assert!(contacts.is_sorted_by(|a, b| a.pair < b.pair));
    }
    assert!(resolved > 1000 && repeated > 100, "{resolved}, {repeated} are no test");
}

#[test]
fn start_is_that_of_the_step_with_its_forces() {
    let text = "#!gravity strong\n#!ball 0 0 0  1 2 3  0.25\n";
    let mut run = Run::new(&free(text, Continuous::All), kd_tree());
    assert!(run.world.bodies().unwrap().start_of(0).is_none());
    run.step();
    let dt = f64::from(run.world.scene().dt);
    let (body, motion) = run.world.bodies().unwrap().start_of(0).unwrap();
    assert_eq!(body.pose.position, DVec3::ZERO);
    let velocity = DVec3::new(1.0, 2.0, 3.0 - 4.0 * dt);
    assert!(motion.velocity.distance(velocity) < 1e-15, "{motion:?}");
    let moved = run.world.bodies().unwrap().states()[0].position;
    assert_eq!(motion.pose_after(&body.pose, dt).position, moved);
}

#[test]
fn bodies_that_overlap_at_the_start_part() {
    let text = "#!shape die box 1 1 1\n#!body die 0 0 0  1 0 0\n#!body die 0.9 0 0  -1 0 0\n";
    let mut run = Run::new(&free(text, Continuous::All), kd_tree());
    assert_eq!(run.step().resolved, 1);
    let bodies = run.world.bodies().unwrap();
    assert_eq!((bodies.impacts().len(), bodies.impacts()[0].time), (1, 0.0));
    assert_eq!(velocity(&run, 0), DVec3::NEG_X);
    // They part, still overlap, and are left alone.
    let response = run.step();
    assert_eq!((response.hits, response.resolved), (1, 0));
    assert_eq!(velocity(&run, 0), DVec3::NEG_X);
    run.steps(60);
    assert!(deepest_overlap(&run.world) <= 0.0);
}

#[test]
fn rods_that_rotate_into_each_other_meet() {
    // A rod points at another body within the step only, which begins and ends 7 degrees aside.
    for other in [
        "#!body rod 1.995 0 0  0 0 0  rotate 0 0 1 -7 spin 0 0 4.88\n",
        "#!body die 1.5005 0 0  0 0 0\n",
    ] {
        let rod = "#!body rod 0 0 0  0 0 0  rotate 0 0 1 -7 spin 0 0 4.88\n";
        let text =
            format!("#!dt 0.05\n#!shape rod box 2 0.1 0.1\n#!shape die box 1 1 1\n{rod}{other}");
        let mut passing = Run::new(&free(&text, Continuous::Off), kd_tree());
        assert_eq!(passing.step().resolved, 0, "{other}");
        let mut run = Run::new(&free(&text, Continuous::All), kd_tree());
        assert_eq!(run.step().resolved, 1, "{other}");
        let impact = run.world.bodies().unwrap().impacts()[0];
        assert!(impact.time > 0.005 && impact.time < 0.04, "{impact:?}");
    }
}

//! The stages after the search of bodies: their methods, figures and outlines.

use super::*;
use narrowphase::narrow::NARROW_PHASES;
use narrowphase::volume::VOLUMES;
use sim::stages::{Audit, ContactStage, FramePairs, VolumeStage};

fn choose(bench: &mut Bench, list: &str, name: &str, summary: &str) -> Methods {
    bench.click(Role::ComboBox, list);
    let meaning = bench.meaning(Role::Button, name).to_lowercase();
    assert!(meaning.contains(&summary.to_lowercase()), "{meaning}");
    let command = bench.click_and_obey(Role::Button, name);
    let Command::Order(Order::Methods(methods)) = command else { panic!("{command:?}") };
    assert_eq!(bench.session().stages().methods(), methods);
    methods
}

#[test]
fn methods_are_chosen_on_the_running_scene() {
    let [mut bench, mut plain] = [0; 2].map(|_| Bench::with(tumbling(), "bsp"));
    for (list, name) in [("Bounding volume", "Oriented box"), ("Narrow phase", "GJK (cached)")] {
        assert_eq!(bench.node(Role::ComboBox, list).value().as_deref(), Some(name));
    }
    for kind in VOLUMES.iter().filter(|kind| kind.id != "obb") {
        let methods = choose(&mut bench, "Bounding volume", kind.name, kind.summary);
        assert_eq!((methods.volume.id, methods.narrow.id), (kind.id, "gjk+cached"));
        bench.steps(1);
        plain.steps(1);
    }
    for kind in NARROW_PHASES.iter().filter(|kind| kind.id != "gjk+cached") {
        let methods = choose(&mut bench, "Narrow phase", kind.name, kind.summary);
        assert_eq!((methods.volume.id, methods.narrow.id), ("hull", kind.id));
        bench.steps(1);
        plain.steps(1);
    }
    assert_eq!(bench.world().hash(), plain.world().hash(), "the motion depends on the methods");
    // The present one is no change, and the choice outlives a restart.
    bench.click(Role::ComboBox, "Bounding volume");
    bench.click(Role::Button, "Convex hull");
    bench.assert_no_command();
    bench.obey(Order::Restart);
    assert_eq!(bench.session().stages().methods(), Methods::of_ids("hull", "triangles"));
}

/// The figure of a funnel's row.
fn row(bench: &Bench, name: &str) -> u64 {
    bench.funnel(name).parse().unwrap()
}

#[test]
fn funnel_counts_what_passes_and_the_contact_points() {
    for id in ["none", "sphere", "dop26", "sphere-inside"] {
        let kind = volume::find(id).unwrap();
        let mut bench = Bench::with(tumbling(), "bsp");
        let methods = Methods { volume: kind, ..Methods::default() };
        bench.obey(Order::Methods(methods));
        let (mut contacts, mut kept) = (ContactStage::default(), 0);
        for step in 0..3 {
            bench.steps(step.min(1));
            if step == 1 {
                // The start of a scene is no step, from which points could be kept.
                contacts = ContactStage::default();
            }
            let bodies = bench.world().bodies().unwrap();
            let of = FramePairs::new(bodies, bench.session().pairs());
            let mut volumes = VolumeStage::new(kind, bodies);
            volumes.place(bodies);
            let mut passed = Vec::new();
            volumes.filter(&of, &mut passed);
            let mut audit = Audit::default();
            audit.examine(&FramePairs { pairs: &passed, ..of });
            let touching: Vec<_> = audit.touching().collect();
            let count = contacts.find(&FramePairs { pairs: &touching, ..of });
            kept += count.kept;
            assert_eq!(row(&bench, "Volume"), passed.len() as u64, "{id}");
            assert_eq!((row(&bench, "Contacts"), row(&bench, "kept")), (count.points, count.kept));
            let hits = row(&bench, "Hits");
            assert_eq!(hits > touching.len() as u64, !kind.exact, "{id}: {hits}");
        }
        assert!(kept > 0, "{id}");
        // No point is kept from a step after the present one, nor from this one if it is searched again.
        for order in [Order::StepBack, Order::Methods(methods)] {
            bench.obey(order);
            bench.look();
            assert!(row(&bench, "Contacts") > 0 && row(&bench, "kept") == 0, "{id}");
        }
    }
}

#[test]
fn times_contain_the_stages_and_leave_the_checks_out() {
    let mut bench = Bench::with(tumbling(), "bsp");
    bench.steps(5);
    // The clock ticks once a millisecond and reading: update, pairs, three stages, response, motion.
    let frame = *bench.session().history().frames.last().unwrap();
    assert_eq!(frame.stages, [1_000_000; 4]);
    assert_eq!(frame.response_ns, 1_000_000, "the stages are no part of the response");
    assert_eq!((frame.collision_ns(), frame.motion_ns), (6_000_000, 1_000_000));
    assert!(bench.says("Step 7.000, p95 7.000 ms"));
    let rates = bench.session().history().rates.unwrap();
    // The world is not continuous.
    assert!(rates.stages[0] > 0.0 && rates.stages == [rates.stages[0]; 4], "{rates:?}");
    assert!((rates.collisions() - 6.0 * rates.search[0]).abs() < 1e-9, "{rates:?}");
}

fn outlines(bench: &mut Bench) -> Vec<Segment> {
    let view = bench.stage().view();
    let of_volumes = |segment: &&Segment| segment.color == Theme::DARK.leaf;
    view.segments.iter().filter(of_volumes).copied().collect()
}

#[test]
fn outlines_are_those_of_the_volumes() {
    let mut bench = Bench::with(placed_bodies(), "brute-force");
    bench.steps(1);
    assert!(outlines(&mut bench).is_empty());
    bench.click(Role::CheckBox, "Bounding volumes");
    // Four boxes, that of the ball a cube.
    let edges = outlines(&mut bench);
    assert_eq!(edges.len(), 4 * 12);
    let length = |edge: &Segment| glam::Vec3::from(edge.a).distance(edge.b.into());
    let unit = edges.iter().filter(|edge| (length(edge) - 1.0).abs() < 1e-5).count();
    // All edges of both cubes, and the four long ones of the bar of half the size.
    assert_eq!(unit, 12 + 12 + 4);
    // Boxes are exact, and a ball has pi / 6 of its cube.
    let ratio = (3.0 + 6.0 / std::f64::consts::PI) / 4.0;
    for words in
        [&format!("volume: {ratio:.2} times"), "1 of 2 candidates pass", "All of them touch"]
    {
        assert!(bench.says(words), "{words}");
    }
    bench.obey(Order::Methods(Methods::of_ids("none", "sat")));
    assert!(outlines(&mut bench).is_empty());
    bench.harness.run();
    assert!(bench.says("2 of 2 candidates pass") && bench.says("50 % of them do not touch"));

    bench.obey(Order::Methods(Methods::of_ids("sphere", "sat")));
    let circles = outlines(&mut bench);
    assert_eq!(circles.len(), 4 * 32);
    let snapshot = &bench.stage().snapshot;
    let (eye, center) = (snapshot.first_camera().eye(), snapshot.objects.positions[0]);
    for side in &circles[..32] {
        let at = glam::Vec3::from(side.a);
        assert!((at.distance(center) - 0.75_f32.sqrt()).abs() < 1e-5, "on the sphere");
        assert!((at - center).normalize().dot((eye - at).normalize()).abs() < 1e-4, "at its rim");
    }
}

#[test]
fn many_bodies_are_outlined_in_part() {
    let mut bench = Bench::with(Scene { objects: 300, ..tumbling() }, "bsp");
    bench.show(&[Row::Volumes]);
    bench.steps(1);
    assert!(bench.says("The first 200 of 300 bodies are outlined"));
    // The volume of a picked body is among them.
    bench.obey(Order::Methods(Methods::of_ids("sphere", "gjk+cached")));
    bench.pick(Some(299));
    let Stage { snapshot, panel, .. } = bench.stage();
    let spheres = snapshot.drawing.groups(&panel.view).flat_map(|group| &group.spheres);
    let spheres: Vec<_> = spheres.collect();
    assert_eq!(spheres.len(), 200);
    let reach = snapshot.objects.radii[299];
    assert!(spheres[0].0.distance(snapshot.objects.positions[299]) < reach);
}

#[test]
fn spheres_of_flat_scenes_are_circles_in_their_plane() {
    let square = "i -2 -2 -2  4 4 4  100 f
#!objects 0
#!flat
#!shape square polygon 1  -1 -1  1 -1  1 1  -1 1
#!body square 0.5 0 -0.5  0 0 0
";
    let mut bench = Bench::with(scene(square), "brute-force");
    bench.obey(Order::Methods(Methods::of_ids("sphere", "gjk+cached")));
    bench.show(&[Row::Volumes]);
    assert!(outlines(&mut bench).is_empty(), "they are drawn over the bodies");
    let circle = bench.stage().view().over_objects.to_vec();
    assert!(circle.len() >= 32, "{}", circle.len());
    for Segment { a: [x, y, z], .. } in circle {
        assert!(y.abs() < 1e-6, "{y}");
        let from_center = (x - 0.5).hypot(z + 0.5);
        assert!((from_center - std::f32::consts::SQRT_2).abs() < 1e-5, "{from_center}");
    }
}

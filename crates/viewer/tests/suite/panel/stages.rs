//! The stages after the search of bodies: their methods, figures and outlines.

use crate::common::bench::{Bench, Stage};
use crate::common::{placed_bodies, session, tumbling};
use egui::accesskit::Role;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use narrowphase::narrow::NARROW_PHASES;
use narrowphase::volume::{self, VOLUMES};
use sim::Scene;
use sim::stages::{Audit, ContactStage, FramePairs, VolumeStage};
use viewer::panel::Command;
use viewer::scene_renderer::{Segment, Theme};
use viewer::session::Methods;
use viewer::simulation::Order;
use viewer::view::Row;

fn choose(bench: &mut Bench, list: &str, name: &str, summary: &str) -> Methods {
    bench.click(Role::ComboBox, list);
    let entry = bench.node(Role::Button, name).accesskit_node();
    let meaning = entry.data().description().unwrap().to_lowercase();
    assert!(meaning.contains(&summary.to_lowercase()), "{meaning}");
    bench.click(Role::Button, name);
    let Command::Order(Order::Methods(methods)) = bench.command() else {
        panic!("{name} is no order for methods")
    };
    bench.obey(Order::Methods(methods));
    methods
}

#[test]
fn methods_are_chosen_on_the_running_scene() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    let mut plain = Bench::new(session(tumbling(), "bsp"));
    assert_eq!(bench.node(Role::ComboBox, "Bounding volume").value().unwrap(), "Oriented box");
    assert_eq!(bench.node(Role::ComboBox, "Narrow phase").value().unwrap(), "GJK (cached)");
    for kind in VOLUMES.iter().filter(|kind| kind.id != "obb") {
        let methods = choose(&mut bench, "Bounding volume", kind.name, kind.summary);
        assert_eq!((methods.volume.id, methods.narrow.id), (kind.id, "gjk+cached"));
        assert_eq!(bench.session().stages().methods(), methods);
        bench.steps(1);
        plain.steps(1);
    }
    for kind in NARROW_PHASES.iter().filter(|kind| kind.id != "gjk+cached") {
        let methods = choose(&mut bench, "Narrow phase", kind.name, kind.summary);
        assert_eq!((methods.volume.id, methods.narrow.id), ("hull", kind.id));
        bench.steps(1);
        plain.steps(1);
    }
    let hash = |bench: &Bench| bench.session().world().unwrap().hash();
    assert_eq!(hash(&bench), hash(&plain), "the motion depends on the methods");
    // The present one is no change, and the choice outlives a restart.
    bench.click(Role::ComboBox, "Bounding volume");
    bench.click(Role::Button, "Convex hull");
    bench.assert_no_command();
    bench.obey(Order::Restart);
    assert_eq!(bench.session().stages().methods(), Methods::of_ids("hull", "triangles"));
}

/// Figures of a funnel's row.
fn row(bench: &Bench, name: &str) -> u64 {
    let label = bench.harness.get_all_by_label(name).next().unwrap();
    let meaning = label.accesskit_node().data().description().unwrap().to_owned();
    let figure = bench.figure(&meaning).trim().replace(',', "");
    // `5 of 8`: all of which an inexact volume lets some pass.
    figure.rsplit(" of ").next().unwrap().parse().unwrap()
}

#[test]
fn funnel_counts_what_passes_and_the_contact_points() {
    for id in ["none", "sphere", "dop26", "sphere-inside"] {
        let kind = volume::find(id).unwrap();
        let mut bench = Bench::new(session(tumbling(), "bsp"));
        bench.obey(Order::Methods(Methods { volume: kind, ..Methods::default() }));
        let (mut contacts, mut kept) = (ContactStage::default(), 0);
        for step in 0..3 {
            bench.steps(step.min(1));
            if step == 1 {
                // The start of a scene is no step, from which points could be kept.
                contacts = ContactStage::default();
            }
            let bodies = bench.session().world().unwrap().bodies().unwrap();
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
        bench.obey(Order::StepBack);
        bench.harness.run();
        assert!(row(&bench, "Contacts") > 0);
        assert_eq!(row(&bench, "kept"), 0, "{id}");
        bench.obey(Order::Methods(Methods { volume: kind, ..Methods::default() }));
        bench.stage().look();
        bench.harness.run();
        assert!(row(&bench, "Contacts") > 0);
        assert_eq!(row(&bench, "kept"), 0, "{id}");
    }
}

#[test]
fn times_of_the_stages_are_shown_and_leave_the_checks_out() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.steps(5);
    let frame = *bench.session().history().frames.last().unwrap();
    // The clock ticks once a millisecond and reading: one for each stage, and one for the checks of answers.
    assert_eq!(frame.stages.in_order(), [1_000_000; 4]);
    assert_eq!(frame.response_ns, 1_000_000, "the stages are no part of the response");
    for name in ["Volumes", "Narrow", "Contact", "Checks"] {
        let label = bench.harness.get_by_label(name);
        let meaning = label.accesskit_node().data().description().unwrap().to_owned();
        assert_eq!(bench.figure(&meaning), "1.000 ms", "{name}");
    }
    let shares = bench.session().history().rates.unwrap().stages;
    // The world is not continuous.
    let each = shares[0];
    assert!(each > 0.0 && shares == [each; 4], "{shares:?}");
    for name in ["volumes", "narrow phase", "contacts", "checks"] {
        bench.harness.get_by_role_and_label(Role::Label, name);
    }
}

fn outlines(bench: &mut Bench) -> Vec<Segment> {
    let view = bench.stage().view();
    let of_volumes = |segment: &&Segment| segment.color == Theme::DARK.leaf;
    view.segments.iter().filter(of_volumes).copied().collect()
}

#[test]
fn outlines_are_those_of_the_volumes() {
    let mut bench = Bench::new(session(placed_bodies(), "brute-force"));
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
    bench.harness.run();
    bench.harness.get_by_label("Bounding volumes: Oriented box");
    // Boxes are exact, and a ball has pi / 6 of its cube.
    let ratio = (3.0 + 6.0 / std::f64::consts::PI) / 4.0;
    bench.harness.get_by_label(&format!("volume: {ratio:.2} times the body's, mean"));
    bench.harness.get_by_label("1 of 2 candidates pass");
    bench.harness.get_by_label("All of them touch");

    bench.obey(Order::Methods(Methods::of_ids("none", "sat")));
    assert!(outlines(&mut bench).is_empty());
    bench.harness.run();
    bench.harness.get_by_label("2 of 2 candidates pass");
    bench.harness.get_by_label("50 % of them do not touch");

    bench.obey(Order::Methods(Methods::of_ids("sphere", "sat")));
    let circles = outlines(&mut bench);
    assert_eq!(circles.len(), 4 * 32);
    let eye = bench.stage().snapshot.first_camera().eye();
    let (center, radius) = (bench.stage().snapshot.objects.positions[0], 0.75_f32.sqrt());
    for side in &circles[..32] {
        let at = glam::Vec3::from(side.a);
        assert!((at.distance(center) - radius).abs() < 1e-5, "on the sphere");
        assert!((at - center).normalize().dot((eye - at).normalize()).abs() < 1e-4, "at its rim");
    }
}

#[test]
fn misses_of_inexact_volumes_are_stated() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.obey(Order::Methods(Methods::of_ids("sphere-inside", "gjk+cached")));
    bench.stage().panel.view.set(Row::Volumes, true);
    bench.steps(3);
    let stages = bench.session().found().unwrap().stages.unwrap();
    let (volume, hits) = (stages.volume, bench.session().found().unwrap().hits);
    assert!(volume.missed > 0 && bench.stage().snapshot.engine.fault.is_none());
    let text = format!("{} of {hits} touching pairs are missed", volume.missed);
    bench.harness.get_by_label_contains(&text);
}

#[test]
fn many_bodies_are_outlined_in_part() {
    let scene = Scene { objects: 300, ..tumbling() };
    let mut bench = Bench::new(session(scene, "bsp"));
    bench.stage().panel.view.set(Row::Volumes, true);
    bench.steps(1);
    bench.harness.get_by_label_contains("The first 200 of 300 bodies are outlined");
    // The volume of a picked body is among them.
    bench.obey(Order::Methods(Methods::of_ids("sphere", "gjk+cached")));
    bench.stage().panel.view.picked = Some(299);
    bench.stage().look();
    let Stage { snapshot, panel, .. } = bench.stage();
    let spheres = snapshot.drawing.groups(&panel.view).flat_map(|group| &group.spheres);
    let spheres: Vec<_> = spheres.collect();
    assert_eq!(spheres.len(), 200);
    let reach = snapshot.objects.radii[299];
    assert!(spheres[0].0.distance(snapshot.objects.positions[299]) < reach);
}

#[test]
fn collisions_and_step_contain_stages_but_no_checks() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.steps(5);
    // Each time is a millisecond: update, pairs, three stages, response, motion.
    let frame = *bench.session().history().frames.last().unwrap();
    assert_eq!((frame.collision_ns(), frame.motion_ns), (6_000_000, 1_000_000));
    bench.harness.get_by_label("Step 7.00, p95 7.00 ms");
    let rates = bench.session().history().rates.unwrap();
    assert!((rates.collisions() - 6.0 * rates.search[0]).abs() < 1e-9, "{rates:?}");
    bench.harness.get_by_label(&format!("Time: collisions {:.0} %", 100.0 * rates.collisions()));
}

#[test]
fn spheres_of_flat_scenes_are_circles_in_their_plane() {
    let text = b"i -2 -2 -2  4 4 4  100 f
#!objects 0
#!flat
#!shape square polygon 1  -1 -1  1 -1  1 1  -1 1
#!body square 0.5 0 -0.5  0 0 0
";
    let scene = sim::SceneDocument::parse("flat.scene", text).unwrap().scene().clone();
    let mut bench = Bench::new(session(scene, "brute-force"));
    let volume = volume::find("sphere").unwrap();
    bench.obey(Order::Methods(Methods { volume, ..Methods::default() }));
    bench.click(Role::CheckBox, "Bounding volumes");
    assert!(outlines(&mut bench).is_empty(), "they are drawn over the bodies");
    let circle = bench.stage().view().over_objects.to_vec();
    let radius = std::f32::consts::SQRT_2;
    assert!(circle.len() >= 32, "{}", circle.len());
    for line in &circle {
        let [x, y, z] = line.a;
        assert!(y.abs() < 1e-6, "{y}");
        let from_center = (x - 0.5).hypot(z + 0.5);
        assert!((from_center - radius).abs() < 1e-5, "{from_center} of {radius}");
    }
}

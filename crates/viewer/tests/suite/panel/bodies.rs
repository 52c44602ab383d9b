//! Bodies: how they are drawn, picked and inspected, and the group *Bodies*.

use crate::common::bench::Bench;
use crate::common::{crowded, placed_bodies, session, tumbling};
use broadphase::{Aabb, Pair};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use narrowphase::BoxKind;
use sim::World;
use viewer::camera::Ray;
use viewer::scene_renderer::Theme;
use viewer::simulation::{Order, Snapshot};
use viewer::view::{ColorBy, Row, View};

#[test]
fn each_body_is_drawn_once_by_the_mesh_of_its_shape() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.steps(3);
    let view = bench.stage().view();
    let bodies = view.bodies.unwrap();
    let names = ["ball", "die", "pill", "tee", "ball"];
    assert_eq!((bodies.meshes.len(), bodies.of_mesh.len()), (names.len(), names.len()));
    let mut drawn: Vec<[f32; 3]> = view.spheres.iter().map(|sphere| sphere.center).collect();
    let balls = drawn.len();
    drawn.extend(bodies.instances.iter().map(|body| body.position));
    let mut next = 0;
    for (range, name) in bodies.of_mesh.iter().zip(names) {
        assert_eq!(range.start, next, "{name}");
        assert_eq!(range.is_empty(), name == "ball", "{name}: {range:?}");
        next = range.end;
    }
    assert_eq!(next as usize, bodies.instances.len());
    let mut twin = session(tumbling(), "bsp");
    crate::common::steps(&mut twin, 3);
    let world = twin.world().unwrap();
    let shapes = world.bodies().unwrap();
    for (mesh, range) in bodies.of_mesh.iter().enumerate() {
        for body in &bodies.instances[range.start as usize..range.end as usize] {
            let is_it = |object: &usize| world.positions()[*object].to_array() == body.position;
            let object = (0..world.len()).find(is_it).unwrap();
            assert_eq!(shapes.shape_of(object), mesh);
            assert_eq!(body.scale, shapes.body(object).scale as f32);
            let rotation = shapes.states()[object].rotation.as_quat();
            assert_eq!(body.rotation, rotation.to_array(), "x, y, z, w");
        }
    }
    let named = |name: &str| {
        let is_named = |&object: &usize| shapes.shapes()[shapes.shape_of(object)].name == name;
        (0..world.len()).filter(is_named).count()
    };
    assert_eq!(balls, named("ball"));
    assert!(balls > 0 && balls < drawn.len());
    let mut positions: Vec<_> = world.positions().iter().map(|at| at.to_array()).collect();
    for list in [&mut drawn, &mut positions] {
        list.sort_by(|a, b| a.iter().partial_cmp(b.iter()).unwrap());
    }
    assert_eq!(drawn, positions);
}

#[test]
fn bodies_glow_after_a_hit_and_are_coloured_by_speed() {
    let mut bench = Bench::new(session(placed_bodies(), "bsp"));
    let colors = |bench: &mut Bench| -> Vec<[u8; 4]> {
        let view = bench.stage().view();
        view.bodies.unwrap().instances.iter().map(|body| body.color).collect()
    };
    let cold = colors(&mut bench);
    assert_eq!(cold.len(), 3);
    bench.steps(1);
    let hot = colors(&mut bench);
    assert_eq!(&hot[..2], [Theme::DARK.hit; 2], "the cubes overlap");
    assert_eq!(hot[2], cold[2], "only the box of the bar overlaps");
    bench.click(Role::CheckBox, "Glow after a hit");
    assert_eq!(colors(&mut bench), cold);
    bench.stage().panel.view.color = ColorBy::Velocity;
    bench.stage().look();
    assert!(colors(&mut bench).iter().all(|color| !cold.contains(color)));
    bench.stage().panel.view.set(Row::Objects, false);
    let view = bench.stage().view();
    assert!(view.bodies.is_none() && view.spheres.is_empty());
}

#[test]
fn spheres_have_no_body_groups_figures_or_stages() {
    let mut bench = Bench::new(session(crowded(), "bsp"));
    bench.steps(2);
    let mut of_bodies = Bench::new(session(tumbling(), "bsp"));
    of_bodies.steps(2);
    for name in ["Bodies", "Energy", "Momentum", "Angular momentum", "Volume", "Contacts", "Checks"]
    {
        assert!(bench.harness.query_by_label(name).is_none(), "{name}");
        assert!(of_bodies.harness.query_by_label(name).is_some(), "{name}");
    }
    assert!(bench.stage().view().bodies.is_none());
}

/// The pairs of overlapping boxes, sorted.
fn overlapping(boxes: &[Aabb]) -> Vec<Pair> {
    let number = boxes.len() as u32;
    let all = (0..number).flat_map(|a| (a + 1..number).map(move |b| Pair { a, b }));
    all.filter(|pair| boxes[pair.a as usize].overlaps(&boxes[pair.b as usize])).collect()
}

#[test]
fn kind_of_box_is_chosen_between_steps() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    let mut twin = World::new(&tumbling());
    let (mut boxes, mut volumes) = (Vec::new(), Vec::new());
    for kind in ["tight", "rotated", "sphere"] {
        if kind != "tight" {
            bench.click_and_obey(Role::Button, &format!("AABB: {kind}"));
        }
        let bodies = bench.session().world().unwrap().bodies().unwrap();
        assert_eq!(bodies.box_kind().id(), kind);
        twin.boxes(&mut boxes);
        let volume = |boxes: &[Aabb]| -> f32 {
            boxes.iter().map(|bounds| bounds.size().element_product()).sum()
        };
        assert!(volume(bench.session().motion().boxes()) >= volume(&boxes) * 0.999_99);
        volumes.push(volume(bench.session().motion().boxes()));
        bench.steps(4);
        let candidates = bench.session().pairs().len() as u64;
        assert_eq!(bench.session().found().unwrap().pairs, candidates);
        for _ in 0..4 {
            twin.step(sim::Hold::None);
            twin.boxes(&mut boxes);
            twin.respond(&overlapping(&boxes));
        }
        let hash = bench.session().world().unwrap().hash();
        assert_eq!(hash, twin.hash(), "{kind}: the motion depends on the boxes");
    }
    // Rotated boxes of balls are larger than those of their spheres.
    assert!(volumes[0] < volumes[1] && volumes[0] < volumes[2], "{volumes:?}");
    // The choice outlives a restart, and rows do not pass for those of tight boxes.
    let rows = crate::common::exported(bench.session());
    assert_eq!(rows[0].input, "crowded.scene");
    bench.obey(Order::Restart);
    let bodies = bench.session().world().unwrap().bodies().unwrap();
    assert_eq!(bodies.box_kind(), BoxKind::Sphere);
    bench.steps(1);
    let rows = crate::common::exported(bench.session());
    assert_eq!(rows.last().unwrap().input, "crowded.scene (sphere boxes)");
}

const ENERGY: &str = "Kinetic energy of all moving bodies, of translation and rotation; a ball of radius 1 has mass \
                      1. Collisions are elastic: it is constant without gravity and the line";
const MOMENTUM: &str = "Length of the momentum of all moving bodies. Walls, obstacles, static bodies, gravity and the \
                        line change it";
const ANGULAR_MOMENTUM: &str = "Length of the angular momentum of all moving bodies about the origin. Walls, \
                                obstacles, static bodies, gravity and the line change it";

#[test]
fn figures_are_of_moving_bodies_about_the_origin() {
    let mut bench = Bench::new(session(passing(), "bsp"));
    // A ball of radius 1 has mass 1. The first one passes the origin at a distance of 2, at a speed of 1.5, and
    // spins at 1 rad/s the other way. The static one is not counted.
    assert_eq!(bench.figure(MOMENTUM), "1.500");
    assert_eq!(bench.figure(ANGULAR_MOMENTUM), "2.600", "2 * 1.5 - 2/5");
    assert_eq!(bench.figure(ENERGY), "1.325", "1.5^2 / 2 + 2/5 / 2");
    bench.stage().panel.view.color = ColorBy::Resting;
    bench.stage().look();
    bench.harness.run();
    for label in ["moving: 2", "resting: 1", "static: 1"] {
        bench.harness.get_by_label(label);
    }
}

/// A ball that passes the origin and spins, one that only spins, one at rest and a static one.
fn passing() -> sim::Scene {
    let text = b"i -9 -9 -9  18 18 18  100 f
#!objects 0
#!shape ball sphere 1
#!body ball 2 0 0  0 1.5 0  spin 0 0 -1
#!body ball -5 0 0  0 0 0
#!body ball -5 5 0  0 0 0  spin 0 0 1e-9
#!body ball 5 5 0  0 7 0  spin 0 7 0  static
";
    sim::SceneDocument::parse("passing.scene", text).unwrap().scene().clone()
}

#[test]
fn figures_and_funnel_are_those_of_the_world() {
    let mut bench = Bench::new(session(placed_bodies(), "bsp"));
    // Volume 1 at the density of a ball of mass 1, and a moment of 1/6.
    let mass = 3.0 / (4.0 * std::f64::consts::PI);
    assert_eq!(bench.figure(ENERGY), format!("{:.5}", mass / 6.0 * 4.0 / 2.0));
    assert_eq!(bench.figure(MOMENTUM), "0");
    assert_eq!(bench.figure(ANGULAR_MOMENTUM), format!("{:.5}", mass / 6.0 * 2.0));
    let contacts = "Points of the contact sets of the hits, of all pairs of parts that touch: one, two, or \
                    the corners of a polygon";
    bench.stage().look();
    bench.harness.run();
    assert_eq!(bench.figure(contacts).trim(), "4", "the faces of the cubes, before a step");
    bench.steps(1);
    assert_eq!(bench.figure(contacts).trim(), "2", "an edge of the one that has rotated");
}

#[test]
fn picked_body_shows_its_shape_and_gaps() {
    let mut bench = Bench::new(session(placed_bodies(), "brute-force"));
    bench.stage().panel.view.picked = Some(0);
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label("Body 0");
    for (meaning, figure) in [
        ("Name of its shape, and its convex parts", "cube, convex"),
        ("Of all parts, in cubic units", "1.000"),
        ("A ball of radius 1 has mass 1", "0.2387"),
        ("Its angular velocity along x, y and z in rad/s", "0.00 0.00 2.00"),
        ("Candidates that touch it", "1"),
    ] {
        assert_eq!(bench.figure(meaning), figure, "{meaning}");
    }
    let depth =
        "Penetration depth, and the axis along which it is least, from this body to that one";
    assert_eq!(bench.figure(depth), "0.1000 1.00 0.00 0.00");
    let gap = "Distance, and the separating axis along it, from this body to that one; of compounds \
               that of the nearest parts";
    assert_eq!(bench.figure(gap), "0.05406 -0.71 0.00 0.71");
    assert_eq!(bench.figure(CONTACT), "face-face, area 1.000");
    bench.click(Role::Link, "1");
    assert_eq!(bench.harness.state().panel.view.picked, Some(1));

    bench.stage().panel.view.picked = Some(2);
    bench.stage().look();
    bench.harness.run();
    let shape = bench.figure("Name of its shape, and its convex parts");
    assert_eq!(shape, "bar, 2 parts");
    assert_eq!(bench.figure("Of all parts, in cubic units"), "0.2500");
    assert_eq!(bench.figure(gap), "0.05406 0.71 0.00 -0.71");

    bench.stage().panel.view.picked = Some(3);
    bench.stage().look();
    bench.harness.run();
    assert_eq!(bench.figure("A ball of radius 1 has mass 1"), "static");
}

/// The meaning of a contact set.
const CONTACT: &str = "Contact set: which features meet along that axis, and the length or area of what they have in \
                       common";

#[test]
fn inspector_names_each_kind_of_contact_with_its_extent() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenes/contacts.scene");
    let document = sim::SceneDocument::read(std::path::Path::new(path)).unwrap();
    let mut bench = Bench::new(session(document.scene().clone(), "brute-force"));
    // The first body of each cell, in the order of the file.
    for (cell, expected) in [
        "face-face, area 0.09000",
        "edge-face, length 0.2400",
        "vertex-face, a point",
        "edge-edge, a point",
        "vertex-edge, a point",
        "vertex-vertex, a point",
        "vertex-face, a point",
        "edge-face, length 0.2400",
    ]
    .into_iter()
    .enumerate()
    {
        for object in [2 * cell, 2 * cell + 1] {
            bench.stage().panel.view.picked = Some(object as u32);
            bench.stage().look();
            bench.harness.run();
            assert_eq!(bench.figure(CONTACT), expected, "{object}");
        }
    }
}

#[test]
fn contact_of_compounds_is_the_deepest_of_their_sets() {
    let text = b"i -9 -9 -9 18 18 18 100 f
#!objects 0
#!shape cube box 1 1 1
#!shape comb compound
#!part comb cube 0 0 0
#!part comb cube 3 0 0
#!body comb 0 0 0  0 0 0
#!body comb 0 0 0.9  0 0 0
#!body cube 5 5 5  0 0 0
";
    let document = sim::SceneDocument::parse("combs.scene", text).unwrap();
    let mut bench = Bench::new(session(document.scene().clone(), "brute-force"));
    bench.stage().panel.view.picked = Some(1);
    bench.stage().look();
    bench.harness.run();
    assert_eq!(bench.figure(CONTACT), "face-face, area 1.000, the deepest of 2 sets");
    bench.stage().panel.view.set(Row::Volumes, true);
    bench.stage().look();
    bench.harness.run();
    bench.harness.get_by_label("Where parts of a body overlap, its volume counts twice.");
    let cubes = "i -9 -9 -9 18 18 18 100 f\n#!objects 0\n#!shape cube box 1 1 1\n#!body cube 0 0 0  0 0 0\n";
    let document = sim::SceneDocument::parse("cube.scene", cubes.as_bytes()).unwrap();
    let mut bench = Bench::new(session(document.scene().clone(), "brute-force"));
    bench.stage().panel.view.set(Row::Volumes, true);
    bench.steps(1);
    assert!(bench.harness.query_by_label_contains("counts twice").is_none(), "it is convex");
}

#[test]
fn triangles_are_disabled_where_no_object_is_a_sphere() {
    for (shape, disabled) in [("box 1 1 1", true), ("sphere 1", false)] {
        let text = format!(
            "i -9 -9 -9 18 18 18 100 f\n#!objects 0\n#!shape one {shape}\n#!body one 0 0 0  0 0 0\n"
        );
        let document = sim::SceneDocument::parse("one.scene", text.as_bytes()).unwrap();
        let bench = Bench::new(session(document.scene().clone(), "brute-force"));
        for name in ["20", "80"] {
            assert_eq!(bench.is_disabled(Role::Button, name), disabled, "{shape}");
        }
    }
    assert!(!Bench::of("bsp").is_disabled(Role::Button, "20"));
}

#[test]
fn click_picks_the_shape_and_not_its_sphere() {
    let snapshot = Snapshot::of(&session(placed_bodies(), "brute-force"), &View::default());
    let pick =
        |y: f32, z: f32| snapshot.pick(Ray { origin: Vec3::new(-1.9, y, z), direction: Vec3::X });
    assert_eq!([pick(0.0, 0.0), pick(0.0, 0.6), pick(-1.5, 1.0)], [Some(0), Some(2), Some(3)]);
    // Within the spheres about both cubes, outside of the cubes.
    assert_eq!(pick(0.55, -0.55), None);
}

#[test]
fn bodies_placed_one_by_one_are_counted_apart() {
    let bench = Bench::new(session(placed_bodies(), "brute-force"));
    bench.harness.get_by_label("and 4 placed one by one");
    let count = bench.node(Role::SpinButton, "Count").value();
    assert_eq!(count.as_deref(), Some("0"), "and not 1");
}

#[test]
fn lists_of_methods_begin_at_the_same_place() {
    let bench = Bench::new(session(placed_bodies(), "brute-force"));
    let [a, b] = ["Bounding volume", "Narrow phase"]
        .map(|label| bench.harness.get_by_role_and_label(Role::ComboBox, label).rect());
    assert_eq!((a.left(), a.right()), (b.left(), b.right()));
}

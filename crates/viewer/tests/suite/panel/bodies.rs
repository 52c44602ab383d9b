//! Bodies: how they are drawn and coloured, and the group *Bodies*.

use super::*;

#[test]
fn each_body_is_drawn_once_by_the_mesh_of_its_shape() {
    let mut bench = Bench::with(tumbling(), "bsp");
    bench.steps(3);
    let mut twin = session(tumbling(), "bsp");
    steps(&mut twin, 3);
    let (world, view) = (twin.world().unwrap(), bench.stage().view());
    let (shapes, bodies) = (world.bodies().unwrap(), view.bodies.unwrap());
    assert_eq!((bodies.meshes.len(), bodies.of_mesh.len()), (5, 5));
    let mut drawn: Vec<[f32; 3]> = view.spheres.iter().map(|sphere| sphere.center).collect();
    drawn.extend(bodies.of_mesh.iter().flatten().map(|body| body.position));
    for (mesh, of_mesh) in bodies.of_mesh.iter().enumerate() {
        assert_eq!(of_mesh.is_empty(), [0, 4].contains(&mesh), "balls are spheres: {mesh}");
        for body in of_mesh {
            let is_it = |object: &usize| world.positions()[*object].to_array() == body.position;
            let object = (0..world.len()).find(is_it).unwrap();
            assert_eq!(shapes.shape_of(object), mesh);
            assert_eq!(body.scale, shapes.body(object).scale as f32);
            let rotation = shapes.states()[object].rotation.as_quat();
            assert_eq!(body.rotation, rotation.to_array(), "x, y, z, w");
        }
    }
    assert!(!view.spheres.is_empty());
    let mut positions: Vec<_> = world.positions().iter().map(|at| at.to_array()).collect();
    for list in [&mut drawn, &mut positions] {
        list.sort_by(|a, b| a.iter().partial_cmp(b.iter()).unwrap());
    }
    assert_eq!(drawn, positions);
}

#[test]
fn bodies_glow_after_a_hit_and_are_coloured_by_speed() {
    let mut bench = Bench::with(tumbling(), "bsp");
    let colors = |bench: &mut Bench| -> Vec<[u8; 4]> {
        let view = bench.stage().view();
        view.bodies.unwrap().of_mesh.iter().flatten().map(|body| body.color).collect()
    };
    let cold = colors(&mut bench);
    bench.steps(1);
    assert!(bench.world().bodies().unwrap().contacts().len() > 1);
    assert_eq!(colors(&mut bench), cold, "no contact is known to begin in the first step");
    for _ in 0..60 {
        let events = bench.session().contact_events();
        let began: Vec<_> = events.filter(|event| event.begins && event.step > 1).collect();
        let glows = bench.session().motion();
        let begun = |object: u32| began.iter().any(|of| of.pair.a == object || of.pair.b == object);
        let glows = |object: &u32| glows.hit_glow(*object as usize) > 0.0;
        assert!((0..50).filter(glows).all(begun), "contacts that last do not glow");
        bench.steps(1);
    }
    assert!(colors(&mut bench).contains(&Theme::DARK.hit));
    bench.click(Role::CheckBox, "Glow after a hit");
    assert!(!colors(&mut bench).contains(&Theme::DARK.hit));
    bench.set_up(|panel| panel.view.color = ColorBy::Velocity);
    assert!(colors(&mut bench).iter().all(|color| !cold.contains(color)));
    bench.stage().panel.view.set(Row::Objects, false);
    let view = bench.stage().view();
    assert!(view.bodies.is_none() && view.spheres.is_empty());
}

/// The pairs of overlapping boxes, sorted.
pub(crate) fn overlapping(boxes: &[Aabb]) -> Vec<Pair> {
    let number = boxes.len() as u32;
    let all = (0..number).flat_map(|a| (a + 1..number).map(move |b| Pair { a, b }));
    all.filter(|pair| boxes[pair.a as usize].overlaps(&boxes[pair.b as usize])).collect()
}

/// Takes steps of a world as a session does.
pub(crate) fn move_on(world: &mut World, steps: u64) {
    let mut boxes = Vec::new();
    for _ in 0..steps {
        world.step(sim::Hold::None);
        world.boxes(&mut boxes);
        world.respond(&overlapping(&boxes));
    }
}

#[test]
fn kind_of_box_is_chosen_between_steps() {
    let mut bench = Bench::with(tumbling(), "bsp");
    let mut twin = World::new(&tumbling());
    let mut tight = Vec::new();
    let volume = |boxes: &[Aabb]| -> f32 {
        boxes.iter().map(|bounds| bounds.size().element_product()).sum()
    };
    let now = |bench: &Bench| bench.session().world().unwrap().bodies().unwrap().box_kind();
    for kind in ["tight", "rotated", "sphere"] {
        if kind != "tight" {
            bench.click_and_obey(Role::Button, &format!("AABB: {kind}"));
        }
        assert_eq!(now(&bench).id(), kind);
        twin.boxes(&mut tight);
        // Rotated boxes of balls are larger than those of their spheres.
        let ratio = volume(bench.session().motion().boxes()) / volume(&tight);
        assert!(if kind == "tight" { ratio == 1.0 } else { ratio > 1.001 }, "{kind}: {ratio}");
        bench.steps(4);
        let candidates = bench.session().pairs().len() as u64;
        assert_eq!(bench.session().found().unwrap().pairs, candidates);
        move_on(&mut twin, 4);
        let hash = bench.session().world().unwrap().hash();
        assert_eq!(hash, twin.hash(), "{kind}: the motion depends on the boxes");
    }
    // The choice outlives a restart, and rows do not pass for those of tight boxes.
    let rows = crate::common::exported(bench.session());
    assert_eq!(rows[0].input, "crowded.scene");
    bench.obey(Order::Restart);
    assert_eq!(now(&bench), BoxKind::Sphere);
    bench.steps(1);
    let rows = crate::common::exported(bench.session());
    assert_eq!(rows.last().unwrap().input, "crowded.scene (sphere boxes)");
}

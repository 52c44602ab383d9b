//! The card of a picked object. Its words are in the snapshots of `words.rs`.

use super::*;
use viewer::camera::Ray;
use viewer::picking::nearest_sphere;

#[test]
fn neighbours_of_a_picked_object_are_picked_by_their_links() {
    for mut bench in [Bench::of("kd-tree"), Bench::with(placed_bodies(), "kd-tree")] {
        bench.steps(5);
        let pairs = bench.session().pairs().to_vec();
        bench.pick(Some(pairs[0].a));
        bench.click(Role::Link, &pairs[0].b.to_string());
        assert_eq!(bench.stage().panel.view.picked, Some(pairs[0].b));
        bench.look();
        let name = if bench.stage().snapshot.objects.bodies.is_some() { "Body" } else { "Sphere" };
        assert!(bench.has(Role::Label, &format!("{name} {}", pairs[0].b)));
    }
}

#[test]
fn a_sphere_is_deselected_by_button_or_empty_click() {
    let mut bench = Bench::of("bsp");
    bench.steps(2);
    bench.pick(Some(3));
    bench.click(Role::Button, "Zoom");
    assert!(matches!(bench.command(), Command::FramePicked));
    bench.click(Role::Button, "Close");
    assert_eq!(bench.stage().panel.view.picked, None);
    let world = bench.world();
    let at = |origin| {
        let ray = Ray { origin, direction: Vec3::X };
        nearest_sphere(ray, world.positions(), world.radii())
    };
    let (toward, beside) = (at(world.positions()[3] - Vec3::X * 9.0), at(Vec3::splat(5.0)));
    for (picked, is_shown) in [(toward, true), (beside, false)] {
        bench.pick(picked);
        assert_eq!((picked.is_some(), bench.says("Sphere ")), (is_shown, is_shown));
    }
}

#[test]
fn a_freed_sphere_has_no_source() {
    let mut bench = Bench::with(half_static(), "bsp");
    bench.pick(Some(0));
    let source = "Number of the source whose walls hold it";
    assert_eq!(bench.figure(source), "1");
    bench.obey(Order::Edit(Edit::DeleteSource { number: 1 }));
    assert_eq!(bench.figure(source), "free");
}

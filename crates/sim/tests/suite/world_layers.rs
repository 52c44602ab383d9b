//! Layers in motion: static objects, and groups that do not meet.

use crate::world_run::{run_shipped, shipped};
use broadphase::Layer;
use glam::Vec3;
use sim::scene::{Ball, LayerRule, LayerTarget, Radius, Source};
use sim::{Scene, World};

/// Two groups that do not meet, in one cube, and a third that rests and meets both.
pub(crate) fn layered() -> Scene {
    let cube =
        |percent| Source { corner: Vec3::NEG_ONE, size: Vec3::splat(2.0), percent, floor: true };
    let rule = |number, layer| LayerRule { target: LayerTarget::Source(number), layer };
    Scene {
        objects: 2400,
        radius: Radius::Equal(0.03),
        sources: vec![cube(20.0), cube(40.0), cube(40.0)],
        layers: vec![
            rule(1, Layer::STATIC),
            rule(2, Layer { group: 1, mask: 0b011, ..Layer::ALL }),
            rule(3, Layer { group: 2, mask: 0b101, ..Layer::ALL }),
        ],
        ..shipped("random")
    }
}

#[test]
fn layers_are_those_of_the_sources_and_of_the_balls() {
    assert_eq!(World::new(&shipped("random")).layers(), []);
    let world = World::new(&layered());
    for (object, layer) in world.layers().iter().enumerate() {
        let source = world.home(object).unwrap();
        assert_eq!(*layer, layered().layer_of(LayerTarget::Source(source)), "object {object}");
    }
    let ball = Ball { center: Vec3::ZERO, velocity: Vec3::X, radius: None };
    let rule = LayerRule { target: LayerTarget::Balls, layer: Layer::STATIC };
    let scene = Scene { objects: 1, balls: vec![ball], layers: vec![rule], ..shipped("random") };
    let world = World::new(&scene);
    assert_eq!(world.layers(), [Layer::ALL, Layer::STATIC]);
    assert_eq!(world.velocities()[1], Vec3::ZERO, "a static ball has no velocity to lose");
    // A directive that states the default has no effect.
    let plain = LayerRule { target: LayerTarget::Balls, layer: Layer::ALL };
    assert_eq!(World::new(&Scene { layers: vec![plain], ..scene }).layers(), []);
}

#[test]
fn layer_does_not_change_the_start_of_other_objects() {
    let (with, without) = (layered(), Scene { layers: Vec::new(), ..layered() });
    let (with, without) = (World::new(&with), World::new(&without));
    assert_eq!(with.positions(), without.positions());
    for object in 0..with.len() {
        let expected =
            if with.layers()[object].is_static { Vec3::ZERO } else { without.velocities()[object] };
        assert_eq!(with.velocities()[object], expected);
    }
}

#[test]
fn the_clouds_of_the_layers_scene_mix_and_the_mound_stays() {
    let mut run = run_shipped("layers", 2000, 0);
    let mound: Vec<_> = (0..run.world.len()).filter(|o| run.world.layers()[*o].is_static).collect();
    let start = run.world.positions().to_vec();
    run.steps(900);
    assert_eq!(mound.len(), 800);
    assert!(mound.iter().all(|object| run.world.positions()[*object] == start[*object]));
    // Each cloud begins on its own side.
    let crossed = |group: u8, begins_left: bool| {
        let of_group = (0..run.world.len()).filter(|o| run.world.layers()[*o].group == group);
        of_group.filter(|o| (run.world.positions()[*o].x < 0.0) != begins_left).count()
    };
    assert!(crossed(1, true) > 150 && crossed(2, false) > 150, "of 600 each");
}

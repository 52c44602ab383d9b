//! The picked object, dragged by the mouse.

use super::*;

#[test]
fn picked_sphere_follows_the_pointer_until_it_is_undone() {
    let view = ViewOptions { step: Some(1), pick: Some(3), ..ViewOptions::default() };
    let mut model = start(viewed(SPHERES, "bsp", view));
    let picked_at = |model: &Model, step| {
        let picked = model.snapshot.picked.as_ref().filter(|picked| picked.object == 3);
        picked.filter(|_| model.snapshot.motion.steps >= step).map(|picked| picked.center)
    };
    model.update_view();
    wait(&mut model, "the picked sphere", |model| picked_at(model, 1).is_some());
    let before = picked_at(&model, 1).unwrap();
    let camera = model.camera.shown;
    let toward = |point: Vec3| {
        let origin = camera.eye();
        Ray { origin, direction: (point - origin).normalize() }
    };
    assert!(!model.grip(toward(before + Vec3::Z * 0.2)), "the ray passes it");
    model.pull(Some(toward(before)));
    assert!(model.grip(toward(before)));
    // Within the plane of the view, and within the walls.
    let across =
        camera.backward().cross(Vec3::Z).normalize() * if before.x > 0.0 { -1.0 } else { 1.0 };
    let goal = before + across;
    model.pull(Some(toward(goal)));
    wait(&mut model, "the sphere at the pointer", |model| {
        picked_at(model, 2).is_some_and(|center| center.distance(goal) < 0.02)
    });
    assert!(!model.snapshot.engine.running, "time passes for the drag alone");
    model.pull(None);
    model.obey(Order::Undo.into());
    wait(&mut model, "the step before", |model| model.snapshot.motion.steps == 1);
    assert_eq!(picked_at(&model, 1), Some(before));
    assert_eq!(model.snapshot.input.undoable, None);
}

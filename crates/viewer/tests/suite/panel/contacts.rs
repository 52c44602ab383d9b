//! AABBs, contact points and normals over bodies.

use super::*;

const NEW: [u8; 4] = Theme::DARK.contacts[0];
const KEPT: [u8; 4] = Theme::DARK.contacts[1];
const UNKNOWN: [u8; 4] = Theme::DARK.contacts[2];

/// The lines over the bodies that the snapshot has: three for each contact point.
fn marks(bench: &mut Bench) -> Vec<Segment> {
    let Stage { engine, snapshot, .. } = bench.stage();
    engine.snapshot(snapshot);
    bench.stage().drawn().over_objects.to_vec()
}

/// The number of lines of a colour.
fn count(lines: &[Segment], color: [u8; 4]) -> usize {
    lines.iter().filter(|line| line.color == color).count()
}

#[test]
fn switches_draw_boxes_contact_points_and_normals() {
    let mut bench = Bench::with(placed_bodies(), "brute-force");
    bench.steps(1);
    let boxes = |bench: &mut Bench| bench.stage().view().boxes.len();
    let sources = boxes(&mut bench);
    assert!(marks(&mut bench).is_empty());
    let [task_for, busy_for] = [2, 2].map(Duration::from_secs);
    bench.stage().at_work = Some(AtWork { task: None, task_for, busy_for });
    bench.stage().panel.view.set(Row::Aabbs, true);
    bench.harness.run();
    assert!(bench.says("They are drawn after this search."));
    bench.stage().panel.view.set(Row::Aabbs, false);
    bench.click(Role::CheckBox, "AABBs");
    assert_eq!(boxes(&mut bench), sources + 4);
    bench.harness.run();
    assert!(!bench.says("They are drawn after this search."));
    // Both ends of an edge, three strokes each; it was not seen before.
    bench.click(Role::CheckBox, "Contact points");
    assert_eq!(count(&marks(&mut bench), UNKNOWN), 3 * 2);
    assert!(bench.says("2 contact points; the step before was not seen"));
    bench.click(Role::CheckBox, "Contact points");
    bench.click(Role::CheckBox, "Normals");
    let normals = marks(&mut bench);
    assert_eq!(normals.len(), 2);
    for normal in &normals {
        let along = (Vec3::from(normal.b) - Vec3::from(normal.a)).normalize();
        assert!(along.dot(Vec3::X) > 0.99, "{along}");
    }
    // Both are observed before they are shown.
    bench.click(Role::CheckBox, "Normals");
    bench.steps(3);
    bench.click(Role::CheckBox, "Normals");
    let normals = marks(&mut bench);
    let [new, kept] = [NEW, KEPT].map(|color| count(&normals, color));
    assert!(kept > 0, "the same edges meet again");
    assert_eq!(new + kept, normals.len());
    assert!(bench.says(&format!("{new} contact normals, new")));
    assert!(bench.says(&format!("{kept} contact normals, kept from the step before")));
}

#[test]
fn overlays_of_bodies_stop_at_ten_thousand_and_say_so() {
    let mut bench = Bench::with(placed_bodies(), "brute-force");
    bench.steps(1);
    let Stage { engine, snapshot, panel, .. } = bench.stage();
    panel.view = View::default().with(Row::Aabbs, true);
    let bodies = snapshot.objects.bodies.as_mut().unwrap();
    bodies.boxes.resize(12_000, bodies.boxes[0]);
    snapshot.draw(engine.session(), &panel.view);
    let boxes = snapshot.drawing.groups(&panel.view).map(|group| group.boxes.len());
    assert_eq!(boxes.sum::<usize>(), MAX_BOXES);
    bench.harness.run();
    assert!(bench.says("10,000 of 12,000 AABBs are drawn"));
}

#[test]
fn contact_points_are_those_of_the_positions_shown() {
    let mut bench = Bench::with(tumbling(), "bsp");
    bench.show(&[Row::Contacts]);
    bench.steps(3);
    let third = marks(&mut bench);
    assert!(count(&third, KEPT) > 0 && count(&third, NEW) > 0);
    // Another algorithm has the same points.
    bench.choose("kd-tree");
    bench.look();
    assert_eq!(marks(&mut bench), third);
    bench.stage().engine.obey(Order::StepBack);
    assert!(marks(&mut bench).is_empty(), "not searched yet");
    assert!(!bench.stage().snapshot.search.searched);
    bench.look();
    let second = marks(&mut bench);
    assert!(count(&second, KEPT) > 0 && second != third, "since the first step");
    bench.steps(1);
    assert_eq!(marks(&mut bench), third);
}

#[test]
fn contact_points_shown_are_those_that_the_funnel_counts() {
    // An inexact volume misses some.
    let volume = narrowphase::volume::find("sphere-inside").unwrap();
    let mut bench = Bench::with(tumbling(), "bsp");
    bench.obey(Order::Methods(Methods { volume, ..Methods::default() }));
    bench.show(&[Row::Contacts]);
    let mut missed = 0;
    for _ in 0..5 {
        bench.steps(1);
        let found = bench.session().found().unwrap().stages.unwrap();
        let shown = marks(&mut bench);
        let [all, kept] = [shown.len(), count(&shown, KEPT)].map(|lines| lines as u64 / 3);
        assert_eq!((all, kept), (found.contacts.points, found.contacts.kept));
        missed += found.volume.missed;
    }
    assert!(missed > 0);
}

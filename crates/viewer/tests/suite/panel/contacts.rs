//! AABBs, contact points and normals over bodies.

use crate::common::bench::{Bench, Stage};
use crate::common::{placed_bodies, session, tumbling};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use glam::Vec3;
use viewer::composer::Composer;
use viewer::picture::MAX_BOXES;
use viewer::scene_renderer::{Segment, Theme};
use viewer::session::Methods;
use viewer::simulation::Order;
use viewer::view::{Row, View};

const NEW: [u8; 4] = Theme::DARK.contacts[0];
const KEPT: [u8; 4] = Theme::DARK.contacts[1];
const UNKNOWN: [u8; 4] = Theme::DARK.contacts[2];

/// The lines over the bodies: three for each contact point.
fn marks(stage: &mut Stage) -> Vec<Segment> {
    let Stage { snapshot, panel, .. } = stage;
    let mut composer = Composer::default();
    let camera = snapshot.first_camera();
    let view = composer.view(snapshot, &panel.view, Default::default(), camera, &Theme::DARK, 1.0);
    view.over_objects.to_vec()
}

/// The number of lines of a colour.
fn count(lines: &[Segment], color: [u8; 4]) -> usize {
    lines.iter().filter(|line| line.color == color).count()
}

#[test]
fn switches_draw_boxes_contact_points_and_normals() {
    let mut bench = Bench::new(session(placed_bodies(), "brute-force"));
    bench.steps(1);
    let lines = |bench: &mut Bench| {
        let view = bench.stage().view();
        (view.boxes.len(), view.over_objects.to_vec())
    };
    let (sources, nothing) = lines(&mut bench);
    assert!(nothing.is_empty());
    bench.click(Role::CheckBox, "AABBs");
    assert_eq!(lines(&mut bench).0, sources + 4);
    bench.click(Role::CheckBox, "AABBs");
    // Both ends of an edge, three strokes each.
    bench.click(Role::CheckBox, "Contact points");
    let (_, marks) = lines(&mut bench);
    assert_eq!(marks.len(), 3 * 2);
    assert!(marks.iter().all(|mark| mark.color == UNKNOWN), "not seen before");
    bench.harness.run();
    let has = |bench: &Bench, text: &str| bench.harness.query_by_label(text).is_some();
    assert!(has(&bench, "2 contact points; the step before was not seen"));
    bench.click(Role::CheckBox, "Contact points");
    bench.click(Role::CheckBox, "Normals");
    let (_, normals) = lines(&mut bench);
    assert_eq!(normals.len(), 2);
    for normal in &normals {
        let along = (Vec3::from(normal.b) - Vec3::from(normal.a)).normalize();
        assert!(along.dot(Vec3::X) > 0.99, "{along}");
    }
    // Both are observed before they are shown.
    bench.click(Role::CheckBox, "Normals");
    bench.steps(3);
    bench.click(Role::CheckBox, "Normals");
    let (_, normals) = lines(&mut bench);
    let count = |color| normals.iter().filter(|line| line.color == color).count();
    let [new, kept] = [NEW, KEPT].map(count);
    assert!(kept > 0, "the same edges meet again");
    assert_eq!(new + kept, normals.len());
    bench.harness.run();
    assert!(has(&bench, &format!("{new} contact normals, new")));
    assert!(has(&bench, &format!("{kept} contact normals, kept from the step before")));
}

#[test]
fn overlays_of_bodies_stop_at_ten_thousand_and_say_so() {
    let mut bench = Bench::new(session(placed_bodies(), "brute-force"));
    bench.steps(1);
    let Stage { engine, snapshot, panel, .. } = bench.stage();
    panel.view = View::default().with(Row::Aabbs, true);
    let bodies = snapshot.objects.bodies.as_mut().unwrap();
    bodies.boxes.resize(12_000, bodies.boxes[0]);
    snapshot.draw(engine.session(), &panel.view);
    let boxes = snapshot.drawing.groups(&panel.view).map(|group| group.boxes.len());
    assert_eq!(boxes.sum::<usize>(), MAX_BOXES);
    bench.harness.run();
    bench.harness.get_by_label("10,000 of 12,000 AABBs are drawn");
}

#[test]
fn contact_points_are_those_of_the_positions_shown() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.stage().panel.view.set(Row::Contacts, true);
    bench.steps(3);
    let contacts = |stage: &mut Stage| {
        stage.engine.snapshot(&mut stage.snapshot);
        (stage.snapshot.search.searched, stage.snapshot.motion.steps, marks(stage))
    };
    let (searched, _, third) = contacts(bench.stage());
    assert!(searched && count(&third, KEPT) > 0 && count(&third, NEW) > 0);
    bench.stage().engine.obey(Order::StepBack);
    // Not searched yet: no points rather than those of the third step.
    assert_eq!(contacts(bench.stage()), (false, 2, Vec::new()));
    bench.stage().look();
    let (searched, _, second) = contacts(bench.stage());
    assert!(searched && !second.is_empty());
    assert!(count(&second, KEPT) > 0, "since the first step");
    bench.steps(1);
    assert_eq!(contacts(bench.stage()), (true, 3, third));
}

#[test]
fn contact_points_shown_are_those_that_the_funnel_counts() {
    // An inexact volume misses some.
    let volume = narrowphase::volume::find("sphere-inside").unwrap();
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.obey(Order::Methods(Methods { volume, ..Methods::default() }));
    bench.stage().panel.view.set(Row::Contacts, true);
    let mut missed = 0;
    for _ in 0..5 {
        bench.steps(1);
        let found = bench.session().found().unwrap().stages.unwrap();
        let shown = marks(bench.stage());
        let [all, kept] = [shown.len(), count(&shown, KEPT)].map(|lines| lines as u64 / 3);
        assert_eq!((all, kept), (found.contacts.points, found.contacts.kept));
        missed += found.volume.missed;
    }
    assert!(missed > 0);
}

#[test]
fn another_algorithm_at_the_same_step_keeps_the_points() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.stage().panel.view.set(Row::Contacts, true);
    bench.steps(3);
    let before = marks(bench.stage());
    assert!(count(&before, KEPT) > 0);
    bench.obey(Order::Algorithm(broadphase::registry::find("kd-tree").unwrap()));
    bench.stage().look();
    assert_eq!(marks(bench.stage()), before);
}

//! When contacts of bodies begin and end: the list, the file, and the colour of bodies that touch.

use crate::common::bench::Bench;
use crate::common::{clock, placed_bodies, row, session, steps, tumbling};
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use std::collections::BTreeSet;
use std::collections::HashSet;
use viewer::panel::Command;
use viewer::scene_renderer::Theme;
use viewer::session::{ContactEvent, Session};
use viewer::view::{ColorBy, Row};

/// The table that a session exports.
fn exported(session: &Session) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("events.csv");
    let number = session.export_events(&path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text.lines().count(), number + 1);
    text
}

#[test]
fn events_are_those_of_the_world_whatever_way_leads_to_a_step() {
    let mut run = session(tumbling(), "bsp");
    let (mut tables, mut touching) = (vec![exported(&run)], BTreeSet::new());
    for step in 1..=40 {
        steps(&mut run, 1);
        let contacts = run.world().unwrap().bodies().unwrap().contacts();
        let now: BTreeSet<_> = contacts.iter().map(|contact| contact.pair).collect();
        let began = now.difference(&touching).map(|pair| (*pair, true));
        let ended = touching.difference(&now).map(|pair| (*pair, false));
        let expected: Vec<_> =
            began.chain(ended).map(|(pair, begins)| ContactEvent { step, pair, begins }).collect();
        let events = run.contact_events().take_while(|event| event.step == step);
        let mut events: Vec<_> = events.copied().collect();
        events.reverse();
        assert_eq!(events, expected);
        touching = now;
        tables.push(exported(&run));
    }
    assert!(tables[40].lines().count() > 40);
    let header = tables[40].lines().next().unwrap();
    assert_eq!(header, "step,time,a,b,shape_a,shape_b,event");
    let mut session =
        Session::new("crowded.scene", &tumbling(), row("kd-tree"), clock(), None).unwrap();
    for (to, more) in [(0, 40), (25, 0), (12, 9), (5, 35), (39, 1)] {
        session.go_to(to).unwrap();
        assert_eq!(exported(&session), tables[to as usize], "step {to}");
        steps(&mut session, more);
        let step = session.steps();
        assert_eq!(exported(&session), tables[step as usize], "step {step} from {to}");
    }
}

#[test]
fn contact_events_are_listed_on_request_and_exported() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.steps(10);
    assert!(bench.stage().snapshot.contact_events.is_empty(), "only on request");
    bench.click(Role::Link, "events");
    bench.stage().look();
    bench.harness.run();
    let events = bench.stage().snapshot.contact_events.clone();
    assert!(events.len() > 10 && events[0].step <= 10 && events[0].step >= events[9].step);
    let number = format!("{} events", events.len());
    assert!(bench.draws(&number) && bench.draws("begin"), "{number}");
    bench.click(Role::Button, "Export");
    assert!(matches!(bench.command(), Command::ExportEvents));
    let pair = events[0].pair;
    bench.click(Role::Link, "events");
    bench.stage().look();
    assert!(
        !bench.stage().panel.view.contact_events
            && bench.stage().snapshot.contact_events.is_empty()
    );
    assert!(pair.a < pair.b);
}

#[test]
fn bodies_are_red_exactly_while_they_touch() {
    let mut bench = Bench::new(session(placed_bodies(), "bsp"));
    bench.stage().panel.view.color = ColorBy::Touching;
    let colors = |bench: &mut Bench| -> Vec<[u8; 4]> {
        let view = bench.stage().view();
        view.bodies.unwrap().instances.iter().map(|body| body.color).collect()
    };
    let apart = colors(&mut bench);
    bench.steps(1);
    bench.stage().panel.view.set(Row::Contacts, true);
    let (mut was_red, mut points) = (false, HashSet::new());
    for step in 1..60 {
        let now = colors(&mut bench);
        let view = bench.stage().view();
        points.extend(view.over_objects.iter().map(|line| line.color));
        let contacts = bench.session().world().unwrap().bodies().unwrap().contacts();
        let touches = |body: u32| contacts.iter().any(|of| of.pair.a == body || of.pair.b == body);
        for (body, color) in now.iter().enumerate() {
            let [r, g, b, _] = *color;
            let is_red = r > 200 && g < 140 && b < 140;
            assert_eq!(is_red, touches(body as u32), "body {body} in step {step}");
            assert!(is_red || *color == apart[body], "grey");
            was_red |= is_red;
        }
        bench.steps(1);
    }
    assert!(was_red, "the cubes overlap at first");
    assert!(bench.harness.query_by_label_contains("apart: ").is_some());
    // New contact points are cyan there, kept ones white.
    assert!(points.contains(&[0, 255, 255, 255]) && points.contains(&[255; 4]), "{points:?}");
    assert!(points.iter().all(|color| !Theme::DARK.contacts[..2].contains(color)));
}

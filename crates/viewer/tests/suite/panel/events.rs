//! When contacts of bodies begin and end: the list, the file, and the colour of bodies that touch.

use super::*;

/// The table that a session exports.
fn exported(session: &Session) -> String {
    let (table, number) = session.export_events().unwrap();
    let text = String::from_utf8(table).unwrap();
    assert_eq!(text.lines().count(), number + 1);
    text
}

#[test]
fn events_are_those_of_the_world_and_are_exported() {
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
    assert!(tables[40].starts_with("step,time,a,b,shape_a,shape_b,event"));
    run.go_to(12).unwrap();
    assert_eq!(exported(&run), tables[12]);
    steps(&mut run, 28);
    assert_eq!(exported(&run), tables[40]);
}

#[test]
fn contact_events_are_listed_on_request() {
    let mut bench = Bench::with(tumbling(), "bsp");
    bench.steps(10);
    for is_listed in [true, false] {
        assert!(bench.stage().snapshot.contact_events.is_empty(), "only on request");
        bench.click(Role::Link, "events");
        bench.look();
        if is_listed {
            let events = bench.stage().snapshot.contact_events.clone();
            assert!(events.len() > 10 && events[0].step <= 10 && events[0].step >= events[9].step);
            assert!(bench.draws(&format!("{} events", events.len())) && bench.draws("begin"));
            bench.click(Role::Button, "Export");
            assert!(matches!(bench.command(), Command::ExportEvents));
            bench.click(Role::Link, "events");
            bench.look();
        }
    }
}

#[test]
fn bodies_are_red_exactly_while_they_touch() {
    let mut bench = Bench::with(placed_bodies(), "bsp");
    bench.set_up(|panel| panel.view.color = ColorBy::Touching);
    let colors = |bench: &mut Bench| -> Vec<[u8; 4]> {
        let view = bench.stage().view();
        view.bodies.unwrap().of_mesh.iter().flatten().map(|body| body.color).collect()
    };
    let apart = colors(&mut bench);
    bench.steps(1);
    bench.show(&[Row::Contacts]);
    let (mut was_red, mut points) = (false, HashSet::new());
    for step in 1..60 {
        let now = colors(&mut bench);
        points.extend(bench.stage().view().over_objects.iter().map(|line| line.color));
        let contacts = bench.world().bodies().unwrap().contacts();
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
    assert!(was_red && bench.says("apart: "), "the cubes overlap at first");
    // New contact points are cyan there, kept ones white.
    assert!(points.contains(&[0, 255, 255, 255]) && points.contains(&[255; 4]), "{points:?}");
    assert!(points.iter().all(|color| !Theme::DARK.contacts[..2].contains(color)));
}

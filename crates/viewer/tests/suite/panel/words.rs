//! The words of legend, card and panel, in snapshots.

use super::*;

/// A bench with room for all words, with all overlays, after some steps.
fn bench(session: Session, steps: u32) -> Bench {
    let mut bench = Bench::sized(session, 1280.0, 3000.0);
    let view = &mut bench.stage().panel.view;
    Row::overlays().for_each(|row| view.set(row, true));
    view.plane_depth = 9;
    bench.steps(steps);
    bench.look();
    bench
}

/// A ball of mass 1 passes the origin at a distance of 2, at a speed of 1.5, and spins at 1 rad/s the other way: momentum 1.5,
/// angular momentum 2 * 1.5 - 2/5, energy 1.5^2 / 2 + 2/5 / 2. The static one is not counted.
const PASSING: &str = "i -9 -9 -9  18 18 18  100 f
#!objects 0
#!shape ball sphere 1
#!body ball 2 0 0  0 1.5 0  spin 0 0 -1
#!body ball -5 0 0  0 0 0
#!body ball -5 5 0  0 0 0  spin 0 0 1e-9
#!body ball 5 5 0  0 7 0  spin 0 7 0  static
";

/// Two combs whose two teeth each overlap.
const COMBS: &str = "i -9 -9 -9 18 18 18 100 f
#!objects 0
#!shape cube box 1 1 1
#!shape comb compound
#!part comb cube 0 0 0
#!part comb cube 3 0 0
#!body comb 0 0 0  0 0 0
#!body comb 0 0 0.9  0 0 0
";

/// Adds a section to a text.
fn add(text: &mut String, title: &str, words: &str) {
    *text += &format!("== {title} ==\n{words}\n");
}

fn small(objects: u32, radius: f32, speed: f32) -> Scene {
    Scene { objects, radius: Radius::Equal(radius), speed, ..crowded() }
}

#[test]
fn legend_and_card_of_every_algorithm() {
    let mut text = String::new();
    for entry in ALGORITHMS.families() {
        let mut bench = bench(session(crowded(), entry.id), 5);
        bench.pick(Some(7));
        add(&mut text, entry.id, &bench.column());
    }
    assert_words("legend", &text);
}

#[test]
fn legend_of_what_changes_rests_or_is_many() {
    let mut text = String::new();
    let sizes = Scene { radius: Radius::LogUniform(0.01, 0.2), ..crowded() };
    for (title, scene, algorithm, steps, picked) in [
        ("few exchanges", small(12, 0.15, 3.0), "sap-incremental", 6, None),
        ("an escape", small(50, 0.05, 0.3), "neighbour-list", 10, None),
        ("cached tests", small(50, 0.05, 0.3), "neighbour-list", 10, Some(3)),
        ("all rest", small(50, 0.15, 0.0), "rest-grid", 20, Some(7)),
        ("moved planes", crowded(), "kd-tree", 40, None),
        ("rotations", small(50, 0.15, 0.6), "bvh-incremental", 9, None),
        ("heights", crowded(), "bvh-bottom-up", 1, None),
        ("lists of planes", small(40, 0.1, 3.0), "kd-sap", 1, Some(1)),
        ("levels", sizes.clone(), "grid-hierarchical", 1, None),
        ("searched levels", sizes.clone(), "octree-loose", 1, Some(0)),
        ("many rows", small(65, 0.05, 3.0), "sap-matrix", 1, None),
        ("many columns", small(3000, 0.01, 3.0), "sweep-grid", 1, Some(7)),
        ("many neighbours", small(40, 0.6, 3.0), "brute-force", 5, Some(7)),
        ("layers", half_static(), "sap-matrix", 3, Some(3)),
        ("one leaf", crowded(), "bsp-semi-adjusting", 1, None),
    ] {
        let mut bench = bench(session(scene, algorithm), steps);
        bench.pick(picked);
        add(&mut text, title, &bench.column());
    }
    for (algorithm, color) in [
        ("kd-tree", ColorBy::Source),
        ("kd-tree", ColorBy::Layer),
        ("kd-tree", ColorBy::Resting),
        ("kd-tree", ColorBy::Region),
        ("grid-uniform", ColorBy::Region),
        ("kd-tree", ColorBy::Velocity),
    ] {
        let mut bench = Bench::sized(session(half_static(), algorithm), 1280.0, 3000.0);
        bench.steps(1);
        bench.set_up(|panel| panel.view.color = color);
        add(&mut text, &format!("colours by {}", color.name()), &bench.column());
    }
    assert_words("changes", &text);
}

#[test]
fn legend_and_card_of_bodies() {
    let mut text = String::new();
    let continuous = Scene { continuous: Continuous::All, ..tumbling() };
    for (title, scene, volume, picked) in [
        ("a body", placed_bodies(), "obb", 0),
        ("a compound", placed_bodies(), "none", 2),
        ("two sets of contacts", scene(COMBS), "obb", 1),
        ("a static ball", placed_bodies(), "obb", 3),
        ("an inexact volume", tumbling(), "sphere-inside", 7),
        ("continuous motion", continuous, "sphere", 7),
        ("many bodies", Scene { objects: 300, ..tumbling() }, "dop26", 7),
    ] {
        let mut session = session(scene, "brute-force");
        session.set_methods(Methods::of_ids(volume, "gjk+cached"));
        let mut bench = bench(session, 2);
        bench.pick(Some(picked));
        add(&mut text, title, &bench.column());
    }
    // The first body of each cell, in the order of the file.
    let mut bench = bench(session(shipped("contacts.scene"), "brute-force"), 0);
    for object in 0..16 {
        bench.pick(Some(object));
        let words = bench.column();
        let contact = words.lines().find(|line| {
            line.contains(", a point") || line.contains(", length ") || line.contains(", area ")
        });
        text += &format!("contact of {object}: {}\n", contact.unwrap_or("none"));
    }
    assert_words("bodies", &text);
}

#[test]
fn panel_of_spheres_bodies_and_recordings() {
    let mut text = String::new();
    let trace = Trace::new(50, 12);
    for (title, session) in [
        ("spheres", session(crowded(), "kd-tree")),
        ("lists of planes", session(crowded(), "kd-sap")),
        ("bodies", session(tumbling(), "bsp")),
        ("placed bodies", session(scene(PASSING), "bsp")),
        ("recording", trace.session("bsp")),
    ] {
        let mut bench = Bench::sized(session, 1280.0, 3000.0);
        bench.stage().panel.editor.open = true;
        bench.steps(8);
        bench.obey(Order::Run(true));
        // 30 ms of drawing in the 60 ms between two presented pictures.
        for (step, presented_ms) in [(6, 40), (8, 100)] {
            bench.obey(Order::Drawn(drawing(step, presented_ms, 30_000_000)));
        }
        bench.obey(Order::Run(false));
        let scene = bench.stage().scene;
        let of = |from: f32, to: f32| {
            bench.words_in(egui::Rect::from_x_y_ranges(from..=to, 0.0..=f32::INFINITY))
        };
        add(&mut text, title, &of(scene.right() + 254.0, f32::INFINITY));
        add(&mut text, &format!("more about {title}"), &of(0.0, scene.left()));
    }
    assert_words("panel", &text);
}

#[test]
fn table_and_verdict_of_compared_algorithms() {
    let mut bench = Bench::sized(session(crowded(), "kd-tree"), 2400.0, 2000.0);
    bench.stage().panel.compare.open = true;
    bench.look();
    let mut text = String::new();
    let words = |bench: &Bench| {
        let top = bench.harness.state().scene.bottom();
        let words = bench.words_in(egui::Rect::from_x_y_ranges(0.0..=1800.0, top..=f32::INFINITY));
        // Those that take no part have a line without figures.
        let is_kept = |line: &&str| !(line.contains("[Drive with ") && line.ends_with(']'));
        words.lines().filter(is_kept).map(|line| format!("{line}\n")).collect::<String>()
    };
    add(&mut text, "alone", &words(&bench));
    bench.obey(Order::Compare(["brute-force", "bsp", "sap-matrix"].map(row).to_vec()));
    add(&mut text, "before a step", &words(&bench));
    bench.steps(3);
    add(&mut text, "after three steps", &words(&bench));
    bench.click(Role::Button, "Log");
    bench.obey(Order::GoTo(1));
    add(&mut text, "an earlier step", &words(&bench));
    assert_words("compare", &text);
}

//! Names and places of all controls, in windows of different sizes.

use super::*;
use crate::panel::scene::divided;
use egui::{Rect, pos2};
use viewer::panel;

/// Sizes in points: a full screen, a laptop, 1920 x 1080 at 200 %, and two small windows.
const SIZES: [(f32, f32); 5] =
    [(1920.0, 1080.0), (1280.0, 720.0), (960.0, 540.0), (800.0, 600.0), (640.0, 480.0)];

/// Margin of the test harness around its contents, in points.
const MARGIN: f32 = 8.0;

/// A name, and a change of the panels.
type State = (&'static str, fn(&mut Bench));

/// States of the panels, each on top of those before.
const STATES: [State; 9] = [
    ("at first", |_| ()),
    ("suggestions", |bench| bench.stage().panel.suggestions = true),
    ("a picked object", |bench| bench.stage().panel.view.picked = Some(0)),
    ("the sentences of the legend", |bench| bench.stage().panel.explains = Some(true)),
    ("messages", |bench| {
        let toasts = &mut bench.stage().panel.toasts;
        toasts.push(Notice::Done("a long sentence ".repeat(9)), 0);
        toasts.offers.push(edits());
    }),
    ("the comparison", |bench| {
        let panel = &mut bench.stage().panel;
        (panel.toasts, panel.compare.open) = (Default::default(), true);
        bench.obey(Order::Compare(vec![row("bsp"), row("brute-force")]));
        bench.steps(2);
    }),
    ("all panels", |bench| bench.stage().panel.editor.open = true),
    ("projector mode", |bench| bench.stage().panel.projector = true),
    ("no panels", |bench| bench.stage().panel.hidden = true),
];

fn edits() -> UnsavedEdits {
    UnsavedEdits {
        scene: "/a/fer.scene".into(),
        date: "2026-11-30 12:31 UTC".to_owned(),
        path: "/b/left.scene".into(),
    }
}

/// Fails if a control has no name or that of another one, if a text is small, or if a panel has another edge than expected.
/// Returns the names.
#[track_caller]
fn orderly(bench: &mut Bench, width: f32, what: &str) -> HashSet<(Role, String)> {
    use Role::{Button, CheckBox, ComboBox, Link, RadioButton, Slider, SpinButton, TextInput};
    let controls = [Button, CheckBox, ComboBox, Link, RadioButton, Slider, SpinButton, TextInput];
    bench.look();
    let mut names = HashSet::new();
    for node in bench.harness.root().children_recursive() {
        let control = node.accesskit_node();
        if controls.contains(&control.role()) {
            let name = control.label().unwrap_or_default();
            assert!(!name.trim().is_empty(), "{what}: {node:?}");
            assert!(names.insert((control.role(), name)), "{what}: a second {node:?}");
        }
    }
    for (text, _, size) in bench.texts() {
        assert!(size >= 12.0, "{what}: {text:?} has {size} points");
    }
    let (scene, panel) = (bench.stage().scene, &bench.harness.state().panel);
    let width = if panel.projector { width / 1.5 } else { width };
    let edges = expected_edges(width, panel);
    let shown = (scene.left(), scene.right());
    let is_near = (shown.0 - edges.0).abs() < 1.0 && (shown.1 - edges.1).abs() < 1.0;
    assert!(is_near, "{what}: {shown:?} instead of {edges:?}");
    for area in ["toasts", "triad"] {
        let id = egui::Id::unique(area);
        let layer = egui::LayerId::new(egui::Order::Middle, id);
        let rect = bench.harness.ctx.memory(|memory| {
            memory.area_rect(id).filter(|_| memory.areas().visible_last_frame(&layer))
        });
        let is_within = rect.is_none_or(|rect| scene.expand(1.0).contains_rect(rect));
        assert!(is_within, "{what}: {area} at {rect:?} in {scene}");
    }
    names
}

/// Left and right edge of the scene in a window of this width.
fn expected_edges(width: f32, panel: &panel::PanelState) -> (f32, f32) {
    if panel.hidden {
        return (MARGIN, width - MARGIN);
    }
    let has_more = panel.editor.open && !panel.projector && width >= 960.0 + 2.0 * MARGIN;
    let left = if has_more { panel::MORE_WIDTH } else { 0.0 };
    let side = if panel.projector { 0.0 } else { panel::WIDTH };
    let room = width - 2.0 * MARGIN - left - side;
    let has_column = room >= COLUMN + if panel.projector { 100.0 } else { COLUMN };
    (MARGIN + left, width - MARGIN - side - if has_column { COLUMN } else { 0.0 })
}

#[test]
fn panels_are_orderly_at_every_size_in_every_state() {
    for (width, height) in SIZES {
        let mut bench = Bench::sized(session(crowded(), "kd-tree"), width, height);
        // Numbers in the scene are no text of panels.
        bench.stage().panel.view.set(Overlay::Planes, false);
        bench.steps(3);
        for (what, change) in STATES {
            change(&mut bench);
            let what = format!("{width} x {height}, {what}");
            orderly(&mut bench, width, &what);
            let texts = bench.texts();
            for (place, (text, rect, _)) in texts.iter().enumerate() {
                let crosses =
                    |other: &&(String, Rect, f32)| other.1.shrink(1.0).intersects(rect.shrink(1.0));
                let crossed = texts[..place].iter().find(crosses);
                assert_eq!(crossed, None, "{what}: {text:?} at {rect}");
            }
        }
    }
}

#[test]
fn panels_of_algorithms_bodies_and_scenes_are_orderly() {
    for (width, height) in [(1600.0, 1400.0), (1280.0, 720.0), (640.0, 360.0)] {
        let mut bench = Bench::sized(session(crowded(), "brute-force"), width, height);
        bench.stage().panel.compare.open = true;
        for entry in ALGORITHMS {
            bench.choose(entry.id);
            let panel = &mut bench.stage().panel;
            Overlay::ALL.into_iter().for_each(|overlay| panel.view.set(overlay, true));
            (panel.view.picked, panel.view.color) = (Some(0), ColorBy::Tests);
            panel.view.tree_levels.depth = 30;
            bench.steps(5);
            orderly(&mut bench, width, entry.id);
            let export = bench.node(Role::Button, "Frames").rect();
            assert!(export.bottom() < height - MARGIN, "{}: {export}", entry.id);
        }
        bench.click(Role::ComboBox, "Algorithm");
        let names = orderly(&mut bench, width, "the list");
        assert!(names.len() >= 19 + ALGORITHMS.families().count(), "{names:?}");

        let mut bench = Bench::sized(session(tumbling(), "bsp"), width, height);
        bench.stage().panel.view.picked = Some(0);
        bench.show(&[Row::Aabbs, Row::Volumes, Row::Contacts, Row::Normals]);
        bench.steps(20);
        // The longest figures.
        let bodies = bench.stage().snapshot.objects.bodies.as_mut().unwrap();
        (bodies.energy, bodies.momentum) = (1.234e-29, DVec3::X * 1.234e-29);
        for list in ["Bounding volume", "Narrow phase"] {
            bench.click(Role::ComboBox, list);
            let names = orderly(&mut bench, width, list);
            let kinds = ["AABB: tight", "AABB: rotated", "AABB: sphere", "Close"];
            assert!(kinds.iter().all(|kind| names.contains(&(Role::Button, (*kind).to_owned()))));
            bench.click(Role::ComboBox, list);
        }

        let mut bench = Bench::sized(session(divided(), "bsp"), width, height);
        bench.stage().shipped = vec!["scenes/pad.scene".into(), "scenes/random.scene".into()];
        bench.stage().recent = vec!["/a/pad.scene".into(), "/b/pad.scene".into()];
        bench.set_up(|panel| (panel.editor.open, panel.help) = (true, true));
        for row in ["1   40 %", "1   y-z"].into_iter().filter(|_| height > 1000.0) {
            bench.select(row);
        }
        let names = orderly(&mut bench, width, "the scene");
        assert!(names.len() >= if height > 1000.0 { 70 } else { 40 }, "{}: {names:?}", names.len());
    }
}

#[test]
fn edges_of_panels_are_dragged() {
    let mut bench = Bench::sized(session(crowded(), "brute-force"), 1280.0, 720.0);
    bench.set_up(|panel| (panel.editor.open, panel.compare.open) = (true, true));
    let scene = |bench: &mut Bench| bench.stage().scene;
    let before = scene(&mut bench);
    let (x, y) = (before.center().x, before.center().y);
    // The edge of the side panel, right of the column.
    let side = before.right() + COLUMN;
    bench.drag(pos2(side, y), pos2(side - 60.0, y));
    bench.drag(pos2(before.left(), y), pos2(before.left() + 40.0, y));
    let narrow = scene(&mut bench);
    assert_eq!((narrow.left(), narrow.right()), (before.left() + 40.0, before.right() - 60.0));
    // The edge of *Compare*, under the bar of the steps.
    let edge = before.bottom() + panel::SCRUBBER_HEIGHT;
    bench.drag(pos2(x, edge), pos2(x, edge - 50.0));
    assert_eq!(scene(&mut bench).bottom(), before.bottom() - 50.0);
    // No panel is narrower than its contents.
    bench.drag(pos2(side - 60.0, y - 60.0), pos2(1270.0, y - 60.0));
    assert_eq!(scene(&mut bench).right(), before.right());
    // A window of another size has its own sizes.
    bench.harness.set_size(egui::vec2(1280.0, 900.0));
    bench.harness.run();
    let tall = scene(&mut bench);
    assert_eq!((tall.left(), tall.right()), (before.left(), before.right()));
    assert!(tall.height() > before.height() + 60.0, "{tall}");
}

#[test]
fn dragged_panels_leave_room_to_the_scene() {
    for (width, height, projector) in
        [(1280.0, 720.0, false), (960.0, 600.0, false), (640.0, 480.0, false), (960.0, 540.0, true)]
    {
        let mut bench = Bench::sized(session(crowded(), "brute-force"), width, height);
        bench.set_up(|panel| {
            (panel.editor.open, panel.compare.open) = (true, true);
            panel.projector = projector;
        });
        bench.look();
        let zoom = bench.harness.ctx.zoom_factor();
        let (width, height) = (width / zoom, height / zoom);
        let scene = |bench: &mut Bench| bench.stage().scene;
        let before = scene(&mut bench);
        let y = before.top() + 20.0;
        bench.drag(pos2(width - MARGIN - panel::WIDTH, y), pos2(10.0, y));
        bench.drag(pos2(before.left(), y), pos2(width - 10.0, y));
        let after = scene(&mut bench);
        assert!(after.width() >= before.width().min(100.0), "{width}: {before} {after}");
        let edge = before.bottom() + panel::SCRUBBER_HEIGHT;
        bench.drag(pos2(before.center().x, edge), pos2(before.center().x, 0.0));
        let after = scene(&mut bench);
        assert!(after.height() >= 0.38 * height, "{height}: {before} {after}");
    }
}

#[test]
fn panels_are_laid_out_in_windows_of_any_size() {
    for (width, height) in [(1.0, 1.0), (1.0, 900.0), (16_384.0, 1.0), (70.0, 50.0), (320.0, 180.0)]
    {
        let mut bench = Bench::sized(session(crowded(), "kd-tree"), width, height);
        for open in [false, true] {
            let panel = &mut bench.stage().panel;
            (panel.editor.open, panel.compare.open) = (open, open);
            (panel.help, panel.view.picked) = (open, Some(0));
            bench.steps(2);
            let scene = bench.stage().scene;
            // Where the margins leave nothing, it is empty.
            let right = width.max(scene.left());
            assert!(scene.is_finite() && scene.right() <= right, "{width} x {height}: {scene}");
        }
    }
}

#[test]
fn plot_takes_the_place_of_the_table_in_a_narrow_strip() {
    for (width, height) in SIZES {
        let mut bench = Bench::sized(session(crowded(), "kd-tree"), width, height);
        bench.stage().panel.compare.open = true;
        bench.obey(Order::Compare(vec![row("bsp")]));
        bench.steps(2);
        let is_listed = |bench: &Bench| bench.has(Role::CheckBox, "BSP tree");
        let is_plotted = |bench: &Bench| bench.draws("2 ms");
        let has_both = width - 2.0 * MARGIN - panel::WIDTH >= 760.0;
        assert_eq!((is_listed(&bench), is_plotted(&bench)), (true, has_both), "{width}");
        assert_eq!(bench.has(Role::Button, "Table"), !has_both, "{width}");
        if !has_both {
            bench.click(Role::Button, "Times");
            assert_eq!((is_listed(&bench), is_plotted(&bench)), (false, true), "{width}");
            bench.click(Role::Button, "Table");
            assert!(is_listed(&bench) && !is_plotted(&bench), "{width}");
        }
    }
}

#[test]
fn whole_scene_is_seen_in_the_room_that_panels_leave() {
    for (width, height) in SIZES.into_iter().chain([(1100.0, 900.0)]) {
        let mut bench = Bench::sized(session(crowded(), "kd-tree"), width, height);
        for more in [false, true] {
            bench.stage().panel.editor.open = more;
            bench.harness.run();
            let stage = bench.stage();
            let camera = stage.snapshot.opening_camera().within(panel::free_part(stage.scene));
            let size = glam::Vec2::new(stage.scene.width(), stage.scene.height());
            let space = stage.snapshot.objects.space;
            for corner in 0..8 {
                let is_upper = glam::BVec3::new(corner & 1 != 0, corner & 2 != 0, corner & 4 != 0);
                let at = camera.project(glam::Vec3::select(is_upper, space.max, space.min), size);
                let at = at.unwrap();
                let is_seen = at.cmpge(glam::Vec2::splat(-1.0)).all() && at.cmple(size + 1.0).all();
                assert!(is_seen, "{width} x {height}: {at} in {size}");
            }
        }
    }
}

#[test]
fn projector_mode_enlarges_text_and_is_taken_back() {
    let mut bench = Bench::sized(session(crowded(), "kd-tree"), 1280.0, 720.0);
    bench.harness.ctx.set_zoom_factor(1.1);
    bench.harness.run();
    let state = |bench: &Bench| {
        let legend = bench.harness.query_by_label("Guide").is_some();
        (bench.harness.ctx.zoom_factor(), bench.has(Role::Button, "Restart"), legend)
    };
    bench.stage().panel.legend = false;
    bench.steps(1);
    assert_eq!(state(&bench), (1.1, true, false));
    bench.click(Role::Button, "View");
    bench.click(Role::CheckBox, "Projector mode");
    bench.harness.run();
    let (zoom, has_side, has_legend) = state(&bench);
    assert!((zoom - 1.65).abs() < 1e-3 && !has_side && has_legend, "{zoom}");
    bench.stage().panel.projector = false;
    bench.harness.run();
    assert_eq!(state(&bench), (1.1, true, false));
}

#[test]
fn panels_are_hidden_one_by_one() {
    let mut bench = Bench::sized(session(crowded(), "kd-tree"), 800.0, 600.0);
    bench.set_up(|panel| panel.compare.open = true);
    assert!(bench.has(Role::Button, "Restart") && bench.has(Role::Button, "Table"));
    bench.click(Role::Button, "View");
    bench.click(Role::CheckBox, "Side panel");
    assert!(!bench.has(Role::Button, "Restart"));
    assert!(!bench.has(Role::Button, "Table"), "table and plot have room together");
    bench.click(Role::CheckBox, "Legend");
    assert!(bench.harness.query_by_label("Guide").is_none());
    bench.click(Role::CheckBox, "Side panel");
    assert!(bench.has(Role::Button, "Restart"));
    bench.click(Role::Button, "Copy command");
    assert!(matches!(bench.command(), Command::CopyCommand));
}

#[test]
fn messages_are_shown_until_they_are_dismissed() {
    let mut bench = Bench::of("bsp");
    let [done, problem] = ["chart written to a.svg", "a.scene exists; save again to replace it"];
    for notice in [
        Notice::Done(done.into()),
        Notice::Problem(problem.into()),
        Notice::Problem(problem.into()),
    ] {
        bench.stage().panel.toasts.push(notice, 0);
    }
    let task = Some(Task { words: "searching", algorithm: Some("BSP tree") });
    let [task_for, busy_for] = [3, 5].map(Duration::from_secs);
    bench.stage().at_work = Some(AtWork { task, task_for, busy_for });
    bench.harness.run();
    let work = "BSP tree: searching for 3.0 s, 5.0 s in all";
    for text in [done, &format!("{problem} (2 times)"), work] {
        assert!(bench.has(Role::Label, text), "{text}");
    }
    bench.click(Role::Button, "Dismiss");
    assert!(bench.harness.query_by_label(done).is_none() && bench.has(Role::Label, work));
    assert!(!bench.has(Role::Button, "Dismiss"), "work is no message");
}

#[test]
fn unsaved_edits_are_offered_by_name_and_date() {
    let mut bench = Bench::of("bsp");
    let edits = edits();
    bench.set_up(|panel| panel.toasts.offers.push(edits.clone()));
    assert!(bench.has(Role::Label, "fer.scene has unsaved edits of 2026-11-30 12:31 UTC"));
    bench.click(Role::Button, "Open fer.scene of 2026-11-30 12:31 UTC");
    assert!(matches!(bench.command(), Command::OpenEdits(opened) if opened == edits));
    bench.click(Role::Button, "Discard fer.scene of 2026-11-30 12:31 UTC");
    assert!(matches!(bench.command(), Command::DiscardEdits(path) if path == edits.path));
}

//! Windows of different sizes: what has room, and what makes room.

use crate::common::bench::Bench;
use crate::common::{crowded, row, session};
use egui::Rect;
use egui::accesskit::Role;
use egui_kittest::kittest::Queryable as _;
use viewer::panel::{self, Command};
use viewer::simulation::{Notice, Order};

/// Sizes in points: a laptop, 1920 x 1080 at 200 %, and two small windows.
const SIZES: [(f32, f32); 4] = [(1280.0, 720.0), (960.0, 540.0), (800.0, 600.0), (640.0, 480.0)];

fn bench(width: f32, height: f32) -> Bench {
    let mut bench = Bench::sized(session(crowded(), "kd-tree"), width, height);
    // Numbers in the scene are no text of panels.
    bench.stage().panel.view = bench.stage().panel.view.with_structure(&[]);
    bench.steps(3);
    bench
}

/// Fails if two texts are drawn over each other.
#[track_caller]
fn assert_texts_apart(bench: &mut Bench, what: &str) {
    // An area is placed by where the others were in the last frame.
    bench.harness.run();
    bench.harness.run();
    let texts = bench.visible_texts();
    for (place, (text, rect)) in texts.iter().enumerate() {
        let crosses = |(_, other): &&(String, Rect)| other.shrink(1.0).intersects(rect.shrink(1.0));
        if let Some((other, at)) = texts[..place].iter().find(crosses) {
            panic!("{what}: {text:?} at {rect} over {other:?} at {at}");
        }
    }
}

#[test]
fn texts_of_panels_are_apart_at_every_size() {
    for (width, height) in SIZES {
        let mut bench = bench(width, height);
        let mut check = |what: &str, change: fn(&mut Bench)| {
            change(&mut bench);
            bench.stage().look();
            assert_texts_apart(&mut bench, &format!("{width} x {height}, {what}"));
        };
        check("at first", |_| ());
        check("suggestions", |bench| bench.stage().panel.suggestions = true);
        check("a picked object", |bench| bench.stage().panel.view.picked = Some(0));
        check("the legend opened", |bench| bench.stage().panel.explains = Some(true));
        check("a notice", |bench| {
            bench.stage().notices = vec![Notice::Done("a long sentence ".repeat(9))];
        });
        check("without it", |bench| bench.stage().notices.clear());
        check("the comparison", |bench| {
            bench.stage().panel.compare.open = true;
            bench.obey(Order::Compare(vec![row("bsp"), row("brute-force")]));
            bench.steps(2);
        });
        for view in ["Bars", "Tests", "Lines"] {
            bench.click(Role::Button, view);
            assert_texts_apart(&mut bench, &format!("{width} x {height}, {view}"));
        }
        bench.stage().panel.more.open = true;
        assert_texts_apart(&mut bench, &format!("{width} x {height}, all panels"));
        bench.stage().panel.projector = true;
        assert_texts_apart(&mut bench, &format!("{width} x {height}, projector mode"));
    }
}

#[test]
fn chart_takes_the_place_of_the_list_in_a_narrow_strip() {
    for (width, height) in SIZES {
        let mut bench = bench(width, height);
        bench.stage().panel.compare.open = true;
        bench.obey(Order::Compare(vec![row("bsp")]));
        bench.steps(2);
        let is_listed = |bench: &Bench| bench.has(Role::CheckBox, "BSP tree");
        let bar = |bench: &Bench| {
            let scene = bench.harness.state().scene;
            let bar = bench.harness.query_by_label("BSP tree: 2.000 ms").map(|bar| bar.rect());
            bar.filter(|bar| bar.top() > scene.bottom() && bar.right() <= scene.right() + 1.0)
        };
        assert!(is_listed(&bench) && bar(&bench).is_none(), "{width} x {height}");
        bench.click(Role::Button, "Bars");
        assert!(bar(&bench).is_some_and(|bar| bar.bottom() < height), "{width} x {height}");
        let has_both = width > 1000.0;
        assert_eq!(is_listed(&bench), has_both, "{width} x {height}");
        assert_eq!(bench.has(Role::Button, "List"), !has_both);
        if !has_both {
            bench.click(Role::Button, "List");
            assert!(is_listed(&bench) && bar(&bench).is_none(), "{width} x {height}");
        }
    }
}

#[test]
fn scene_is_seen_beside_the_legend() {
    for (width, height) in SIZES.into_iter().chain([(1100.0, 900.0)]) {
        let mut bench = bench(width, height);
        for more in [false, true] {
            bench.stage().panel.more.open = more;
            bench.harness.run();
            let legend = bench.area("legend");
            let seen = seen(&mut bench, None);
            let scene = bench.stage().scene;
            assert!(scene.expand(1.0).contains_rect(seen), "{width} x {height}: {seen} in {scene}");
            if scene.width() >= 560.0 {
                assert!(seen.right() <= legend.left(), "{width} x {height}: {seen} {legend}");
            }
        }
    }
}

/// The rectangle in which an object, or all of the scene's space, is seen.
fn seen(bench: &mut Bench, object: Option<u32>) -> Rect {
    let stage = bench.stage();
    let free = panel::free_part(stage.scene, &stage.panel);
    let camera = stage.snapshot.opening_camera().within(free);
    let bounds = match object {
        None => stage.snapshot.objects.space,
        Some(object) => stage.snapshot.bounds_of(object).unwrap(),
    };
    let size = glam::Vec2::new(stage.scene.width(), stage.scene.height());
    let corners = (0..8).map(|corner| {
        let is_upper = glam::BVec3::new(corner & 1 != 0, corner & 2 != 0, corner & 4 != 0);
        let at = glam::Vec3::select(is_upper, bounds.max, bounds.min);
        let at = camera.project(at, size).unwrap();
        stage.scene.min + egui::vec2(at.x, at.y)
    });
    Rect::from_points(&corners.collect::<Vec<_>>())
}

#[test]
fn card_of_a_picked_object_does_not_cover_it() {
    for (width, height) in [(1280.0, 720.0), (800.0, 600.0)] {
        let mut bench = bench(width, height);
        let mut sides = Vec::new();
        for more in [false, true] {
            bench.stage().panel.more.open = more;
            for object in 0..50 {
                bench.pick(Some(object));
                bench.harness.run();
                let (card, seen) = (bench.area("inspector"), seen(&mut bench, Some(object)));
                assert!(!card.intersects(seen), "{width}: {card} over {object} at {seen}");
                assert!(bench.stage().scene.contains_rect(card), "{width}: {card}");
                sides.push(card.left());
            }
        }
        sides.dedup();
        assert!(sides.len() < 60, "it stays at its side: {sides:?}");
    }
}

#[test]
fn button_of_the_card_zooms_to_its_object() {
    let mut bench = bench(1280.0, 720.0);
    bench.pick(Some(7));
    bench.click(Role::Button, "Zoom");
    assert!(matches!(bench.command(), Command::FramePicked));
}

#[test]
fn projector_mode_enlarges_text_and_is_taken_back() {
    let mut bench = bench(1280.0, 720.0);
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
    let mut bench = bench(800.0, 600.0);
    bench.stage().panel.compare.open = true;
    bench.harness.run();
    assert!(bench.has(Role::Button, "Restart") && bench.has(Role::Button, "List"));
    bench.click(Role::Button, "View");
    bench.click(Role::CheckBox, "Side panel");
    assert!(!bench.has(Role::Button, "Restart"));
    assert!(!bench.has(Role::Button, "List"), "list and chart have room together");
    bench.click(Role::CheckBox, "Legend");
    assert!(bench.harness.query_by_label("Guide").is_none());
    bench.click(Role::CheckBox, "Side panel");
    assert!(bench.has(Role::Button, "Restart"));
}

#[test]
fn bookmarks_open_within_the_view_menu_of_a_narrow_bar() {
    let mut bench = bench(640.0, 480.0);
    bench.click(Role::Button, "View");
    bench.harness.get_by_label_contains("Bookmarks").click();
    bench.harness.run();
    bench.click(Role::Button, "Add this step and camera");
    assert_eq!(bench.stage().panel.bookmarks.len(), 1);
}

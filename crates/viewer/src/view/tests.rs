//! Words of the view, and what a window shows of a scene.

use super::options::parse_camera;
use super::*;
use crate::camera::OrbitCamera;
use broadphase::registry::{ALGORITHMS, find};
use clap::Parser;
use narrowphase::BoxKind;
use proptest::prelude::*;
use sim::SceneDocument;

#[derive(Debug, Parser)]
#[command(no_binary_name = true)]
struct Line {
    #[command(flatten)]
    view: ViewOptions,
}

fn options(line: &str) -> Result<ViewOptions, String> {
    let parsed = Line::try_parse_from(line.split_whitespace());
    parsed.map(|line| line.view).map_err(|error| error.to_string())
}

prop_compose! {
    /// A view whose hidden overlays have the usual depths and opacity.
    fn any_view()(
        [set, on] in any::<[u32; 2]>(),
        depths in any::<[u32; 2]>(),
        only in any::<bool>(),
        plane_opacity in 0.0..=1.0_f32,
        color in 0..ColorBy::ALL.len(),
        picked in any::<Option<u32>>(),
    ) -> View {
        let mut view = View { color: ColorBy::ALL[color], picked, ..View::default() };
        let all = Row::SWITCHES.into_iter().chain(Row::overlays());
        for (place, row) in all.enumerate().filter(|(place, _)| set >> place & 1 != 0) {
            view.set(row, on >> place & 1 != 0);
        }
        if view.shows(Overlay::Planes) {
            (view.plane_depth, view.plane_opacity) = (depths[0], plane_opacity);
        }
        if view.shows(Overlay::TreeBoxes) {
            view.tree_levels = Levels { depth: depths[1], only };
        }
        view
    }
}

proptest! {
    #[test]
    fn view_is_read_as_it_is_written(view in any_view()) {
        let words = view.words(&View::default(), |_| true).join(" ");
        let mut read = View::default();
        options(&words).unwrap().apply(&mut read);
        prop_assert_eq!(read, view, "{}", words);
    }
}

#[test]
fn invalid_words_are_refused_with_the_known_ones() {
    for (line, expected) in [
        (
            "--show cells",
            "expected none or one of planes, regions, boxes, lists, curve, fat, pairs, ",
        ),
        (
            "--show cells",
            ", aabbs, volumes, contacts, normals, impacts, paths, waiting, parts, not ",
        ),
        ("--show boxes:", "as in boxes:2, not \"\""),
        ("--show planes:-1", "as in planes:2, not \"-1\""),
        ("--show planes:=1", "as in planes:2, not \"=1\""),
        ("--show lists:1", "only planes and boxes have a depth, not lists"),
        (
            "--draw objects",
            "of objects, sources, obstacles, outlines, labels, shading, glow with =on or =off",
        ),
        ("--draw objects=no", "not \"objects=no\""),
        ("--draw lists=on", "not \"lists=on\""),
        ("--plane-opacity 1.5", "expected an opacity from 0 to 1, not \"1.5\""),
        (
            "--volume fog",
            "expected one of none, sphere, sphere-mean, sphere-inside, sphere-between, ",
        ),
        ("--narrow fog", "expected one of sat, sat+naive, sat+climbing, sat+cached, gjk, "),
        ("--box-kind fog", "expected one of tight, rotated, sphere"),
    ] {
        let refusal = options(line).expect_err(line);
        assert!(refusal.contains(expected), "{line}: {refusal}");
    }
    let methods = options("--volume dop14 --narrow sat+cached --box-kind rotated").unwrap().methods;
    let ids = (methods.volume.unwrap().id, methods.narrow.unwrap().id, methods.box_kind);
    assert_eq!(ids, ("dop14", "sat+cached", Some(BoxKind::Rotated)));
}

#[test]
fn help_of_show_has_the_word_of_every_overlay() {
    let help = <Line as clap::CommandFactory>::command().render_help().to_string();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for word in Row::overlays().map(Row::word) {
        assert!(help.contains(&format!(" {word}")), "{word}: {help}");
    }
    for text in [" fat (Fat AABBs), ", " matrix (window only);", " parts. Or none."] {
        assert!(help.contains(text), "{help}");
    }
}

#[test]
fn first_algorithm_with_all_overlays_is_the_default() {
    let id = |chosen: Option<&str>, words: &str| {
        let chosen = chosen.map(|id| find(id).expect("an algorithm"));
        let overlays = options(&format!("--show {words}")).unwrap().overlays().unwrap();
        let found = algorithm_with(ALGORITHMS, chosen, &overlays);
        found.map(|entry| entry.id)
    };
    for (chosen, words, expected) in [
        (None, "none", Ok("bsp")),
        (None, "regions", Ok("bsp")),
        (None, "curve,volumes", Ok("bvh-linear")),
        (Some("bvh-linear"), "boxes:1,curve", Ok("bvh-linear")),
        (Some("brute-force"), "volumes", Ok("brute-force")),
        (Some("bsp"), "planes,curve", Err("bsp has no curve to show, only planes, regions")),
        (Some("brute-force"), "boxes", Err("brute-force has no boxes to show, nor anything else")),
        (
            None,
            "lists,curve",
            Err("no algorithm has all of these parts to show; draw a picture of each"),
        ),
    ] {
        assert_eq!(id(chosen, words), expected.map_err(str::to_owned), "{words}");
    }
}

#[test]
fn window_shows_what_a_scene_is_about_unless_overlays_are_named() {
    let shown = |text: &str, line: &str, objects: usize| {
        let bodies = match text {
            "" => "",
            _ => "#!shape cube box 1 1 1\n#!body cube 0 0 0  0 0 0  driven\n",
        };
        let text = format!("i -3 -3 -3 6 6 6 100 f\n{bodies}{text}\n");
        let document = SceneDocument::parse("own.scene", text.as_bytes()).unwrap();
        let scene = document.scene();
        let mut view = View::of_scene(scene);
        options(line).unwrap().apply_in_window(&mut view, scene, objects);
        let bvh = find("bvh-linear").unwrap();
        let words = view.words(&View::of_scene(scene), |row| match row {
            Row::Structure(overlay) => bvh.shows(overlay),
            row => row.is_of_bodies(),
        });
        words.join(" ")
    };
    let most = MAX_DRAWN_BY_DEFAULT;
    let plain = SceneDocument::parse("own.scene", b"i 0 0 0 1 1 1 100 f\n").unwrap();
    let mut touching = View { color: ColorBy::Touching, ..View::default() };
    touching.begin_scene(plain.scene(), 1);
    assert_eq!(touching.color, ColorBy::Plain, "spheres have no contacts");
    for (text, line, objects, expected) in [
        ("", "", most, "--show boxes:3,curve"),
        ("", "", most + 1, "--show none"),
        ("", "--show curve", most + 1, "--show curve"),
        ("", "--planes 7 --show boxes:=2", 1, "--show boxes:=2"),
        ("#!continuous all", "--show none", 1, "--show none"),
        ("#!objects 0\n#!continuous all", "", 1, "--show impacts,paths,waiting"),
        ("#!objects 9\n#!flat", "", 1, "--show none --color touching"),
        ("#!flat\n#!driving walk", "", 1, "--show parts"),
        (
            "#!objects 9\n#!flat\n#!driving refuse obb",
            "",
            1,
            "--show boxes:3,curve,volumes --color touching",
        ),
    ] {
        assert_eq!(shown(text, line, objects), expected, "{text} {line} {objects}");
    }
}

#[test]
fn camera_survives_the_round_trip() {
    for text in ["25,20,4.5", "350.125,-89,0.001,1,-2.5,1000"] {
        assert_eq!(camera_words(&parse_camera(text).unwrap()), text);
    }
    let mut camera = OrbitCamera::default();
    camera.orbit(glam::Vec2::new(123.0, -45.6));
    camera.zoom(0.37);
    camera.pan(glam::Vec2::new(3.1, 4.7), 700.0);
    assert_eq!(parse_camera(&camera_words(&camera)), Ok(camera), "to the bit");
    for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1,2,0", "1,2,-3", "nan,2,3", "1,2,inf", "1,2,1e9"] {
        let message = parse_camera(bad).unwrap_err();
        assert!(message.contains("YAW,PITCH,DISTANCE"), "{bad}: {message}");
    }
}

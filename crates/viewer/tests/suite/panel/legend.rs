//! The legend: what is hidden until it is asked for, the guide, and the colours of objects. Its words are in `words.rs`.

use super::*;

#[test]
fn sentences_wait_for_a_click_in_a_narrow_window() {
    let watch_for = row("kd-tree").watch_for;
    for (width, is_said) in [(1280.0, true), (800.0, false)] {
        let mut bench = Bench::sized(session(crowded(), "kd-tree"), width, 1400.0);
        assert_eq!(bench.says(watch_for), is_said, "{width}");
        bench.click(Role::Button, if is_said { "Less" } else { "More" });
        assert_eq!(bench.says(watch_for), !is_said, "{width}");
    }
}

#[test]
fn guide_opens_the_section_of_the_running_algorithm() {
    let mut bench = Bench::of("kd-tree");
    assert!(!bench.says("Kurtanjek 2008, sections 3.3"));
    bench.click(Role::Button, "Guide");
    assert!(bench.says("Kurtanjek 2008, sections 3.3"));
    bench.choose("octree-loose");
    assert!(bench.says("Ulrich"), "the guide follows the algorithm");
    bench.click(Role::Button, "Guide");
    assert!(!bench.says("Game Programming Gems"));
}

#[test]
fn rows_of_the_matrix_and_few_objects_have_their_numbers() {
    let numbered = |objects: u32, number: &str| {
        let scene = Scene { objects, radius: Radius::Equal(0.05), ..crowded() };
        let mut bench = Bench::with(scene, "sap-matrix");
        bench.show(&[Overlay::Matrix.into()]);
        let right = bench.stage().scene.right();
        let texts = bench.texts().into_iter().filter(|(text, ..)| text == number);
        let places: Vec<egui::Rect> = texts.map(|(_, place, _)| place).collect();
        places.into_iter().partition::<Vec<_>, _>(|place| place.right() < right)
    };
    let (in_scene, in_legend) = numbered(8, "6");
    let [column, row] = in_legend[..] else { panic!("above a column and beside a row") };
    assert!(column.left() > row.right() && column.bottom() < row.top());
    assert!(!in_scene.is_empty(), "the object has no number");
    assert_eq!(numbered(65, "64"), Default::default(), "of many objects, each has its number");
}

#[test]
fn objects_tested_against_the_picked_one_are_tinted() {
    const TESTED: [u8; 4] = Theme::DARK.tested;
    for entry in ALGORITHMS {
        let mut bench = Bench::of(entry.id);
        bench.steps(3);
        let tinted = |bench: &mut Bench| -> Vec<u32> {
            let spheres = (0..).zip(bench.stage().view().spheres);
            spheres.filter(|(_, sphere)| sphere.color == TESTED).map(|(at, _)| at).collect()
        };
        assert!(tinted(&mut bench).is_empty(), "{}: nothing is picked", entry.id);
        bench.pick(Some(7));
        let picked = bench.stage().snapshot.picked.clone().unwrap();
        assert!(picked.tested.len() <= picked.tests as usize && !picked.tested.contains(&7));
        assert!(picked.tested.is_sorted_by(|a, b| a < b), "{}: {:?}", entry.id, picked.tested);
        if entry.id == "brute-force" {
            assert_eq!(picked.tested.len(), 49);
        }
        // Candidates keep their colour.
        let others = picked.tested.iter().copied().filter(|object| !picked.concerns(*object));
        assert_eq!(tinted(&mut bench), others.collect::<Vec<u32>>(), "{}", entry.id);
    }
}

#[test]
fn only_what_is_drawn_has_a_colour() {
    let mut bench = Bench::of("bsp");
    bench.show(&[Overlay::Planes.into()]);
    let names = |bench: &mut Bench, algorithm: &str, depth: u32| {
        bench.obey(Order::Algorithm(ALGORITHMS.resolve(algorithm).unwrap()));
        bench.steps(1);
        bench.set_up(|panel| panel.view.plane_depth = depth);
        ["cuts x", "cuts y", "cuts z"].map(|name| bench.says(name))
    };
    assert_eq!(names(&mut bench, "bsp@depth=1", 9), [true, false, false]);
    assert_eq!(names(&mut bench, "bsp", 0), [true, false, false], "the root's plane alone");
    assert_eq!(names(&mut bench, "bsp", 9), [true; 3]);
}

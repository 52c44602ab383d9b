//! Group *Sources*.

use crate::common::cube;
use crate::panel::scene::{divided, fer, scene_bench};
use egui::accesskit::Role;
use glam::Vec3;
use sim::scene::Source;
use sim::{Edit, Scene};
use viewer::panel::Command;
use viewer::simulation::Order;

#[test]
fn deleted_sources_set_their_spheres_free() {
    let letters = ["2   33 %", "3   33 %", "4   100 %"];
    // Without its own events, which delete the sources after two seconds.
    let scene = || Scene { events: Vec::new(), objects: 150, ..fer() };
    let [stems, beside] = [true, false].map(|is_kept| {
        let mut bench = scene_bench(scene());
        let stems: Vec<_> = bench.recipe().sources[1..].iter().map(Source::bounds).collect();
        if !is_kept {
            for (letter, number) in letters.into_iter().zip(2..) {
                bench.select(letter);
                bench.click(Role::Button, "Delete source");
                let command = bench.command();
                let Command::Order(Order::Edit(Edit::DeleteSource { number: deleted })) = command
                else {
                    panic!("{command:?}")
                };
                assert_eq!(deleted, number);
                bench.obey(command);
            }
            assert_eq!(bench.world().sources().count(), 1);
        }
        bench.steps(90);
        let inside = |center: &&Vec3| {
            stems.iter().any(|stem| center.cmpge(stem.min).all() && center.cmple(stem.max).all())
        };
        let world = bench.world();
        let held = world.positions().iter().filter(inside).count();
        (held, world.len() - held)
    });
    assert_eq!(stems, (150, 0), "their walls hold them");
    assert!(beside.1 > 20, "{beside:?}");
}

#[test]
fn a_source_changes_by_apply_and_reverts_by_undo() {
    let mut bench = scene_bench(divided());
    assert!(bench.is_disabled(Role::Button, "Undo"));
    for name in ["Apply source", "Delete source"] {
        assert!(bench.is_disabled(Role::Button, name), "{name} of no source");
    }
    bench.select("1   40 %");
    assert!(bench.is_disabled(Role::Button, "Apply source"), "nothing is changed");
    let typed = [
        ("Source corner x", "-1.5", -1.5),
        ("Source corner y", "-1.25", -1.25),
        ("Source corner z", "-2", -2.0),
        ("Source sides x", "1.5", 1.5),
        ("Source sides y", "2.5", 2.5),
        ("Source sides z", "1e1", 10.0),
        ("Source share in per cent", "12.5", 12.5),
    ];
    for (name, text, value) in typed {
        bench.type_number(name, text);
        assert_eq!(bench.value(name), value, "{name}");
    }
    bench.click(Role::CheckBox, "Source has a floor");
    bench.assert_no_command();
    assert_eq!(bench.recipe().sources, divided().sources, "typing alone changes nothing");

    bench.click_and_obey(Role::Button, "Apply source");
    let expected = Source {
        corner: Vec3::new(-1.5, -1.25, -2.0),
        size: Vec3::new(1.5, 2.5, 10.0),
        percent: 12.5,
        floor: false,
    };
    assert_eq!(bench.world().sources().next(), Some((1, &expected)));
    assert_eq!(bench.recipe().sources[1].percent, 87.5, "the last gets the rest");
    assert!(bench.is_disabled(Role::Button, "Apply source"), "it is applied");

    bench.click_and_obey(Role::Button, "Undo: change source 1");
    assert_eq!(bench.recipe().sources, divided().sources);
    assert_eq!(bench.value("Source sides z"), 2.0, "the form follows");
    assert!(bench.is_ticked("Source has a floor"));
    assert!(bench.is_disabled(Role::Button, "Undo"));
}

#[test]
fn a_new_source_is_shifted_and_selected() {
    let mut bench = scene_bench(divided());
    bench.click_and_obey(Role::Button, "New source");
    let sources = bench.recipe().sources.clone();
    let middle =
        Source { corner: Vec3::splat(-0.25), size: Vec3::splat(0.5), percent: 0.0, floor: true };
    assert_eq!(sources[2], middle, "none was selected: in the middle");
    assert_eq!(bench.value("Source sides x"), 0.5, "it is selected");
    bench.click_and_obey(Role::Button, "New source");
    assert_eq!(bench.recipe().sources[3], Source { corner: Vec3::splat(-0.2), ..middle });
    bench.type_number("Source corner x", "0.3");
    bench.click_and_obey(Role::Button, "New source");
    let typed = Source { corner: Vec3::new(0.3, -0.2, -0.2), ..middle };
    assert_eq!(bench.recipe().sources[4], typed, "as typed");
    let numbers: Vec<_> = bench.world().sources().map(|(number, _)| number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    for left in [4, 3, 2] {
        bench.click_and_obey(Role::Button, "Undo: new source");
        assert_eq!(bench.recipe().sources.len(), left);
    }
}

#[test]
fn a_new_source_is_selected_whatever_its_share() {
    let mut bench = scene_bench(divided());
    bench.select("1   40 %");
    bench.click_and_obey(Role::Button, "New source");
    assert_eq!(bench.recipe().sources[2].percent, 0.0, "40 were asked for");
    assert_eq!(bench.value("Source share in per cent"), 0.0, "it is selected");
}

#[test]
fn a_refused_source_selects_no_other() {
    let mut bench = scene_bench(divided());
    bench.select("1   40 %");
    bench.type_number("Source sides y", "0");
    bench.click_and_obey(Role::Button, "New source");
    assert_eq!(bench.recipe().sources.len(), 2);
    bench.obey(Order::Edit(Edit::NewSource(cube())));
    assert_eq!(bench.recipe().sources.len(), 3);
    assert_eq!(bench.value("Source sides y"), 0.0, "what was typed is kept");
}

#[test]
fn the_last_source_takes_the_rest_and_cannot_be_deleted() {
    let mut bench = scene_bench(divided());
    bench.select("1   40 %");
    assert!(!bench.is_disabled(Role::SpinButton, "Source share in per cent"));
    bench.select("2   60 %");
    assert!(bench.is_disabled(Role::SpinButton, "Source share in per cent"));
    assert_eq!(bench.value("Source share in per cent"), 60.0);
    bench.obey(Order::Edit(Edit::DeleteSource { number: 1 }));
    assert_eq!(bench.value("Source share in per cent"), 100.0);
    assert!(bench.is_disabled(Role::Button, "Delete source"));
    bench.click(Role::Button, "Delete source");
    bench.assert_no_command();
}

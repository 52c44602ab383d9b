//! The panels beside a recording. The words of the panel are in a snapshot of `words.rs`.

use super::*;
use measure::BoxesSpec;

fn bench(trace: &Trace, algorithm: &str) -> Bench {
    let mut bench = Bench::new(trace.session(algorithm));
    bench.set_up(|panel| panel.editor.open = true);
    bench
}

fn far(places: f32) -> Aabb {
    cube_at(Vec3::X * places, 1.0)
}

#[test]
fn only_what_applies_to_a_recording_is_offered() {
    let trace = Trace::new(50, 7);
    let mut bench = bench(&trace, "bsp");
    assert!(bench.is_disabled(Role::Button, "Save"));
    bench.click(Role::ComboBox, "Colour by");
    for color in ColorBy::ALL {
        assert_eq!(bench.has(Role::Button, color.name()), !color.is_of_scenes(), "{color:?}");
    }
    let mut generated = Bench::new(boxes_session("gas:60", "bsp"));
    generated.set_up(|panel| panel.editor.open = true);
    let path = generated.node(Role::TextInput, "Scene file").value();
    assert_eq!(path.as_deref(), Some(""), "no path");
    assert!(generated.says("60 boxes, generated"));
    assert!(generated.says("The motion is generated: it is played, not changed."));
}

#[test]
fn recording_can_be_replayed_from_its_end() {
    let trace = Trace::new(50, 3);
    let mut bench = bench(&trace, "bsp");
    assert!(bench.has(Role::Button, "Start"));
    bench.steps(2);
    assert!(bench.is_disabled(Role::Button, "Step"));
    let command = bench.click_and_obey(Role::Button, "Replay");
    assert!(matches!(command, Command::Order(Order::Run(true))));
    bench.steps(1);
    assert_eq!(bench.session().steps(), 0);
    for wanted in [true, false] {
        let command = bench.click_and_obey(Role::CheckBox, "Loop");
        assert!(matches!(command, Command::Order(Order::Loop(loops)) if loops == wanted));
        assert_eq!(bench.is_ticked("Loop"), wanted);
    }
    bench.obey(Order::GoTo(1));
    bench.click_and_obey(Role::Button, "Back");
    assert_eq!(bench.session().steps(), 0);
}

#[test]
fn boxes_are_generated_by_a_button() {
    let trace = Trace::new(50, 2);
    let mut bench = bench(&trace, "bsp");
    bench.click(Role::ComboBox, "Kind of boxes");
    bench.click(Role::Button, "brownian");
    bench.set(Role::SpinButton, "Number of boxes", 77.0);
    bench.click(Role::Button, "Generate boxes");
    let command = bench.command();
    let Command::PlayBoxes(BoxesSpec::Generated(spec)) = command else { panic!("{command:?}") };
    assert_eq!((spec.kind, spec.objects), (GeneratedKind::Brownian, 77));
}

#[test]
fn speeds_are_unknown_without_a_frame_before() {
    // Of three objects one is absent in all frames, and one in the first.
    let frame = |second| vec![far(0.0), second, Aabb::EMPTY];
    let trace = Trace::of(vec![frame(Aabb::EMPTY), frame(far(5.0)), frame(far(5.0))]);
    let mut bench = bench(&trace, "sap-1-axis");
    bench.pick(Some(1));
    for (speed, unknown) in
        [(None, Some("unknown: 1")), (Some("unknown"), Some("unknown: 1")), (Some("0.000"), None)]
    {
        for color in [ColorBy::Velocity, ColorBy::Resting] {
            bench.set_up(|panel| panel.view.color = color);
            assert!(bench.says(&format!("Colour: {}", color.name())));
            assert_eq!(bench.says("unknown: "), unknown.is_some(), "{color:?}");
            assert!(unknown.is_none_or(|words| bench.says(words)), "{color:?}");
        }
        let meaning = "Units per second; unknown of an object that was absent in the frame before";
        assert!(speed.is_none_or(|speed| bench.figure(meaning) == speed), "{speed:?}");
        bench.steps(1);
    }
}

#[test]
fn endpoints_are_counted_as_they_are_drawn() {
    // 5000 boxes, of which every third is drawn. Objects 0 and 4 are absent, object 1 is picked.
    let at = |i: u32| if i == 0 || i == 4 { Aabb::EMPTY } else { far((3 * i) as f32) };
    let trace = Trace::of(vec![(0..5000).map(at).collect()]);
    let mut bench = bench(&trace, "sap-1-axis");
    bench.show(&[Overlay::Endpoints.into()]);
    for (picked, expected) in
        [(None, "1,666 of 4,998 objects"), (Some(1), "1,667 of 4,998 objects")]
    {
        bench.pick(picked);
        assert!(bench.says(expected), "{expected}");
    }
}

#[test]
fn pairs_and_partners_are_those_of_present_boxes() {
    // Of five boxes, two are absent.
    let frame = vec![far(0.0), far(0.0), Aabb::EMPTY, far(5.0), Aabb::EMPTY];
    let trace = Trace::of(vec![frame; 2]);
    let mut bench = bench(&trace, "brute-force");
    bench.set_up(|panel| (panel.view.picked, panel.explains) = (Some(0), Some(true)));
    bench.steps(1);
    assert_eq!(bench.funnel("All pairs"), "3");
    assert_eq!(bench.stage().snapshot.picked.as_ref().unwrap().tested, [1, 3]);
    for words in [
        "This step: 3 pairs -> 3 tests -> ",
        "1 box tested against its box: apart",
        "2 of 2",
        "Box 0",
        "Box 0, which is picked",
        "Overlaps",
    ] {
        assert!(bench.says(words), "{words}");
    }
    assert!(!bench.says("phere") && !bench.says("touches") && !bench.says("Radius"));
    bench.node(Role::Link, "1");
}

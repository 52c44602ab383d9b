//! Number fields.

use crate::panel::scene::{divided, scene_bench};
use egui::Key;
use egui::accesskit::Role;

#[test]
fn invalid_text_is_refused_and_reported_until_replaced() {
    let mut bench = scene_bench(divided());
    bench.select("1   40 %");
    bench.select("1   y-z");
    let fields = [
        "Count",
        "Radius",
        "Speed",
        "Source corner x",
        "Source sides z",
        "Source share in per cent",
        "Obstacle position y",
        "Obstacle sides y",
        "Line x",
        "Response delay in ms",
    ];
    for (place, name) in fields.into_iter().enumerate() {
        let before = bench.value(name);
        // Every text in one field, and in each field one text and one number out of its range.
        let texts: &[&str] =
            if place == 0 { &["", "abc", "NaN", "inf", "-1e13", "12x"] } else { &["12x", "-1e13"] };
        for &text in texts {
            bench.type_number(name, text);
            assert_eq!(bench.value(name), before, "{name}: {text}");
            let refusal = bench.refusal(&format!("{name}: expected "));
            let refusal = refusal.unwrap_or_else(|| panic!("{name}: {text} is not reported"));
            let found = if text.is_empty() { "found nothing" } else { text };
            assert!(refusal.contains(found), "{refusal}");
            bench.assert_no_command();
        }
        bench.type_number(name, &before.to_string());
        assert_eq!(bench.refusal(&format!("{name}: ")), None, "{name}");
    }
    for name in ["Source sides x", "Obstacle sides z", "Speed", "Source share in per cent"] {
        let before = bench.value(name);
        bench.type_number(name, "-5");
        assert_eq!(bench.value(name), before, "{name}");
        assert!(bench.refusal(&format!("{name}: expected ")).is_some(), "{name}");
    }
}

#[test]
fn an_untouched_field_keeps_every_digit() {
    let mut scene = divided();
    scene.sources[0].corner.x = -1.000_000_1;
    let mut bench = scene_bench(scene);
    bench.select("1   40 %");
    bench.click(Role::SpinButton, "Source corner x");
    bench.harness.key_press(Key::Enter);
    bench.harness.run();
    assert_eq!(bench.value("Source corner x"), f64::from(-1.000_000_1f32));
    assert!(bench.is_disabled(Role::Button, "Apply source"));
    bench.type_number("Source corner x", "7");
    assert_eq!(bench.value("Source corner x"), 7.0, "all of the old text was replaced");
}

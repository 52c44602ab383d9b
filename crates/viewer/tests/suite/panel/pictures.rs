//! Options of pictures, and the sequence of them.

use super::*;

#[test]
fn pictures_are_as_large_as_chosen_in_a_menu() {
    let mut bench = Bench::of("bsp");
    bench.click(Role::Button, "Picture options");
    bench.click(Role::CheckBox, "With the legend");
    let options = bench.stage().panel.picture;
    assert!(options.legend && options.size_of([800, 600]) == ([800, 600], 1.0));
    bench.click(Role::CheckBox, "Width x height in pixels:");
    bench.set(Role::SpinButton, "Width of pictures", 1600.0);
    bench.set(Role::SpinButton, "Height of pictures", 99_999.0);
    let options = bench.stage().panel.picture;
    assert_eq!(options.size_of([800, 600]), ([1600, 4096], 2.0));
    bench.assert_no_command();
}

#[test]
fn sequence_of_pictures_is_begun_and_stopped_by_buttons() {
    let mut bench = Bench::of("bsp");
    assert!(!bench.has(Role::Button, "Stop pictures"));
    bench.click(Role::Button, "Picture options");
    bench.click(Role::Button, "Record pictures");
    assert!(matches!(bench.command(), Command::RecordPictures(true)));
    bench.stage().recorded_pictures = Some(12);
    bench.harness.run();
    assert!(bench.draws("12 pictures"));
    bench.click(Role::Button, "Stop pictures");
    assert!(matches!(bench.command(), Command::RecordPictures(false)));
}

//! The first state of the window, from the command line.

use super::*;
use crate::cli::FIRST_SCENE;
use clap::Parser as _;
use measure::MonotonicClock;
use std::path::Path;

#[test]
fn scenes_open_with_a_tree_and_recordings_with_auto() {
    // As from the root of the repository, and without the settings of the user who runs the tests.
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(FIRST_SCENE);
    let begun = |words: &[&str]| {
        let words = ["viewer", "--reset-settings"].iter().chain(words);
        let arguments = Arguments::try_parse_from(words).unwrap();
        let opened = match arguments.boxes {
            Some(_) => open(&arguments).unwrap(),
            None => shipped_scenes::open(&System, &scene).unwrap(),
        };
        let case = case(&arguments, &opened.input).unwrap();
        let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
        let start = start(&arguments, &opened, &case, clock).unwrap();
        (start.first, start.session.algorithm().id)
    };
    assert_eq!(begun(&[]), (true, "kd-tree"));
    assert_eq!(begun(&["--algorithm", "bsp"]), (false, "bsp"));
    assert!(!begun(&["--pick", "3"]).0);
    assert_eq!(begun(&["other.scene"]), (true, "kd-tree"));
    assert_eq!(begun(&["--boxes", "gas:50"]), (true, "auto"));
}

//! Keys that drive bodies, from the window to the command that is copied.

use super::*;
use crate::session::DriveRun;

const RIGHT: DriveKeys = DriveKeys { right: true, ..DriveKeys::NONE };

fn quiet(text: &str) -> (&'static Double, Model) {
    let double = Double::leaked();
    (double, Model::new(start_of(text.as_bytes(), "bsp", double), double.platform()))
}

/// The command that is copied, and whether something is said to be missing in it.
fn copied(model: &mut Model) -> (String, bool) {
    model.panel.toasts.clear();
    model.obey(Command::CopyCommand);
    let lacks =
        model.panel.toasts.notices().iter().any(|notice| matches!(notice, Notice::Problem(_)));
    (model.to_copy.take().unwrap(), lacks)
}

#[test]
fn held_keys_are_in_the_copied_command_as_a_file() {
    let (double, mut model) = quiet(SCENE);
    assert!(!copied(&mut model).0.contains("--drive"));
    model.snapshot.input.driven = vec![DriveRun { first: 3, last: 4, keys: RIGHT }];
    let (line, lacks) = copied(&mut model);
    let words: Vec<&str> = line.split(' ').collect();
    let place = words.iter().position(|word| *word == "--drive").unwrap();
    let path = words[place + 1];
    let seconds = 2.0 * model.snapshot.input.recipe.dt;
    let expected = format!("{seconds} none\n{seconds} right\n");
    assert_eq!((double.text(path), lacks), (Some(expected), false));
    *double.read_only.lock().unwrap() = Some(PathBuf::new());
    assert!(copied(&mut model).1, "the file cannot be written");
}

#[test]
fn copied_keys_are_those_of_the_scene_and_of_the_user() {
    let (double, mut model) = quiet(&format!("{SCENE}#!drive 1 right\n"));
    model.drive_file = Some(PathBuf::from("keys.txt"));
    let (line, lacks) = copied(&mut model);
    assert!(line.contains("--drive keys.txt") && !lacks, "{line}");
    let up = DriveKeys { up: true, ..DriveKeys::NONE };
    model.snapshot.input.driven = vec![DriveRun { first: 3, last: 4, keys: up }];
    let (line, lacks) = copied(&mut model);
    let path = line.split(' ').skip_while(|word| *word != "--drive").nth(1).unwrap();
    let text = double.text(path).unwrap();
    let keys: Vec<&str> = text.lines().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!((keys, lacks), (vec!["right", "up", "right"], false));
}

#[test]
fn keys_are_held_where_a_body_is_driven() {
    let (_, mut model) = quiet(SCENE);
    model.panel.drive = true;
    model.set_drive(RIGHT);
    assert!(model.drive.is_none() && !model.drives_by_letters());
    let scene = Arc::make_mut(&mut model.snapshot.input.scene);
    scene.placed_bodies[0].is_driven = true;
    assert!(model.snapshot.driven().eq([0]) && model.drives_by_letters());
    model.set_drive(RIGHT);
    assert_eq!(model.drive, RIGHT);
    let up = DriveKeys { up: true, ..RIGHT };
    model.set_drive(up);
    assert_eq!(model.drive, up);
    Arc::make_mut(&mut model.snapshot.input.scene).flat = true;
    model.set_drive(up);
    assert_eq!(model.drive, DriveKeys { jump: true, ..up }, "in a plane, up is a jump too");
}

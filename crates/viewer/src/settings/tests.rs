//! Tests of the settings file.

use super::*;
use crate::platform::System;
use sim::scene::CameraPose;
use std::fs;

#[test]
fn settings_survive_the_round_trip() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("new/viewer.toml");
    assert_eq!(Settings::read(&System, &path), Ok(Settings::default()));
    let mut settings = Settings { dark: false, window: [900.0, 500.0], ..Settings::default() };
    let open = |settings: &mut Settings, name: &str| {
        settings.remember_scene(&folder.path().join(name));
    };
    let camera = OrbitCamera::from_pose(CameraPose { yaw: 7.0, pitch: -3.0, distance: 2.5 });
    let bookmark = |name: &str, step| Bookmark {
        name: name.to_owned(),
        step,
        objects: 7,
        seed: u64::MAX.to_string(),
        camera,
    };
    for (name, kept) in [("a", vec![bookmark("old", 1)]), ("b", vec![bookmark("of b", 2)])] {
        open(&mut settings, name);
        settings.remember_bookmarks(&kept);
    }
    (0..10).for_each(|number| open(&mut settings, &format!("{number}.scene")));
    open(&mut settings, "a");
    let own = [bookmark("\"fall\" = ü", 12), bookmark("", 0)];
    settings.remember_bookmarks(&own);
    settings.camera = Some(camera);
    settings.write(&System, &path).unwrap();
    let mut read = Settings::read(&System, &path).unwrap();
    assert_eq!(read, settings);
    assert_eq!((read.recent_scenes.len(), read.bookmarks()), (MAX_RECENT, own.to_vec()));
    open(&mut read, "a");
    assert_eq!(read.camera, Some(camera));
    open(&mut read, "b");
    assert_eq!((read.camera, read.bookmarks()), (None, vec![bookmark("of b", 2)]));
    open(&mut read, "c");
    assert_eq!(read.bookmarks(), []);
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    let reset = settings.reset();
    assert_eq!((reset.dark, reset.bookmarks.len()), (true, 3));
}

#[test]
fn invalid_file_is_reported_and_kept_before_it_is_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("viewer.toml");
    let bad = folder.path().join("viewer.toml.bad");
    for (mine, expected) in [
        (&b"dark = true\nvsync = 7\n"[..], "viewer.toml:2:9: "),
        (b"dark = true\n# \xff\n", "viewer.toml:2:3: expected text in UTF-8; "),
    ] {
        fs::write(&path, mine).unwrap();
        let error = Settings::read(&System, &path).unwrap_err();
        let kept = format!("the old ones are kept in {}", bad.display());
        assert!(error.may_replace && error.message.contains(expected), "{error:?}");
        assert!(error.message.ends_with(&kept) && error.message.lines().count() == 1);
        Settings::default().write(&System, &path).unwrap();
        assert_eq!(Settings::read(&System, &path), Ok(Settings::default()));
        assert_eq!(fs::read(&bad).unwrap(), mine, "the last one is kept");
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2);
    fs::write(&path, "window = [nan, 1e9]\nunknown = 1").unwrap();
    assert_eq!(Settings::read(&System, &path).unwrap().window, [720.0, 16_384.0]);
}

#[test]
fn file_that_cannot_be_kept_or_read_is_not_to_be_replaced() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("viewer.toml");
    let refused = |why: &str| {
        let error = Settings::read(&System, &path).unwrap_err();
        assert!(!error.may_replace && error.message.contains(why), "{error:?}");
        assert_eq!(error.message.lines().count(), 1);
    };
    fs::create_dir(&path).unwrap();
    refused("it is a folder; ");
    fs::remove_dir(&path).unwrap();
    #[cfg(unix)]
    {
        // A reader that opens it waits for ever.
        let made = std::process::Command::new("mkfifo").arg(&path).status().unwrap();
        assert!(made.success());
        refused("it is no regular file; ");
        fs::remove_file(&path).unwrap();
    }
    fs::File::create(&path).unwrap().set_len(4 * MAX_BYTES).unwrap();
    refused("it has more than 1048576 bytes; ");
    fs::write(&path, "dark = -1\n").unwrap();
    fs::create_dir(folder.path().join("viewer.toml.bad")).unwrap();
    refused("no settings are stored: the old ones cannot be kept in ");
}

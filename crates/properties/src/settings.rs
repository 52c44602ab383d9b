//! The viewer's settings.

use crate::files;
use std::fs;
use viewer::platform::System;
use viewer::settings::{Settings, SettingsError};

/// Settings that are read read back as they are written. An error is one line with a place, and the file is kept.
pub(crate) fn check(bytes: &[u8]) {
    let path = files::write("viewer.toml", bytes);
    match Settings::read(&System, &path) {
        Ok(settings) => read_back(&settings),
        Err(SettingsError { message, may_replace }) => {
            assert!(may_replace, "{message}");
            let message = crate::messages::message(&message);
            assert!(message.contains("viewer.toml:"), "{message}");
            let (_, kept) = message.split_once("the old ones are kept in ").unwrap_or_default();
            assert_eq!(fs::read(kept).ok().as_deref(), Some(bytes), "{message}");
            let _ = fs::remove_file(kept);
        }
    }
}

/// Settings read back as they are written.
fn read_back(settings: &Settings) {
    let path = files::path("again.toml");
    settings.write(&System, &path).unwrap_or_else(|error| panic!("{error}"));
    let again = Settings::read(&System, &path).unwrap_or_else(|error| panic!("{error:?}"));
    // As text: a NaN equals itself.
    assert_eq!(format!("{again:?}"), format!("{settings:?}"));
}

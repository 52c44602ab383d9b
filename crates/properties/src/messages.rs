//! Messages of errors.

use std::fmt::Display;

/// The message of an error: one line, as programs print it after `error: `.
pub(crate) fn message(error: &impl Display) -> String {
    let message = error.to_string();
    assert_eq!(message.lines().count(), 1, "{message:?}");
    message
}

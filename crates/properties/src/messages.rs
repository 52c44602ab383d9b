//! Messages of errors.

use std::fmt::Display;

/// The message of an error: one line, as programs print it after `error: `.
pub(crate) fn message(error: &impl Display) -> String {
    let message = error.to_string();
    assert!(!message.is_empty() && !message.contains(['\n', '\r']), "{message:?}");
    message
}

//! Panics as messages.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Characters that are kept of a panic's message.
const MESSAGE: usize = 1000;

/// Runs an algorithm's code; a panic becomes its message.
///
/// After a panic the algorithm is dropped and never called again, so its half-changed state has no
/// effect.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|payload| message_of(&*payload))
}

fn message_of(payload: &(dyn Any + Send)) -> String {
    let text = payload.downcast_ref::<&str>().map(|s| (*s).to_owned());
    let text = text.or_else(|| payload.downcast_ref::<String>().cloned());
    let text = text.unwrap_or_else(|| "no message".to_owned());
    // It becomes a field of a row, whose length is limited. A line break there would look like a damaged table.
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    lines.join("; ").chars().take(MESSAGE).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn message_of_a_panic_is_one_line() {
        let compared = guarded(|| assert_eq!(1 + 1, 3, "a sum"));
        let expected = "assertion `left == right` failed: a sum; left: 2; right: 3";
        assert_eq!(compared, Err(expected.to_owned()));
    }
}

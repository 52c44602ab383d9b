//! The process and its machine: clock, memory, counters, panics, signals, exit codes.

mod clock;
mod counters;
mod memory;
mod signals;

pub use clock::{Clock, MIN_STEPS, MonotonicClock, step_of_clock_ns};
pub(crate) use clock::{Untimed, calibrate, clocked, notable_drift};
pub(crate) use counters::HeapWatch;
pub use counters::{HardwareCount, HardwareCounters, HardwareCounts, HeapProbe};
pub(crate) use memory::check_fits;
pub use memory::{available_memory, check_memory_left};
pub use signals::{Exit, end, handle_requests_to_end, report_file_size_limit};

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

/// Whether two paths lead to the same file, which need not exist. An output that is an input would replace it.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    // They are opened to be compared, and opening a pipe waits for its other end.
    let is_regular = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.is_file());
    if is_regular(a) && is_regular(b) && same_file::is_same_file(a, b).unwrap_or(false) {
        return true;
    }
    let whole = |path: &Path| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some((folder.canonicalize().ok()?, path.file_name()?.to_owned()))
    };
    a == b || whole(a).is_some_and(|a| Some(a) == whole(b))
}

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
    use std::fs;

    #[test]
    fn paths_of_one_file_are_the_same_whether_or_not_it_exists() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        let is_same = |a: &str, b: &str| is_same_file(&at(a), &at(b));
        assert!(is_same("a", "a") && is_same("a", "./a") && is_same("a", "deep/../a"));
        assert!(!is_same("a", "b") && !is_same("a", "deep/a") && !is_same("none/a", "a"));
        assert!(is_same("none/a", "none/a"));
        for name in ["a", "b"] {
            fs::write(at(name), "equal").unwrap();
        }
        assert!(is_same("a", "deep/../a") && !is_same("a", "b"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
            assert!(is_same("link", "a"));
        }
    }

    #[test]
    fn message_of_a_panic_is_one_line() {
        let compared = guarded(|| assert_eq!(1 + 1, 3, "a sum"));
        let expected = "assertion `left == right` failed: a sum; left: 2; right: 3";
        assert_eq!(compared, Err(expected.to_owned()));
    }
}

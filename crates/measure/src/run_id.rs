//! Names of runs.

use jiff::Timestamp;
use std::time::SystemTime;

/// When a run began (UTC), and the names derived from it.
#[derive(Clone, Copy, Debug)]
pub struct RunId {
    started: Timestamp,
}

impl RunId {
    /// A run that begins now. A clock that is wrong by millennia gives the last moment of the year 9999.
    pub fn now() -> Self {
        Self::at(SystemTime::now())
    }

    fn at(moment: SystemTime) -> Self {
        Self { started: Timestamp::try_from(moment).unwrap_or(Timestamp::MAX) }
    }

    /// `YYYYMMDD-HHMMSS`.
    pub fn stamp(&self) -> String {
        self.started.strftime("%Y%m%d-%H%M%S").to_string()
    }

    /// The date in ISO 8601.
    pub fn date(&self) -> String {
        self.started.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
    }
}

impl std::fmt::Display for RunId {
    /// The stamp and the microseconds: files of several runs can be put together.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let microseconds = self.started.subsec_nanosecond() / 1000;
        write!(f, "{}-{microseconds:06}", self.stamp())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_named_after_the_moment_it_began() {
        let id = RunId { started: "2026-03-04T05:06:07.000089Z".parse().unwrap() };
        assert_eq!(id.to_string(), "20260304-050607-000089");
        assert_eq!(id.date(), "2026-03-04T05:06:07Z");
    }

    #[test]
    fn clock_beyond_the_year_9999_gives_its_last_moment() {
        let seconds = std::time::Duration::from_secs(300_000_000_000);
        let id = RunId::at(SystemTime::UNIX_EPOCH + seconds);
        assert!(id.stamp().starts_with("9999"), "{id}");
    }
}

//! Names of runs.

use humantime::format_rfc3339_micros;
use std::time::{Duration, SystemTime};

/// The first moment of the year 10000, after the begin of 1970.
const END: Duration = Duration::from_secs(253_402_300_800);

/// When a run began (UTC), and the names derived from it.
#[derive(Clone, Copy, Debug)]
pub struct RunId {
    started: SystemTime,
}

/// The clock of the system is wrong by decades.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system's clock shows a year outside 1970 to 9999: set its date")]
pub struct ClockError;

impl RunId {
    /// Refuses a clock whose date cannot be written. Programs check that at their start: the run's date would be false, and
    /// all runs would have one name.
    ///
    /// # Errors
    ///
    /// Where the year is not from 1970 to 9999.
    pub fn check_clock() -> Result<(), ClockError> {
        Self::at(now()).map(drop)
    }

    /// A run that begins now, by a clock that [`check_clock`](Self::check_clock) accepts.
    pub fn now() -> Self {
        Self::at(now()).unwrap_or(Self { started: SystemTime::UNIX_EPOCH })
    }

    fn at(moment: SystemTime) -> Result<Self, ClockError> {
        let since = moment.duration_since(SystemTime::UNIX_EPOCH).map_err(|_| ClockError)?;
        if since < END { Ok(Self { started: moment }) } else { Err(ClockError) }
    }

    /// `YYYY-MM-DDTHH:MM:SS.mmmmmmZ`.
    fn text(&self) -> String {
        format_rfc3339_micros(self.started).to_string()
    }

    /// `YYYYMMDD-HHMMSS`.
    pub fn stamp(&self) -> String {
        self.text()[..19].replace(['-', ':'], "").replace('T', "-")
    }

    /// The date in ISO 8601.
    pub fn date(&self) -> String {
        format!("{}Z", &self.text()[..19])
    }
}

/// The moment by a clock that a browser has too; the begin of 1970 by a clock that shows one before.
fn now() -> SystemTime {
    let since = web_time::SystemTime::now().duration_since(web_time::UNIX_EPOCH);
    SystemTime::UNIX_EPOCH + since.unwrap_or_default()
}

impl std::fmt::Display for RunId {
    /// The stamp and the microseconds: files of several runs can be put together.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}-{}", self.stamp(), &self.text()[20..26])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn run_is_named_after_its_moment_within_the_years_of_dates() {
        let started = humantime::parse_rfc3339("2026-03-04T05:06:07.000089Z").unwrap();
        let id = RunId { started };
        assert_eq!(id.to_string(), "20260304-050607-000089");
        assert_eq!(id.date(), "2026-03-04T05:06:07Z");
        for moment in [SystemTime::UNIX_EPOCH - END, SystemTime::UNIX_EPOCH + END] {
            assert_eq!(RunId::at(moment).unwrap_err(), ClockError);
        }
    }
}

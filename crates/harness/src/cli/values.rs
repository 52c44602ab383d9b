//! Values of options: their limits and their parsers.

use broadphase::benchmark::SimdLimit;
use clap::builder::{PossibleValuesParser, StringValueParser, TypedValueParser};
use std::ops::RangeInclusive;
use std::time::Duration;

/// Longest repetition: at 60 frames a second more than four hours.
pub(crate) const MAX_FRAMES: i64 = 1_000_000;
/// Most repetitions.
pub(crate) const MAX_REPEATS: i64 = 10_000;
/// Most threads: more than any machine that this is for.
pub(crate) const MAX_THREADS: i64 = 1024;
/// Most worlds.
pub(crate) const MAX_WORLDS: i64 = 1 << 20;

/// A limit by its name, with all names in the help.
pub(crate) fn simd_limit() -> impl TypedValueParser<Value = SimdLimit> {
    PossibleValuesParser::new(SimdLimit::ALL.map(SimdLimit::name))
        .try_map(|name| SimdLimit::from_name(&name).ok_or("no such instruction set"))
}

/// Answers an option of an earlier version by what replaces it.
pub(crate) fn replaced(instead: &'static str) -> impl TypedValueParser<Value = ()> {
    StringValueParser::new().try_map(move |_| Err(instead))
}

pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number of seconds".to_owned())?;
    if seconds.is_nan() || seconds <= 0.0 {
        return Err("a budget must be more than 0 seconds".to_owned());
    }
    Duration::try_from_secs_f64(seconds).map_err(|_| "too many seconds".to_owned())
}

pub(crate) fn share(text: &str) -> Result<f32, String> {
    number(text, 0.0..=1.0).map(|share| share as f32)
}

pub(crate) fn ratio(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(ratio) if ratio > 0.0 && f64::is_finite(ratio) => Ok(ratio),
        _ => Err("not a ratio above 0".to_owned()),
    }
}

/// A number within a range.
pub(crate) fn number(text: &str, range: RangeInclusive<f64>) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("not a number from {} to {}", range.start(), range.end()))
}

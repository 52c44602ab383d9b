//! Keys that drive bodies as text: a line `SECONDS KEYS` for each time in which keys are held, one after the other from the
//! start on. Comments begin with `#`.

use crate::session::DriveRun;
use sim::DriveKeys;
use sim::scene::{DriveStep, shortest_number};

/// Most steps of a scene's own keys that are written: hours.
const MAX_STEPS: u64 = 1 << 20;

/// Reads a file. `name` is that of messages.
///
/// # Errors
///
/// Where something else was expected, with line and column.
pub(crate) fn parse(name: &str, text: &str) -> Result<Vec<DriveStep>, String> {
    let mut lines = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let content = line.split('#').next().unwrap_or_default();
        if content.trim().is_empty() {
            continue;
        }
        let at = |word: &str| line.find(word).map_or(0, |at| line[..at].chars().count()) + 1;
        let refuse = |word: &str, expected: &str| {
            Err(format!("{name}:{number}:{}: expected {expected}, found `{word}`", at(word)))
        };
        let words: Vec<&str> = content.split_whitespace().collect();
        let [time, keys] = words[..] else {
            return refuse(content.trim(), "seconds and keys, as in `1.5 up+right`");
        };
        let seconds: Option<f32> = time.parse().ok();
        let Some(seconds) = seconds.filter(|seconds| *seconds > 0.0 && seconds.is_finite()) else {
            return refuse(time, "seconds above 0");
        };
        let Some(keys) = DriveKeys::parse(keys) else {
            return refuse(
                keys,
                "`none`, or keys with `+` between them of left, right, up, down, jump",
            );
        };
        lines.push(DriveStep { seconds, keys });
    }
    Ok(lines)
}

/// The keys of all steps of a scene in which the user held some, as a file: those, or else `own`, the scene's. They change
/// between two steps: those at the middle of a step are its own, so that rounding moves no change to another one.
pub(crate) fn text_of(own: &[DriveStep], held: &[DriveRun], time_step: f32) -> String {
    let time_step_f64 = f64::from(time_step);
    let end: f64 = own.iter().map(|step| f64::from(step.seconds)).sum();
    let end = ((end / time_step_f64).ceil() as u64).min(MAX_STEPS);
    let last = held.last().map_or(0, |run| run.last).max(end);
    let keys = |step| {
        let place = held.partition_point(|run| run.last < step);
        let run = held.get(place).filter(|run| run.first <= step);
        run.map_or_else(|| DriveKeys::in_step(step, own, time_step), |run| run.keys)
    };
    let all: Vec<DriveKeys> = (1..=last).map(keys).collect();
    let runs = all.chunk_by(|keys, next| keys == next);
    let line = |run: &[DriveKeys]| {
        let seconds = (run.len() as f64 * time_step_f64) as f32;
        format!("{} {}\n", shortest_number(seconds), run[0])
    };
    runs.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RIGHT: DriveKeys = DriveKeys { right: true, ..DriveKeys::NONE };
    const UP_RIGHT: DriveKeys = DriveKeys { up: true, ..RIGHT };

    #[test]
    fn lines_are_read_with_comments() {
        let text = "# keys\n1.5 right\n\n0.25 up+right # both\n  2 none\n";
        let lines = [(1.5, RIGHT), (0.25, UP_RIGHT), (2.0, DriveKeys::NONE)];
        let expected = lines.map(|(seconds, keys)| DriveStep { seconds, keys }).to_vec();
        assert_eq!(parse("keys", text), Ok(expected));
    }

    #[test]
    fn bad_lines_are_refused_with_their_place() {
        for (text, expected) in [
            ("1 right\n x up\n", "keys:2:2: expected seconds above 0, found `x`"),
            ("-1 up", "keys:1:1: expected seconds above 0, found `-1`"),
            ("nan up", "keys:1:1: expected seconds above 0"),
            ("1 up+fly", "keys:1:3: expected `none`, or keys with `+`"),
            ("1 up+up", "keys:1:3: expected `none`"),
            ("1 ", "keys:1:1: expected seconds and keys"),
            ("1 up down", "keys:1:1: expected seconds and keys"),
        ] {
            let refusal = parse("keys", text).unwrap_err();
            assert!(refusal.starts_with(expected), "{text}: {refusal}");
        }
    }

    #[test]
    fn written_keys_are_those_of_the_same_steps() {
        let run = |first, last, keys| DriveRun { first, last, keys };
        let held = [run(1, 1, RIGHT), run(2, 700, UP_RIGHT), run(703, 9001, RIGHT)];
        let own = parse("keys", "0.3 none\n9000 up\n").unwrap();
        for (own, time_step) in [(&[][..], 1.0 / 60.0), (&[], 0.02), (&[], 0.3), (&own, 0.3)] {
            let lines = parse("keys", &text_of(own, &held, time_step)).unwrap();
            for step in 1..9010 {
                let run = held.iter().find(|run| (run.first..=run.last).contains(&step));
                // The scene's own keys hold where the user held none.
                let own = DriveKeys::in_step(step, own, time_step);
                let expected = run.map_or(own, |run| run.keys);
                let keys = DriveKeys::in_step(step, &lines, time_step);
                assert_eq!(keys, expected, "step {step} of {time_step}");
            }
        }
        assert_eq!(text_of(&[], &[], 0.1), "");
    }
}

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

/// The keys of some steps as a file. They change between two steps: those at the middle of a step are its own, so that
/// rounding moves no change to another one.
pub(crate) fn text_of(runs: &[DriveRun], time_step: f32) -> String {
    let mut text = String::new();
    let mut now = 0;
    for DriveRun { first, last, keys } in runs {
        let from = first - 1;
        for (steps, keys) in [(from - now, DriveKeys::NONE), (last - from, *keys)] {
            if steps > 0 {
                let seconds = (steps as f64 * f64::from(time_step)) as f32;
                text += &format!("{} {keys}\n", shortest_number(seconds));
            }
        }
        now = *last;
    }
    text
}

/// The keys of all steps of a scene in which the user held some: those, or else `own`, the scene's.
pub(crate) fn with_own(own: &[DriveStep], held: &[DriveRun], time_step: f32) -> Vec<DriveRun> {
    let end: f64 = own.iter().map(|step| f64::from(step.seconds)).sum();
    let end = ((end / f64::from(time_step)).ceil() as u64).min(MAX_STEPS);
    let last = held.last().map_or(0, |run| run.last).max(end);
    let mut runs: Vec<DriveRun> = Vec::new();
    for step in 1..=last {
        let place = held.partition_point(|run| run.last < step);
        let run = held.get(place).filter(|run| run.first <= step);
        let keys = run.map_or_else(|| DriveKeys::in_step(step, own, time_step), |run| run.keys);
        match runs.last_mut() {
            _ if keys.is_none() => {}
            Some(run) if run.last + 1 == step && run.keys == keys => run.last = step,
            _ => runs.push(DriveRun { first: step, last: step, keys }),
        }
    }
    runs
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
        let runs = [run(1, 1, RIGHT), run(2, 700, UP_RIGHT), run(703, 9001, RIGHT)];
        for time_step in [1.0 / 60.0, 0.02, 0.3] {
            let lines = parse("keys", &text_of(&runs, time_step)).unwrap();
            for step in 1..9010 {
                let run = runs.iter().find(|run| (run.first..=run.last).contains(&step));
                let expected = run.map_or(DriveKeys::NONE, |run| run.keys);
                assert_eq!(
                    DriveKeys::in_step(step, &lines, time_step),
                    expected,
                    "step {step} of {time_step}"
                );
            }
        }
        assert_eq!(text_of(&[], 0.1), "");
    }

    #[test]
    fn scenes_own_keys_hold_where_the_user_held_none() {
        let run = |first, last, keys| DriveRun { first, last, keys };
        let own = parse("keys", "0.3 none\n0.5 right\n").unwrap();
        let held = [run(5, 6, UP_RIGHT), run(12, 12, RIGHT)];
        let all = [run(4, 4, RIGHT), held[0], run(7, 8, RIGHT), held[1]];
        assert_eq!(with_own(&own, &held, 0.1), all);
        assert_eq!(with_own(&[], &held, 0.1), held);
    }
}

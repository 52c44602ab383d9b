//! Whether all algorithms found the same pairs, and which one is the fastest.

use super::WIDE;
use super::rows::{MEAN, MEDIAN, PERCENTILE, Row, SLOWEST, TESTS};
use crate::format::{capitalised, compact, counted, milliseconds, ratio};
use crate::simulation::Snapshot;
use egui::{Label, Ui};

/// Statistics by which an algorithm is recommended, the one that counts first first.
const STATISTICS: [(usize, &str); 4] = [
    (MEAN, "mean"),
    (MEDIAN, "median"),
    (PERCENTILE, "95th percentile"),
    (SLOWEST, "slowest step"),
];

/// How to read the figures.
pub(super) const NOTE: &str = "The ticked algorithms search the same boxes in each step; the \
    others cost nothing. The order of their searches rotates from step to step, so that none \
    always finds the boxes in the cache. Drawing goes on at the same time: figures to publish come \
    from the harness.";

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, rows: &[Row<'_>], picked: &mut Option<u32>) {
    // A narrow strip has no room for sentences of several lines.
    let is_wide = ui.available_width() >= WIDE;
    let label = |text: String| if is_wide { Label::new(text) } else { Label::new(text).truncate() };
    let Some(disagreement) = snapshot.engine.disagreement else {
        if let Some(fastest) = recommendation(rows, false) {
            ui.add(label(fastest));
        }
        ui.add(label(agreement(snapshot))).on_hover_text(NOTE);
        return;
    };
    ui.horizontal_wrapped(|ui| {
        let warning = ui.visuals().warn_fg_color;
        ui.colored_label(warning, disagreement.to_string());
        let pair = disagreement.pair();
        for object in [pair.a, pair.b] {
            let name = capitalised(&format!("{} {object}", snapshot.kind()));
            if ui.link(name).clicked() {
                *picked = Some(object);
            }
        }
    });
}

/// For how many steps they have agreed, and the pairs of the present one.
fn agreement(snapshot: &Snapshot) -> String {
    let algorithms = match snapshot.compared.len() {
        0 => return "Tick other algorithms to let them search the same boxes in each step.".into(),
        1 => "Both algorithms".to_owned(),
        compared => format!("All {} algorithms", 1 + compared),
    };
    let steps = counted(snapshot.agreed_steps as usize, "step");
    // An earlier step than the last one may be shown.
    let latest = snapshot.motion.latest;
    let steps = match snapshot.agreed_steps {
        0 => return format!("{algorithms} are compared from the next step on."),
        1 if latest == snapshot.motion.steps => "in the last step".to_owned(),
        _ if latest == snapshot.motion.steps => format!("in the last {steps}"),
        _ => format!("in {steps} up to step {}", compact(latest as f64)),
    };
    let verdict = format!("{algorithms} found the same pairs {steps}");
    // The pairs of this step are not known until its search is done.
    match snapshot.search.found.filter(|_| snapshot.search.searched) {
        None => format!("{verdict}."),
        Some(found) => format!("{verdict}; {} in this one.", counted(found.pairs as usize, "pair")),
    }
}

/// The algorithm to take, those that are faster by other statistics, and how far the next one is behind; `None` where fewer
/// than two have figures, and where some are too short for the clock.
pub(super) fn recommendation(rows: &[Row<'_>], of_whole_input: bool) -> Option<String> {
    if rows.iter().any(Row::is_too_short) {
        return None;
    }
    let rows: Vec<&Row<'_>> = rows.iter().filter(|row| row.figures[MEAN].is_some()).collect();
    let mut winners: Vec<(&Row<'_>, Vec<String>)> = Vec::new();
    for (place, statistic) in STATISTICS {
        let time = |row: &Row<'_>| row.figures[place].unwrap_or(f64::INFINITY);
        let fastest = rows.iter().min_by(|a, b| time(a).total_cmp(&time(b)))?;
        let words = format!("{statistic} ({} ms)", milliseconds(time(fastest)));
        // Among equal times, the algorithm that won by another statistic.
        match winners.iter_mut().find(|(known, _)| time(known) == time(fastest)) {
            Some((_, won)) => won.push(words),
            None => winners.push((*fastest, vec![words])),
        }
    }
    let ((winner, won), others) = winners.split_first()?;
    let mean = |row: &Row<'_>| row.figures[MEAN].unwrap_or(f64::INFINITY);
    let next = rows.iter().filter(|row| row.algorithm != winner.algorithm);
    let next = next.min_by(|a, b| mean(a).total_cmp(&mean(b)))?;
    let (name, won, steps) = (winner.algorithm.name, listed(won), counted(winner.steps, "step"));
    // Few steps are no ground to choose by.
    let mut text = match of_whole_input {
        true => format!("Take {name}: fastest over {steps} by {won}"),
        false => format!("Fastest over {steps}: {name} by {won}"),
    };
    for (other, won) in others {
        text += &format!("; {} by {}", other.algorithm.name, listed(won));
    }
    let (name, lead) = (next.algorithm.name, mean(next) / mean(winner).max(1.0));
    text += &match lead {
        ..1.05 => format!(". {name} is as fast by mean"),
        _ => format!(". {name} takes {} times as long by mean", ratio(lead)),
    };
    let tests = next.figures[TESTS].zip(winner.figures[TESTS]);
    let tests = tests.map(|(next, winner)| next / winner.max(1.0));
    match tests.filter(|tests| !(0.8..1.25).contains(&(tests / lead))) {
        None => text += ".",
        Some(tests) => {
            text +=
                &format!(", with {} times the tests: the structure takes time too.", ratio(tests));
        }
    }
    Some(text)
}

/// `a`, `a and b`, `a, b and c`.
fn listed(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [one] => one.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::tests::compared;
    use super::*;

    #[test]
    fn recommendation_follows_from_each_statistic() {
        // Slow once in forty steps, and in three.
        let times = |fast: u64, slow: u64, number: usize| -> Vec<u64> {
            (0..40).map(|step| if step < number { slow } else { fast }).collect()
        };
        let auto = times(1_000_000, 30_000_000, 3);
        let list = times(1_200_000, 60_000_000, 1);
        let rest = times(2_800_000, 2_800_000, 0);
        let all = [("auto", &auto[..]), ("neighbour-list", &list), ("rest-grid", &rest)];
        assert_eq!(
            recommendation(&compared(all), true).unwrap(),
            "Take Neighbour list: fastest over 40 steps by mean (2.670 ms) and 95th percentile (1.200 ms); Automatic by \
             median (1.000 ms); Rest grid by slowest step (2.800 ms). Rest grid is as fast by mean."
        );
        let tree = times(3_000_000, 40_000_000, 3);
        assert_eq!(
            recommendation(&compared([("bsp", &tree), ("auto", &auto[..]), ("areas", &[])]), false)
                .unwrap(),
            "Fastest over 40 steps: Automatic by mean (3.175 ms), median (1.000 ms), 95th percentile (30.00 ms) and \
             slowest step (30.00 ms). BSP tree takes 1.82 times as long by mean."
        );
        let mut rows = compared([("bsp", &[1_000_000]), ("kd-tree", &[1_500_000])]);
        for (tests, said) in [([300.0, 450.0], false), ([300.0, 150.0], true)] {
            rows.iter_mut().zip(tests).for_each(|(row, of)| row.figures[TESTS] = Some(of));
            let words = recommendation(&rows, true).unwrap();
            let reason = ", with 0.50 times the tests: the structure takes time too.";
            assert_eq!(words.ends_with(reason), said, "{words}");
        }
        assert_eq!(
            recommendation(&compared([("bsp", &[1_000_000]), ("kd-tree", &[])]), true),
            None
        );
    }
}

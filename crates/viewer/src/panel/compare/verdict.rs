//! Whether all algorithms found the same pairs, and which one is the fastest.

use super::rows::Row;
use crate::format::{capitalised, compact, counted, milliseconds, ratio};
use crate::simulation::Snapshot;
use egui::Ui;

/// The statistics of an algorithm's times, in the order of its figures.
const STATISTICS: [&str; 4] = ["median", "mean", "95th percentile", "slowest step"];

/// How to read the figures.
pub(super) const NOTE: &str = "The ticked algorithms search the same boxes in each step; the \
    others cost nothing. The order of their searches rotates from step to step, so that none \
    always finds the boxes in the cache. Drawing goes on at the same time: figures to publish come \
    from the harness.";

pub(super) fn show(ui: &mut Ui, snapshot: &Snapshot, rows: &[Row<'_>], picked: &mut Option<u32>) {
    if let Some(fastest) = fastest(rows) {
        ui.label(fastest);
    }
    let Some(disagreement) = snapshot.engine.disagreement else {
        ui.label(agreement(snapshot)).on_hover_text(NOTE);
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

/// The fastest algorithms by each statistic, and their lead where it is always the same one; `None` before all have
/// searched.
fn fastest(rows: &[Row<'_>]) -> Option<String> {
    let taking_part: Vec<&Row<'_>> = rows.iter().filter(|row| row.takes_part()).collect();
    let times = |row: &&Row<'_>| Some((row.algorithm.name, row.figures.times?));
    let all: Vec<_> = taking_part.iter().map(times).collect::<Option<_>>()?;
    if all.len() < 2 {
        return None;
    }
    let steps = match taking_part[0].figures.steps {
        1 => "of one step".to_owned(),
        steps => format!("of the last {} steps", compact(steps as f64)),
    };
    let mut winners: Vec<(&str, Vec<String>)> = Vec::new();
    for (place, statistic) in STATISTICS.into_iter().enumerate() {
        let (name, ns) =
            all.iter().map(|(name, times)| (*name, times[place])).min_by_key(|(_, ns)| *ns)?;
        // Among equal times, the algorithm that won by another statistic.
        let tied = |known: &str| all.iter().any(|(name, of)| (*name, of[place]) == (known, ns));
        let words = format!("{statistic} ({} ms)", milliseconds(ns as f64));
        match winners.iter_mut().find(|(known, _)| tied(known)) {
            Some((_, won)) => won.push(words),
            None => winners.push((name, vec![words])),
        }
    }
    let [(winner, statistics)] = &winners[..] else {
        let by = |(name, won): &(&str, Vec<String>)| format!("{name} by {}", listed(won));
        let parts: Vec<String> = winners.iter().map(by).collect();
        return Some(format!("The fastest {steps}: {}.", parts.join("; ")));
    };
    let medians = all.iter().map(|(name, times)| (*name, times[0]));
    let (_, own) = medians.clone().find(|(name, _)| name == winner)?;
    let (next, ns) = medians.filter(|(name, _)| name != winner).min_by_key(|(_, ns)| *ns)?;
    let lead = ns as f64 / own.max(1) as f64;
    Some(match lead {
        ..1.05 => {
            let [own, other] = [own, ns].map(|ns| milliseconds(ns as f64));
            format!("{winner} and {next} are equally fast by median {steps}, {own} and {other} ms.")
        }
        _ => format!(
            "{winner} is the fastest {steps} by {}; {next} takes {} times as long by median.",
            listed(statistics),
            ratio(lead)
        ),
    })
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
    fn fastest_is_named_by_each_statistic() {
        // Slow once in forty steps, and in three.
        let times = |fast: u64, slow: u64, number: usize| -> Vec<u64> {
            (0..40).map(|step| if step < number { slow } else { fast }).collect()
        };
        let auto = times(1_000_000, 30_000_000, 3);
        let list = times(1_200_000, 60_000_000, 1);
        let grid = times(2_800_000, 2_800_000, 0);
        let all = [("auto", &auto[..]), ("neighbour-list", &list), ("rest-grid", &grid)];
        assert_eq!(
            fastest(&compared(all)).unwrap(),
            "The fastest of the last 40 steps: Automatic by median (1.000 ms); Neighbour list by mean (2.670 ms) and 95th \
             percentile (1.200 ms); Rest grid by slowest step (2.800 ms)."
        );
        let tree = times(3_000_000, 40_000_000, 3);
        assert_eq!(
            fastest(&compared([("auto", &auto[..]), ("bsp", &tree)])).unwrap(),
            "Automatic is the fastest of the last 40 steps by median (1.000 ms), mean (3.175 ms), 95th percentile \
             (30.00 ms) and slowest step (30.00 ms); BSP tree takes 3.00 times as long by median."
        );
        assert_eq!(
            fastest(&compared([("bsp", &[1_000_000]), ("kd-tree", &[1_010_000])])).unwrap(),
            "BSP tree and k-d tree (self-adjusting) are equally fast by median of one step, 1.000 and 1.010 ms."
        );
        assert_eq!(fastest(&compared([("bsp", &[1_000_000]), ("kd-tree", &[])])), None);
        assert_eq!(fastest(&compared([("bsp", &[1_000_000])])), None, "it is alone");
    }
}

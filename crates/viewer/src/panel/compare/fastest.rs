//! Which algorithm is the fastest, by each figure.

use super::entry::Entry;
use crate::panel::format::{compact, milliseconds, ratio};
use egui::Ui;

pub(super) fn show(ui: &mut Ui, entries: &[Entry<'_>]) {
    if let Some(fastest) = fastest(entries) {
        ui.label(format!("{fastest}."));
    }
}

/// The fastest algorithms by each figure, and their lead where it is always the same one; `None` before all have searched.
fn fastest(entries: &[Entry<'_>]) -> Option<String> {
    let by_median = winner(entries)?;
    let own = by_median.summary?;
    let steps = match own.steps {
        1 => "of one step".to_owned(),
        steps => format!("of the last {} steps", compact(steps as f64)),
    };
    let mut winners: Vec<(&'static str, Vec<String>)> = Vec::new();
    for (figure, (word, _)) in own.totals().into_iter().enumerate() {
        let of =
            |entry: &Entry<'_>| Some((entry.summary?.totals()[figure].1, entry.algorithm.name));
        let (ns, name) = entries.iter().filter_map(of).min_by_key(|(ns, _)| *ns)?;
        // Among equal times, the algorithm that won by another figure.
        let tied = |known: &str| entries.iter().any(|entry| of(entry) == Some((ns, known)));
        let figure = format!("{word} ({} ms)", milliseconds(ns as f64));
        match winners.iter_mut().find(|(known, _)| tied(known)) {
            Some((_, figures)) => figures.push(figure),
            None => winners.push((name, vec![figure])),
        }
    }
    let by = |(name, figures): &(&str, Vec<String>)| format!("{name} by {}", listed(figures));
    if let [all] = &winners[..] {
        return lead(entries, by_median, &steps, &listed(&all.1));
    }
    let parts: Vec<String> = winners.iter().map(by).collect();
    Some(format!("The fastest {steps}: {}", parts.join("; ")))
}

/// The algorithm that is the fastest by every figure, and how far it leads.
fn lead(entries: &[Entry<'_>], winner: &Entry<'_>, steps: &str, figures: &str) -> Option<String> {
    let median = |entry: &Entry<'_>| entry.summary.map(|summary| summary.total_ns);
    let own = median(winner)?;
    let others = entries.iter().filter(|entry| entry.algorithm != winner.algorithm);
    let second = others.filter_map(|entry| Some((median(entry)?, entry))).min_by_key(|e| e.0);
    let (ns, next) = second?;
    let (name, next) = (winner.algorithm.name, next.algorithm.name);
    let lead = ns as f64 / own.max(1) as f64;
    Some(match lead {
        ..1.05 => {
            let [own, other] = [own, ns].map(|ns| milliseconds(ns as f64));
            format!("{name} and {next} are equally fast by median {steps}, {own} and {other} ms")
        }
        _ => format!(
            "{name} is the fastest {steps} by {figures}; {next} takes {} times as long by median",
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

fn winner<'a, 'b>(entries: &'a [Entry<'b>]) -> Option<&'a Entry<'b>> {
    entries.iter().find(|entry| entry.summary.is_some_and(|summary| summary.is_fastest))
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::timed;
    use super::*;
    use broadphase::registry::find;

    #[test]
    fn verdict_is_by_each_figure() {
        // Slow once in forty steps, and in three.
        let times = |fast: u64, slow: u64, number: usize| {
            (0..40).map(move |step| if step < number { slow } else { fast })
        };
        let entry =
            |id: &str, times: Vec<u64>| Entry { algorithm: find(id).unwrap(), ..timed(times) };
        let mut entries = [
            entry("auto", times(1_000_000, 30_000_000, 3).collect()),
            entry("neighbour-list", times(1_200_000, 60_000_000, 1).collect()),
            entry("rest-grid", times(2_800_000, 2_800_000, 0).collect()),
        ];
        entries[0].drives = true;
        super::super::entry::tests::compare_for_tests(&mut entries);
        assert_eq!(
            fastest(&entries).unwrap(),
            "The fastest of the last 40 steps: Automatic by median (1.000 ms); Neighbour list by mean (2.670 ms) and 95th \
             percentile (1.200 ms); Rest grid by slowest step (2.800 ms)"
        );
        entries[1] = entry("bsp", times(3_000_000, 40_000_000, 3).collect());
        super::super::entry::tests::compare_for_tests(&mut entries[..2]);
        assert_eq!(
            fastest(&entries[..2]).unwrap(),
            "Automatic is the fastest of the last 40 steps by median (1.000 ms), mean (3.175 ms), 95th percentile \
             (30.00 ms) and slowest step (30.00 ms); BSP tree takes 3.00 times as long by median"
        );
        let mut equal = [entry("bsp", vec![1_000_000]), entry("kd-tree", vec![1_010_000])];
        equal[0].drives = true;
        super::super::entry::tests::compare_for_tests(&mut equal);
        assert_eq!(
            fastest(&equal).unwrap(),
            "BSP tree and k-d tree (self-adjusting) are equally fast by median of one step, 1.000 and 1.010 ms"
        );
    }
}

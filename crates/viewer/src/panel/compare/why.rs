//! Which algorithm is the fastest, and the properties of the input that may explain it.

use super::entry::Entry;
use crate::panel::format::{compact, milliseconds, ratio};
use crate::simulation::{Properties, Snapshot};
use broadphase::inspect::Overlay;
use egui::Ui;

/// Shares of moving objects below and above which the motion explains a winner.
const RESTING_SHARE: f32 = 0.25;
const MOVING_SHARE: f32 = 0.75;

pub(super) fn show(ui: &mut Ui, entries: &[Entry<'_>], snapshot: &Snapshot) {
    let Some(properties) = snapshot.properties else { return };
    let mut words = in_words(&properties);
    if let Some(fastest) = fastest(entries) {
        words += &format!(" {fastest}{}.", reason(entries, &properties).unwrap_or_default());
    }
    ui.label(words).on_hover_text(
        "Measured in the present step: the share of objects that moved since the step before, the 95th percentile of \
         their longest sides over the 5th, and overlapping pairs per object",
    );
}

/// The properties in a sentence.
fn in_words(properties: &Properties) -> String {
    let Properties { objects, movers, size_spread, pairs_per_object } = *properties;
    let objects = compact(objects as f64);
    let movers = match movers.map(|share| 100.0 * share) {
        None => "motion unknown".to_owned(),
        Some(0.0) => "none moves".to_owned(),
        Some(99.95..) => "all move".to_owned(),
        Some(..1.0) => "under 1 % move".to_owned(),
        Some(percent) => format!("{percent:.0} % move"),
    };
    let sizes = match size_spread {
        ..1.05 => "equal sizes".to_owned(),
        ..1000.0 => format!("sizes {} to 1", ratio(f64::from(size_spread))),
        _ => "sizes over 1,000 to 1".to_owned(),
    };
    let pairs = pairs_per_object.map(|pairs| format!(", {pairs:.2} pairs each"));
    format!("{objects} objects: {movers}, {sizes}{}.", pairs.unwrap_or_default())
}

/// The fastest algorithm with its lead over the next one; `None` before all have searched.
fn fastest(entries: &[Entry<'_>]) -> Option<String> {
    let medians = |entry: &Entry<'_>| entry.medians.map(|medians| medians.total_ns);
    let winner = winner(entries)?;
    let own = medians(winner)?;
    let others = entries.iter().filter(|entry| !std::ptr::eq(entry.algorithm, winner.algorithm));
    let second = others.filter_map(|entry| Some((medians(entry)?, entry))).min_by_key(|e| e.0)?;
    let lead = second.0 as f64 / own.max(1) as f64;
    let (name, next) = (winner.algorithm.name, second.1.algorithm.name);
    let time = milliseconds(own as f64);
    Some(match lead {
        ..1.05 => format!("{name} and {next} are equally fast, {time} ms"),
        _ => {
            format!("{name} is the fastest, {time} ms; {next} takes {} times as long", ratio(lead))
        }
    })
}

fn winner<'a, 'b>(entries: &'a [Entry<'b>]) -> Option<&'a Entry<'b>> {
    entries.iter().find(|entry| entry.medians.is_some_and(|medians| medians.is_fastest))
}

/// How the motion explains the winner, where it does.
fn reason(entries: &[Entry<'_>], properties: &Properties) -> Option<&'static str> {
    let row = winner(entries)?.algorithm;
    // The motion explains nothing where others are chosen, or the same is done for any motion.
    if row.chooses || row.tests_all_pairs() {
        return None;
    }
    let is_cache = row.shows(Overlay::FatBoxes) || row.shows(Overlay::CachedPairs);
    match (is_cache, properties.movers?) {
        (true, ..RESTING_SHARE) => Some(". Few objects move, and the fastest caches the others"),
        (false, MOVING_SHARE..) => Some(". Most objects move, which leaves little to cache"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::tests::timed;
    use super::*;
    use broadphase::registry::find;

    #[test]
    fn properties_are_in_words() {
        let of = |movers, size_spread, pairs_per_object| {
            let movers = Some(movers);
            in_words(&Properties { objects: 1234, movers, size_spread, pairs_per_object })
        };
        assert_eq!(
            of(1.0, 1.0, Some(0.5)),
            "1,234 objects: all move, equal sizes, 0.50 pairs each."
        );
        assert_eq!(of(0.042, 9.87, None), "1,234 objects: 4 % move, sizes 9.87 to 1.");
        let wide = of(0.0, f32::INFINITY, Some(12.0));
        assert_eq!(wide, "1,234 objects: none moves, sizes over 1,000 to 1, 12.00 pairs each.");
        assert!(of(0.003, 2.0, None).contains("under 1 % move"));
        let first =
            Properties { objects: 9, movers: None, size_spread: 1.0, pairs_per_object: None };
        assert_eq!(in_words(&first), "9 objects: motion unknown, equal sizes.");
    }

    #[test]
    fn motion_explains_the_fastest_algorithm() {
        let entries = |fastest: &str, other: &str| {
            let mut entries = [(fastest, 800_000), (other, 2_400_000)]
                .map(|(id, ns)| Entry { algorithm: find(id).unwrap(), ..timed([ns]) });
            entries[0].drives = true;
            super::super::entry::tests::compare_for_tests(&mut entries);
            entries
        };
        let few =
            Properties { objects: 9, movers: Some(0.1), size_spread: 1.0, pairs_per_object: None };
        let all = Properties { movers: Some(1.0), ..few };
        let cached = entries("neighbour-list", "bsp");
        assert!(fastest(&cached).unwrap().ends_with("0.800 ms; BSP tree takes 3.00 times as long"));
        assert!(reason(&cached, &few).unwrap().contains("Few objects move"));
        assert_eq!(reason(&cached, &all), None);
        let fresh = entries("sweep-grid", "bsp");
        assert!(reason(&fresh, &all).unwrap().contains("Most objects move"));
        assert_eq!((reason(&fresh, &few), fastest(&[])), (None, None));
        let unknown = Properties { movers: None, ..few };
        assert_eq!([&cached, &fresh].map(|entries| reason(entries, &unknown)), [None; 2]);
    }
}

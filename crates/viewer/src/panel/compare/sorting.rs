//! The order of the list of algorithms.

use super::columns;
use super::entry::Entry;
use broadphase::registry::Kind;

/// A column to sort by.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Column {
    /// The order of the list of algorithms: by kind, variants below their family.
    #[default]
    Algorithm,
    Time,
    Ratio,
    Tests,
    Work,
    Memory,
}

/// How the list is sorted.
pub(super) type Sorting = columns::Sorting<Column>;

impl Sorting {
    /// The entries in this order: those that take part first, and those without a figure after others.
    fn sorted<'a, 'b>(self, entries: &'a [Entry<'b>]) -> Vec<&'a Entry<'b>> {
        let kind =
            |entry: &Entry<'_>| Kind::ALL.iter().position(|kind| *kind == entry.algorithm.kind);
        let mut sorted: Vec<&Entry<'_>> = entries.iter().collect();
        // Stable: equal entries keep the registry's order, in which variants follow their family.
        sorted.sort_by_key(|entry| kind(entry));
        let figure = |entry: &Entry<'_>| match self.column {
            Column::Algorithm => None,
            Column::Time => entry.summary.map(|summary| summary.total_ns as f64),
            Column::Ratio => entry.summary.and_then(|summary| summary.ratio),
            Column::Tests => entry.counted.map(|counted| counted.tests as f64),
            Column::Work => {
                entry.counted.and_then(|counted| counted.most_work().map(|work| work.count as f64))
            }
            Column::Memory => {
                entry.counted.and_then(|counted| counted.bytes).map(|bytes| bytes as f64)
            }
        };
        sorted.sort_by(|a, b| self.by_figure(figure(a), figure(b), f64::total_cmp));
        if self.column == Column::Algorithm && self.descending {
            sorted.reverse();
        }
        sorted.sort_by_key(|entry| !entry.takes_part());
        sorted
    }
}

/// The order in which the entries are listed. It stays while the pointer is over the list: no row moves away from it.
#[derive(Clone, Debug, Default)]
pub(super) struct Order {
    pub(super) sorting: Sorting,
    /// The ids of the entries, and what they were sorted by.
    listed: Vec<&'static str>,
    sorted_by: Sorting,
}

impl Order {
    /// The entries in this order, which is kept where it `stays`.
    pub(super) fn of<'a, 'b>(
        &mut self,
        entries: &'a [Entry<'b>],
        stays: bool,
    ) -> Vec<&'a Entry<'b>> {
        let mut sorted = self.sorting.sorted(entries);
        if stays && self.sorted_by == self.sorting {
            let place = |entry: &&Entry<'_>| {
                self.listed.iter().position(|id| *id == entry.algorithm.id).unwrap_or(usize::MAX)
            };
            sorted.sort_by_key(place);
        }
        self.listed.clear();
        self.listed.extend(sorted.iter().map(|entry| entry.algorithm.id));
        self.sorted_by = self.sorting;
        sorted
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{Counted, Summary};
    use super::*;
    use broadphase::registry::ALGORITHMS;
    use egui::Color32;
    use egui_plot::LineStyle;
    use std::borrow::Cow;

    fn entry(id: &str, total_ns: Option<u64>) -> Entry<'static> {
        let summary = total_ns.map(|total_ns| Summary {
            phases: measure::PhaseTimes::new([0, total_ns]),
            total_ns,
            mean_ns: total_ns,
            p95_ns: total_ns,
            worst_ns: total_ns,
            ratio: Some(total_ns as f64),
            steps: 1,
            is_fastest: false,
        });
        Entry {
            algorithm: broadphase::registry::find(id).unwrap(),
            color: Color32::WHITE,
            style: LineStyle::Solid,
            drives: false,
            is_compared: true,
            times: Cow::default(),
            summary,
            counted: total_ns.map(|ns| Counted {
                tests: 100 - ns,
                work: &[],
                bytes: Some(ns),
                since: None,
            }),
        }
    }

    fn ids(sorting: Sorting, entries: &[Entry<'_>]) -> Vec<&'static str> {
        sorting.sorted(entries).iter().map(|entry| entry.algorithm.id).collect()
    }

    #[test]
    fn first_order_is_that_of_the_list_of_algorithms() {
        let entries: Vec<Entry<'_>> = ALGORITHMS.iter().map(|row| entry(row.id, None)).collect();
        let expected: Vec<&str> = Kind::ALL
            .iter()
            .flat_map(|kind| ALGORITHMS.iter().filter(move |entry| entry.kind == *kind))
            .map(|row| row.id)
            .collect();
        assert_eq!(ids(Sorting::default(), &entries), expected);
    }

    #[test]
    fn entries_that_take_part_are_first_in_every_order() {
        let mut entries = [("bsp", 3), ("kd-tree", 2), ("auto", 1), ("grid-uniform", 4)]
            .map(|(id, ns)| entry(id, Some(ns)));
        entries[0].is_compared = false;
        entries[2].is_compared = false;
        let mut sorting = Sorting::default();
        assert_eq!(ids(sorting, &entries)[..2], ["grid-uniform", "kd-tree"]);
        sorting.click(Column::Time);
        assert_eq!(ids(sorting, &entries), ["kd-tree", "grid-uniform", "auto", "bsp"]);
        sorting.click(Column::Time);
        assert_eq!(ids(sorting, &entries), ["grid-uniform", "kd-tree", "bsp", "auto"]);
    }

    #[test]
    fn no_row_moves_under_the_pointer() {
        let of = |order: &mut Order, entries: &[Entry<'_>], stays| -> Vec<&str> {
            order.of(entries, stays).iter().map(|entry| entry.algorithm.id).collect()
        };
        let mut entries =
            [("bsp", 3), ("kd-tree", 2), ("auto", 1)].map(|(id, ns)| entry(id, Some(ns)));
        let mut order = Order::default();
        assert_eq!(of(&mut order, &entries, false), ["bsp", "kd-tree", "auto"]);
        order.sorting.click(Column::Time);
        assert_eq!(of(&mut order, &entries, true), ["auto", "kd-tree", "bsp"], "on request");
        entries[0] = entry("bsp", Some(1));
        entries[2] = entry("auto", Some(9));
        assert_eq!(
            of(&mut order, &entries, true),
            ["auto", "kd-tree", "bsp"],
            "the pointer is there"
        );
        assert_eq!(of(&mut order, &entries, false), ["bsp", "kd-tree", "auto"]);
    }

    #[test]
    fn second_click_on_a_column_reverses_it() {
        let entries = [("bsp", Some(30)), ("kd-tree", None), ("auto", Some(10))];
        let entries = entries.map(|(id, ns)| entry(id, ns));
        let mut sorting = Sorting::default();
        for (column, first) in [
            (Column::Time, ["auto", "bsp", "kd-tree"]),
            (Column::Ratio, ["auto", "bsp", "kd-tree"]),
            (Column::Tests, ["bsp", "auto", "kd-tree"]),
            (Column::Memory, ["auto", "bsp", "kd-tree"]),
        ] {
            sorting.click(column);
            assert_eq!(ids(sorting, &entries), first, "{column:?}");
            sorting.click(column);
            assert_eq!(ids(sorting, &entries), [first[1], first[0], "kd-tree"], "{column:?}");
        }
    }
}

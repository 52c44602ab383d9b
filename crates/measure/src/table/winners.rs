//! The fastest algorithm of each input.

use super::numbers::milliseconds;
use super::shown::{Shown, ShownRow, ShownTable};
use crate::rows::SummaryRow;

/// A line for each group: the fastest, the next, and by how much the first is ahead.
///
/// Two whose intervals overlap share the first place: the figures show no difference.
pub fn winners_table(groups: &[&[SummaryRow]]) -> String {
    let row = |group: &&[SummaryRow]| {
        let order = ranked(group);
        let (first, next) = (order.first()?, order.get(1));
        let count = |count: f64| count.to_string();
        let cells = vec![
            Shown::words("input", &first.input),
            Shown::figure("n", Some(first.n as f64), count),
            Shown::figure("threads", Some(first.threads.into()), count),
            Shown::words("fastest", &first.algorithm),
            Shown::figure("median ms", first.median_ns.map(|ns| ns as f64), |ns| {
                milliseconds(ns as u64)
            }),
            Shown::words("next", next.map_or("-", |next| &next.algorithm)),
            Shown::words("behind", next.map_or_else(|| "-".to_owned(), |next| behind(first, next))),
        ];
        let name = first.algorithm.clone();
        Some(ShownRow { full_name: name.clone(), name, cells, is_fastest: false, fault: None })
    };
    let rows = groups.iter().filter_map(row).collect();
    ShownTable { heading: String::new(), rows }.text()
}

/// The rows with a result, the fastest first.
fn ranked(rows: &[SummaryRow]) -> Vec<&SummaryRow> {
    let mut order: Vec<&SummaryRow> = rows.iter().filter(|row| row.result_ns().is_some()).collect();
    order.sort_by_key(|row| row.median_ns);
    order
}

fn behind(first: &SummaryRow, next: &SummaryRow) -> String {
    if first.ci_high_ns >= next.ci_low_ns {
        return "within the interval".to_owned();
    }
    let (first, next) = (first.median_ns.unwrap_or(0), next.median_ns.unwrap_or(0));
    format!("{:.2} times", next as f64 / first.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::Status;

    fn row(algorithm: &str, threads: u32, median_ns: u64) -> SummaryRow {
        SummaryRow {
            input: "gas".to_owned(),
            n: 1000,
            algorithm: algorithm.to_owned(),
            threads,
            status: Status::Ok,
            median_ns: Some(median_ns),
            ci_low_ns: Some(median_ns - median_ns / 100),
            ci_high_ns: Some(median_ns + median_ns / 100),
            ..SummaryRow::default()
        }
    }

    fn lines(groups: &[&[SummaryRow]]) -> Vec<String> {
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        winners_table(groups).lines().skip(2).map(words).collect()
    }

    #[test]
    fn the_fastest_of_each_group_is_named_with_the_next() {
        let one = [row("bsp", 1, 2_000_000), row("kd-tree", 1, 3_000_000)];
        let two = [row("bsp", 2, 1_600_000), row("kd-tree", 2, 1_000_000)];
        assert_eq!(
            lines(&[&one, &two]),
            [
                "gas 1000 1 bsp 2.0000 kd-tree 1.50 times",
                "gas 1000 2 kd-tree 1.0000 bsp 1.60 times",
            ]
        );
    }

    #[test]
    fn rows_without_a_difference_or_result_are_not_ranked() {
        let mut skipped = row("bsp", 1, 5);
        skipped.status = Status::Skipped;
        assert_eq!(lines(&[&[skipped.clone(), row("kd-tree", 1, 7)]]).len(), 1);
        assert!(lines(&[&[skipped]]).is_empty());
        let rows = [row("bsp", 1, 2_000_000), row("kd-tree", 1, 2_010_000)];
        assert_eq!(lines(&[&rows]), ["gas 1000 1 bsp 2.0000 kd-tree within the interval"]);
    }
}

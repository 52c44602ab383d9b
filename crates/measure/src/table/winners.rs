//! The fastest algorithm of each input.

use super::numbers::milliseconds;
use super::summary_table::{Group, STYLE};
use crate::rows::{Status, SummaryRow};
use comfy_table::{CellAlignment, Table};

/// A line for each group: the fastest, the next, and by how much the first is ahead.
///
/// Two whose intervals overlap share the first place: the figures show no difference.
pub fn winners_table(groups: &[Group<'_>]) -> String {
    let ranked: Vec<Vec<&SummaryRow>> = groups.iter().map(|group| ranked(group.0)).collect();
    let mut table = Table::new();
    table.load_style(STYLE);
    table.set_header(["input", "n", "threads", "fastest", "median ms", "next", "behind"]);
    for order in ranked.iter().filter(|order| !order.is_empty()) {
        let first = order[0];
        let mut cells = vec![
            first.input.clone(),
            first.n.to_string(),
            first.threads.to_string(),
            first.algorithm.clone(),
            first.median_ns.map_or_else(|| "-".to_owned(), milliseconds),
        ];
        match order.get(1) {
            None => cells.extend(["-".to_owned(), "-".to_owned()]),
            Some(next) => cells.extend([next.algorithm.clone(), behind(first, next)]),
        }
        table.add_row(cells);
    }
    for index in [1, 2, 4, 6] {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    format!("{table}\n")
}

/// The rows with a result, the fastest first.
fn ranked(rows: &[SummaryRow]) -> Vec<&SummaryRow> {
    let mut order: Vec<&SummaryRow> =
        rows.iter().filter(|row| row.status == Status::Ok && row.median_ns.is_some()).collect();
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
    use crate::rows::Labels;

    fn row(algorithm: &str, threads: u32, median_ns: u64) -> SummaryRow {
        let labels = Labels {
            run_id: "r".into(),
            input: "gas".into(),
            n: 1000,
            seed: Some(1),
            algorithm: algorithm.into(),
            threads,
        };
        SummaryRow {
            median_ns: Some(median_ns),
            ci_low_ns: Some(median_ns - median_ns / 100),
            ci_high_ns: Some(median_ns + median_ns / 100),
            ..SummaryRow::without_figures(&labels, 1, 1, Status::Ok, None)
        }
    }

    fn lines(groups: &[&[SummaryRow]]) -> Vec<String> {
        let groups: Vec<Group<'_>> = groups.iter().map(|rows| Group(rows)).collect();
        let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        winners_table(&groups).lines().skip(2).map(words).collect()
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

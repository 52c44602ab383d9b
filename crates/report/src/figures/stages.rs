//! The stages after the broad phase: times per test, and what volumes let pass.

use super::styles::style_of_place;
use charts::{Axis, Chart, Dot, LAYER_COLORS, Layer, Marks, Panel, Stack};
use measure::{Stage, StageRow, Status};

/// Height of a category with the space around it, mm.
const ROW_MM: f64 = 4.6;

/// The rows of one table.
pub(super) struct Group<'a> {
    /// For files.
    pub(super) name: String,
    /// At least one.
    pub(super) rows: Vec<&'a StageRow>,
    title: String,
}

/// The rows of each case, number of threads, kind of boxes and run. Their names and titles say by what they differ.
pub(super) fn groups(rows: &[StageRow]) -> Vec<Group<'_>> {
    let are_several = |value: fn(&StageRow) -> String| {
        let mut values = rows.iter().map(value);
        let first = values.next();
        values.any(|value| Some(value) != first)
    };
    let several_runs = are_several(|row| row.run_id.clone());
    let several_seeds = are_several(|row| format!("{:?}", row.seed));
    let several_threads = are_several(|row| row.threads.to_string());
    let mut groups: Vec<Group<'_>> = Vec::new();
    for row in rows {
        if let Some(group) = groups.iter_mut().find(|group| group.rows[0].is_of_group(row)) {
            group.rows.push(row);
            continue;
        }
        let (mut name, mut title) = (format!("{}-{}", row.input, row.n), row.group());
        let seed = row.seed.filter(|_| several_seeds).map(|seed| format!("seed-{seed}"));
        let threads = several_threads.then(|| format!("{}-threads", row.threads));
        let run = several_runs.then(|| row.run_id.clone());
        let box_kind = Some(row.box_kind.clone()).filter(|kind| !kind.is_empty());
        for part in [seed, box_kind, threads, run].into_iter().flatten() {
            name += &format!("-{part}");
        }
        if several_runs {
            title += &format!(", run {}", row.run_id);
        }
        groups.push(Group { name, rows: vec![row], title });
    }
    groups
}

/// Nanoseconds per test of each method, on a logarithmic axis. Stages have colours.
pub(super) fn times(group: &Group<'_>) -> Option<Chart> {
    let rows: Vec<(&StageRow, f64)> = group
        .rows
        .iter()
        .filter(|row| row.status == Status::Ok)
        .filter_map(|row| Some((*row, row.test_ns.filter(|ns| *ns > 0.0)?)))
        .collect();
    rows.first()?;
    let names = rows.iter().map(|(row, _)| format!("{} {}", row.stage, row.method)).collect();
    let dots = rows.iter().enumerate().map(|(at, (row, ns))| Dot {
        at,
        value: *ns,
        interval: row.ci_low_test_ns.zip(row.ci_high_test_ns).map(|(low, high)| [low, high]),
        style: style_of_place(Stage::ALL.iter().position(|stage| *stage == row.stage)),
    });
    let panel = Panel::new(Marks::Dots(dots.collect()));
    let chart = Chart::new(Axis::log("time per test [ns]"), Axis::categories("", names));
    let panel_mm = ROW_MM * rows.len() as f64;
    Some(Chart { panel_mm, ..chart.titled(group.title.clone()).with(panel) })
}

/// What each volume lets pass, as shares of the candidates: pairs that touch, and pairs that do not.
pub(super) fn shares(group: &Group<'_>) -> Option<Chart> {
    let counts = |row: &StageRow| {
        let (passed, wrong) = (row.passed?, row.false_passed?);
        Some([passed.saturating_sub(wrong), wrong, row.missed?])
    };
    bars(group, Stage::Volume, &["touching", "false positive", "missed"], counts)
}

/// Wrong answers of each time of impact, as shares of the candidates.
pub(super) fn faults(group: &Group<'_>) -> Option<Chart> {
    let counts = |row: &StageRow| Some([row.false_passed?, row.missed?, 0]);
    bars(group, Stage::Impact, &["false alarm", "missed"], counts)
}

/// Counts of the methods of a stage, as shares of their tests; misses only where there are any.
fn bars(
    group: &Group<'_>,
    stage: Stage,
    names: &[&str],
    counts: impl Fn(&StageRow) -> Option<[u64; 3]>,
) -> Option<Chart> {
    let share = |row: &StageRow| {
        let tests = row.tests.filter(|tests| *tests > 0)? as f64;
        Some(counts(row)?.map(|count| count as f64 / tests))
    };
    let rows = group.rows.iter().filter(|row| row.stage == stage);
    let rows: Vec<(&StageRow, [f64; 3])> =
        rows.filter_map(|row| Some((*row, share(row)?))).collect();
    rows.first()?;
    let layer = |(at, name): (usize, &&str)| Layer {
        name: (*name).to_owned(),
        color: LAYER_COLORS[at],
        values: rows.iter().map(|(_, shares)| shares[at]).collect(),
    };
    let has_last = stage == Stage::Impact || rows.iter().any(|(_, shares)| shares[2] > 0.0);
    let layers = names.iter().take(if has_last { 3 } else { 2 });
    let stack = Stack {
        at: (0..rows.len()).map(|at| at as f64).collect(),
        layers: layers.enumerate().map(layer).collect(),
    };
    let categories = rows.iter().map(|(row, _)| row.method.clone()).collect();
    let chart =
        Chart::new(Axis::shares("share of the candidates"), Axis::categories("", categories));
    let panel_mm = ROW_MM * rows.len() as f64;
    let panel = Panel::new(Marks::Bars(stack));
    Some(Chart { panel_mm, ..chart.titled(group.title.clone()).with(panel) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(stage: Stage, method: &str, counts: [u64; 4]) -> StageRow {
        let [tests, passed, false_passed, missed] = counts.map(Some);
        StageRow {
            run_id: "r".into(),
            input: "zoo.scene".into(),
            n: 400,
            seed: Some(1),
            threads: 1,
            stage,
            method: method.into(),
            box_kind: "tight".into(),
            tests,
            passed,
            false_passed,
            missed,
            test_ns: Some(10.0),
            ci_low_test_ns: Some(9.0),
            ci_high_test_ns: Some(12.0),
            status: Status::Ok,
            ..StageRow::default()
        }
    }

    #[test]
    fn shares_of_volumes_are_of_all_candidates() {
        let rows = [
            row(Stage::Volume, "obb", [200, 120, 40, 0]),
            row(Stage::Volume, "sphere-inside", [200, 50, 0, 30]),
            row(Stage::Narrow, "sat", [200, 80, 0, 0]),
        ];
        let of = |rows: &[StageRow]| shares(&groups(rows)[0]);
        let chart = of(&rows).unwrap();
        let Marks::Bars(stack) = &chart.panels[0].marks else { panic!("no bars") };
        let values: Vec<&[f64]> = stack.layers.iter().map(|layer| &layer.values[..]).collect();
        assert_eq!(values, [[0.4, 0.25], [0.2, 0.0], [0.0, 0.15]]);
        assert_eq!(of(&rows[..1]).unwrap().panels.len(), 1);
        assert_eq!(of(&rows[2..]), None);
    }

    #[test]
    fn faults_of_impacts_are_misses_and_false_alarms() {
        let rows = [
            row(Stage::Volume, "obb", [200, 120, 40, 30]),
            row(Stage::Impact, "discrete", [200, 120, 0, 50]),
            row(Stage::Impact, "swept-boxes", [200, 180, 20, 0]),
        ];
        let chart = faults(&groups(&rows)[0]).unwrap();
        let Marks::Bars(stack) = &chart.panels[0].marks else { panic!("no bars") };
        let layer = |at: usize| (stack.layers[at].name.as_str(), &stack.layers[at].values[..]);
        assert_eq!(stack.layers.len(), 2);
        assert_eq!(layer(0), ("false alarm", &[0.0, 0.1][..]));
        assert_eq!(layer(1), ("missed", &[0.25, 0.0][..]));
        assert_eq!(faults(&groups(&rows[..1])[0]), None);
    }

    #[test]
    fn each_method_has_a_dot_with_its_interval() {
        let failed = StageRow { status: Status::Error, ..row(Stage::Narrow, "gjk", [0; 4]) };
        let rows = [row(Stage::Narrow, "sat", [1; 4]), failed, row(Stage::Contact, "clip", [1; 4])];
        let chart = times(&groups(&rows)[0]).unwrap();
        let Marks::Dots(dots) = &chart.panels[0].marks else { panic!("no dots") };
        let found: Vec<_> = dots.iter().map(|dot| (dot.at, dot.value, dot.interval)).collect();
        assert_eq!(found, [(0, 10.0, Some([9.0, 12.0])), (1, 10.0, Some([9.0, 12.0]))]);
        assert_ne!(dots[0].style, dots[1].style);
    }

    #[test]
    fn groups_are_named_by_what_distinguishes_them() {
        let first = row(Stage::Narrow, "sat", [1; 4]);
        let named = |rows: &[StageRow]| -> Vec<[String; 2]> {
            groups(rows).into_iter().map(|group| [group.name, group.title]).collect()
        };
        let alone = named(&[first.clone(), row(Stage::Contact, "clip", [1; 4])]);
        let title = "zoo.scene: n = 400, seed 1, 1 thread, tight boxes";
        assert_eq!(alone, [["zoo.scene-400-tight", title]]);
        let pairs = StageRow { box_kind: String::new(), ..first.clone() };
        assert_eq!(named(&[pairs])[0][1], "zoo.scene: n = 400, seed 1, 1 thread");
        let others = [
            first.clone(),
            StageRow { threads: 2, ..first.clone() },
            StageRow { run_id: "s".into(), ..first.clone() },
            StageRow { box_kind: "sphere".into(), ..first },
        ];
        let names = [
            "zoo.scene-400-tight-1-threads-r",
            "zoo.scene-400-tight-2-threads-r",
            "zoo.scene-400-tight-1-threads-s",
            "zoo.scene-400-sphere-1-threads-r",
        ];
        let named = named(&others);
        assert!(named.iter().map(|[name, _]| name).eq(&names), "{named:?}");
        assert_eq!(named[2][1], format!("{title}, run s"));
    }
}

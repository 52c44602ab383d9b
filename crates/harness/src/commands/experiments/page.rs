//! The page `bodies.md`: the claims with verdict, figure and source, and the charts.

use super::charts::NamedChart;
use super::plan::Experiment;
use super::rows::ExperimentRows;
use crate::study::{Kind, Page, Statement, Verdict};
use measure::Machine;
use measure::{StageRow, Status};

/// The page.
pub(super) fn page(
    machine: &Machine,
    rows: &ExperimentRows,
    claims: &[Statement],
    charts: &[NamedChart],
) -> Page {
    let about = "What the sources claim of bounding volumes, narrow phases and motion within a step, measured. Computed by \
                 `harness bodies --experiments` from the rows in `bodies/*/stages.csv` and `bodies/areas/summary.csv`. \
                 Every answer was compared with the reference.";
    let mut page =
        Page::new("Bodies and motion: the claims of the sources", about, &[count(claims)]);
    page.section("The claims");
    page.paragraph(
        "000 is a master's thesis, 001 an article on moving convex objects, 002 course slides, 004 a laboratory text. Speeds \
         are lengths that each body moves in a step. A method works where at most 1 % of its answers are wrong.",
    );
    let row = |claim: &Statement| {
        let Statement { what, verdict, figure, basis } = claim;
        [what.clone(), verdict.word(Kind::Claim), figure.clone(), basis.clone()]
    };
    page.table("the source states | verdict | figure | source; experiment", claims.iter().map(row));
    for NamedChart { caption, file, .. } in charts {
        page.chart(caption, &format!("bodies/{file}"));
    }
    page.section("Experiments");
    page.list(
        Experiment::ALL
            .map(|experiment| format!("{}: {}", experiment.folder(), experiment.summary())),
    );
    let rows = Experiment::ALL.into_iter().flat_map(|experiment| rows.all(experiment));
    let left_out = rows.filter(|row| row.status != Status::Ok);
    page.list(
        left_out.map(|row: &StageRow| format!("No result: {}: {}", row.name(), row.reason_text())),
    );
    page.section("Machine");
    page.machine(machine, "bodies/moving/machine.json");
    page.list(machine.warnings.iter().map(|warning| format!("Doubtful: {warning}.")));
    page
}

pub(super) fn count(claims: &[Statement]) -> String {
    format!("{}.", Verdict::count(Kind::Claim, claims.iter().map(|claim| claim.verdict)))
}

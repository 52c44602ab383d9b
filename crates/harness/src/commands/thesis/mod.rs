//! `harness thesis`: the experiments of the thesis on this machine, its figures, and a verdict on each of
//! its claims.
//!
//! Each experiment is measured into a folder with its own `frames.csv` and `summary.csv`. Figures and
//! verdicts come from those files alone, so `--redraw` or `harness plot` draws them again.

mod claims;
#[cfg(feature = "draw")]
mod drawn;
mod experiments;
mod figures;
mod measuring;
mod rows;

use crate::Process;
use crate::cli::ThesisOptions;
use crate::failure::Failure;
use crate::study::{Files, Kind, Page, Report, Statement, Study, Verdict};
use experiments::{Experiment, ThesisPlan};
use figures::{ALL, Content, SPEED_UP, ThesisFigure};
use measure::Machine;
use rows::{SETS, ThesisRows};
use std::fs;

/// Measures unless only the page is to be written, and writes the page.
pub(crate) fn thesis(options: &ThesisOptions, process: &Process) -> Result<(), Failure> {
    let study = Study { name: "thesis", options: &options.study, is_redraw: options.redraw };
    let measure = |files: &Files, machine| {
        measuring::measure(&ThesisPlan::new(options), files, &options.study, machine, process)
    };
    study.run(process, measure, report)
}

fn report(files: &Files) -> Result<Option<Report>, Failure> {
    let data = files.data();
    let rows = ThesisRows::read(&data)?;
    let machine = Machine::read(&data.join(Experiment::Random.folder()).join("machine.json"))?;
    let mut charts = Vec::new();
    let mut missing: Vec<(&ThesisFigure, String)> = Vec::new();
    for figure in ALL {
        let paths: Vec<_> = figure.files().iter().map(|name| data.join(name)).collect();
        match figure.content {
            Content::Chart(chart) => match chart(&rows) {
                Some(chart) => charts.extend(paths.into_iter().zip([chart])),
                None => missing.push((figure, rows.missing(figure.from))),
            },
            Content::Pictures(..) if paths.iter().all(|path| path.is_file()) => {}
            Content::Pictures(..) => missing.push((figure, rows.missing(figure.from))),
        }
    }
    let claims = claims::check(&rows, machine.gpu.as_deref());
    let seconds = fs::read_to_string(data.join(measuring::WALL_SECONDS)).ok();
    let text = page(&machine, &rows, &claims, &missing, seconds.as_deref());
    Ok(Some(Report { page: text, charts, summary: summary(&claims) }))
}

/// The page, of each claim by each set of methods. `missing` are figures that could not be drawn, with the reason;
/// `wall_seconds` those that measuring took.
fn page(
    machine: &Machine,
    rows: &ThesisRows,
    claims: &[[Statement; 2]],
    missing: &[(&ThesisFigure, String)],
    wall_seconds: Option<&str>,
) -> Page {
    let about = "R. Kurtanjek, *Data structures for collision detection* (FER Zagreb, 2008), section 8, \
                 measured again. Computed by `harness thesis` from the rows in `thesis/E*/summary.csv`. Each \
                 claim is checked twice: *vectorised*, by the default entries of the registry, and *scalar*, \
                 like for like with the code of 2008. METHODOLOGY.md describes how \
                 it is measured.";
    let mut page = Page::new("The experiments of the thesis, today", about, &summary(claims));
    let is_missing =
        |figure: &ThesisFigure| missing.iter().any(|(other, _)| other.number == figure.number);
    if !is_missing(&SPEED_UP) {
        page.chart(
            "Speed-up over brute force, random scene, not drawn, vectorised and scalar",
            "thesis/figure-speed-up.svg",
        );
    }
    page.section("The claims");
    page.paragraph(
        "A factor holds within a quarter of it either way, a share within 10 percentage points. A \
         comparison holds if it does at every number of objects that was measured.",
    );
    let row = |[vectorised, scalar]: &[Statement; 2]| {
        let word = |claim: &Statement| claim.verdict.word(Kind::Claim);
        [vectorised.what.clone(), word(vectorised), word(scalar), vectorised.basis.clone()]
    };
    let [vectorised, scalar] = SETS.map(|methods| methods.name);
    page.wide_table(["the thesis states", vectorised, scalar, "basis"], claims.iter().map(row));
    page.section("What was missed");
    page.list(claims.iter().filter_map(figures_of_missed));
    page.list(rows.left_out.iter().map(|row| format!("No result: {row}")));
    page.section("Experiments and figures");
    page.list(Experiment::ALL.map(|experiment| {
        let own = ALL.iter().filter(|figure| figure.from == experiment && !is_missing(figure));
        let links: Vec<String> =
            own.flat_map(ThesisFigure::files).map(|file| link(&file)).collect();
        format!("{}, {}: {}", experiment.folder(), experiment.summary(), links.join(", "))
    }));
    page.list(
        missing.iter().map(|(figure, reason)| format!("Figure {}: {reason}.", figure.number)),
    );
    page.section("Machine");
    page.machine(machine, "thesis/E2/machine.json");
    let doubts = machine.warnings.iter().map(|warning| format!("Doubtful: {warning}."));
    page.list(
        doubts.chain(wall_seconds.map(|seconds| format!("Measured in {} s.", seconds.trim()))),
    );
    page
}

/// A link to the file of a figure, without `figure-` and the extension.
fn link(file: &str) -> String {
    let (name, _) = file.rsplit_once('.').unwrap_or((file, ""));
    format!("[{}](thesis/{file})", name.trim_start_matches("figure-"))
}

/// The tally of each set, and the claims whose verdicts differ.
fn summary(claims: &[[Statement; 2]]) -> Vec<String> {
    let tally = |set: usize| {
        let verdicts = claims.iter().map(|both| both[set].verdict);
        format!("{}: {}.", SETS[set].name, Verdict::count(Kind::Claim, verdicts))
    };
    let is_checked = |claim: &Statement| matches!(claim.verdict, Verdict::Met | Verdict::Missed);
    let both_checked: Vec<_> = claims.iter().filter(|both| both.iter().all(is_checked)).collect();
    let differ = both_checked.iter().filter(|[a, b]| a.verdict != b.verdict);
    let differ: Vec<String> = differ
        .map(|[vectorised, scalar]| {
            let word = scalar.verdict.word(Kind::Claim);
            format!("{} (scalar: {})", vectorised.what, word.trim_matches('*'))
        })
        .collect();
    let list = if differ.is_empty() { String::new() } else { format!(": {}", differ.join("; ")) };
    let compared =
        format!("Of {} claims checked by both, {} differ{list}.", both_checked.len(), differ.len());
    vec![tally(0), tally(1), compared]
}

/// The figures of a claim that does not hold in both sets.
fn figures_of_missed([vectorised, scalar]: &[Statement; 2]) -> Option<String> {
    let both = [vectorised, scalar];
    if both.iter().all(|claim| claim.verdict == Verdict::Met) {
        return None;
    }
    let what = &vectorised.what;
    if vectorised.figure == scalar.figure || scalar.verdict == Verdict::NotMeasured {
        return Some(format!("{what}: {}", vectorised.figure));
    }
    let texts = SETS.iter().zip(both).map(|(set, claim)| format!("{}: {}", set.name, claim.figure));
    Some(format!("{what}\n  - {}", texts.collect::<Vec<_>>().join("\n  - ")))
}

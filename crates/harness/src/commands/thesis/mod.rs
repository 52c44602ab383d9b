//! `harness thesis`: the experiments of the thesis on this machine, its figures, and a verdict on each of
//! its claims.
//!
//! Each experiment is measured into a folder with its own `frames.csv` and `summary.csv`. Figures and
//! verdicts come from those files alone, so `--redraw` or `harness plot` draws them again.

mod claims;
#[cfg(feature = "draw")]
mod drawn;
mod figures;
mod plan;

use crate::Process;
use crate::cli::StudyOptions;
use crate::failure::Failure;
use crate::study::{Files, Kind, Page, Statement, Study, Verdict};
use clap::{Args, value_parser};
use figures::{ALL, Content, SPEED_UP, ThesisFigure};
use measure::Machine;
use plan::{EXPERIMENTS, SETS, ThesisPlan, ThesisRows};

#[derive(Debug, Args)]
pub(crate) struct ThesisOptions {
    /// A short run, minutes instead of a quarter of an hour: few frames, one repetition, fewer numbers of
    /// objects
    #[arg(long)]
    pub(crate) quick: bool,

    /// Numbers of objects, instead of 50 to 5000
    #[arg(long, value_name = "N,..", value_delimiter = ',')]
    #[arg(value_parser = value_parser!(u32).range(1..=1_000_000))]
    pub(crate) objects: Vec<u32>,

    /// Frames that count
    #[arg(long, value_name = "F", value_parser = value_parser!(u32).range(1..=10_000))]
    pub(crate) frames: Option<u32>,

    /// Repetitions, each with new structures
    #[arg(long, value_name = "R", value_parser = value_parser!(u32).range(1..=100))]
    pub(crate) repeat: Option<u32>,

    /// Measure nothing: write page and charts from the rows of an earlier run
    #[arg(long, conflicts_with_all = ["quick", "objects", "frames", "repeat", "force", "resume"])]
    pub(crate) redraw: bool,

    #[command(flatten)]
    pub(crate) study: StudyOptions,
}

/// Measures unless only the page is to be written, and writes the page.
pub(crate) fn thesis(options: &ThesisOptions, process: &Process) -> Result<(), Failure> {
    let study = Study { name: "thesis", options: &options.study, is_redraw: options.redraw };
    study.run(process, |bench| plan::measure(&ThesisPlan::new(options), bench), report)
}

/// The page, of each claim by each set of methods, and its charts.
fn report(files: &Files) -> Result<Option<Page>, Failure> {
    let (data, folder) = (files.data(), &files.folder);
    let rows = ThesisRows::read(&data)?;
    let machine = Machine::read(&data.join("E2").join(Machine::FILE))?;
    let claims = claims::check(&rows, machine.gpu.as_deref());
    let about = "R. Kurtanjek, *Data structures for collision detection* (FER Zagreb, 2008), section 8, \
                 measured again. Computed by `harness thesis` from the rows in `thesis/E*/summary.csv`. Each \
                 claim is checked twice: *vectorised*, by the default entries of the registry, and *scalar*, \
                 like for like with the code of 2008. METHODOLOGY.md describes how \
                 it is measured.";
    let mut page = Page::new("The experiments of the thesis, today", about, summary(&claims));
    let mut missing = Vec::new();
    for figure in ALL {
        let files = figure.files();
        let is_there = match figure.content {
            Content::Chart(chart) => {
                chart(&rows).map(|chart| page.draw(&files[0], chart)).is_some()
            }
            Content::Pictures(..) => files.iter().all(|file| folder.join(file).is_file()),
        };
        missing.extend((!is_there).then_some(figure.number));
    }
    let is_missing = |figure: &ThesisFigure| missing.contains(&figure.number);
    if !is_missing(&SPEED_UP) {
        let caption = "Speed-up over brute force, random scene, not drawn, vectorised and scalar";
        page.paragraph(&format!("![{caption}](thesis/figure-speed-up.svg)"));
    }
    page.section(
        "The claims",
        "A factor holds within a quarter of it either way, a share within 10 percentage points. A \
         comparison holds if it does at every number of objects that was measured.",
    );
    let row = |[vectorised, scalar]: &[Statement; 2]| {
        let word = |claim: &Statement| claim.verdict.word(Kind::Claim);
        [vectorised.what.clone(), word(vectorised), word(scalar), vectorised.basis.clone()]
    };
    let [vectorised, scalar] = SETS.map(|methods| methods.name);
    page.table(["the thesis states", vectorised, scalar, "basis"], claims.iter().map(row));
    page.section("What was missed", "");
    page.list(claims.iter().filter_map(figures_of_missed));
    page.list(rows.left_out.iter().map(|row| format!("No result: {row}")));
    page.section("Experiments and figures", "");
    page.list(EXPERIMENTS.map(|(experiment, number, _, summary)| {
        let own = ALL.iter().filter(|figure| figure.from == experiment && !is_missing(figure));
        let links: Vec<String> = own.flat_map(ThesisFigure::files).map(|f| link(&f)).collect();
        format!("{number}, {summary}: {}", links.join(", "))
    }));
    page.list(
        ALL.iter()
            .filter(|figure| is_missing(figure))
            .map(|figure| format!("Figure {}: {}.", figure.number, rows.missing(figure.from))),
    );
    page.section("Machine", "");
    page.machine(&machine, "thesis/E2/machine.json");
    page.list(machine.warnings.iter().map(|warning| format!("Doubtful: {warning}.")));
    Ok(Some(page))
}

/// A link to the file of a figure, without `figure-` and the extension.
fn link(file: &str) -> String {
    let (name, _) = file.rsplit_once('.').unwrap_or((file, ""));
    format!("[{}]({file})", name.trim_start_matches("thesis/figure-"))
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

//! `harness verify`: every algorithm against brute force.

use super::inputs::{cases, check_memory, without_repeats};
use crate::Process;
use crate::cli::{Playing, Searching, Selection, replaced, seconds};
use crate::console;
use crate::failure::Failure;
use crate::progress::Progress;
use broadphase::benchmark::limit_simd;
use broadphase::registry::Algorithm;
use clap::Args;
use measure::{
    Case, Checksum, Exit, Finding, MAX_EDGE_PAIRS, Method, Plan, Seed, Stages, VerifiedBodies,
    VerifyReport, Watch, reference, verify_case,
};
use serde_json::{Value, json};
use std::time::Duration;

#[derive(Debug, Args)]
pub(crate) struct VerifyOptions {
    #[command(flatten)]
    pub(crate) playing: Playing,

    #[command(flatten)]
    pub(crate) searching: Searching,

    #[command(flatten)]
    pub(crate) selection: Selection,

    /// Time that an algorithm may take for one case on one number of threads, and brute force with the methods of bodies; it
    /// is skipped where it takes more
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub(crate) budget: Option<Duration>,

    /// Accept a case in which no boxes overlap; otherwise it is a failure, since nothing was compared
    #[arg(long)]
    pub(crate) allow_no_pairs: bool,

    /// In commands of earlier versions, where it had no effect.
    #[arg(long, hide = true, value_parser = replaced("verify writes no files: leave the option out"))]
    out: Option<()>,

    /// Print JSON
    #[arg(long)]
    pub(crate) json: bool,

    /// Print nothing but differences and errors
    #[arg(long)]
    pub(crate) quiet: bool,
}

/// Verifies the chosen algorithms of the registry.
pub(crate) fn verify(options: &VerifyOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.searching.simd);
    verify_entries(&options.selection.entries(true), &Method::all(), options, process)
}

/// Verifies every case, one line each, and prints every difference.
pub(super) fn verify_entries(
    algorithms: &[&Algorithm],
    methods: &[Method],
    options: &VerifyOptions,
    process: &Process,
) -> Result<(), Failure> {
    if algorithms.iter().all(|entry| entry.id == reference().id) {
        let message = format!("{} is what others are compared with: name another", reference().id);
        return Err(Failure::Usage(message));
    }
    // Every frame counts, none warms up.
    let cases = cases(&options.playing, Some(0), false, options.quiet)?;
    check_memory(&cases)?;
    let threads = without_repeats(&options.searching.threads);
    let (budget, stages) = (options.budget, Some(Stages::Each(methods)));
    let plan = Plan { budget, stages, ..Plan::new(algorithms, &threads, 1) };
    let (mut exit, mut reports) = (Exit::Ok, Vec::new());
    let is_verified = |report: &VerifyReport| {
        !report.is_empty() && (report.pairs_compared > 0 || options.allow_no_pairs)
    };
    for case in &cases {
        let mut bar = Progress::of_frames(&name(case), frames_to_play(case, &plan), options.quiet);
        let watch = Watch { observer: &mut bar, stop: process.stop, finished: Vec::new() };
        let report = verify_case(case, reference(), &plan, &*process.clock, watch)?;
        drop(bar);
        let mut fail = |text: &str, code: Exit| {
            console::error(&format!("{}: {text}", name(case)));
            exit = exit.max(code);
        };
        for finding in &report.findings {
            let is_wrong = finding.problem.is_disagreement();
            let code = if is_wrong { Exit::Disagreement } else { Exit::Running };
            fail(&format!("{}{finding}", seed(case)), code);
        }
        if report.compared == 0 {
            fail("nothing was compared", Exit::Running);
        }
        if !report.is_empty() && report.findings.is_empty() && !is_verified(&report) {
            let text = "0 pairs compared, which verifies nothing: take more or larger objects, more frames, or \
                        --allow-no-pairs";
            fail(text, Exit::Running);
        }
        if !options.json && !options.quiet {
            console::print(&line(case, &report, &threads))?;
        }
        reports.push(report);
    }
    let verified = reports.iter().filter(|report| is_verified(report)).count();
    if options.json {
        let rows = cases.iter().zip(&reports).map(|(case, report)| as_json(case, report, &threads));
        console::print(&format!("{:#}\n", rows.collect::<Value>()))?;
    } else if !options.quiet {
        console::print(&total(&reports, verified))?;
    }
    let reason = reports.iter().find_map(|report| report.skipped.first());
    let has_findings = reports.iter().any(|report| !report.findings.is_empty());
    if let Some(reason) = reason.filter(|_| verified == 0 && !has_findings) {
        console::error(&format!("nothing was verified: {reason}"));
        exit = exit.max(Exit::Running);
    }
    Failure::unless_ok(exit)
}

/// Frames that the reference and all others play.
fn frames_to_play(case: &Case, plan: &Plan<'_>) -> u64 {
    let others = plan.algorithms.iter().filter(|entry| entry.id != reference().id).count();
    u64::from(case.total_frames()) * (1 + others as u64) * plan.threads.len() as u64
}

fn line(case: &Case, report: &VerifyReport, threads: &[u32]) -> String {
    let threads: Vec<String> = threads.iter().map(u32::to_string).collect();
    let continuous = case.continuous();
    let mut text = format!(
        "{}: {}{}threads {}, {} frames, {} algorithms against {}, {} pairs compared, hash {}{}\n",
        name(case),
        seed(case),
        if continuous.is_empty() { String::new() } else { format!("continuous {continuous}, ") },
        threads.join(","),
        report.frames,
        report.compared,
        reference().id,
        report.pairs_compared,
        Checksum(report.hash),
        if report.findings.is_empty() { "" } else { ": DIFFERENT" },
    );
    text += &of_bodies(&report.bodies);
    if let Some(waiting) = &report.waiting {
        text += &format!("  warning: {waiting}\n");
    }
    for reason in &report.skipped {
        text += &format!("  skipped: {reason}\n");
    }
    text
}

/// What was compared with the reference, and what the oracle has checked; nothing where there are no bodies.
fn of_bodies(bodies: &VerifiedBodies) -> String {
    let VerifiedBodies { methods, answers, witnesses, gaps, contacts, impacts, left_out } = bodies;
    if *methods == 0 {
        return String::new();
    }
    let mut text = format!(
        "  bodies: {methods} methods, {answers} answers against the reference; by the oracle {witnesses} witnesses and \
         {gaps} gaps of the reference, contact sets of {contacts} pairs"
    );
    if *impacts > 0 {
        text += &format!(", first contacts of {impacts} pairs");
    }
    if *left_out > 0 {
        text += &format!("; {left_out} pairs have more than {MAX_EDGE_PAIRS} pairs of edges");
    }
    text + "\n"
}

fn name(case: &Case) -> String {
    format!("{}, n = {}", case.input, case.n)
}

fn seed(case: &Case) -> String {
    case.seed.map(|seed| format!("seed {seed}, ")).unwrap_or_default()
}

fn as_json(case: &Case, report: &VerifyReport, threads: &[u32]) -> Value {
    let finding = |f: &Finding| {
        let problem = f.problem.to_string();
        json!({ "algorithm": f.algorithm, "threads": f.threads, "frame": f.frame, "problem": problem })
    };
    let findings: Value = report.findings.iter().map(finding).collect();
    let bodies = &report.bodies;
    json!({
        "input": case.input,
        "n": case.n,
        "seed": case.seed.map(Seed),
        "threads": threads,
        "frames": report.frames,
        "algorithms": report.compared,
        "pairs_compared": report.pairs_compared,
        "methods": bodies.methods,
        "answers_compared": bodies.answers,
        "witnesses_checked": bodies.witnesses,
        "gaps_checked": bodies.gaps,
        "contact_pairs_checked": bodies.contacts,
        "impacts_checked": bodies.impacts,
        "pairs_beyond_the_oracle": bodies.left_out,
        "continuous": case.continuous(),
        "hash": Checksum(report.hash),
        "skipped": report.skipped,
        "findings": findings,
    })
}

/// A line for all cases, of which lists of `verified` were compared.
fn total(reports: &[VerifyReport], verified: usize) -> String {
    let pairs: u64 = reports.iter().map(|report| report.pairs_compared).sum();
    let findings: usize = reports.iter().map(|report| report.findings.len()).sum();
    let verdict = match (findings, verified) {
        (0, 0) => "nothing was verified".to_owned(),
        (0, _) => "no difference".to_owned(),
        (n, _) => format!("{n} faults"),
    };
    let skipped = match reports.iter().map(|report| report.skipped.len()).sum::<usize>() {
        0 => String::new(),
        n => format!(", {n} skipped"),
    };
    format!("{} case(s), {pairs} pairs compared{skipped}: {verdict}\n", reports.len())
}

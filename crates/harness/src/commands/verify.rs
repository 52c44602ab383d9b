//! `harness verify`: every algorithm against brute force.

use super::inputs::{cases, check_memory, without_repeats};
use crate::Process;
use crate::cli::VerifyOptions;
use crate::console;
use crate::failure::Failure;
use crate::progress::Progress;
use broadphase::benchmark::limit_simd;
use broadphase::registry::Algorithm;
use measure::{
    Case, Checksum, Exit, MAX_EDGE_PAIRS, Method, MonotonicClock, Seed, VerifiedBodies, VerifyPlan,
    VerifyReport, available_memory, reference, verify_case,
};
use serde_json::{Value, json};
use std::sync::atomic::AtomicBool;

/// Verifies the chosen algorithms of the registry.
pub(crate) fn verify(options: &VerifyOptions, process: &Process) -> Result<(), Failure> {
    limit_simd(options.playing.simd);
    verify_entries(&options.entries(), &Method::all(), options, process.stop)
}

/// Verifies every case, one line each, and prints every difference.
fn verify_entries(
    algorithms: &[&Algorithm],
    methods: &[Method],
    options: &VerifyOptions,
    stop: &AtomicBool,
) -> Result<(), Failure> {
    if algorithms.iter().all(|entry| entry.id == reference().id) {
        let message = format!("{} is what others are compared with: name another", reference().id);
        return Err(Failure::Usage(message));
    }
    // Every frame counts, none warms up.
    let cases = cases(&options.playing, Some(0), false, options.quiet)?;
    check_memory(&cases)?;
    let threads = without_repeats(&options.playing.threads);
    if options.out.is_some() {
        console::note("--out has no effect: wrong pairs are named, and no longer written");
    }
    let clock = MonotonicClock::new();
    let plan = VerifyPlan {
        clock: &clock,
        reference: reference(),
        algorithms,
        methods,
        threads: &threads,
        budget: options.budget,
        memory_limit: available_memory(),
        stop,
    };
    let mut exit = Exit::Ok;
    let mut reports = Vec::new();
    for case in &cases {
        let mut bar = Progress::of_frames(&name(case), frames_to_play(case, &plan), options.quiet);
        let report = verify_case(case, &plan, &mut bar)?;
        bar.finish();
        exit = exit.max(print_findings(case, &report));
        if report.compared == 0 {
            console::error(&format!("{}: nothing was compared", name(case)));
            exit = exit.max(Exit::Running);
        }
        let lacks_pairs = report.pairs_compared == 0 && !options.allow_no_pairs;
        if lacks_pairs && !report.is_empty() {
            console::error(&format!(
                "{}: 0 pairs compared, which verifies nothing: take more or larger objects, more frames, or \
                 --allow-no-pairs",
                name(case)
            ));
            exit = exit.max(Exit::Running);
        }
        if !options.json && !options.quiet {
            console::print(&line(case, &report, &threads))?;
        }
        reports.push(report);
    }
    let is_verified = |report: &&VerifyReport| {
        !report.is_empty() && (report.pairs_compared > 0 || options.allow_no_pairs)
    };
    let verified = reports.iter().filter(is_verified).count();
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

/// Frames of the common play, and where there is a world, of those that drive one alone.
fn frames_to_play(case: &Case, plan: &VerifyPlan<'_>) -> u64 {
    let others = plan.algorithms.iter().filter(|entry| entry.id != plan.reference.id).count();
    let alone = if case.has_response() { others } else { 0 };
    u64::from(case.total_frames()) * (1 + alone as u64) * plan.threads.len() as u64
}

fn line(case: &Case, report: &VerifyReport, threads: &[u32]) -> String {
    let threads: Vec<String> = threads.iter().map(u32::to_string).collect();
    let mut text = format!(
        "{}: {}{}threads {}, {} frames, {} algorithms against {}, {} pairs compared, hash {}{}\n",
        name(case),
        seed(case),
        continuous(case),
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
    let VerifiedBodies { methods, answers, witnesses, gaps, contacts, impacts } = bodies;
    if *methods == 0 {
        return String::new();
    }
    let mut text = format!(
        "  bodies: {methods} methods, {answers} answers against the reference; by the oracle {witnesses} witnesses and {} \
         gaps of the reference, contact sets of {} pairs",
        gaps.pairs, contacts.pairs
    );
    if impacts.pairs > 0 {
        text += &format!(", first contacts of {} pairs", impacts.pairs);
    }
    let left_out = bodies.left_out();
    if left_out > 0 {
        text += &format!("; {left_out} pairs have more than {MAX_EDGE_PAIRS} pairs of edges");
    }
    text + "\n"
}

/// Prints the differences, and returns how they end the program.
fn print_findings(case: &Case, report: &VerifyReport) -> Exit {
    let mut exit = Exit::Ok;
    for finding in &report.findings {
        console::error(&format!("{}: {}{finding}", name(case), seed(case)));
        exit = exit.max(if finding.problem.is_disagreement() {
            Exit::Disagreement
        } else {
            Exit::Running
        });
    }
    exit
}

fn name(case: &Case) -> String {
    format!("{}, n = {}", case.input, case.n)
}

fn seed(case: &Case) -> String {
    case.seed.map(|seed| format!("seed {seed}, ")).unwrap_or_default()
}

fn continuous(case: &Case) -> String {
    match case.continuous() {
        "" => String::new(),
        word => format!("continuous {word}, "),
    }
}

fn as_json(case: &Case, report: &VerifyReport, threads: &[u32]) -> Value {
    let findings: Vec<Value> = report
        .findings
        .iter()
        .map(|f| {
            json!({
                "algorithm": f.algorithm,
                "threads": f.threads,
                "frame": f.frame,
                "problem": f.problem.to_string(),
            })
        })
        .collect();
    json!({
        "input": case.input,
        "n": case.n,
        "seed": case.seed.map(Seed),
        "threads": threads,
        "frames": report.frames,
        "algorithms": report.compared,
        "pairs_compared": report.pairs_compared,
        "methods": report.bodies.methods,
        "answers_compared": report.bodies.answers,
        "witnesses_checked": report.bodies.witnesses,
        "gaps_checked": report.bodies.gaps.pairs,
        "contact_pairs_checked": report.bodies.contacts.pairs,
        "impacts_checked": report.bodies.impacts.pairs,
        "pairs_beyond_the_oracle": report.bodies.left_out(),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Command;
    use crate::commands::tests::{CROWDED_BODIES, DROPS, PANICS, blind, command, short_command};
    use broadphase::registry::ALGORITHMS;

    fn exit_code(algorithms: &[&Algorithm]) -> u8 {
        let folder = tempfile::tempdir().unwrap();
        let Command::Verify(options) = short_command(folder.path(), "verify SCENE") else {
            panic!()
        };
        let methods = Method::all();
        let result = verify_entries(algorithms, &methods, &options, &AtomicBool::new(false));
        result.map_or_else(|failure| failure.exit().code(), |()| 0)
    }

    #[test]
    fn a_difference_is_exit_code_4_and_a_panic_1() {
        assert_eq!(exit_code(&[&ALGORITHMS[0], &ALGORITHMS[1]]), 0);
        assert_eq!(exit_code(&[&ALGORITHMS[1], &DROPS]), 4);
        assert_eq!(exit_code(&[&PANICS]), 1);
        assert_eq!(exit_code(&[&PANICS, &DROPS]), 4);
    }

    #[test]
    fn wrong_method_of_bodies_is_exit_code_4() {
        let mut panics = *narrowphase::volume::find("obb").unwrap();
        (panics.id, panics.fit) =
            ("panics", |_: &[narrowphase::Shape], _: bool| panic!("planted panic"));
        let volume =
            |kind: narrowphase::volume::VolumeKind| vec![Method::Volume(Box::leak(Box::new(kind)))];
        for (methods, code) in
            [(Method::all(), 0), (volume(panics), 1), (vec![Method::Narrow(blind())], 4)]
        {
            let folder = tempfile::tempdir().unwrap();
            let scene = folder.path().join("bodies.scene");
            std::fs::write(&scene, CROWDED_BODIES).unwrap();
            let words = format!("verify '{}' --frames 3 --quiet", scene.display());
            let Command::Verify(options) = command(&words) else { panic!() };
            let never = AtomicBool::new(false);
            let result = verify_entries(&[&ALGORITHMS[1]], &methods, &options, &never);
            let found = result.map_or_else(|failure| failure.exit().code(), |()| 0);
            assert_eq!(found, code, "{methods:?}");
        }
    }
}

//! The command with planted peers and planted rows.

use super::*;
use crate::cli::{Cli, Command};
use crate::commands::tests::{DROPS, process, with_own_instruction_set};
use crate::study::StudyRow;
use broadphase::registry::ALGORITHMS;
use clap::Parser;
use measure::{FrameRow, Phase, Status};
use std::fs;

mod planted;
#[cfg(unix)]
mod programs;

fn options(folder: &Path, more: &str) -> SpeedOptions {
    let out = folder.to_string_lossy();
    let words = shlex::split(&format!("harness speed --quiet --out '{out}' {more}")).unwrap();
    match Cli::try_parse_from(words).unwrap().command {
        Command::Speed(options) => options,
        other => panic!("{other:?}"),
    }
}

/// The command on few and small inputs.
fn speed_tiny(
    peers: &[Algorithm],
    options: &SpeedOptions,
    process: &Process,
) -> Result<(), Failure> {
    let _guard = with_own_instruction_set();
    let mut effort = SpeedEffort::new(options)?;
    effort.inputs = &inputs::TINY;
    effort.threads = vec![1, 2];
    speed_with(peers, effort, process)
}

/// A peer that is right, and slower than ours.
fn slow_peer() -> Algorithm {
    Algorithm { id: "slow-peer", peer: true, ..ALGORITHMS[0] }
}

const SHORT: &str = "--quick --frames 3 --repeat 2";

#[test]
fn every_part_is_measured_and_redrawn_from_its_rows() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    speed_tiny(&[slow_peer()], &options(folder.path(), SHORT), &process()).unwrap();
    let rows = rows::read(&path("speed.csv")).unwrap();
    assert_rows_of_every_part(&rows);
    let page = fs::read_to_string(path("speed.md")).unwrap();
    for text in [
        "| gas 200 |",
        "| gas 300 |",
        "## What was missed",
        "(speed.svg)",
        "(speed/small/machine.json)",
        "Doubtful: ",
        "Only a first look: with so few rounds, the intervals hold with 50 %.",
    ] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(path("speed.png").is_file());

    // The page comes from the rows alone.
    fs::remove_file(path("speed.svg")).unwrap();
    speed_tiny(&[], &options(folder.path(), "--redraw"), &process()).unwrap();
    assert_eq!(fs::read_to_string(path("speed.md")).unwrap(), page);
    assert!(path("speed.svg").is_file());

    let rows = fs::read_to_string(path("speed.csv")).unwrap();
    let missing: Vec<&str> = rows.split_inclusive('\n').collect();
    fs::write(path("speed.csv"), missing[..missing.len() - 1].concat()).unwrap();
    let refusal = speed_tiny(&[], &options(folder.path(), "--redraw"), &process()).unwrap_err();
    let reason = "speed.csv is not as it was written";
    assert!(matches!(&refusal, Failure::BadFile(m) if m.contains(reason)), "{refusal:?}");
    fs::write(path("speed.csv"), rows).unwrap();

    assert_replaced_only_by_force(folder.path());
}

/// Existing results are replaced only by --force; a resumed run measures nothing twice.
fn assert_replaced_only_by_force(folder: &Path) {
    let path = |name: &str| folder.join(name);
    let short = |more: &str| options(folder, &format!("{SHORT} {more}"));
    let refusal = speed_tiny(&[slow_peer()], &short(""), &process()).unwrap_err();
    assert!(matches!(&refusal, Failure::Running(m) if m.contains("exists already")), "{refusal:?}");
    let frames = fs::read(path("speed/inputs/frames.csv")).unwrap();
    speed_tiny(&[slow_peer()], &short("--resume"), &process()).unwrap();
    assert!(fs::read(path("speed/inputs/frames.csv")).unwrap() == frames);
    speed_tiny(
        &[slow_peer()],
        &options(folder, "--quick --only gas:200 --frames 2 --repeat 1 --force"),
        &process(),
    )
    .unwrap();
    assert!(!path("speed/inputs/frames.csv").exists(), "old frames are removed");
}

fn assert_rows_of_every_part(rows: &[StudyRow]) {
    let of = |part: SpeedPart| rows.iter().filter(|row| SpeedPart::of(row) == Some(part)).count();
    let families = ALGORITHMS.iter().filter(|entry| entry.variant.is_none()).count();
    assert_eq!(of(SpeedPart::Small), families + 1);
    assert_eq!((of(SpeedPart::Inputs), of(SpeedPart::Threads)), (6, 10));
    assert_eq!(of(SpeedPart::Changes), 5);
    let is_whole = |row: &&StudyRow| {
        let figures = [row.mean_ns.is_some(), row.p95_ns.is_some()];
        let ratios = [row.over, row.over_mean];
        row.status == Status::Ok
            && figures == [true; 2]
            && (ratios.iter().all(Option::is_some)
                || (SpeedPart::of(row) == Some(SpeedPart::Changes) && row.over.is_some()))
    };
    assert_eq!(rows.iter().find(|row| !is_whole(row)), None);
    assert!(rows.iter().all(|row| row.peer == (row.algorithm == "slow-peer")));
    for row in rows {
        let part = SpeedPart::of(row).unwrap();
        let baseline = match part {
            SpeedPart::Small | SpeedPart::Inputs => "auto",
            SpeedPart::Changes => "sweep-grid",
            SpeedPart::Threads => "1 thread",
            SpeedPart::Programs => unreachable!("none was named"),
        };
        assert_eq!(row.baseline, baseline, "{row:?}");
        let is_itself = part != SpeedPart::Changes && row.algorithm == baseline
            || (part == SpeedPart::Threads && row.threads == 1);
        assert!(!is_itself || [row.over, row.over_mean] == [Some(1.0); 2], "{row:?}");
        assert_eq!(row.over_best.is_some(), part.has_peers(), "{row:?}");
    }
}

#[test]
fn rows_of_another_kind_are_refused_and_the_page_stays() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("speed.md"), "a page").unwrap();
    let columns = measure::columns::<StudyRow>().join(",");
    for (csv, place) in
        [("x\n", "line 1"), ("input,n\ngas,3\n", "line 1"), (&columns, "line 2"), ("", "line 1")]
    {
        fs::write(path("speed.csv"), csv).unwrap();
        let redraw = options(folder.path(), "--redraw");
        let refusal = speed_tiny(&[], &redraw, &process()).unwrap_err();
        assert_eq!(refusal.exit(), measure::Exit::BadInput, "{csv:?}");
        assert!(matches!(&refusal, Failure::BadFile(m) if m.contains(place)), "{refusal:?}");
        assert_eq!(fs::read_to_string(path("speed.md")).unwrap(), "a page", "{csv:?}");
    }
}

#[test]
fn peer_with_wrong_pairs_is_an_error_without_figures() {
    let folder = tempfile::tempdir().unwrap();
    let peers = [DROPS, slow_peer()];
    let short = options(folder.path(), "--quick --only gas:200 --frames 2 --repeat 1");
    let failure = speed_tiny(&peers, &short, &process()).unwrap_err();
    assert_eq!(failure.exit(), measure::Exit::Disagreement);
    let page = fs::read_to_string(folder.path().join("speed.md")).unwrap();
    assert!(page.contains("- **error**: drops on gas 200: `frame 0 of repetition 0"), "{page}");
    assert!(page.contains("Errors, which are no results: 1."), "{page}");
    assert!(
        page.contains("\n| gas 200 | 50 | slow-peer | "),
        "the other peer has its ratio: {page}"
    );
    let rows = rows::read(&folder.path().join("speed.csv")).unwrap();
    let wrong = rows.iter().find(|row| row.algorithm == "drops").unwrap();
    assert_eq!((wrong.median_ns, wrong.mean_ns, wrong.over_mean), (None, None, None));
}

#[test]
fn build_without_peers_names_the_feature() {
    let folder = tempfile::tempdir().unwrap();
    for parts in ["", "--parts threads"] {
        let failure = speed_tiny(&[], &options(folder.path(), parts), &process()).unwrap_err();
        assert!(matches!(&failure, Failure::Running(m) if m.contains("--features peers -- speed")));
    }
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn unknown_input_is_refused_with_all_names() {
    let folder = tempfile::tempdir().unwrap();
    for word in ["gas:7", "fog"] {
        // Existing results stay.
        fs::write(folder.path().join("speed.csv"), "old").unwrap();
        let wrong = options(folder.path(), &format!("--only gas:200,{word} --force"));
        let failure = speed_tiny(&[slow_peer()], &wrong, &process()).unwrap_err();
        let Failure::Usage(message) = failure else { panic!("{failure:?}") };
        assert!(
            message.contains(&format!("`{word}`"))
                && message.contains("one of gas, rest-gas-rest, or one"),
            "{message}"
        );
        assert!(folder.path().join("speed.csv").exists());
    }
}

/// A frame of which only the time matters; frame 0 is of the warm-up.
pub(super) fn planted_frame(algorithm: &str, repeat: u32, frame: u32, ns: u64) -> FrameRow {
    FrameRow {
        run_id: String::new(),
        input: "gas".to_owned(),
        n: 10,
        algorithm: algorithm.to_owned(),
        threads: 1,
        repeat,
        frame,
        phase: if frame == 0 { Phase::Warmup } else { Phase::Measure },
        update_ns: ns / 2,
        pairs_ns: ns - ns / 2,
        ..FrameRow::default()
    }
}

#[test]
fn missing_or_broken_rows_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let redraw = || speed_tiny(&[], &options(folder.path(), "--redraw"), &process());
    let csv = folder.path().join("speed.csv");
    let failure = |text: &str| {
        fs::write(&csv, text).unwrap();
        redraw().unwrap_err()
    };
    assert!(matches!(redraw().unwrap_err(), Failure::BadFile(m) if m.contains("speed.csv")));
    let cut_short = measure::columns::<StudyRow>().join(",") + "\ninputs\n";
    for (text, line) in [("a,b\n1,2\n", "line 1"), (&cut_short, "line 2")] {
        let failure = failure(text);
        let place = format!("speed.csv, {line}");
        assert!(matches!(&failure, Failure::BadFile(m) if m.contains(&place)), "{failure:?}");
    }
    assert!(!folder.path().join("speed.md").exists());
}

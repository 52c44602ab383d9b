//! The command with planted peers and planted rows.

mod planted;
#[cfg(unix)]
mod programs;

use super::*;
use crate::cli::Command;
use crate::commands::tests::{assert_refused, command, process, with_own_instruction_set};
use crate::study::StudyRow;
use broadphase::registry::ALGORITHMS;
use measure::Exit;
use measure::Status;
use std::fs;

fn options(folder: &Path, more: &str) -> SpeedOptions {
    let words = format!("speed --quiet --out '{}' {more}", folder.display());
    let Command::Speed(options) = command(&words) else { panic!() };
    options
}

/// The command on few and small inputs, compared with a peer that is right, and slower than ours.
fn speed(folder: &Path, more: &str) -> Result<(), Failure> {
    let _guard = with_own_instruction_set();
    let slow_peer = Algorithm { id: "slow-peer", peer: true, ..ALGORITHMS[0] };
    let options = options(folder, more);
    let mut effort = SpeedEffort::new(&options)?;
    effort.inputs = &inputs::TINY;
    effort.threads = vec![1, 2];
    speed_with(&[slow_peer], effort, &process())
}

fn rows(folder: &Path) -> Vec<StudyRow> {
    rows::read(&folder.join("speed.csv")).unwrap()
}

fn page(folder: &Path) -> String {
    fs::read_to_string(folder.join("speed.md")).unwrap()
}

#[track_caller]
fn assert_has(page: &str, texts: &[&str]) {
    texts.iter().for_each(|text| assert!(page.contains(text), "{text}\n{page}"));
}

#[test]
fn every_part_is_measured_and_redrawn_from_its_rows() {
    const SHORT: &str = "--quick --frames 3 --repeat 2";
    let folder = tempfile::tempdir().unwrap();
    let (folder, path) = (folder.path(), |name: &str| folder.path().join(name));
    speed(folder, SHORT).unwrap();
    assert_rows_of_every_part(&rows(folder));
    let before = page(folder);
    assert_has(
        &before,
        &["| gas 200 |", "| gas 300 |", "(speed/small/machine.json)", "Doubtful: "],
    );
    assert_has(&before, &["Only a first look: with so few rounds, the intervals hold with 50 %."]);

    // The page comes from the rows alone.
    fs::remove_file(path("speed.svg")).unwrap();
    speed(folder, "--redraw").unwrap();
    assert_eq!(page(folder), before);
    assert!(path("speed.svg").is_file());
    let csv = fs::read_to_string(path("speed.csv")).unwrap();
    fs::write(path("speed.csv"), &csv[..csv.trim_end().rfind('\n').unwrap() + 1]).unwrap();
    let changed = "speed.csv is not as it was written";
    assert_refused(speed(folder, "--redraw"), Exit::BadInput, changed);
    fs::write(path("speed.csv"), csv).unwrap();

    // Existing results are replaced only by --force; a resumed run measures nothing twice.
    assert_refused(speed(folder, SHORT), Exit::Running, "exists already");
    let frames = fs::read(path("speed/inputs/frames.csv")).unwrap();
    speed(folder, &format!("{SHORT} --resume")).unwrap();
    assert!(fs::read(path("speed/inputs/frames.csv")).unwrap() == frames);
    speed(folder, "--quick --only gas:200 --frames 2 --repeat 1 --force").unwrap();
    assert!(!path("speed/inputs/frames.csv").exists(), "old frames are removed");
}

fn assert_rows_of_every_part(rows: &[StudyRow]) {
    let of = |part: SpeedPart| rows.iter().filter(|row| SpeedPart::of(row) == Some(part)).count();
    let families = ALGORITHMS.iter().filter(|entry| entry.variant.is_none()).count();
    assert_eq!(of(SpeedPart::Small), families + 1);
    assert_eq!([SpeedPart::Inputs, SpeedPart::Threads, SpeedPart::Changes].map(of), [6, 10, 5]);
    for row in rows {
        let part = SpeedPart::of(row).unwrap();
        let is_change = part == SpeedPart::Changes;
        let has_figures = row.mean_ns.is_some() && row.p95_ns.is_some() && row.over.is_some();
        assert!(row.status == Status::Ok && has_figures, "{row:?}");
        assert_eq!(
            (row.over_mean.is_some(), row.over_best.is_some()),
            (!is_change, part.has_peers())
        );
        assert_eq!(row.peer, row.algorithm == "slow-peer");
        let baseline = match part {
            SpeedPart::Small | SpeedPart::Inputs => "auto",
            SpeedPart::Changes => "sweep-grid",
            SpeedPart::Threads => "1 thread",
            SpeedPart::Programs => unreachable!("none was named"),
        };
        assert_eq!(row.baseline, baseline, "{row:?}");
        let is_itself = !is_change && row.algorithm == baseline
            || (part == SpeedPart::Threads && row.threads == 1);
        assert!(!is_itself || [row.over, row.over_mean] == [Some(1.0); 2], "{row:?}");
    }
}

#[test]
fn unknown_input_is_refused_and_results_stay() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    for word in ["gas:7", "fog"] {
        fs::write(folder.join("speed.csv"), "old").unwrap();
        let result = speed(folder, &format!("--only gas:200,{word} --force"));
        let names = format!("`{word}`: name one of gas, rest-gas-rest, or one");
        assert_refused(result, Exit::Usage, &names);
        assert!(folder.join("speed.csv").exists(), "existing results stay");
    }
}

use super::*;
use crate::commands::tests::{DROPS, PANICS, process, run_options};
use broadphase::ALGORITHMS;
use measure::{Status, SummaryRow};

fn exit_code(algorithms: &[&Algorithm], resume: bool) -> u8 {
    let folder = tempfile::tempdir().unwrap();
    let mut options = run_options(folder.path());
    let mut result = run_rows(algorithms, &options, &process());
    if resume {
        options.resume = true;
        result = run_rows(algorithms, &options, &process());
    }
    let rows = csv::Reader::from_path(folder.path().join("out/summary.csv"))
        .unwrap()
        .into_deserialize::<SummaryRow>()
        .map(|row| row.unwrap().status);
    let statuses: Vec<Status> = rows.collect();
    assert_eq!(statuses.len(), algorithms.len());
    let ok = statuses.iter().filter(|status| **status == Status::Ok).count();
    assert_eq!(ok, 1, "brute force went on");
    result.map_or_else(|failure| failure.exit_code(), |()| 0)
}

#[test]
fn a_disagreement_is_exit_code_4_even_beside_a_panic() {
    for resume in [false, true] {
        assert_eq!(exit_code(&[&ALGORITHMS[0]], resume), 0);
        assert_eq!(exit_code(&[&ALGORITHMS[0], &DROPS], resume), 4);
        assert_eq!(exit_code(&[&DROPS, &PANICS, &ALGORITHMS[0]], resume), 4);
    }
}

#[test]
fn a_panic_is_exit_code_1() {
    for resume in [false, true] {
        assert_eq!(exit_code(&[&PANICS, &ALGORITHMS[0]], resume), 1);
    }
}

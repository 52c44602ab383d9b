use super::*;
use crate::commands::Command;
use crate::commands::tests::{
    CROWDED_BODIES, DROPS, PANICS, blind, process, short_command, with_own_instruction_set,
};
use broadphase::registry::ALGORITHMS;
use measure::{Exit, Status, SummaryRow};

fn exit_of(algorithms: &[&Algorithm], resume: bool) -> Exit {
    let _guard = with_own_instruction_set();
    let folder = tempfile::tempdir().unwrap();
    let words = "run SCENE --repeat 2 --out OUT";
    let Command::Run(mut options) = short_command(folder.path(), words) else { panic!() };
    let mut result = run_entries(algorithms, &options, &process());
    if resume {
        options.results.study.resume = true;
        result = run_entries(algorithms, &options, &process());
    }
    let rows = csv::Reader::from_path(folder.path().join("out/summary.csv"))
        .unwrap()
        .into_deserialize::<SummaryRow>()
        .map(|row| row.unwrap().status);
    let statuses: Vec<Status> = rows.collect();
    assert_eq!(statuses.len(), algorithms.len());
    let ok = statuses.iter().filter(|status| **status == Status::Ok).count();
    assert_eq!(ok, 1, "brute force went on");
    result.map_or_else(|failure| failure.exit(), |()| Exit::Ok)
}

#[test]
fn disagreement_is_exit_code_4_even_with_a_panic() {
    for resume in [false, true] {
        assert_eq!(exit_of(&[&ALGORITHMS[0]], resume), Exit::Ok);
        assert_eq!(exit_of(&[&ALGORITHMS[0], &DROPS], resume), Exit::Disagreement);
        assert_eq!(exit_of(&[&DROPS, &PANICS, &ALGORITHMS[0]], resume), Exit::Disagreement);
        assert_eq!(exit_of(&[&PANICS, &ALGORITHMS[0]], resume), Exit::Running);
    }
}

#[test]
fn wrong_narrow_phase_is_exit_code_4() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("bodies.scene");
    std::fs::write(&scene, CROWDED_BODIES).unwrap();
    let words = "run SCENE --repeat 2 --out OUT";
    let Command::Run(mut options) = short_command(folder.path(), words) else { panic!() };
    options.playing.inputs = vec![scene];
    options.stages.narrow = blind();
    let failure = run_entries(&[&ALGORITHMS[0]], &options, &process()).unwrap_err();
    assert_eq!(failure.exit(), Exit::Disagreement);
}

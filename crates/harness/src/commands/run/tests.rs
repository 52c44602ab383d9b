use super::*;
use crate::commands::tests::{DROPS, PANICS, process, run_options, with_own_instruction_set};
use broadphase::registry::ALGORITHMS;
use measure::{Exit, Status, SummaryRow};

fn exit_of(algorithms: &[&Algorithm], resume: bool) -> Exit {
    let _guard = with_own_instruction_set();
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
    result.map_or_else(|failure| failure.exit(), |()| Exit::Ok)
}

#[test]
fn disagreement_is_exit_code_4_even_with_a_panic() {
    for resume in [false, true] {
        assert_eq!(exit_of(&[&ALGORITHMS[0]], resume), Exit::Ok);
        assert_eq!(exit_of(&[&ALGORITHMS[0], &DROPS], resume), Exit::Disagreement);
        assert_eq!(exit_of(&[&DROPS, &PANICS, &ALGORITHMS[0]], resume), Exit::Disagreement);
    }
}

#[test]
fn a_panic_is_exit_code_1() {
    for resume in [false, true] {
        assert_eq!(exit_of(&[&PANICS, &ALGORITHMS[0]], resume), Exit::Running);
    }
}

/// Separates everything.
struct Blind;

impl narrowphase::NarrowPhase for Blind {
    fn test(
        &mut self,
        _: &narrowphase::Body<'_>,
        _: &narrowphase::Body<'_>,
        _: &mut narrowphase::PairCache,
    ) -> narrowphase::Answer {
        narrowphase::Answer::Separated { axis: None }
    }

    fn counters(&self) -> narrowphase::NarrowCounters {
        narrowphase::NarrowCounters::default()
    }
}

#[test]
fn wrong_narrow_phase_is_exit_code_4_and_leaves_its_pair() {
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("bodies.scene");
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 150\n#!radius 0.2\n\
                #!shape die box 1 1 1\n#!bodies source 1 die 100\n";
    std::fs::write(&scene, text).unwrap();
    let mut options = run_options(folder.path());
    options.playing.inputs = vec![scene];
    let mut blind = *narrowphase::narrow::find("sat").unwrap();
    blind.id = "blind";
    blind.build = || Box::new(Blind);
    options.stages.narrow = Box::leak(Box::new(blind));
    let failure = run_rows(&[&ALGORITHMS[0]], &options, &process()).unwrap_err();
    assert_eq!(failure.exit(), Exit::Disagreement);
    let files = std::fs::read_dir(folder.path().join("out")).unwrap();
    let names = files.map(|file| file.unwrap().file_name().to_string_lossy().into_owned());
    let is_pair = |name: &String| name.starts_with("wrong-blind-") && name.ends_with(".scene");
    assert_eq!(names.filter(is_pair).count(), 1);
}

//! Faulty algorithms and small commands for the tests of exit codes that the right
//! algorithms of the registry cannot cause.

use super::run::run_entries;
use super::verify::verify_entries;
use super::{Command, Failure, Process};
use crate::cli::Cli;
use broadphase::registry::{ALGORITHMS, Algorithm, Kind, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair};
use clap::Parser;
use measure::{Exit, Method, MonotonicClock, Status, SummaryFile};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;
use narrowphase::{Answer, Body, NarrowPhase, PairCache, Shape};
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::AtomicBool;

/// Asserts that a command was refused with this exit code and reason.
#[track_caller]
pub(super) fn assert_refused(result: Result<(), Failure>, exit: Exit, reason: &str) {
    let failure = result.unwrap_err();
    let text = failure.to_string();
    assert!(failure.exit() == exit && text.contains(reason), "{text}");
}

#[track_caller]
pub(super) fn assert_has(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in {text}"));
}

/// Finds no pair.
pub(crate) static DROPS: Algorithm = planted("drops", |_| Box::new(Faulty(false)));

/// Panics.
pub(super) static PANICS: Algorithm = planted("panics", |_| Box::new(Faulty(true)));

/// Finds no pair, or panics.
struct Faulty(bool);

impl BroadPhase for Faulty {
    fn update(&mut self, _: &Frame<'_>) {}

    fn find_pairs(&mut self, _: &Frame<'_>, _: &mut Vec<Pair>) {
        assert!(!self.0, "planted panic");
    }

    fn counters(&self) -> Counters {
        Counters::default()
    }

    fn heap_bytes(&self) -> usize {
        0
    }

    fn validate(&self, _: &Frame<'_>) {}
}

const fn planted(id: &'static str, build: fn(&Settings) -> Box<dyn BroadPhase>) -> Algorithm {
    let (name, summary, source) = ("planted", "faulty on purpose", "none");
    Algorithm { name, summary, source, ..Algorithm::new(id, Kind::Other, build) }
}

/// Large cubes that find no room without overlap.
const CROWDED_BODIES: &str = "i -1 -1 -1  2 2 2  100 t\n#!objects 150\n#!radius 0.2\n\
    #!shape die box 1 1 1\n#!bodies source 1 die 100\n";

/// A narrow phase that separates everything.
fn blind() -> &'static NarrowPhaseKind {
    struct Blind;
    impl NarrowPhase for Blind {
        fn test(&mut self, _: &Body<'_>, _: &Body<'_>, _: &mut PairCache) -> Answer {
            Answer::Separated { axis: None }
        }
    }
    let mut blind = *narrowphase::narrow::find("sat").unwrap();
    blind.id = "blind";
    blind.build = || Box::new(Blind);
    Box::leak(Box::new(blind))
}

/// A process that counts nothing and is never stopped.
pub(super) fn process() -> Process {
    static NEVER: AtomicBool = AtomicBool::new(false);
    let clock: LazyLock<MonotonicClock> = LazyLock::new(MonotonicClock::new);
    Process { command_line: Vec::new(), clock, allocations: None, heap: None, stop: &NEVER }
}

/// The command of a command line.
pub(crate) fn command(words: &str) -> Command {
    Cli::try_parse_from(shlex::split(&format!("harness {words}")).unwrap()).unwrap().command
}

/// A short, quiet command on a crowded scene in `folder`, with results in `out`.
pub(super) fn short_command(folder: &Path, words: &str) -> Command {
    let scene = folder.join("crowded.scene");
    let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 60\n#!radius 0.15\n";
    std::fs::write(&scene, text).unwrap();
    let words = words.replace("SCENE", &format!("'{}'", scene.display()));
    command(&format!(
        "{} --frames 3 --quiet",
        words.replace("OUT", &format!("'{}'", folder.join("out").display()))
    ))
}

/// The exit code of a result.
pub(super) fn exit_code(result: Result<(), Failure>) -> u8 {
    result.map_or_else(|failure| failure.exit().code(), |()| 0)
}

#[test]
fn faulty_algorithm_is_its_exit_code_after_resume_too() {
    let [right, other] = [&ALGORITHMS[0], &ALGORITHMS[1]];
    for (algorithms, faulty, code) in [
        (&[right, other][..], 0, 0),
        (&[right, &DROPS], 1, 4),
        (&[&PANICS, &DROPS, right], 2, 4),
        (&[&PANICS, right], 1, 1),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let words = "run SCENE --repeat 2 --out OUT";
        let Command::Run(mut options) = short_command(folder.path(), words) else { panic!() };
        for resume in [false, true] {
            options.results.study.resume = resume;
            assert_eq!(exit_code(run_entries(algorithms, &options, &process())), code);
        }
        let rows = SummaryFile::read(&folder.path().join("out")).unwrap().rows;
        let wrong = rows.iter().filter(|row| row.status == Status::Error).count();
        assert_eq!([rows.len(), wrong], [algorithms.len(), faulty], "the others went on");
        let words = short_command(folder.path(), "verify SCENE");
        let Command::Verify(options) = words else { panic!() };
        let verified = verify_entries(algorithms, &[], &options, &process());
        assert_eq!(exit_code(verified), code);
    }
}

#[test]
fn faulty_method_of_bodies_is_its_exit_code() {
    let mut panics = *narrowphase::volume::find("obb").unwrap();
    (panics.id, panics.fit) = ("panics", |_: &[Shape], _: bool| panic!("planted panic"));
    let volume = |kind: VolumeKind| vec![Method::Volume(Box::leak(Box::new(kind)))];
    let folder = tempfile::tempdir().unwrap();
    let scene = folder.path().join("bodies.scene");
    std::fs::write(&scene, CROWDED_BODIES).unwrap();
    let command = |words: &str| {
        command(
            &format!("{words} --frames 3 --quiet").replace("SCENE", &scene.display().to_string()),
        )
    };
    for (methods, code) in
        [(Method::all(), 0), (volume(panics), 1), (vec![Method::Narrow(blind())], 4)]
    {
        let Command::Verify(options) = command("verify 'SCENE'") else { panic!() };
        let result = verify_entries(&[&ALGORITHMS[1]], &methods, &options, &process());
        assert_eq!(exit_code(result), code, "{methods:?}");
    }
    let words = format!("run 'SCENE' --repeat 2 --out '{}'", folder.path().join("out").display());
    let Command::Run(mut options) = command(&words) else { panic!() };
    options.stages.narrow = blind();
    assert_eq!(exit_code(run_entries(&[&ALGORITHMS[0]], &options, &process())), 4);
}

//! Faulty algorithms and small commands for the tests of exit codes that the right
//! algorithms of the registry cannot cause.

use super::Command;
use crate::Process;
use crate::cli::Cli;
use crate::failure::Failure;
use broadphase::registry::{Algorithm, Kind, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair};
use clap::Parser;
use measure::{Exit, MonotonicClock};
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::{Answer, Body, NarrowPhase, PairCache};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

/// Held by tests that limit the instruction set of the process, and by those that resume a run: a run is
/// resumed only with the instruction set that it began with.
pub(crate) fn with_own_instruction_set() -> MutexGuard<'static, ()> {
    static INSTRUCTION_SET: Mutex<()> = Mutex::new(());
    INSTRUCTION_SET.lock().unwrap_or_else(PoisonError::into_inner)
}

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
pub(super) const CROWDED_BODIES: &str = "i -1 -1 -1  2 2 2  100 t\n#!objects 150\n#!radius 0.2\n\
    #!shape die box 1 1 1\n#!bodies source 1 die 100\n";

/// A narrow phase that separates everything.
pub(super) fn blind() -> &'static NarrowPhaseKind {
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

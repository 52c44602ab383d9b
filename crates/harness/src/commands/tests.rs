//! Faulty algorithms and small commands for the tests of exit codes that the right
//! algorithms of the registry cannot cause.

use super::Command;
use crate::Process;
use crate::cli::Cli;
use crate::failure::Failure;
use broadphase::registry::{Algorithm, Kind, Settings};
use broadphase::{BroadPhase, Counters, Frame, Pair};
use clap::Parser;
use measure::Exit;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::{Answer, Body, NarrowPhase, PairCache};
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, MutexGuard, PoisonError};

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

/// Leaves out a pair.
pub(crate) static DROPS: Algorithm = planted("drops", |settings| {
    build(settings, |pairs| {
        pairs.pop();
    })
});

/// Panics.
pub(super) static PANICS: Algorithm =
    planted("panics", |settings| build(settings, |_| panic!("planted panic")));

struct Faulty {
    inner: Box<dyn BroadPhase>,
    spoil: fn(&mut Vec<Pair>),
}

impl BroadPhase for Faulty {
    fn update(&mut self, frame: &Frame<'_>) {
        self.inner.update(frame);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.inner.find_pairs(frame, pairs);
        (self.spoil)(pairs);
    }

    fn counters(&self) -> Counters {
        self.inner.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.inner.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.inner.validate(frame);
    }
}

fn build(settings: &Settings, spoil: fn(&mut Vec<Pair>)) -> Box<dyn BroadPhase> {
    Box::new(Faulty { inner: broadphase::registry::ALGORITHMS[0].build(settings), spoil })
}

const fn planted(id: &'static str, build: fn(&Settings) -> Box<dyn BroadPhase>) -> Algorithm {
    Algorithm {
        name: "planted",
        summary: "faulty on purpose",
        source: "none",
        ..Algorithm::new(id, Kind::Other, build)
    }
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
    Process { command_line: Vec::new(), allocations: None, heap: None, stop: &NEVER }
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

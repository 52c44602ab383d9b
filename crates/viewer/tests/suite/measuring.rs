//! All algorithms over a whole input, on a thread of its own.

use crate::common::row;
use crate::common::traces::{Trace, boxes_case};
use crate::panel::planted::{faulty, wrong};
use broadphase::registry::{Algorithm, Settings};
use measure::{Case, Clock, MonotonicClock};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::time::{Duration, Instant};
use viewer::measuring::{Job, Measuring, MeasuringState};
use viewer::platform::Platform;

/// Measures on one thread, with the tables in a folder.
pub(crate) fn measuring(
    case: Case,
    algorithms: Vec<&'static Algorithm>,
    parent: &Path,
) -> Measuring {
    let clock: &'static dyn Clock = Box::leak(Box::new(MonotonicClock::new()));
    let command_line = vec!["viewer".to_owned()];
    let job = Job { case, algorithms, threads: 1, parent: parent.to_owned(), command_line };
    let mut measuring = Measuring::requested(job, clock);
    measuring.begin(Platform::system(clock));
    measuring
}

/// Waits until the state is another one.
fn wait_while(measuring: &Measuring, waits: impl Fn(&MeasuringState) -> bool) -> MeasuringState {
    let since = Instant::now();
    loop {
        let state = measuring.state();
        if !waits(&state) {
            return state;
        }
        assert!(since.elapsed() < Duration::from_secs(600), "{state:?}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

pub(crate) fn end_of(measuring: &Measuring) -> MeasuringState {
    wait_while(measuring, |state| matches!(state, MeasuringState::Running(_)))
}

/// Whether brute force searches, and the pairs that it had not found when it ended.
static SEARCHES: AtomicBool = AtomicBool::new(false);
static MISSED: AtomicUsize = AtomicUsize::new(0);

static SLOW: Algorithm = wrong("slow", |settings| {
    faulty(settings, |_, frame, pairs| {
        let mut brute_force = row("brute-force").create(&Settings::new(frame.boxes.len())).unwrap();
        brute_force.update(frame);
        let all = std::mem::take(pairs).len();
        SEARCHES.store(true, SeqCst);
        brute_force.find_pairs(frame, pairs);
        MISSED.store(all - pairs.len(), SeqCst);
    })
});

#[test]
fn brute_force_on_many_objects_is_stopped_while_it_searches() {
    let folder = tempfile::tempdir().unwrap();
    // A search takes a minute.
    let mut measuring = measuring(boxes_case("gas:400000"), vec![&SLOW], folder.path());
    wait_while(&measuring, |state| match state {
        MeasuringState::Running(_) => !SEARCHES.load(SeqCst),
        other => panic!("{other:?}"),
    });
    measuring.stop();
    let end = end_of(&measuring);
    assert!(matches!(end, MeasuringState::Stopped), "{end:?}");
    assert!(MISSED.load(SeqCst) > 0, "it searched to its end");
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn folder_that_cannot_be_made_is_replaced_by_a_temporary_one() {
    let (folder, trace) = (tempfile::tempdir().unwrap(), Trace::new(9, 2));
    std::fs::write(folder.path().join("results"), "a file").unwrap();
    let measuring = measuring(trace.case(), vec![row("bsp")], folder.path());
    let MeasuringState::Done(ranking) = end_of(&measuring) else { panic!("not done") };
    assert!(ranking.folder().starts_with(std::env::temp_dir()));
    let tables = ranking.folder().to_owned();
    assert!(tables.is_dir());
    drop((ranking, measuring));
    assert!(!tables.exists());
}

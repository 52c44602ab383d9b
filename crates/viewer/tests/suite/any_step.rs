//! Whatever way leads to a step, it shows what a run without a stop shows there.

use crate::common::traces::{Trace, boxes_case};
use crate::common::{
    StoppingClock, clock, crowded, exported, found_here, half_static, row, steps, tumbling,
};
use broadphase::inspect::{Overlay, tests_by_object};
use broadphase::registry::{ALGORITHMS, Algorithm};
use measure::{Case, FrameRow, Instruments, Plan, measure_case};
use sim::scene::Continuous;
use sim::{Hold, Scene};
use viewer::session::{SearchFigures, Session, Stepped};

const STEPS: u64 = 60;

/// All that a step shows of the search and of the structure, but for times, and the memory if it is known.
fn shown(session: &Session) -> (String, Option<u64>) {
    let found = session.found().unwrap();
    let SearchFigures { tests, pairs, hits, stages, times: _, heap_bytes, since } = found;
    let stages = stages.map(|of| (of.volume, of.narrow, of.contacts, of.impact));
    let (structure, objects) = (session.structure(), session.motion().boxes().len());
    let inspect = structure.inspect();
    let mut text = format!("{:?}", (tests, pairs, hits, stages, since, structure.counters()));
    text += &format!("{:?} {:?}", session.pairs(), session.motion().boxes());
    inspect.work(&mut |work| text += &format!("{work:?}"));
    inspect.remarks(&mut |remark| text += &remark);
    inspect.alternatives(&mut |way| text += &format!("{way:?}"));
    inspect.changes(&mut |change| text += &format!("{change:?}"));
    for overlay in Overlay::ALL {
        inspect.marks(overlay, &mut |mark| text += &format!("{mark:?}"));
    }
    let mut by_object = vec![0; objects];
    tests_by_object(inspect, &mut by_object);
    (text + &format!("{by_object:?}"), heap_bytes)
}

/// The state of a run in each step.
fn run(case: &Case, entry: &'static Algorithm) -> Vec<(String, Option<u64>)> {
    let mut session = Session::of_case(case, entry, clock(), None).unwrap();
    found_here(&mut session).unwrap();
    let mut all = vec![shown(&session)];
    for _ in 0..STEPS {
        steps(&mut session, 1);
        all.push(shown(&session));
    }
    all
}

/// Random numbers (SplitMix64).
struct Random(u64);

impl Random {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (mixed ^ (mixed >> 31)) % end
    }
}

/// Goes back and forth at random, with stops and switches. Each step then shows what a run shows, and so does each row.
fn wander(
    case: &Case,
    entry: &'static Algorithm,
    measured: &[FrameRow],
    actions: usize,
    random: &mut Random,
) {
    let clock = StoppingClock::leaked();
    let expected = run(case, entry);
    let other = if entry.id == "bsp" { row("kd-tree") } else { row("bsp") };
    let mut session = clock.session(case, entry);
    let compared = row("box-pruning");
    session.set_compared(&[compared]).unwrap();
    let mut stopped = 0;
    for action in 0..actions {
        let latest = *session.motion().kept().end();
        let what = random.below(8);
        match what {
            0 => _ = session.go_to(random.below(latest.min(STEPS) + 1)).unwrap(),
            1 => _ = session.go_to(session.steps().saturating_sub(1)).unwrap(),
            2 => {
                clock.stop_at(random.below(12));
                if session.steps() < STEPS {
                    let before = session.steps();
                    let stepped = session.step(Hold::None).unwrap();
                    let is_stopped = matches!(stepped, Stepped::Stopped);
                    assert_eq!(session.steps(), before + u64::from(!is_stopped));
                    stopped += usize::from(is_stopped);
                    if is_stopped && session.world().is_none() {
                        assert_eq!(*session.motion().kept().end(), latest);
                    }
                }
                clock.stop_at(u64::MAX / 2);
                session.activity().go_on();
            }
            3 => session.set_comparing(random.below(2) == 0),
            4 => session.forget_times(),
            5 => {
                session.set_algorithm(other).unwrap();
                found_here(&mut session).unwrap();
                session.set_algorithm(entry).unwrap();
            }
            _ => {
                for _ in 0..random.below(5) {
                    if session.steps() < STEPS {
                        steps(&mut session, 1);
                    }
                }
            }
        }
        let step = session.steps();
        for other in session.compared().iter().filter(|other| other.is_of_this_step) {
            let of_run = row_of(measured, step - u64::from(session.world().is_some()), compared.id);
            assert_eq!((Some(other.tests), other.since), (of_run.tests, None), "step {step}");
            assert!(is_equal_or_unknown(other.heap_bytes, of_run.heap_bytes), "step {step}");
        }
        // Some steps follow a jump, a stop or a switch directly.
        if random.below(3) == 0 {
            continue;
        }
        found_here(&mut session).unwrap();
        let (id, now) = (entry.id, shown(&session));
        let of_run = &expected[step as usize];
        let same = now.0 == of_run.0 && is_equal_or_unknown(now.1, of_run.1);
        assert!(same, "{id}, step {step} after {action} actions ({what}):\n{now:?}\n{of_run:?}");
    }
    assert!(stopped > 0 || actions < 100, "no step was stopped");
    let charted: Vec<u64> = session.history().frames.iter().map(|frame| frame.step).collect();
    assert!(charted.windows(2).all(|two| two[0] < two[1]), "{charted:?}");
    let (mut known, mut rows_with_memory) = (std::collections::HashSet::new(), 0);
    for row in exported(&session) {
        assert!(known.insert((row.repeat, row.frame, row.algorithm.clone())), "recorded twice");
        let of_run = row_of(measured, row.frame.into(), &row.algorithm);
        let figures = |row: &FrameRow| (row.tests, row.pairs, row.hits, row.checksum);
        // A compared algorithm has no response.
        let of_run =
            FrameRow { hits: of_run.hits.filter(|_| row.hits.is_some()), ..of_run.clone() };
        assert_eq!(figures(&row), figures(&of_run), "{}, frame {}", row.algorithm, row.frame);
        assert!(is_equal_or_unknown(row.heap_bytes, of_run.heap_bytes), "{row:?}\n{of_run:?}");
        rows_with_memory += usize::from(row.heap_bytes.is_some());
    }
    assert!(rows_with_memory > 0, "no row has its memory");
}

/// Whether bytes are those of a run, where they are known.
fn is_equal_or_unknown(bytes: Option<u64>, of_run: Option<u64>) -> bool {
    bytes.is_none_or(|_| bytes == of_run)
}

/// The row of an algorithm in a frame, from 0.
fn row_of<'a>(measured: &'a [FrameRow], frame: u64, algorithm: &str) -> &'a FrameRow {
    let is_it = |row: &&FrameRow| u64::from(row.frame) == frame && row.algorithm == algorithm;
    measured.iter().find(is_it).unwrap()
}

/// The rows of `harness run`, of each algorithm.
fn measured(case: &Case) -> Vec<FrameRow> {
    let mut case = case.clone();
    (case.warmup, case.frames) = (0, STEPS as u32 + 1);
    let case = &case;
    let algorithms: Vec<_> = ALGORITHMS.iter().collect();
    let plan = Plan { order_seed: SEED, memory_limit: u64::MAX, ..Plan::new(&algorithms, &[1], 1) };
    let run = measure_case(case, &plan, Instruments::new(clock(), None)).unwrap();
    run.cells.iter().flat_map(|cell| cell.frame_rows("run", case)).collect()
}

/// The seeds of the walks: other ones give other walks.
const SEED: u64 = 43;

fn wander_through(case: &Case, actions: usize) {
    // As many threads as the rows of the run have.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let (mut random, measured) = (Random(SEED), measured(case));
        for entry in ALGORITHMS {
            wander(case, entry, &measured, actions, &mut random);
        }
    });
}

#[test]
fn any_step_of_spheres_is_that_of_a_run() {
    wander_through(&Case::of_scene("crowded", crowded(), 0, 1), 200);
}

#[test]
fn any_step_of_static_and_moving_spheres_is_that_of_a_run() {
    wander_through(&Case::of_scene("static", half_static(), 0, 1), 60);
}

#[test]
fn any_step_of_bodies_is_that_of_a_run() {
    wander_through(&Case::of_scene("tumbling", tumbling(), 0, 1), 20);
}

#[test]
fn any_step_of_continuous_bodies_is_that_of_a_run() {
    let scene = Scene { continuous: Continuous::All, ..tumbling() };
    wander_through(&Case::of_scene("tumbling", scene, 0, 1), 20);
}

#[test]
fn any_step_of_generated_boxes_is_that_of_a_run() {
    for spec in ["gas:60", "brownian:60"] {
        wander_through(&boxes_case(spec), 40);
    }
}

#[test]
fn any_step_of_a_recording_is_that_of_a_run() {
    let trace = Trace::new(80, STEPS as usize + 1);
    wander_through(&trace.case(), 200);
}

#[test]
fn undone_step_leaves_nothing_in_a_step_with_the_line_held() {
    let case = Case::of_scene("crowded", crowded(), 0, 1);
    for id in ["kd-tree", "neighbour-list", "rest-grid", "bvh-incremental"] {
        let attracted = |session: &mut Session| {
            for _ in 0..3 {
                session.step(Hold::Attract).unwrap();
            }
            let latest = shown(session);
            session.go_to(31).unwrap();
            found_here(session).unwrap();
            [latest, shown(session)]
        };
        let mut run = Session::of_case(&case, row(id), clock(), None).unwrap();
        steps(&mut run, 30);
        let expected = attracted(&mut run);
        for reading in 0..12 {
            let clock = StoppingClock::leaked();
            let mut session = clock.session(&case, row(id));
            steps(&mut session, 30);
            clock.stop_at(reading);
            if matches!(session.step(Hold::None).unwrap(), Stepped::Stopped) {
                session.activity().go_on();
                let found = attracted(&mut session);
                let is_same = found.iter().zip(&expected).all(|(found, expected)| {
                    found.0 == expected.0 && is_equal_or_unknown(found.1, expected.1)
                });
                assert!(is_same, "{id}, stopped at reading {reading}:\n{found:?}\n{expected:?}");
            }
        }
    }
}

//! Steps that are stopped at the beginning of each of their phases.

use crate::common::traces::boxes_case;
use crate::common::{StoppingClock, crowded, exported, row, tumbling};
use measure::Case;
use sim::{Hold, Scene};
use std::collections::BTreeSet;
use viewer::session::{Session, Stepped};

fn scene(scene: Scene) -> Case {
    Case::of_scene("test", scene, 0, 1)
}

/// The recorded steps, and the boxes to the bit.
fn state(session: &Session) -> (u64, usize, Vec<[u32; 6]>) {
    let bits = |b: &broadphase::Aabb| {
        let [min, max] = [b.min, b.max].map(|corner| corner.to_array().map(f32::to_bits));
        [min[0], min[1], min[2], max[0], max[1], max[2]]
    };
    let boxes = session.motion().boxes().iter().map(bits).collect();
    (session.steps(), session.recorded(), boxes)
}

/// Stops the third step at each reading of the clock in turn. Returns the phases in which it ended.
fn stopped_phases(case: &Case, algorithm: &str) -> BTreeSet<&'static str> {
    let take = |session: &mut Session| session.step(Hold::None).unwrap();
    let begin = || {
        let clock = StoppingClock::leaked();
        let mut session = clock.session(case, row(algorithm));
        session.set_compared(&[row("brute-force")]).unwrap();
        (0..2).for_each(|_| _ = take(&mut session));
        session.activity().begin();
        (session, clock)
    };
    let (mut expected, _) = begin();
    assert!(matches!(take(&mut expected), Stepped::Done));
    let pairs: Vec<_> = exported(&expected).iter().map(|row| (row.frame, row.checksum)).collect();
    let mut phases = BTreeSet::new();
    for reading in 0.. {
        let (mut session, clock) = begin();
        let before = state(&session);
        clock.stop_at(reading);
        let stepped = take(&mut session);
        if !session.activity().go_on() {
            return phases;
        }
        if matches!(stepped, Stepped::Stopped) {
            assert_eq!(state(&session), before, "reading {reading}");
            assert!(!session.has_new_compared(), "it was stopped, and owes nothing");
            let task = session.activity().at_work().and_then(|work| work.task);
            phases.extend(task.map(|task| task.words.split(" (").next().unwrap()));
            assert!(matches!(take(&mut session), Stepped::Done));
        }
        assert_eq!(state(&session), state(&expected), "reading {reading}");
        let found: Vec<_> =
            exported(&session).iter().map(|row| (row.frame, row.checksum)).collect();
        assert_eq!(found, pairs, "reading {reading}");
    }
    unreachable!("the step has an end")
}

#[test]
fn step_that_is_stopped_in_any_phase_is_undone() {
    for algorithm in ["kd-tree", "neighbour-list", "auto"] {
        let phases = stopped_phases(&scene(crowded()), algorithm);
        let searches =
            ["checking the pairs", "searching", "searching, only compared", "sorting the pairs"];
        let all = [&searches[..], &["recording the step", "responding to the pairs"]].concat();
        assert!(all.iter().all(|phase| phases.contains(phase)), "{algorithm}: {phases:?}");
        let phases = stopped_phases(&boxes_case("gas:300"), algorithm);
        assert!(searches.iter().all(|phase| phases.contains(phase)), "{algorithm}: {phases:?}");
        assert!(!phases.contains("responding to the pairs"), "nothing responds: {phases:?}");
    }
    let phases = stopped_phases(&scene(tumbling()), "kd-tree");
    let of_bodies = ["testing the bodies, and checking the answers", "responding to the pairs"];
    assert!(of_bodies.iter().all(|phase| phases.contains(phase)), "{phases:?}");
}

#[test]
fn jump_that_is_stopped_anywhere_shows_the_step_before() {
    for case in [scene(crowded()), scene(tumbling()), boxes_case("gas:300")] {
        let clock = StoppingClock::leaked();
        let mut session = clock.session(&case, row("kd-tree"));
        crate::common::steps(&mut session, 40);
        session.activity().begin();
        let (mut states, mut stopped) = (Vec::new(), 0);
        for step in [21, 22, 23, 40] {
            assert_eq!(session.go_to(step), Ok(true));
            states.push(state(&session));
        }
        // A step with a moment of its own is shown at once.
        for (step, there) in [21, 22, 23].into_iter().zip(&states) {
            for reading in 0.. {
                clock.stop_at(reading);
                let gone = session.go_to_unless_stopped(step).unwrap();
                session.activity().go_on();
                if gone == Some(true) {
                    break;
                }
                stopped += 1;
                assert_eq!((gone, &state(&session)), (None, &states[3]), "reading {reading}");
            }
            assert_eq!(state(&session), *there);
            assert_eq!(session.go_to(40), Ok(true));
        }
        assert!(stopped > 3 || case.scene().is_none(), "{stopped}");
    }
}

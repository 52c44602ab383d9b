//! The stages after the broad phase: what is clocked, what is audited, and what a wrong answer becomes.

use crate::common::{measure, plan, row};
use broadphase::registry::Algorithm;
use measure::{Case, Cell, Outcome, Plan, Stages};
use narrowphase::narrow::{self, NarrowPhaseKind};
use narrowphase::volume::{self, VolumeKind};
use narrowphase::{Answer, Body, NarrowPhase, PairCache, Reference};
use sim::SceneDocument;
use std::sync::atomic::{AtomicU32, Ordering::SeqCst};

const TEXT: &[u8] = b"i -1 -1 -1  2 2 2  100 t\n#!objects 150\n#!radius 0.2\n#!speed 3\n\
    #!shape die box 1 1 1\n#!shape four tetrahedron 1\n#!bodies source 1 die 50 four 50\n";

/// Large cubes and tetrahedra that find no room without overlap, three frames.
fn bodies() -> Case {
    let scene = SceneDocument::parse("bodies", TEXT).unwrap().scene().clone();
    Case::of_scene("bodies", scene, 1, 2)
}

fn known(volume: &str, narrow: &str) -> Stages<'static> {
    let (volume, narrow) = (volume::find(volume).unwrap(), narrow::find(narrow).unwrap());
    Stages::Chain { volume, narrow }
}

fn with<'a>(algorithms: &'a [&'a Algorithm], stages: Stages<'a>) -> Plan<'a> {
    Plan { stages: Some(stages), ..plan(algorithms, 2) }
}

#[test]
fn stages_are_clocked_apart_from_all_else() {
    let algorithms = [row("brute-force"), row("bsp")];
    let without = measure(&bodies(), &plan(&algorithms, 2));
    let measured = measure(&bodies(), &with(&algorithms, known("dop26", "sat")));
    for (cell, plain) in measured.cells.iter().zip(&without.cells) {
        assert_eq!((&cell.outcome, cell.samples.len()), (&Outcome::Ok, 6));
        for (sample, plain) in cell.samples.iter().zip(&plain.samples) {
            // Neighbouring readings of the clock are 10 ns apart.
            let times = (sample.volume_ns, sample.narrow_ns, sample.contact_ns);
            assert_eq!(times, (Some(10), Some(10), Some(10)));
            assert!(sample.volume_passed <= Some(sample.pairs), "{sample:?}");
            assert!(sample.volume_passed >= sample.hits, "{sample:?}");
            assert!(sample.contact_points >= sample.hits, "{sample:?}");
            let (volume_ns, volume_passed, narrow_ns, contact_ns, contact_points) =
                (None, None, None, None, None);
            let rest = measure::FrameRow {
                volume_ns,
                volume_passed,
                narrow_ns,
                contact_ns,
                contact_points,
                ..sample.clone()
            };
            assert_eq!(rest, *plain);
        }
    }
    let row = measured.cells[0].summary("r", &bodies(), &plan(&algorithms, 2));
    assert_eq!((row.volume_ns, row.narrow_ns, row.contact_ns), (Some(10), Some(10), Some(10)));
    assert!(row.volume_passed < row.pairs && row.volume_passed >= row.hits, "{row:?}");
    assert!(row.contact_points >= row.hits && row.hits > Some(1.0), "{row:?}");
}

#[test]
fn summary_states_which_bodies_are_continuous() {
    let text = [TEXT, b"#!continuous all\n"].concat();
    let scene = SceneDocument::parse("bodies", &text).unwrap().scene().clone();
    let (case, cell) =
        (Case::of_scene("bodies", scene, 1, 2), Cell::ended("bsp".into(), 1, Outcome::Ok));
    assert_eq!(cell.summary("r", &case, &plan(&[row("bsp")], 2)).continuous, "all");
}

/// Answers as the reference does, but separates pairs that overlap by more than this part of a radius.
struct Faulty(Reference, f64);

impl NarrowPhase for Faulty {
    fn test(&mut self, a: &Body<'_>, b: &Body<'_>, _: &mut PairCache) -> Answer {
        let verdict = self.0.examine(a, b);
        let depth = -verdict.gap / a.bounding_radius();
        if depth > self.1 { Answer::Separated { axis: None } } else { verdict.answer }
    }
}

fn planted(
    id: &'static str,
    build: fn() -> Box<dyn NarrowPhase + Send>,
) -> &'static NarrowPhaseKind {
    let mut kind = *narrow::find("sat").unwrap();
    (kind.id, kind.build) = (id, build);
    Box::leak(Box::new(kind))
}

fn faulty() -> Box<dyn NarrowPhase + Send> {
    Box::new(Faulty(Reference::new(), 0.05))
}

/// Right in the first repetition.
fn moody() -> Box<dyn NarrowPhase + Send> {
    static BUILT: AtomicU32 = AtomicU32::new(0);
    let is_first = BUILT.fetch_add(1, SeqCst) == 0;
    if is_first { Box::new(Faulty(Reference::new(), f64::MAX)) } else { faulty() }
}

/// An inscribed sphere that claims to contain its body.
fn liar() -> &'static VolumeKind {
    let mut kind = *volume::find("sphere-inside").unwrap();
    (kind.id, kind.exact) = ("liar", true);
    Box::leak(Box::new(kind))
}

#[test]
fn wrong_answer_is_an_error_that_names_the_pair() {
    let sat = narrow::find("sat").unwrap();
    let obb = volume::find("obb").unwrap();
    for (method, repeat, volume, narrow) in [
        ("faulty", 0, obb, planted("faulty", faulty)),
        ("moody", 1, obb, planted("moody", moody)),
        ("liar", 0, liar(), sat),
    ] {
        let wrong = Stages::Chain { volume, narrow };
        let measured = measure(&bodies(), &with(&[row("bsp")], wrong));
        let Outcome::Disagrees(reason) = &measured.cells[0].outcome else {
            panic!("{:?}", measured.cells[0].outcome)
        };
        let said = format!("frame 0 of repetition {repeat}: `{method}` is wrong about bodies ");
        assert!(reason.starts_with(&said), "{reason}");
        assert!(reason.contains("): it separates them; they overlap by "), "{reason}");
        let row = measured.cells[0].summary("r", &bodies(), &plan(&[row("bsp")], 2));
        assert_eq!((row.exit(), row.volume_ns), (measure::Exit::Disagreement, None));
    }
    let inexact = measure(&bodies(), &with(&[row("bsp")], known("sphere-inside", "sat")));
    assert_eq!(inexact.cells[0].outcome, Outcome::Ok);
}

//! Wrong answers about bodies: the motion stops.

use crate::common::bench::Bench;
use crate::common::{session, tumbling};
use narrowphase::narrow::{self, NarrowPhaseKind};
use narrowphase::volume::{self, VolumeKind};
use narrowphase::{Answer, Body, NarrowPhase, PairCache, Reference};
use sim::World;
use viewer::scene_renderer::Theme;
use viewer::session::{Methods, Stage};
use viewer::simulation::{Notice, Order};

/// Answers as the reference, but separates all touching pairs from the fourth on.
#[derive(Default)]
struct Forgetful {
    reference: Reference,
    touching: usize,
}

impl NarrowPhase for Forgetful {
    fn test(&mut self, a: &Body, b: &Body, _: &mut PairCache) -> Answer {
        let answer = self.reference.examine(a, b).answer;
        self.touching += usize::from(matches!(answer, Answer::Touching { .. }));
        if self.touching >= 4 { Answer::Separated { axis: None } } else { answer }
    }
}

fn forgetful() -> &'static NarrowPhaseKind {
    let mut kind = *narrow::find("gjk").unwrap();
    (kind.id, kind.name) = ("forgetful", "Forgetful");
    kind.build = || Box::new(Forgetful::default());
    Box::leak(Box::new(kind))
}

/// A volume that misses bodies, and is said not to.
fn narrow_spheres() -> &'static VolumeKind {
    let mut kind = *volume::find("sphere-inside").unwrap();
    (kind.id, kind.name, kind.exact) = ("tight", "Tight spheres", true);
    Box::leak(Box::new(kind))
}

#[test]
fn a_wrong_answer_stops_the_motion() {
    let default = Methods::default();
    for (methods, stage, words) in [
        (Methods { narrow: forgetful(), ..default }, Stage::Narrow, "narrow phase Forgetful"),
        (Methods { volume: narrow_spheres(), ..default }, Stage::Volume, "volume Tight spheres"),
    ] {
        let mut bench = Bench::new(session(tumbling(), "bsp"));
        bench.steps(3);
        let recorded = bench.session().recorded();
        let mut twin = World::new(&tumbling());
        let mut boxes = Vec::new();
        bench.obey(Order::Run(true));
        // The wrong method is not asked about the boxes that are known before the next step.
        bench.stage().engine.obey(Order::Methods(methods));
        bench.steps(1);
        let fault = bench.stage().snapshot.engine.fault.clone().unwrap();
        assert_eq!(
            (fault.stage, fault.id),
            (stage, (if stage == Stage::Narrow { methods.narrow.id } else { methods.volume.id }))
        );
        let pair = fault.pair();
        let gap = fault.wrong.gap.unwrap();
        assert!(gap < 0.0, "{gap}");
        let text = fault.to_string();
        assert!(text.contains(words), "{text}");
        let about = format!("about the bodies {} and {}: it separates them", pair.a, pair.b);
        assert!(text.contains(&about), "{text}");
        let reported = |notices: &[Notice]| notices.contains(&Notice::Stop(text.clone()));
        let state = bench.harness.state();
        assert!(reported(&state.panel.toasts.notices()), "{:?}", state.panel.toasts);
        assert!(!state.snapshot.engine.running, "the motion has stopped");
        assert_eq!(state.panel.view.picked, Some(pair.a));
        assert_eq!(state.engine.session().recorded(), recorded, "a wrong step is no result");
        // The world went on as the reference says.
        for _ in 0..bench.session().steps() {
            twin.step(sim::Hold::None);
            twin.boxes(&mut boxes);
            let number = boxes.len() as u32;
            let all =
                (0..number).flat_map(|a| (a + 1..number).map(move |b| broadphase::Pair { a, b }));
            let pairs: Vec<_> = all
                .filter(|pair| boxes[pair.a as usize].overlaps(&boxes[pair.b as usize]))
                .collect();
            twin.respond(&pairs);
        }
        assert_eq!(bench.session().world().unwrap().hash(), twin.hash());

        // Both bodies and a line between them are drawn.
        let view = bench.stage().view();
        let ends = [pair.a, pair.b].map(|object| twin.positions()[object as usize].to_array());
        assert!(view.segments.iter().any(|s| [s.a, s.b] == ends && s.color == Theme::DARK.hit));
        // Another body may be picked meanwhile.
        bench.stage().panel.view.picked = None;
        bench.stage().look();
        bench.harness.run();
        assert_eq!(bench.harness.state().panel.view.picked, None);

        // The report goes with the wrong method.
        bench.obey(Order::Methods(default));
        bench.harness.run();
        assert!(bench.stage().snapshot.engine.fault.is_none());
    }
}

#[test]
fn a_wrong_answer_is_found_while_the_motion_is_stopped() {
    let mut bench = Bench::new(session(tumbling(), "bsp"));
    bench.steps(3);
    bench.obey(Order::Methods(Methods { narrow: forgetful(), ..Methods::default() }));
    let fault = bench.stage().snapshot.engine.fault.clone().unwrap();
    assert_eq!((fault.id, fault.step), ("forgetful", 3));
    bench.obey(Order::StepBack);
    let fault = bench.stage().snapshot.engine.fault.clone().unwrap();
    assert_eq!(fault.step, 2, "that of the step before");
}

//! Wrong answers about bodies: the motion stops.

use super::*;
use crate::panel::bodies::move_on;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::volume::VolumeKind;

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
    for (methods, method) in [
        (Methods { narrow: forgetful(), ..default }, "the narrow phase Forgetful (forgetful)"),
        (
            Methods { volume: narrow_spheres(), ..default },
            "the bounding volume Tight spheres (tight)",
        ),
    ] {
        let mut bench = Bench::with(tumbling(), "bsp");
        bench.steps(3);
        let recorded = bench.session().recorded();
        bench.obey(Order::Run(true));
        // The wrong method is not asked about the boxes that are known before the next step.
        bench.stage().engine.obey(Order::Methods(methods));
        bench.steps(1);
        let fault = bench.stage().snapshot.engine.fault.clone().unwrap();
        assert_eq!(fault.method, method);
        let pair = fault.pair();
        assert!(fault.wrong.gap.unwrap() < 0.0);
        let text = fault.to_string();
        let about = format!(
            "step 4: {method} is wrong about the bodies {} and {}: it separates them; they overlap",
            pair.a, pair.b
        );
        assert!(text.starts_with(&about), "{text}");
        let state = bench.harness.state();
        assert!(state.panel.toasts.notices().contains(&Notice::Stop(text)));
        assert!(!state.snapshot.engine.running, "the motion has stopped");
        assert_eq!(state.panel.view.picked, Some(pair.a));
        assert_eq!(bench.session().recorded(), recorded, "a wrong step is no result");
        // The world went on as the reference says.
        let mut twin = World::new(&tumbling());
        move_on(&mut twin, bench.session().steps());
        assert_eq!(bench.world().hash(), twin.hash());

        // Both bodies and a line between them are drawn. Another body may be picked meanwhile.
        let view = bench.stage().view();
        let ends = [pair.a, pair.b].map(|object| twin.positions()[object as usize].to_array());
        assert!(view.segments.iter().any(|s| [s.a, s.b] == ends && s.color == Theme::DARK.hit));
        bench.pick(None);
        assert_eq!(bench.harness.state().panel.view.picked, None);
        // The report goes with the wrong method.
        bench.obey(Order::Methods(default));
        assert!(bench.stage().snapshot.engine.fault.is_none());
    }
}

#[test]
fn a_wrong_answer_is_found_while_the_motion_is_stopped() {
    let mut bench = Bench::with(tumbling(), "bsp");
    bench.steps(3);
    for (order, step) in [
        (Order::Methods(Methods { narrow: forgetful(), ..Methods::default() }), 3),
        (Order::StepBack, 2),
    ] {
        bench.obey(order);
        let fault = bench.stage().snapshot.engine.fault.clone().unwrap();
        assert!(fault.method.ends_with("(forgetful)") && fault.step == step, "{fault}");
    }
}

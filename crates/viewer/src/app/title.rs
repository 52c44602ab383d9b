//! The window's title.

use crate::simulation::Snapshot;
use std::sync::Arc;

/// Time between two titles in ns, so that the frame rate in them can be read.
const TITLE_EVERY_NS: u64 = 500_000_000;

/// The title that is shown.
#[derive(Debug, Default)]
pub(super) struct Title {
    /// When it was set, whether the motion ran, the algorithm's id, and the input.
    set: Option<(u64, bool, &'static str, Arc<str>)>,
    /// A frame rate was shown before.
    has_drawn: bool,
}

impl Title {
    /// The new title, if it is time for one: frame rate, algorithm, scene. Steps have a thread of their own, so the
    /// frame rate does not say how fast the algorithm is, as it did in 2008: while the motion runs, steps per second do.
    pub(super) fn next(
        &mut self,
        snapshot: &Snapshot,
        fps: Option<f64>,
        now_ns: u64,
    ) -> Option<String> {
        let (running, algorithm) = (snapshot.engine.running, snapshot.algorithm.id);
        if let Some((at_ns, ran, known, label)) = &self.set
            && (*ran, *known, label) == (running, algorithm, &snapshot.input.label)
            && now_ns.saturating_sub(*at_ns) < TITLE_EVERY_NS
        {
            return None;
        }
        self.set = Some((now_ns, running, algorithm, snapshot.input.label.clone()));
        self.has_drawn |= fps.is_some();
        // Fewer than one a second are not none.
        let rate = |of: f64| if of < 0.95 { format!("{of:.1}") } else { format!("{of:.0}") };
        let fps = match fps {
            Some(fps) => rate(fps) + " FPS",
            None if self.has_drawn => "idle".to_owned(),
            None => "starting".to_owned(),
        };
        let steps = match &snapshot.history.rates {
            _ if !running => " - stopped".to_owned(),
            Some(rates) => format!(", {} steps/s", rate(rates.steps)),
            None => String::new(),
        };
        Some(format!("{fps}{steps} - {algorithm} - {}", snapshot.input.label))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::Session;
    use crate::view::View;
    use measure::MonotonicClock;
    use sim::{Scene, SceneDocument};

    #[test]
    fn frame_rate_is_shown_stopped_or_running() {
        let file = SceneDocument::parse("a.scene", b"i -1 -1 -1  2 2 2  100 t\n").unwrap();
        let scene = Scene { objects: 2, ..file.scene().clone() };
        let clock = Box::leak(Box::new(MonotonicClock::new()));
        let row = &broadphase::registry::ALGORITHMS[0];
        let session = Session::new("a.scene", &scene, row, clock, None).unwrap();
        let mut snapshot = Snapshot::of(&session, &View::default());
        let titled = |snapshot: &Snapshot, fps| Title::default().next(snapshot, fps, 0).unwrap();
        assert_eq!(titled(&snapshot, Some(59.7)), "60 FPS - stopped - brute-force - a.scene");
        assert_eq!(titled(&snapshot, None), "starting - stopped - brute-force - a.scene");
        snapshot.engine.running = true;
        assert_eq!(titled(&snapshot, Some(59.7)), "60 FPS - brute-force - a.scene");
        assert_eq!(titled(&snapshot, Some(0.4)), "0.4 FPS - brute-force - a.scene");
        snapshot.history.rates.get_or_insert_default().steps = 411.6;
        assert_eq!(titled(&snapshot, Some(59.7)), "60 FPS, 412 steps/s - brute-force - a.scene");
        // A window in which nothing changes draws nothing.
        let mut title = Title::default();
        title.next(&snapshot, Some(60.0), 0).unwrap();
        snapshot.history.rates = None;
        let idle = title.next(&snapshot, None, 2 * TITLE_EVERY_NS).unwrap();
        assert_eq!(idle, "idle - brute-force - a.scene");
    }
}

//! The window's title.

use crate::simulation::Snapshot;

/// Time between two titles in ns, so that the frame rate in them can be read.
const TITLE_EVERY_NS: u64 = 500_000_000;

/// The title that is shown.
#[derive(Debug, Default)]
pub(super) struct Title {
    /// When it was set, whether the motion ran, and the algorithm's id.
    set: Option<(u64, bool, &'static str)>,
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
        if let Some((at_ns, ran, known)) = self.set
            && (ran, known) == (running, algorithm)
            && now_ns.saturating_sub(at_ns) < TITLE_EVERY_NS
        {
            return None;
        }
        self.set = Some((now_ns, running, algorithm));
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
    use crate::platform::double::Double;
    use crate::session::{Rates, Session};
    use crate::view::View;

    #[test]
    fn frame_rate_is_shown_stopped_or_running() {
        let row = &broadphase::registry::ALGORITHMS[0];
        let scene = sim::Scene { objects: 0, ..sim::Scene::default() };
        let session = Session::new("a.scene", &scene, row, Double::leaked(), None).unwrap();
        let mut snapshot = Snapshot::of(&session, &View::default());
        let mut title = Title::default();
        let mut now_ns = 0;
        for (fps, running, steps, expected) in [
            (None, false, None, "starting - stopped"),
            (Some(59.7), false, None, "60 FPS - stopped"),
            (Some(0.4), true, None, "0.4 FPS"),
            (Some(59.7), true, Some(411.6), "60 FPS, 412 steps/s"),
            // A window in which nothing changes draws nothing.
            (None, true, None, "idle"),
        ] {
            snapshot.engine.running = running;
            snapshot.history.rates = steps.map(|steps| Rates { steps, ..Rates::default() });
            let shown = title.next(&snapshot, fps, now_ns).unwrap();
            assert_eq!(shown, format!("{expected} - brute-force - a.scene"));
            assert_eq!(title.next(&snapshot, fps, now_ns), None, "too soon");
            now_ns += TITLE_EVERY_NS;
        }
    }
}

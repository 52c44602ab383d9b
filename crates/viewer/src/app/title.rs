//! The window's title.

use crate::simulation::Snapshot;

/// Time between two titles in ns, so that the frame rate in them can be read.
const TITLE_EVERY_NS: u64 = 500_000_000;

/// The title that is shown.
#[derive(Debug, Default)]
pub(super) struct Title {
    /// When it was set, whether the motion ran, and the algorithm's id.
    set: Option<(u64, bool, &'static str)>,
}

impl Title {
    /// The new title, if it is time for one: frame rate, algorithm, scene.
    pub(super) fn next(
        &mut self,
        snapshot: &Snapshot,
        fps: Option<f64>,
        now_ns: u64,
    ) -> Option<String> {
        let (running, algorithm) = (snapshot.running, snapshot.algorithm.id);
        if let Some((at_ns, ran, known)) = self.set
            && (ran, known) == (running, algorithm)
            && now_ns.saturating_sub(at_ns) < TITLE_EVERY_NS
        {
            return None;
        }
        self.set = Some((now_ns, running, algorithm));
        let fps = match fps {
            _ if !running => "stopped".to_owned(),
            Some(fps) => format!("{fps:.0} FPS"),
            None => "starting".to_owned(),
        };
        Some(format!("{fps} - {algorithm} - {}", snapshot.label))
    }
}

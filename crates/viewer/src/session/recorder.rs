//! Every frame of the session, for export.

use measure::{FrameRow, Labels, Sample, SummaryRow, summarise};
use std::collections::VecDeque;
use std::sync::Arc;

/// Frames kept, some 60 MB: about an hour of one algorithm at 60 steps a second. The oldest go
/// first.
const CAPACITY: usize = 200_000;

#[derive(Debug, Default)]
pub(super) struct Recorder {
    frames: VecDeque<Recorded>,
}

#[derive(Clone, Debug)]
struct Recorded {
    input: Arc<str>,
    algorithm: &'static str,
    objects: usize,
    seed: u64,
    sample: Sample,
}

impl Recorder {
    pub(super) fn push(
        &mut self,
        input: &Arc<str>,
        algorithm: &'static str,
        objects: usize,
        seed: u64,
        sample: Sample,
    ) {
        if self.frames.len() == CAPACITY {
            self.frames.pop_front();
        }
        self.frames.push_back(Recorded { input: input.clone(), algorithm, objects, seed, sample });
    }

    /// A picture of a frame of a repetition took this long to draw; the first one counts.
    pub(super) fn drawn(&mut self, repeat: u32, frame: u32, render_ns: u64) {
        let newest = self.frames.iter_mut().rev();
        let of_frame = newest
            .take_while(|recorded| recorded.sample.repeat == repeat)
            .take_while(|recorded| recorded.sample.frame >= frame)
            .filter(|recorded| recorded.sample.frame == frame);
        // Only the algorithm that moved the world was drawn, not its shadows.
        let moved = of_frame.filter(|recorded| recorded.sample.motion_ns.is_some());
        for recorded in moved {
            recorded.sample.render_ns.get_or_insert(render_ns);
        }
    }

    /// Forgets the frames of a repetition from `frame` on: they were stepped back over.
    pub(super) fn take_back(&mut self, repeat: u32, frame: u32) {
        let gone = |last: &Recorded| last.sample.repeat == repeat && last.sample.frame >= frame;
        while self.frames.back().is_some_and(gone) {
            self.frames.pop_back();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn rows<'a>(&'a self, run_id: &'a str) -> impl Iterator<Item = FrameRow> + 'a {
        let threads = rayon::current_num_threads() as u32;
        self.frames
            .iter()
            .map(move |recorded| FrameRow::new(&recorded.labels(run_id, threads), &recorded.sample))
    }

    /// A summary of each algorithm on each input, number of objects and seed, in the order in which
    /// they were first seen. `seed` is that of the bootstrap.
    pub(super) fn summaries(&self, run_id: &str, seed: u64) -> Vec<SummaryRow> {
        let threads = rayon::current_num_threads() as u32;
        let mut cells: Vec<(Labels, Vec<Sample>)> = Vec::new();
        for recorded in &self.frames {
            let labels = recorded.labels(run_id, threads);
            match cells.iter_mut().find(|(known, _)| *known == labels) {
                Some((_, samples)) => samples.push(recorded.sample),
                None => cells.push((labels, vec![recorded.sample])),
            }
        }
        let rows = cells.iter().map(|(labels, samples)| {
            let row = summarise(labels, samples, seed);
            // Each row has frames of its own: their hashes are not to be compared. A shadow's frame
            // has no response and no drawing, and so no rate.
            let moved = samples.iter().all(|sample| sample.motion_ns.is_some());
            let (fps, collision_share) =
                if moved { (row.fps, row.collision_share) } else { (None, None) };
            SummaryRow { checksum: None, fps, collision_share, ..row }
        });
        rows.collect()
    }
}

impl Recorded {
    fn labels(&self, run_id: &str, threads: u32) -> Labels {
        Labels {
            run_id: run_id.to_owned(),
            input: self.input.to_string(),
            n: self.objects as u64,
            seed: Some(self.seed),
            algorithm: self.algorithm.to_owned(),
            threads,
        }
    }
}

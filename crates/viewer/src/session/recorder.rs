//! Every frame of the session, for export.

use measure::{FrameRow, Labels, Sample};
use std::collections::VecDeque;

/// Frames kept, some 50 MB: about an hour at 60 a second. The oldest go first.
const CAPACITY: usize = 200_000;

#[derive(Debug, Default)]
pub(super) struct Recorder {
    frames: VecDeque<Recorded>,
}

#[derive(Clone, Copy, Debug)]
struct Recorded {
    algorithm: &'static str,
    objects: usize,
    seed: u64,
    sample: Sample,
}

impl Recorder {
    pub(super) fn push(
        &mut self,
        algorithm: &'static str,
        objects: usize,
        seed: u64,
        sample: Sample,
    ) {
        if self.frames.len() == CAPACITY {
            self.frames.pop_front();
        }
        self.frames.push_back(Recorded { algorithm, objects, seed, sample });
    }

    pub(super) fn drawn(&mut self, render_ns: u64) {
        if let Some(last) = self.frames.back_mut() {
            last.sample.render_ns = Some(render_ns);
        }
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    pub(super) fn rows<'a>(
        &'a self,
        run_id: &'a str,
        input: &'a str,
    ) -> impl Iterator<Item = FrameRow> + 'a {
        let threads = rayon::current_num_threads() as u32;
        self.frames.iter().map(move |recorded| {
            let labels = Labels {
                run_id: run_id.to_owned(),
                input: input.to_owned(),
                n: recorded.objects as u64,
                seed: Some(recorded.seed),
                algorithm: recorded.algorithm.to_owned(),
                threads,
            };
            FrameRow::new(&labels, &recorded.sample)
        })
    }
}

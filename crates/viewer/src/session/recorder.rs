//! Every frame of the session, and its export.

use measure::{FrameRow, FramesFile, Labels, OutputError, RunId, Sample, SummaryRow, summarise};
use std::collections::VecDeque;
use std::path::Path;
use std::sync::Arc;

/// Most frames kept, some 70 MB: about an hour of one algorithm at 60 steps a second. The oldest
/// are dropped first.
const CAPACITY: usize = 200_000;

/// The frames of one run of the program. A restart of the scene begins another repetition.
pub(super) struct Recorder {
    run: RunId,
    repeat: u32,
    frames: VecDeque<Recorded>,
}

#[derive(Clone, Debug)]
struct Recorded {
    input: Arc<str>,
    algorithm: &'static str,
    objects: usize,
    seed: Option<u64>,
    threads: u32,
    sample: Sample,
}

impl Recorder {
    pub(super) fn new() -> Self {
        // The system gives memory as frames come. A list that grows would copy them in the middle of a step,
        // and would end with room for a third more, all of which a ring touches.
        Self { run: RunId::now(), repeat: 0, frames: VecDeque::with_capacity(CAPACITY) }
    }

    /// Counts frames for the next repetition from now on.
    pub(super) fn begin_repetition(&mut self) {
        self.repeat += 1;
    }

    /// The number of the repetition, from 0.
    pub(super) fn repetition(&self) -> u32 {
        self.repeat
    }

    /// Records a frame of an algorithm on the threads of the present pool.
    pub(super) fn push(
        &mut self,
        input: &Arc<str>,
        algorithm: &'static str,
        objects: usize,
        seed: Option<u64>,
        sample: Sample,
    ) {
        if self.frames.len() == CAPACITY {
            self.frames.pop_front();
        }
        let threads = rayon::current_num_threads() as u32;
        let input = input.clone();
        self.frames.push_back(Recorded { input, algorithm, objects, seed, threads, sample });
    }

    /// Records the drawing time of a frame of this repetition; only its first picture counts.
    pub(super) fn drawn(&mut self, frame: u32, render_ns: u64) {
        let newest = self.frames.iter_mut().rev();
        let of_frame = newest
            .take_while(|recorded| recorded.sample.repeat == self.repeat)
            .take_while(|recorded| recorded.sample.frame >= frame)
            .filter(|recorded| recorded.sample.frame == frame);
        // Only the running algorithm was drawn, and only its samples have a motion.
        let moved = of_frame.filter(|recorded| recorded.sample.motion_ns.is_some());
        for recorded in moved {
            recorded.sample.render_ns.get_or_insert(render_ns);
        }
    }

    /// Forgets the frames of this repetition from `frame` on.
    pub(super) fn forget_from(&mut self, frame: u32) {
        let repeat = self.repeat;
        let gone = |last: &Recorded| last.sample.repeat == repeat && last.sample.frame >= frame;
        while self.frames.back().is_some_and(gone) {
            self.frames.pop_back();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.frames.len()
    }

    /// Writes all frames in the columns of `frames.csv`.
    pub(super) fn export(&self, path: &Path) -> Result<(), OutputError> {
        let run_id = self.run.to_string();
        let row = |recorded: &Recorded| FrameRow::new(&recorded.labels(&run_id), &recorded.sample);
        let rows = self.frames.iter().map(row);
        FramesFile::create(path)?.write(rows)?;
        Ok(())
    }

    /// A summary of each algorithm on each input, number of objects, seed and number of threads, in the order in
    /// which they were first recorded. `seed` is that of the bootstrap.
    pub(super) fn summaries(&self, seed: u64) -> Vec<SummaryRow> {
        let run_id = &self.run.to_string();
        let mut cells: Vec<(Labels, Vec<Sample>)> = Vec::new();
        for recorded in &self.frames {
            let labels = recorded.labels(run_id);
            match cells.iter_mut().find(|(known, _)| *known == labels) {
                Some((_, samples)) => samples.push(recorded.sample),
                None => cells.push((labels, vec![recorded.sample])),
            }
        }
        let rows = cells.iter().map(|(labels, samples)| {
            let row = summarise(labels, samples, seed);
            // Rows cover different frames, so that their checksums cannot be compared. Frames of a
            // compared algorithm have neither response nor drawing, and so no rate.
            let moved = samples.iter().all(|sample| sample.motion_ns.is_some());
            let (fps, collision_share) =
                if moved { (row.fps, row.collision_share) } else { (None, None) };
            SummaryRow { checksum: None, fps, collision_share, ..row }
        });
        rows.collect()
    }
}

impl Recorded {
    fn labels(&self, run_id: &str) -> Labels {
        Labels {
            run_id: run_id.to_owned(),
            input: self.input.to_string(),
            n: self.objects as u64,
            seed: self.seed,
            algorithm: self.algorithm.to_owned(),
            threads: self.threads,
        }
    }
}

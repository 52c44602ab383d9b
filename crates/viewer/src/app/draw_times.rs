//! Drawing time of each picture: the CPU's, and the GPU's, which arrives later.

use super::frame_rate::FrameRate;
use crate::session::Drawing;
use std::time::Duration;

/// Pictures whose GPU time may be outstanding. The timer skips pictures beyond its capacity; those
/// never get a time.
const MAX_PREPARED: usize = 8;

/// A picture that was submitted to the GPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Prepared {
    /// Its number.
    pub(super) picture: u64,
    /// What it shows, and the time that the CPU took for it.
    pub(super) drawing: Drawing,
}

/// Frame rate, and pictures whose GPU time is outstanding.
#[derive(Debug, Default)]
pub(super) struct DrawTimes {
    frame_rate: FrameRate,
    pictures: u64,
    /// Pictures up to the last one whose time was complete.
    completed: u64,
    prepared: Vec<Prepared>,
}

impl DrawTimes {
    /// The number of the next picture.
    pub(super) fn next_picture(&mut self) -> u64 {
        self.pictures += 1;
        self.pictures - 1
    }

    /// Counts a picture for the frame rate. Drawing it began at `began_ns`.
    pub(super) fn presented(&mut self, began_ns: u64, now_ns: u64) {
        self.frame_rate.picture(began_ns, now_ns);
    }

    /// Takes a drawn picture and the GPU times (picture, ns) that have arrived. Returns the
    /// pictures whose time is complete: at once if the CPU has `waited` for the GPU, else with the
    /// GPU time added. Pictures that never get a time are counted with the next one that has one.
    pub(super) fn complete(
        &mut self,
        drawn: Prepared,
        waited: bool,
        arrived: &[(u64, u64)],
    ) -> Vec<Prepared> {
        let mut complete = Vec::new();
        if waited {
            complete.push(drawn);
        } else {
            self.prepared.push(drawn);
        }
        for &(picture, gpu_ns) in arrived {
            if let Some(at) = self.prepared.iter().position(|known| known.picture == picture) {
                let mut known = self.prepared.remove(at);
                known.drawing.render_ns += gpu_ns;
                complete.push(known);
            }
        }
        let excess = self.prepared.len().saturating_sub(MAX_PREPARED);
        self.prepared.drain(..excess);
        for known in &mut complete {
            known.drawing.pictures = (known.picture + 1).saturating_sub(self.completed);
            self.completed = self.completed.max(known.picture + 1);
        }
        complete
    }

    /// Pictures per second; `None` before the second picture, and once none was drawn for a second.
    pub(super) fn fps(&self, now_ns: u64) -> Option<f64> {
        self.frame_rate.per_second(now_ns)
    }

    /// How long the rate stays true without another picture; `None` where there is none.
    pub(super) fn fps_lasts(&self, now_ns: u64) -> Option<Duration> {
        self.fps(now_ns).and_then(|_| self.frame_rate.valid_for(now_ns))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(picture: u64) -> Prepared {
        let drawing =
            Drawing { epoch: 0, step: picture, presented_ns: 0, render_ns: 10, pictures: 1 };
        Prepared { picture, drawing }
    }

    #[test]
    fn gpu_time_is_added_to_its_own_picture() {
        let mut times = DrawTimes::default();
        assert_eq!(times.complete(drawn(0), false, &[]), []);
        let complete = times.complete(drawn(1), false, &[(0, 5)]);
        assert_eq!(
            complete,
            [Prepared { drawing: Drawing { render_ns: 15, ..drawn(0).drawing }, ..drawn(0) }]
        );
        let last = Prepared { drawing: Drawing { pictures: 2, ..drawn(2).drawing }, ..drawn(2) };
        assert_eq!(times.complete(drawn(2), true, &[]), [last], "the CPU waited");
    }

    #[test]
    fn pictures_without_a_gpu_time_are_dropped() {
        let mut times = DrawTimes::default();
        for picture in 0..100 {
            times.complete(drawn(picture), false, &[]);
        }
        assert_eq!(times.prepared.len(), MAX_PREPARED);
        assert_eq!(times.complete(drawn(100), false, &[(0, 5)]), []);
        let complete = times.complete(drawn(101), false, &[(100, 5)]);
        assert_eq!(complete[0].drawing.pictures, 101, "it stands for those before it");
    }
}

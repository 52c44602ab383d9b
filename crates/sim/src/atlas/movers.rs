//! Which objects move in a frame.

use super::random::{Noise, draw_index, happens, limit_of};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

/// The bodies that move in a frame: the same ones, or others each time.
#[derive(Clone, Debug)]
pub(super) struct Movers {
    listed: Vec<u32>,
    /// The candidates, drawn from in each frame; empty where the same bodies move.
    free: Vec<u32>,
    limit: u64,
    noise: Noise,
}

impl Movers {
    /// Draws `count` of the bodies that are free to move; where others move in each frame, `count` is
    /// their mean.
    pub(super) fn new(free: Vec<u32>, count: usize, changing: bool, rng: &mut ChaCha8Rng) -> Self {
        let count = count.min(free.len());
        let noise = Noise::new(rng);
        if changing && count < free.len() {
            let limit = limit_of(count as f64 / free.len() as f64);
            return Self { listed: Vec::with_capacity(free.len()), free, limit, noise };
        }
        // The chance of each is the count still wanted over the candidates left. Regular steps among
        // the ids would favour algorithms that branch on motion: a branch predictor learns them.
        let mut wanted = count;
        let mut left = free.len();
        let mut listed = free;
        listed.retain(|_| {
            let moves = draw_index(left, rng) < wanted;
            wanted -= usize::from(moves);
            left -= 1;
            moves
        });
        Self { listed, free: Vec::new(), limit: 0, noise }
    }

    /// The bodies that move in a frame.
    pub(super) fn of_frame(&mut self, frame: u32) -> &[u32] {
        if !self.free.is_empty() {
            let (noise, limit) = (self.noise, self.limit);
            self.listed.clear();
            let moves = |&i: &u32| happens(noise.bits(frame, i), limit);
            self.listed.extend(self.free.iter().copied().filter(moves));
        }
        &self.listed
    }
}

/// A rectangle of the vertices of a sheet that moves in a frame: the same one, or another each time.
///
/// A triangle moves with any of its vertices. Of vertices drawn one by one, one in ten would move
/// one triangle in four.
#[derive(Clone, Debug)]
pub(super) struct Patch {
    listed: Vec<u32>,
    /// Vertices along the first and the second axis: of the sheet, and of the patch.
    sheet: [usize; 2],
    size: [usize; 2],
    changing: bool,
    noise: Noise,
}

impl Patch {
    /// A patch whose triangles are about this share of the sheet's.
    pub(super) fn new(sheet: [usize; 2], share: f32, changing: bool, rng: &mut ChaCha8Rng) -> Self {
        // The patch moves one more row and column of quads than it has between its vertices.
        let along = |vertices: usize| {
            let quads = (vertices - 1) as f32 * share.clamp(0.0, 1.0).sqrt();
            (quads.round() as usize).saturating_sub(1).max(1)
        };
        let size = if share >= 1.0 { sheet } else { sheet.map(along) };
        let listed = Vec::with_capacity(size[0] * size[1]);
        let mut patch = Self { listed, sheet, size, changing, noise: Noise::new(rng) };
        let first = rng.random();
        patch.list(first);
        patch
    }

    fn list(&mut self, bits: u64) {
        let room = |axis: usize| self.sheet[axis] - self.size[axis] + 1;
        let place = [bits & 0xffff_ffff, bits >> 32].map(|half| half as usize);
        let start: [usize; 2] = std::array::from_fn(|axis| (place[axis] * room(axis)) >> 32);
        let (columns, size) = (self.sheet[0], self.size);
        self.listed.clear();
        for row in start[1]..start[1] + size[1] {
            let first = row * columns + start[0];
            self.listed.extend((first..first + size[0]).map(|vertex| vertex as u32));
        }
    }

    /// The vertices that move in a frame.
    pub(super) fn of_frame(&mut self, frame: u32) -> &[u32] {
        if self.changing {
            self.list(self.noise.bits(frame, 0));
        }
        &self.listed
    }
}

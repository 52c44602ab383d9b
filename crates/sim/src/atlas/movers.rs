//! Which bodies move in a frame, and which objects vanish and come back.

use super::cell::Cell;
use super::random::{Noise, draw_index, happens, index_of};
use broadphase::Aabb;
use broadphase::benchmark::mix;
use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// Fewest and most frames of absence.
const ABSENCE_FRAMES: [usize; 2] = [2, 60];

/// Largest share of the objects absent at a time.
const MAX_ABSENT_SHARE: f32 = 0.2;

/// The bodies that move in a frame: the same ones, or others each time.
#[derive(Clone, Debug)]
pub(super) struct Movers {
    listed: Vec<u32>,
    /// Where other bodies move in each frame.
    changing: Option<(Candidates, Noise)>,
}

#[derive(Clone, Debug)]
enum Candidates {
    /// Each of these with this chance.
    Each(Vec<u32>, f64),
    /// A rectangle of the vertices of a sheet, by their numbers along the first and the second axis: of the sheet, and of the
    /// rectangle.
    ///
    /// A triangle moves with any of its vertices. Of vertices drawn one by one, one in ten would move
    /// one triangle in four.
    Patch([usize; 2], [usize; 2]),
}

impl Movers {
    /// These bodies, in every frame.
    pub(super) fn fixed(listed: Vec<u32>) -> Self {
        Self { listed, changing: None }
    }

    /// Draws bodies of those that are free to move: the cell's share of all its objects, in the mean
    /// where others move in each frame.
    pub(super) fn draw(cell: &Cell, free: Vec<u32>, rng: &mut ChaCha8Rng) -> Self {
        let count = share_of(cell.movers, cell.objects.max(1));
        let noise = Noise::new(rng);
        if !cell.changing_movers || count >= free.len() {
            return Self::fixed(draw_some(free, count, rng));
        }
        let chance = count as f64 / free.len() as f64;
        let listed = Vec::with_capacity(free.len());
        Self { listed, changing: Some((Candidates::Each(free, chance), noise)) }
    }

    /// A patch of the vertices of a sheet, whose triangles are about the cell's share of the sheet's.
    pub(super) fn patch(cell: &Cell, sheet: [usize; 2], rng: &mut ChaCha8Rng) -> Self {
        let share = cell.movers;
        // The patch moves one more row and column of quads than it has between its vertices.
        let along = |vertices: usize| {
            let quads = (vertices - 1) as f32 * share.clamp(0.0, 1.0).sqrt();
            (quads.round() as usize).saturating_sub(1).max(1)
        };
        let size = if share >= 1.0 { sheet } else { sheet.map(along) };
        let noise = Noise::new(rng);
        let changing = cell.changing_movers.then_some((Candidates::Patch(sheet, size), noise));
        Self { listed: vertices_of_patch(sheet, size, rng.random()).collect(), changing }
    }

    /// The bodies that move in a frame.
    pub(super) fn of_frame(&mut self, frame: u32) -> &[u32] {
        let Self { listed, changing } = self;
        if let Some((candidates, noise)) = changing {
            listed.clear();
            match candidates {
                Candidates::Each(free, chance) => {
                    let moves = |&i: &u32| happens(noise.bits(frame, i), *chance);
                    listed.extend(free.iter().copied().filter(moves));
                }
                Candidates::Patch(sheet, size) => {
                    listed.extend(vertices_of_patch(*sheet, *size, noise.bits(frame, 0)));
                }
            }
        }
        listed
    }
}

/// The number of objects that is this share of `n`.
pub(super) fn share_of(share: f32, n: u32) -> usize {
    (f64::from(share.clamp(0.0, 1.0)) * f64::from(n)).round() as usize
}

/// Draws `count` of the bodies, or all.
///
/// Regular steps among the ids would favour algorithms that branch on motion: a branch predictor learns
/// them.
pub(super) fn draw_some(mut bodies: Vec<u32>, count: usize, rng: &mut ChaCha8Rng) -> Vec<u32> {
    let (mut wanted, mut left) = (count, bodies.len());
    // The chance of each is the count still wanted over the bodies left.
    bodies.retain(|_| {
        let moves = draw_index(left, rng) < wanted;
        wanted -= usize::from(moves);
        left -= 1;
        moves
    });
    bodies
}

/// The vertices of a patch at a random place of a sheet.
fn vertices_of_patch(sheet: [usize; 2], size: [usize; 2], bits: u64) -> impl Iterator<Item = u32> {
    let [x, y] = [(0, bits << 32), (1, bits)]
        .map(|(axis, bits)| index_of(bits, sheet[axis] - size[axis] + 1));
    let rows = (y..y + size[1]).map(move |row| row * sheet[0] + x);
    rows.flat_map(move |first| (first..first + size[0]).map(|vertex| vertex as u32))
}

/// Which objects are absent, and until when.
#[derive(Clone, Debug)]
pub(super) struct Churn {
    candidates: Vec<u32>,
    /// Objects that vanish in a frame, on average.
    rate: f64,
    absence: u32,
    /// The frame in which an object vanished, and the object, oldest first.
    queue: VecDeque<(u32, u32)>,
    absent: Vec<bool>,
    noise: Noise,
}

impl Churn {
    /// Lets the cell's share of the candidates vanish in each frame. `None` if none ever vanishes.
    pub(super) fn new(cell: &Cell, candidates: Vec<u32>, rng: &mut ChaCha8Rng) -> Option<Self> {
        let (share, objects) = (cell.churn, cell.objects.max(1) as usize);
        let [shortest, longest] = ABSENCE_FRAMES;
        let longest = ((MAX_ABSENT_SHARE / share.max(1e-9)) as usize).clamp(shortest, longest);
        let absence = shortest + draw_index(longest - shortest + 1, rng);
        let noise = Noise::new(rng);
        let rate = f64::from(share.clamp(0.0, 1.0)) * candidates.len() as f64;
        let capacity = (rate.ceil() as usize).saturating_mul(absence + 1).min(objects);
        (share > 0.0 && !candidates.is_empty()).then(|| Self {
            candidates,
            rate,
            absence: absence as u32,
            queue: VecDeque::with_capacity(capacity),
            absent: vec![false; objects],
            noise,
        })
    }

    /// Brings objects back and lets others vanish. `displace` is called for half of these, with the
    /// candidates and random bits: they come back next to another one.
    pub(super) fn step(&mut self, frame: u32, mut displace: impl FnMut(usize, &[u32], u64)) {
        while let Some(&(since, object)) = self.queue.front()
            && since + self.absence <= frame
        {
            self.queue.pop_front();
            self.absent[object as usize] = false;
        }
        let total = |frame: u32| (f64::from(frame) * self.rate) as u64;
        for draw in 0..(total(frame) - total(frame.saturating_sub(1))) as u32 {
            let bits = self.noise.bits(frame, draw);
            let object = self.candidates[index_of(bits, self.candidates.len())];
            if std::mem::replace(&mut self.absent[object as usize], true) {
                continue;
            }
            self.queue.push_back((frame, object));
            if bits & 1 == 1 {
                displace(object as usize, &self.candidates, mix(bits));
            }
        }
    }

    /// Empties the boxes of absent objects.
    pub(super) fn hide(&self, boxes: &mut [Aabb]) {
        for &(_, object) in &self.queue {
            boxes[object as usize] = Aabb::EMPTY;
        }
    }
}

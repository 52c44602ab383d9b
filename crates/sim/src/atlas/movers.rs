//! Which bodies move in a frame.

use super::cell::Cell;
use super::random::{Noise, draw_index, happens, index_of};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

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
    /// One of the patches of a sheet.
    Patches(Patch),
}

/// A rectangle of the vertices of a sheet.
///
/// A triangle moves with any of its vertices. Of vertices drawn one by one, one in ten would move
/// one triangle in four.
#[derive(Clone, Copy, Debug)]
struct Patch {
    /// Vertices along the first and the second axis: of the sheet, and of the patch.
    sheet: [usize; 2],
    size: [usize; 2],
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
        let patch = Patch { sheet, size: if share >= 1.0 { sheet } else { sheet.map(along) } };
        let noise = Noise::new(rng);
        let listed = patch.vertices(rng.random()).collect();
        Self {
            listed,
            changing: cell.changing_movers.then_some((Candidates::Patches(patch), noise)),
        }
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
                Candidates::Patches(patch) => listed.extend(patch.vertices(noise.bits(frame, 0))),
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

impl Patch {
    /// The vertices of the patch at a random place.
    fn vertices(self, bits: u64) -> impl Iterator<Item = u32> {
        let Self { sheet, size } = self;
        let [x, y] = [(0, bits << 32), (1, bits)]
            .map(|(axis, bits)| index_of(bits, sheet[axis] - size[axis] + 1));
        let rows = (y..y + size[1]).map(move |row| row * sheet[0] + x);
        rows.flat_map(move |first| (first..first + size[0]).map(|vertex| vertex as u32))
    }
}

//! From coordinates to cells.

use crate::Aabb;
use glam::Vec3;

/// Coordinates of a cell.
pub(crate) type Cell = [i32; 3];

/// Coordinates of cells are clamped to this. It leaves room for sums and differences.
const FARTHEST: f32 = (1 << 30) as f32;

/// An unbounded lattice of equal cells.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lattice {
    origin: Vec3,
    /// Cells to the unit of length.
    density: Vec3,
}

impl Lattice {
    /// Cells of the given sides, one of them with its lowest corner at `origin`.
    pub(crate) fn new(origin: Vec3, sides: [f64; 3]) -> Self {
        // Neither zero nor infinite: their product could be NaN.
        let density = sides.map(|side| (1.0 / side).clamp(1.2e-38, 1e38) as f32);
        Self { origin, density: Vec3::from(density) }
    }

    /// The cell of a point. Its coordinates never decrease where those of the point grow: difference, product
    /// and clamp are monotonic, rounded or not.
    #[inline]
    pub(crate) fn cell(&self, point: Vec3) -> Cell {
        // Halved before the difference, which could overflow. Then a box would seem to cover all cells.
        let place = (point * 0.5 - self.origin * 0.5) * self.density * 2.0;
        // The next integer below. `floor` is a call where the instruction is not guaranteed.
        place.to_array().map(|place| {
            let place = place.clamp(-FARTHEST, FARTHEST);
            let toward_zero = place as i32;
            toward_zero - i32::from(toward_zero as f32 > place)
        })
    }

    /// The cells that a box touches.
    #[inline]
    pub(crate) fn range(&self, b: &Aabb) -> CellRange {
        CellRange { low: self.cell(b.min), high: self.cell(b.max) }
    }

    /// The space of a cell.
    pub(crate) fn bounds(&self, cell: Cell) -> Aabb {
        let corner = |cell: Cell| {
            self.origin + Vec3::from(cell.map(|coordinate| coordinate as f32)) / self.density
        };
        Aabb::new(corner(cell), corner(cell.map(|coordinate| coordinate + 1)))
    }
}

/// A block of cells: lowest and highest, both inclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CellRange {
    pub(crate) low: Cell,
    pub(crate) high: Cell,
}

impl CellRange {
    /// Number of cells, saturated.
    #[inline]
    pub(crate) fn count(&self) -> u64 {
        let along =
            |axis: usize| (i64::from(self.high[axis]) - i64::from(self.low[axis]) + 1) as u64;
        along(0).saturating_mul(along(1)).saturating_mul(along(2))
    }

    /// Whether the blocks have a cell in common.
    #[inline]
    pub(crate) fn overlaps(&self, other: &Self) -> bool {
        let along = |axis: usize| {
            (self.low[axis] <= other.high[axis]) & (other.low[axis] <= self.high[axis])
        };
        along(0) & along(1) & along(2)
    }

    /// Calls `visit` with every cell, and a bit for each axis on which the range begins there.
    #[inline]
    pub(crate) fn for_each(&self, mut visit: impl FnMut(Cell, u32)) {
        let Self { low, high } = *self;
        for z in low[2]..=high[2] {
            for y in low[1]..=high[1] {
                let begins = u32::from(z == low[2]) << 2 | u32::from(y == low[1]) << 1;
                for x in low[0]..=high[0] {
                    visit([x, y, z], begins | u32::from(x == low[0]));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_never_decrease_and_stay_within_bounds() {
        let above = [0.0, 1e-45, 1e-7, 0.99, 1.0, 2.5, 1e7, 1e30, f32::MAX];
        let values: Vec<f32> = above.map(|value| -value).into_iter().rev().chain(above).collect();
        for side in [0.0, 1e-40, 1e-6, 1.0, 1e38, 1e300] {
            for origin in [f32::MIN, -1.0, 0.0, 1e7, f32::MAX] {
                let lattice = Lattice::new(Vec3::splat(origin), [side; 3]);
                let cells = values.iter().map(|value| lattice.cell(Vec3::splat(*value))[1]);
                assert!(cells.is_sorted(), "side {side}, origin {origin}");
            }
        }
    }

    #[test]
    fn farthest_points_are_a_few_long_cells_apart() {
        let side = f64::from(f32::MAX) / 4.0;
        let lattice = Lattice::new(Vec3::splat(f32::MIN), [side; 3]);
        let [low, high] = [f32::MIN, f32::MAX].map(|value| lattice.cell(Vec3::splat(value))[0]);
        assert!(high - low <= 8, "{low} to {high}");
    }

    #[test]
    fn a_cell_holds_its_lower_faces() {
        let lattice = Lattice::new(Vec3::ONE, [0.5, 1.0, 2.0]);
        assert_eq!(lattice.cell(Vec3::ONE), [0, 0, 0]);
        assert_eq!(lattice.cell(Vec3::splat(2.0)), [2, 1, 0]);
        assert_eq!(lattice.cell(Vec3::splat(0.9)), [-1, -1, -1]);
        let bounds = lattice.bounds([2, 1, -1]);
        assert_eq!(bounds, Aabb::new(Vec3::new(2.0, 2.0, -1.0), Vec3::new(2.5, 3.0, 1.0)));
    }

    #[test]
    fn one_shared_cell_has_a_beginning_on_each_axis() {
        let a = CellRange { low: [0, 0, 0], high: [2, 2, 2] };
        let b = CellRange { low: [-1, 1, 2], high: [3, 1, 4] };
        let mut owners = Vec::new();
        a.for_each(|cell, begins_a| {
            b.for_each(|other, begins_b| {
                if cell == other && begins_a | begins_b == 0b111 {
                    owners.push(cell);
                }
            });
        });
        assert_eq!(owners, [[0, 1, 2]]);
        assert_eq!((a.count(), b.count()), (27, 15));
    }
}

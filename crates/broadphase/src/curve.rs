//! Sorts objects along the Morton curve through their centres.

use crate::Axis;
use crate::memory::memory;
use crate::radix_sort::{Keyed, RadixSort};
use glam::{DVec3, Vec3};

/// Bits of a code for each axis.
const AXIS_BITS: u32 = 21;

/// Bits of a code below those of the radix sort.
const FINE_BITS: u32 = 33;

/// More leaves than this with the same code are sorted along a finer curve.
const MIN_SORTED: usize = 8;

/// The sort of leaves along the curve. Keeps its scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    /// Morton codes of the leaves, in input order.
    codes: Vec<u64>,
    /// The first bits of the codes, and input positions of the leaves.
    order: Vec<Keyed>,
    sort: RadixSort,
    /// Codes in the order of the curve.
    sorted: Vec<u64>,
}

memory!(Curve: codes, order, sorted, sort);

impl Curve {
    /// Writes the leaves to `places` in the order of the curve, and returns their codes. `of` gives the centre and the object
    /// of a leaf. A few leaves with equal codes keep their order; many are sorted along a finer curve.
    ///
    /// A radix sort by the first 30 bits of the codes, enough for many scenes. Then a comparison sort of those
    /// with the same first 30 bits.
    pub(crate) fn sort<T: Copy>(
        &mut self,
        leaves: &[T],
        places: &mut [T],
        of: impl Fn(&T) -> (Vec3, u32) + Copy,
    ) -> &[u64] {
        let Self { codes, order, sort, sorted } = self;
        let grid = Grid::around(leaves, of);
        codes.clear();
        codes.extend(leaves.iter().map(|leaf| grid.code(of(leaf).0)));
        order.clear();
        let first_bits = codes.iter().map(|code| (code >> FINE_BITS) as u32);
        order.extend((0..).zip(first_bits).map(|(object, key)| Keyed { key, object }));
        sort.sort(order);
        for run in order.chunk_by_mut(|a, b| a.key == b.key) {
            run.sort_unstable_by_key(|keyed| (codes[keyed.object as usize], keyed.object));
        }
        sorted.clear();
        for (place, keyed) in places.iter_mut().zip(&*order) {
            *place = leaves[keyed.object as usize];
            sorted.push(codes[keyed.object as usize]);
        }
        let mut rest = places;
        for run in sorted.chunk_by(|a, b| a == b) {
            let (same, others) = rest.split_at_mut(run.len());
            refine(same, of);
            rest = others;
        }
        sorted
    }

    /// The axis of the first bit in which the codes at two places of the curve differ: of the parts of space that they
    /// are in. `None` where they are equal.
    pub(crate) fn axis_between(&self, places: [u32; 2]) -> Option<Axis> {
        let [a, b] = places.map(|place| self.sorted[place as usize]);
        let highest = (a ^ b).checked_ilog2()?;
        // The bits of z, y and x alternate, from the lowest on.
        Some(Axis::ALL[2 - highest as usize % 3])
    }
}

/// Sorts leaves with the same code along a curve through their own bounding cube.
///
/// One object far away makes the cube around all so large that all others fall into one cell, without an order.
/// Each recursion has fewer leaves, in a cube at least 2²¹ times smaller. The range of floats bounds it to
/// about ten levels.
fn refine<T>(leaves: &mut [T], of: impl Fn(&T) -> (Vec3, u32) + Copy) {
    if leaves.len() <= MIN_SORTED {
        return;
    }
    let grid = Grid::around(leaves, of);
    if grid.cells_per_length == 0.0 {
        return;
    }
    let code = |leaf: &T| grid.code(of(leaf).0);
    leaves.sort_unstable_by_key(|leaf| (code(leaf), of(leaf).1));
    leaves.chunk_by_mut(|a, b| code(a) == code(b)).for_each(|same| refine(same, of));
}

/// The cube around all centres, divided into 2²¹ cells a side.
struct Grid {
    corner: DVec3,
    cells_per_length: f64,
}

impl Grid {
    fn around<T>(leaves: &[T], of: impl Fn(&T) -> (Vec3, u32)) -> Self {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for leaf in leaves {
            let (center, _) = of(leaf);
            (low, high) = (low.min(center), high.max(center));
        }
        // In f64 no difference overflows, and rounding merges no cells.
        let (low, high) = (low.as_dvec3(), high.as_dvec3());
        let side = (high - low).max_element();
        let cells_per_length = if side > 0.0 { f64::from(1 << AXIS_BITS) / side } else { 0.0 };
        Self { corner: low, cells_per_length }
    }

    /// The Morton code of the cell that holds a point: its number along the Morton curve.
    fn code(&self, point: Vec3) -> u64 {
        let cell = (point.as_dvec3() - self.corner) * self.cells_per_length;
        // The upper faces of the cube belong to its last cells.
        let bits = |axis: f64| spread((axis as u64).min((1 << AXIS_BITS) - 1));
        bits(cell.x) << 2 | bits(cell.y) << 1 | bits(cell.z)
    }
}

/// Moves bit i of 21 to bit 3i.
fn spread(bits: u64) -> u64 {
    let bits = (bits | bits << 32) & 0x001f_0000_0000_ffff;
    let bits = (bits | bits << 16) & 0x001f_0000_ff00_00ff;
    let bits = (bits | bits << 8) & 0x100f_00f0_0f00_f00f;
    let bits = (bits | bits << 4) & 0x10c3_0c30_c30c_30c3;
    (bits | bits << 2) & 0x1249_2492_4924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(points: &[Vec3]) -> Vec<u32> {
        let leaves: Vec<_> = (0..points.len() as u32).collect();
        let mut places = vec![0; leaves.len()];
        let mut curve = Curve::default();
        let center = |leaf: &u32| (points[*leaf as usize], *leaf);
        assert!(curve.sort(&leaves, &mut places, center).is_sorted());
        places
    }

    #[test]
    fn bit_i_moves_to_bit_three_i() {
        for bit in 0..AXIS_BITS {
            assert_eq!(spread(1 << bit), 1 << (3 * bit));
        }
        assert_eq!(spread((1 << AXIS_BITS) - 1).count_ones(), AXIS_BITS);
    }

    #[test]
    fn corners_of_a_cube_are_in_z_order() {
        let corner = |i: u32| Vec3::new((i >> 2 & 1) as f32, (i >> 1 & 1) as f32, (i & 1) as f32);
        let backwards: Vec<_> = (0..8).rev().map(corner).collect();
        assert_eq!(order(&backwards), [7, 6, 5, 4, 3, 2, 1, 0]);
    }

    #[test]
    fn centres_that_differ_in_their_last_bits_are_sorted() {
        // With one far away, all others have the same first 30 bits.
        let points: Vec<_> =
            (0..300).rev().map(|i| Vec3::X * i as f32 * 1e-6).chain([Vec3::X * 2.0]).collect();
        let expected: Vec<_> = (0..300).rev().chain([300]).collect();
        assert_eq!(order(&points), expected);
    }

    #[test]
    fn far_outlier_does_not_change_the_order_of_others() {
        let at = |i: u32| Vec3::new((i * 7 % 11) as f32, (i * 5 % 13) as f32, (i * 3 % 17) as f32);
        let points: Vec<_> = (0..500).map(at).collect();
        let mut expected = order(&points);
        for far in [1e9, 1e30, f32::MAX] {
            let with_outlier: Vec<_> = points.iter().copied().chain([Vec3::splat(far)]).collect();
            expected.truncate(500);
            expected.push(500);
            assert_eq!(order(&with_outlier), expected, "with one at {far}");
        }
    }

    #[test]
    fn equal_and_extreme_centres_are_in_order() {
        assert_eq!(order(&[Vec3::splat(7.0); 5]), [0, 1, 2, 3, 4]);
        assert_eq!(order(&[Vec3::MAX, Vec3::ZERO, Vec3::MIN]), [2, 1, 0]);
    }
}

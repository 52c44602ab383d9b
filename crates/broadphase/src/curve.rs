//! Sorts objects along the Morton curve through their centres.

use crate::Axis;
use crate::memory::memory;
use crate::radix_sort::{Keyed, RadixSort};
use glam::{DVec3, Vec3};

/// Bits of a code for each axis.
const AXIS_BITS: u32 = 10;

/// More leaves than this with the same code are sorted along a finer curve.
const MIN_SORTED: usize = 8;

/// The sort of leaves along the curve. Keeps its scratch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    /// Morton codes and input positions of the leaves, in the order of the curve.
    order: Vec<Keyed>,
    sort: RadixSort,
}

memory!(Curve: order, sort);

impl Curve {
    /// Writes the leaves to `places` in the order of the curve, and returns their codes in that order. `of` gives the centre
    /// and the object of a leaf. A few leaves with equal codes are sorted by object; many along a finer curve.
    pub(crate) fn sort<T: Copy>(
        &mut self,
        leaves: &[T],
        places: &mut [T],
        of: impl Fn(&T) -> (Vec3, u32) + Copy,
    ) -> &[Keyed] {
        let of = |keyed: &Keyed| of(&leaves[keyed.object as usize]);
        let Self { order, sort } = self;
        order.clear();
        order.extend((0..leaves.len() as u32).map(|object| Keyed { key: 0, object }));
        let grid = Grid::around(order, of);
        order.iter_mut().for_each(|keyed| keyed.key = grid.code(of(keyed).0));
        sort.sort(order);
        order.chunk_by_mut(|a, b| a.key == b.key).for_each(|run| refine(run, of));
        for (place, keyed) in places.iter_mut().zip(&*order) {
            *place = leaves[keyed.object as usize];
        }
        order
    }

    /// The axis of the first bit in which the codes at two places of the curve differ: of the parts of space that they
    /// are in. `None` where they are equal.
    pub(crate) fn axis_between(&self, places: [u32; 2]) -> Option<Axis> {
        let [a, b] = places.map(|place| self.order[place as usize].key);
        let highest = (a ^ b).checked_ilog2()?;
        // The bits of z, y and x alternate, from the lowest on.
        Some(Axis::ALL[2 - highest as usize % 3])
    }
}

/// Sorts leaves with the same code along a curve through their own bounding cube.
///
/// One object far away makes the cube around all so large that all others fall into one cell, without an order.
/// Each recursion has fewer leaves, in a cube at least 2¹⁰ times smaller. The range of floats bounds it to
/// about twenty levels.
fn refine(run: &mut [Keyed], of: impl Fn(&Keyed) -> (Vec3, u32) + Copy) {
    if run.len() == 1 {
        return;
    }
    let grid = Grid::around(run, of);
    if run.len() <= MIN_SORTED || grid.cells_per_length == 0.0 {
        return run.sort_unstable_by_key(|keyed| of(keyed).1);
    }
    let code = |keyed: &Keyed| grid.code(of(keyed).0);
    run.sort_unstable_by_key(code);
    run.chunk_by_mut(|a, b| code(a) == code(b)).for_each(|same| refine(same, of));
}

/// The cube around all centres, divided into 2¹⁰ cells a side.
struct Grid {
    corner: DVec3,
    cells_per_length: f64,
}

impl Grid {
    fn around(run: &[Keyed], of: impl Fn(&Keyed) -> (Vec3, u32)) -> Self {
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for (center, _) in run.iter().map(of) {
            (low, high) = (low.min(center), high.max(center));
        }
        // In f64 no difference overflows, and rounding merges no cells.
        let (low, high) = (low.as_dvec3(), high.as_dvec3());
        let side = (high - low).max_element();
        let cells_per_length = if side > 0.0 { f64::from(1 << AXIS_BITS) / side } else { 0.0 };
        Self { corner: low, cells_per_length }
    }

    /// The Morton code of the cell that holds a point: its number along the Morton curve.
    fn code(&self, point: Vec3) -> u32 {
        let cell = (point.as_dvec3() - self.corner) * self.cells_per_length;
        // The upper faces of the cube belong to its last cells.
        let bits = |axis: f64| spread((axis as u32).min((1 << AXIS_BITS) - 1));
        bits(cell.x) << 2 | bits(cell.y) << 1 | bits(cell.z)
    }
}

/// Moves bit i of 10 to bit 3i.
fn spread(bits: u32) -> u32 {
    let bits = (bits | bits << 16) & 0x0300_00ff;
    let bits = (bits | bits << 8) & 0x0300_f00f;
    let bits = (bits | bits << 4) & 0x030c_30c3;
    (bits | bits << 2) & 0x0924_9249
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(points: &[Vec3]) -> Vec<u32> {
        let leaves: Vec<_> = (0..points.len() as u32).collect();
        let mut places = vec![0; leaves.len()];
        let mut curve = Curve::default();
        let center = |leaf: &u32| (points[*leaf as usize], *leaf);
        assert!(curve.sort(&leaves, &mut places, center).is_sorted_by_key(|keyed| keyed.key));
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

//! Oriented bounding boxes.

mod fit;

use glam::{DMat3, DQuat, DVec3};

use super::{Outline, Placed, Volume};
use crate::narrow::Cuboids;
use crate::pair::ROUNDING;
use crate::shape::Shape;

pub(super) use fit::{convex_polygon, small_box};

/// A box for each shape. Numbers of a placed one: centre, three axes, half of the lengths.
pub(super) struct OrientedBoxes {
    fitted: Vec<OrientedBox>,
}

/// A box with three orthogonal axes.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrientedBox {
    pub(super) center: DVec3,
    /// Unit vectors as columns, right-handed.
    pub(super) axes: DMat3,
    /// Half of the lengths along the axes.
    pub(super) half: DVec3,
}

/// The corners of each face, counterclockwise from outside.
pub(super) const FACES: [[u8; 4]; 6] =
    [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];

impl OrientedBoxes {
    pub(super) fn new(shapes: &[Shape]) -> Self {
        Self { fitted: shapes.iter().map(small_box).collect() }
    }
}

impl OrientedBox {
    /// The corner whose bits of x, y and z are set where it is at the upper end of that axis.
    pub(super) fn corner(&self, bits: u8) -> DVec3 {
        let signs = [1, 2, 4].map(|bit| if bits & bit == 0 { -1.0 } else { 1.0 });
        self.center + self.axes * (self.half * DVec3::from_array(signs))
    }

    fn write(&self, numbers: &mut [f64]) {
        let Self { center, axes, half } = self;
        numbers[..3].copy_from_slice(&center.to_array());
        axes.write_cols_to_slice(&mut numbers[3..12]);
        numbers[12..15].copy_from_slice(&half.to_array());
    }

    fn read(placed: &Placed) -> Self {
        let numbers = placed.numbers::<15>();
        Self {
            center: DVec3::from_slice(numbers),
            axes: DMat3::from_cols_slice(&numbers[3..12]),
            half: DVec3::from_slice(&numbers[12..]),
        }
    }
}

impl Volume for OrientedBoxes {
    fn width(&self) -> usize {
        15
    }

    fn place(&self, shape: usize, scale: f64, rotation: DQuat, numbers: &mut [f64]) {
        let OrientedBox { center, axes, half } = self.fitted[shape];
        let matrix = DMat3::from_quat(rotation);
        let placed = OrientedBox {
            center: matrix * (center * scale),
            axes: matrix * axes,
            half: half * scale,
        };
        placed.write(numbers);
    }

    fn overlap(&self, a: &Placed, b: &Placed) -> bool {
        let [one, other] = [a, b].map(OrientedBox::read);
        let to_one = one.axes.transpose();
        let cuboids = Cuboids {
            half_a: one.half,
            half_b: other.half,
            between: to_one * (b.position - a.position + (other.center - one.center)),
            turn: to_one * other.axes,
            axes_a: one.axes,
        };
        let slack = ROUNDING * (one.half + other.half).element_sum();
        cuboids.separating_axis(slack).gap <= slack
    }

    fn volume(&self, placed: &Placed) -> Option<f64> {
        Some(8.0 * OrientedBox::read(placed).half.element_product())
    }

    fn outline(&self, placed: &Placed) -> Outline {
        let fitted = OrientedBox::read(placed);
        let corner = |bits: u8| placed.position + fitted.corner(bits);
        Outline::Faces(FACES.map(|face| face.map(corner).to_vec()).to_vec())
    }
}

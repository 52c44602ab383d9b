//! Oriented bounding boxes.

mod fit;
mod rectangle;

use glam::{DMat3, DQuat, DVec3};

use super::{Outline, Placed, SLACK, Volume};
use crate::shape::Shape;

pub(super) use fit::small_box;
pub(super) use rectangle::convex_polygon;

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

impl OrientedBoxes {
    pub(super) fn new(shapes: &[Shape]) -> Self {
        Self { fitted: shapes.iter().map(small_box).collect() }
    }
}

impl OrientedBox {
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

    /// Separating axes: the normals of both boxes, and the cross products of their edges.
    fn overlap(&self, a: &Placed, b: &Placed) -> bool {
        let [box_a, box_b] = [a, b].map(OrientedBox::read);
        let between = b.position - a.position + (box_b.center - box_a.center);
        overlap(&box_a, &box_b, between)
    }

    fn volume(&self, placed: &Placed) -> Option<f64> {
        Some(8.0 * OrientedBox::read(placed).half.element_product())
    }

    fn outline(&self, placed: &Placed) -> Outline {
        let OrientedBox { center, axes, half } = OrientedBox::read(placed);
        let corner =
            |signs: [f64; 3]| placed.position + center + axes * (half * DVec3::from_array(signs));
        let faces = (0..3).flat_map(|normal| {
            // Counterclockwise about the axis for its upper face.
            let face = move |end: f64| {
                let square = [[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]];
                let corners = square.map(|[u, v]| {
                    let mut signs = [end; 3];
                    signs[(normal + 1) % 3] = u;
                    signs[(normal + 2) % 3] = v * end;
                    corner(signs)
                });
                corners.to_vec()
            };
            [face(1.0), face(-1.0)]
        });
        Outline::Faces(faces.collect())
    }
}

/// Whether no axis separates the boxes, `between` their centres.
///
/// Cross products are not normalised. Those of edges that are parallel to rounding are shorter than
/// the slack, and separate nothing.
fn overlap(a: &OrientedBox, b: &OrientedBox, between: DVec3) -> bool {
    let slack = SLACK * (a.half + b.half).element_sum();
    let to_a = a.axes.transpose();
    let t = to_a * between;
    // Column j: the j-th axis of b on the axes of a.
    let r = to_a * b.axes;
    let size = r.abs();
    let gap_on_a = t.abs() - a.half - size * b.half;
    if gap_on_a.max_element() > slack {
        return false;
    }
    let gap_on_b = (r.transpose() * t).abs() - b.half - size.transpose() * a.half;
    if gap_on_b.max_element() > slack {
        return false;
    }
    for j in 0..3 {
        let (column, reach) = (r.col(j), size.col(j));
        // Component i of the cross products: along the axis a_i x b_j.
        let distance = t.cross(column).abs();
        let radius_a = DVec3::new(
            a.half.y * reach.z + a.half.z * reach.y,
            a.half.z * reach.x + a.half.x * reach.z,
            a.half.x * reach.y + a.half.y * reach.x,
        );
        let (u, v) = ((j + 1) % 3, (j + 2) % 3);
        let radius_b = size.col(v) * b.half[u] + size.col(u) * b.half[v];
        if (distance - radius_a - radius_b).max_element() > slack {
            return false;
        }
    }
    true
}

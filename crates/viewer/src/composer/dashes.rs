//! Boxes with dashed edges.

use crate::scene_renderer::{Color, Segment};
use broadphase::{Aabb, Axis};

/// Dashes along the longest edge; shorter edges have fewer of the same length.
const DASHES: f32 = 16.0;

/// Appends the edges of a box as dashes.
pub(super) fn dashed_box(bounds: &Aabb, color: Color, width: f32, segments: &mut Vec<Segment>) {
    if bounds.is_empty() || !bounds.is_finite() {
        return;
    }
    let size = bounds.size();
    let period = size.max_element() / DASHES;
    for axis in Axis::ALL.map(Axis::index) {
        let dashes = (size[axis] / period).ceil().clamp(1.0, DASHES) as u32;
        let step = size[axis] / dashes as f32;
        for corner in 0..4 {
            let mut from = bounds.min;
            for (bit, other) in [(1, (axis + 1) % 3), (2, (axis + 2) % 3)] {
                if corner & bit != 0 {
                    from[other] = bounds.max[other];
                }
            }
            for dash in 0..dashes {
                let (mut a, mut b) = (from, from);
                a[axis] += step * dash as f32;
                b[axis] += step * (dash as f32 + 0.5);
                segments.push(Segment { a: a.to_array(), b: b.to_array(), color, width });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;

    #[test]
    fn dashes_lie_on_all_edges_with_gaps_between_them() {
        let bounds = Aabb::new(Vec3::ZERO, Vec3::new(16.0, 8.0, 0.0));
        let mut dashes = Vec::new();
        dashed_box(&bounds, [1; 4], 1.0, &mut dashes);
        // Four edges with 16, four with 8, and four without length.
        assert_eq!(dashes.len(), 4 * (16 + 8 + 1));
        for dash in &dashes {
            let [a, b] = [dash.a, dash.b].map(Vec3::from);
            let length = (b - a).length();
            assert!(length == 0.5 || length == 0.0, "{dash:?}");
            let is_border = |p: Vec3| (0..2).any(|i| p[i] == 0.0 || p[i] == bounds.max[i]);
            assert!(is_border(a) && is_border(b), "{dash:?}");
        }
        dashes.clear();
        dashed_box(&Aabb::EMPTY, [1; 4], 1.0, &mut dashes);
        assert!(dashes.is_empty());
    }
}

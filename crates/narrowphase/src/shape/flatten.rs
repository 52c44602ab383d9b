//! Faces that are plane but for the rounding of their corners, made plane.

use glam::{DMat3, DVec3};

/// Rounds of fitting planes and moving corners. Where at most three faces of more than three corners meet, the first is
/// enough; the rhombic dodecahedron takes a dozen.
const MAX_ROUNDS: usize = 100;

/// Moves corners, each by as little as possible, until all faces are plane within `tolerance`. Triangles are plane as they
/// are. Returns whether that was reached.
pub(super) fn flatten(vertices: &mut [DVec3], loops: &[Vec<usize>], tolerance: f64) -> bool {
    let center = vertices.iter().sum::<DVec3>() / vertices.len() as f64;
    vertices.iter_mut().for_each(|vertex| *vertex -= center);
    let mut is_flat = false;
    for _ in 0..MAX_ROUNDS {
        let mut planes: Vec<Vec<(DVec3, f64)>> = vec![Vec::new(); vertices.len()];
        let mut furthest = 0.0_f64;
        for corners in loops.iter().filter(|corners| corners.len() > 3) {
            let (normal, offset) = plane_of(vertices, corners);
            for &at in corners {
                let below = offset - normal.dot(vertices[at]);
                furthest = furthest.max(below.abs());
                planes[at].push((normal, below));
            }
        }
        is_flat = furthest <= tolerance;
        if is_flat || !furthest.is_finite() {
            break;
        }
        for (vertex, planes) in vertices.iter_mut().zip(&planes) {
            *vertex += step_to(planes);
        }
    }
    vertices.iter_mut().for_each(|vertex| *vertex += center);
    is_flat && vertices.iter().all(|vertex| vertex.is_finite())
}

/// Normal and offset of the plane that fits a loop of corners.
fn plane_of(vertices: &[DVec3], corners: &[usize]) -> (DVec3, f64) {
    let base = vertices[corners[0]];
    let pairs = corners.windows(2);
    let area: DVec3 = pairs.map(|w| (vertices[w[0]] - base).cross(vertices[w[1]] - base)).sum();
    let normal = area.normalize_or_zero();
    let heights = corners.iter().map(|&at| normal.dot(vertices[at]));
    (normal, heights.sum::<f64>() / corners.len() as f64)
}

/// The shortest step to all planes, given by their normals and distances; of more than three the least squares.
fn step_to(planes: &[(DVec3, f64)]) -> DVec3 {
    let outer = |n: DVec3| DMat3::from_cols(n * n.x, n * n.y, n * n.z);
    match *planes {
        [] => DVec3::ZERO,
        [(normal, below)] => normal * below,
        _ => {
            let sum = |(matrix, step), &(normal, below): &(DVec3, f64)| {
                (matrix + outer(normal), step + normal * below)
            };
            let (mut matrix, step) = planes.iter().fold((DMat3::ZERO, DVec3::ZERO), sum);
            if let [(one, _), (other, _)] = *planes {
                // Not along the line where two planes meet.
                matrix += outer(one.cross(other).normalize_or_zero());
            }
            matrix.inverse() * step
        }
    }
}

//! Up to four points of the difference of two bodies, reduced to those that are nearest to the
//! origin.

use glam::DVec3;

use crate::narrow::{normal_of_triangle, share_on_segment};

/// Times that weights are corrected. Each gains as many digits as the first weights have.
const MAX_REFINEMENTS: u32 = 2;

/// A weight below this is negative, whatever digits it has lost.
const CLEARLY_OUTSIDE: f64 = -0.01;

/// A point of the difference of two bodies: a point of the first minus a point of the second.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Corner {
    /// Point of the difference.
    pub(crate) difference: DVec3,
    /// Point of the first body.
    pub(crate) first: DVec3,
}

/// 1 to 4 points of the difference, the newest last.
///
/// A new point is further towards the origin than all that were there. So the nearest point of the
/// hull lies on a feature with the newest point, and only these are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplex {
    corners: [Corner; 4],
    /// Weights of the corners that give the nearest point, once it is [reduced](Self::reduce).
    weights: [f64; 4],
    len: usize,
}

impl Simplex {
    pub(crate) fn new(corner: Corner) -> Self {
        Self { corners: [corner; 4], weights: [1.0, 0.0, 0.0, 0.0], len: 1 }
    }

    /// Adds a corner to at most three.
    pub(crate) fn push(&mut self, corner: Corner) {
        self.corners[self.len] = corner;
        self.len += 1;
    }

    fn at(&self, i: usize) -> DVec3 {
        self.corners[i].difference
    }

    /// The nearest point to the origin. Drops the corners that it does not need. `None` if the origin is inside of a
    /// tetrahedron.
    pub(crate) fn reduce(&mut self) -> Option<DVec3> {
        let newest = self.len - 1;
        let nearest = match self.len {
            1 => Candidate::new(self.at(0), [(0, 1.0)]),
            2 => Candidate::segment(self, 0, newest),
            3 => Candidate::triangle(self, 0, 1, newest),
            _ => self.tetrahedron()?,
        };
        self.len = nearest.len;
        self.corners = nearest.kept.map(|(i, _)| self.corners[i]);
        self.weights = nearest.kept.map(|(_, weight)| weight);
        Some(nearest.point)
    }

    /// The nearest point of the faces that the origin is beyond; `None` if it is beyond none.
    fn tetrahedron(&mut self) -> Option<Candidate> {
        let edges = Edges::of(self);
        // A volume that is all rounding says nothing: then each face is tried.
        let is_solid = edges.volume.abs() > 1e-10 * edges.greatest_volume();
        let mut weights = edges.weights_of_origin();
        let is_far = is_solid && weights.iter().any(|weight| *weight < CLEARLY_OUTSIDE);
        let is_exact = !is_far && self.refine(&edges, &mut weights);
        let is_inside = weights.iter().all(|weight| *weight >= 0.0);
        if is_inside && is_exact {
            self.weights = weights;
            return None;
        }
        let mut best: Option<Candidate> = None;
        let faces = [(1, 2, 3), (2, 0, 3), (0, 1, 3), (0, 1, 2)];
        for (weight, (i, j, k)) in weights.into_iter().zip(faces) {
            if !is_solid || is_inside || weight < 0.0 {
                let candidate = Candidate::triangle(self, i, j, k);
                if best.is_none_or(|best| candidate.squared < best.squared) {
                    best = Some(candidate);
                }
            }
        }
        best
    }

    /// Corrects the weights of the four corners until they give the origin, to rounding: proof that it is inside, if
    /// none is negative. Returns whether they do.
    ///
    /// In a flat tetrahedron the weights lose digits. What they give instead of the origin is then divided among the
    /// corners in the same way.
    fn refine(&self, edges: &Edges, weights: &mut [f64; 4]) -> bool {
        let extent = self.corners.iter().map(|corner| corner.difference.length_squared());
        let tolerance = 1e-24 * extent.fold(0.0, f64::max);
        for _ in 0..MAX_REFINEMENTS {
            let rest = self.weighted(*weights);
            if rest.length_squared() <= tolerance {
                return true;
            }
            let change = edges.weights(-rest);
            weights.iter_mut().zip(change).for_each(|(weight, change)| *weight += change);
            // All of them 0 would give the origin too.
            weights[3] = 1.0 - weights[0] - weights[1] - weights[2];
        }
        self.weighted(*weights).length_squared() <= tolerance
    }

    fn weighted(&self, weights: [f64; 4]) -> DVec3 {
        let each = self.corners.iter().zip(weights);
        each.map(|(corner, weight)| corner.difference * weight).sum()
    }

    /// The points of both bodies whose difference is the nearest point.
    pub(crate) fn witnesses(&self, nearest: DVec3) -> (DVec3, DVec3) {
        let firsts = self.corners.map(|corner| corner.first);
        let seconds = self.corners.map(|corner| corner.first - corner.difference);
        let weighted = |points: [DVec3; 4]| -> DVec3 {
            points.iter().zip(self.weights).map(|(point, weight)| point * weight).sum()
        };
        let spread = |points: [DVec3; 4]| {
            points.iter().map(|point| point.distance_squared(points[0])).fold(0.0, f64::max)
        };
        // Rounding errors of the weights move a point by that share of the distance of the corners.
        if spread(firsts) <= spread(seconds) {
            let first = weighted(firsts);
            (first, first - nearest)
        } else {
            let second = weighted(seconds);
            (second + nearest, second)
        }
    }
}

/// The edges of a tetrahedron from its newest corner, and what follows from them.
struct Edges {
    newest: DVec3,
    edges: [DVec3; 3],
    /// Products of each edge's two others, in the order that makes the volume.
    products: [DVec3; 3],
    /// Six times that of the tetrahedron, with a sign.
    volume: f64,
}

impl Edges {
    fn of(simplex: &Simplex) -> Self {
        let [a, b, c] = [0, 1, 2].map(|i| simplex.at(i) - simplex.at(3));
        let products = [b.cross(c), c.cross(a), a.cross(b)];
        Self { newest: simplex.at(3), edges: [a, b, c], products, volume: a.dot(products[0]) }
    }

    /// Weights of the corners that give the origin.
    fn weights_of_origin(&self) -> [f64; 4] {
        let [a, b, c, last] = self.weights(-self.newest);
        [a, b, c, 1.0 + last]
    }

    /// Weights of the corners, 0 in sum, that give `offset`.
    fn weights(&self, offset: DVec3) -> [f64; 4] {
        let [a, b, c] = self.products.map(|product| offset.dot(product) / self.volume);
        [a, b, c, -a - b - c]
    }

    /// The volume that the same lengths would have at right angles.
    fn greatest_volume(&self) -> f64 {
        self.edges[0].length() * self.products[0].length()
    }
}

/// A feature of a simplex and its nearest point.
#[derive(Clone, Copy)]
struct Candidate {
    point: DVec3,
    squared: f64,
    /// The corners of the feature, the first `len` of them, with their weights. Others are the last one, without weight.
    kept: [(usize, f64); 4],
    len: usize,
}

impl Candidate {
    fn new<const N: usize>(point: DVec3, corners: [(usize, f64); N]) -> Self {
        let mut kept = [(corners[N - 1].0, 0.0); 4];
        kept[..N].copy_from_slice(&corners);
        Self { point, squared: point.length_squared(), kept, len: N }
    }

    fn segment(simplex: &Simplex, i: usize, j: usize) -> Self {
        let (from, to) = (simplex.at(i), simplex.at(j));
        let share = share_on_segment(from, to);
        if share >= 1.0 {
            return Self::new(to, [(j, 1.0)]);
        } else if share <= 0.0 {
            return Self::new(from, [(i, 1.0)]);
        }
        let along = to - from;
        let point = from + along * share;
        // A rounding error along the edge is large compared with a short distance.
        let point = point - along * (point.dot(along) / along.length_squared());
        Self::new(point, [(i, 1.0 - share), (j, share)])
    }

    /// `k` is the newest corner: the edge of the others is not tried where the origin is above the
    /// triangle.
    fn triangle(simplex: &Simplex, i: usize, j: usize, k: usize) -> Self {
        let (a, b, c) = (simplex.at(i), simplex.at(j), simplex.at(k));
        let (to_a, to_b) = (a - c, b - c);
        let normal = normal_of_triangle([a, b, c]);
        let area = normal.length_squared();
        // Weights times `area`: on which side of each edge the origin's projection is.
        let weight_a = normal.dot(to_b.cross(c));
        let weight_b = normal.dot(c.cross(to_a));
        let weight_c = area - weight_a - weight_b;
        let is_wide = area > 1e-24 * to_a.length_squared() * to_b.length_squared();
        if is_wide && weight_a > 0.0 && weight_b > 0.0 && weight_c > 0.0 {
            let corners = [(i, weight_a / area), (j, weight_b / area), (k, weight_c / area)];
            return Self::new(normal * (normal.dot(c) / area), corners);
        }
        let mut best = Self::segment(simplex, i, k);
        let mut consider = |other: Self| {
            if other.squared < best.squared {
                best = other;
            }
        };
        consider(Self::segment(simplex, j, k));
        if !is_wide || weight_c <= 0.0 {
            consider(Self::segment(simplex, i, j));
        }
        best
    }
}

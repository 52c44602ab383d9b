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
    /// Of the difference.
    pub(crate) difference: DVec3,
    /// Of the first body.
    pub(crate) first: DVec3,
}

/// 1 to 4 points of the difference, the newest last.
///
/// A new point is further towards the origin than all that were there. So the nearest point of the
/// hull lies on a feature with the newest point, and only these are tried.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplex {
    corners: [Corner; 4],
    len: usize,
}

/// The nearest point to the origin.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Nearest {
    /// Outside.
    At(DVec3),
    /// The origin is inside of a tetrahedron.
    Inside,
}

impl Simplex {
    pub(crate) fn new(corner: Corner) -> Self {
        Self { corners: [corner; 4], len: 1 }
    }

    /// Adds a corner to at most three.
    pub(crate) fn push(&mut self, corner: Corner) {
        self.corners[self.len] = corner;
        self.len += 1;
    }

    fn keep(&mut self, kept: &[usize]) {
        self.len = kept.len();
        self.corners = std::array::from_fn(|i| self.corners[kept[i.min(kept.len() - 1)]]);
    }

    fn at(&self, i: usize) -> DVec3 {
        self.corners[i].difference
    }

    /// Drops the corners that the nearest point does not need.
    pub(crate) fn reduce(&mut self) -> Nearest {
        let newest = self.len - 1;
        let nearest = match self.len {
            1 => Candidate::new(self.at(0), [0]),
            2 => Candidate::segment(self, 0, newest),
            3 => Candidate::triangle(self, 0, 1, newest),
            _ => match self.tetrahedron() {
                Some(candidate) => candidate,
                None => return Nearest::Inside,
            },
        };
        self.keep(&nearest.kept[..nearest.len]);
        Nearest::At(nearest.point)
    }

    /// The nearest point of the faces that the origin is beyond; `None` if it is beyond none.
    fn tetrahedron(&self) -> Option<Candidate> {
        let edges = Edges::of(self);
        // A volume that is all rounding says nothing: then each face is tried.
        let is_solid = edges.volume.abs() > 1e-10 * edges.greatest_volume();
        let mut weights = edges.weights_of_origin();
        let is_far = is_solid && weights.iter().any(|weight| *weight < CLEARLY_OUTSIDE);
        let is_exact = !is_far && self.refine(&edges, &mut weights);
        let is_inside = weights.iter().all(|weight| *weight >= 0.0);
        if is_inside && is_exact {
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

    /// The points of both bodies that the nearest point is the difference of.
    pub(crate) fn witnesses(&self, nearest: Nearest) -> (DVec3, DVec3) {
        let at = |i: usize| self.at(i);
        let weights = match (self.len, nearest) {
            (1, _) => [1.0, 0.0, 0.0, 0.0],
            (2, _) => {
                let share = share_on_segment(at(0), at(1));
                [1.0 - share, share, 0.0, 0.0]
            }
            (3, _) => {
                let normal = normal_of_triangle([at(0), at(1), at(2)]);
                let area = normal.length_squared();
                let first = normal.dot(at(1).cross(at(2))) / area;
                let second = normal.dot(at(2).cross(at(0))) / area;
                let (first, second) = (first.clamp(0.0, 1.0), second.clamp(0.0, 1.0));
                [first, second, (1.0 - first - second).max(0.0), 0.0]
            }
            _ => {
                let edges = Edges::of(self);
                let mut weights = edges.weights_of_origin();
                self.refine(&edges, &mut weights);
                weights
            }
        };
        let firsts = self.corners.map(|corner| corner.first);
        let seconds = self.corners.map(|corner| corner.first - corner.difference);
        let weighted = |points: [DVec3; 4]| -> DVec3 {
            points.iter().zip(weights).map(|(point, weight)| point * weight).sum()
        };
        let spread = |points: [DVec3; 4]| {
            points.iter().map(|point| point.distance_squared(points[0])).fold(0.0, f64::max)
        };
        let difference = match nearest {
            Nearest::At(point) => point,
            Nearest::Inside => DVec3::ZERO,
        };
        // What rounding leaves in the weights moves a point by that share of the distance of the corners.
        if spread(firsts) <= spread(seconds) {
            let first = weighted(firsts);
            (first, first - difference)
        } else {
            let second = weighted(seconds);
            (second + difference, second)
        }
    }
}

/// The edges of a tetrahedron from its newest corner, and what follows from them.
struct Edges {
    newest: DVec3,
    edges: [DVec3; 3],
    /// Of each edge's two others, in the order that makes the volume.
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
    /// The corners of the feature, the first `len` of them.
    kept: [usize; 3],
    len: usize,
}

impl Candidate {
    fn new<const N: usize>(point: DVec3, kept: [usize; N]) -> Self {
        let all = std::array::from_fn(|i| kept[i.min(N - 1)]);
        Self { point, squared: point.length_squared(), kept: all, len: N }
    }

    fn segment(simplex: &Simplex, i: usize, j: usize) -> Self {
        let (from, to) = (simplex.at(i), simplex.at(j));
        let share = share_on_segment(from, to);
        if share >= 1.0 {
            return Self::new(to, [j]);
        } else if share <= 0.0 {
            return Self::new(from, [i]);
        }
        let along = to - from;
        let point = from + along * share;
        // What rounding leaves along the edge is large compared with a short distance.
        let point = point - along * (point.dot(along) / along.length_squared());
        Self::new(point, [i, j])
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
            return Self::new(normal * (normal.dot(c) / area), [i, j, k]);
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

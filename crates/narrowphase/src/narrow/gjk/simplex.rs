//! Up to four points of the difference of two bodies, reduced to those that are nearest to the
//! origin.

use glam::DVec3;

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

    fn keep<const N: usize>(&mut self, kept: [usize; N]) {
        self.corners = std::array::from_fn(|i| self.corners[kept[i.min(N - 1)]]);
        self.len = N;
    }

    fn at(&self, i: usize) -> DVec3 {
        self.corners[i].difference
    }

    /// Drops the corners that the nearest point does not need.
    pub(crate) fn reduce(&mut self) -> Nearest {
        let newest = self.len - 1;
        let nearest = match self.len {
            1 => Candidate::corner(self, 0),
            2 => Candidate::segment(self, 0, newest),
            3 => Candidate::triangle(self, 0, 1, newest),
            _ => match self.tetrahedron() {
                Some(candidate) => candidate,
                None => return Nearest::Inside,
            },
        };
        match nearest.kept {
            Kept::One(i) => self.keep([i]),
            Kept::Two(i, j) => self.keep([i, j]),
            Kept::Three(i, j, k) => self.keep([i, j, k]),
        }
        Nearest::At(nearest.point)
    }

    /// The nearest point of the faces that the origin is beyond; `None` if it is beyond none.
    fn tetrahedron(&self) -> Option<Candidate> {
        let d = self.at(3);
        let (a, b, c) = (self.at(0) - d, self.at(1) - d, self.at(2) - d);
        // Six times the volume, and those of the tetrahedra with the origin in place of a, b and c.
        let across = b.cross(c);
        let volume = a.dot(across);
        let shares =
            [-d.dot(across), -d.dot(c.cross(a)), -d.dot(a.cross(b))].map(|part| part / volume);
        let last = 1.0 - shares[0] - shares[1] - shares[2];
        let is_inside = shares.iter().all(|share| *share >= 0.0) && last >= 0.0;
        if is_inside && self.weighted(shares, last) {
            return None;
        }
        // A volume that is all rounding says nothing: then each face is tried.
        let is_solid = volume.abs() > 1e-10 * a.length() * across.length();
        let mut best: Option<Candidate> = None;
        let faces = [(1, 2, 3), (2, 0, 3), (0, 1, 3), (0, 1, 2)];
        for (share, (i, j, k)) in [shares[0], shares[1], shares[2], last].into_iter().zip(faces) {
            if !is_solid || is_inside || share < 0.0 {
                let candidate = Candidate::triangle(self, i, j, k);
                if best.is_none_or(|best| candidate.squared < best.squared) {
                    best = Some(candidate);
                }
            }
        }
        best
    }

    /// Whether the weights give the origin, to rounding: proof that it is inside.
    fn weighted(&self, shares: [f64; 3], last: f64) -> bool {
        let weights = [shares[0], shares[1], shares[2], last];
        let (mut sum, mut extent) = (DVec3::ZERO, 0.0f64);
        for (corner, weight) in self.corners.iter().zip(weights) {
            sum += corner.difference * weight;
            extent = extent.max(corner.difference.length_squared());
        }
        sum.length_squared() <= 1e-24 * extent
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
                let normal = (at(1) - at(0)).cross(at(2) - at(0));
                let area = normal.length_squared();
                let first = normal.dot(at(1).cross(at(2))) / area;
                let second = normal.dot(at(2).cross(at(0))) / area;
                let (first, second) = (first.clamp(0.0, 1.0), second.clamp(0.0, 1.0));
                [first, second, (1.0 - first - second).max(0.0), 0.0]
            }
            _ => {
                let d = at(3);
                let (a, b, c) = (at(0) - d, at(1) - d, at(2) - d);
                let volume = a.dot(b.cross(c));
                let share = |across: DVec3| -d.dot(across) / volume;
                let (a, b, c) = (share(b.cross(c)), share(c.cross(a)), share(a.cross(b)));
                [a, b, c, 1.0 - a - b - c]
            }
        };
        let (mut first, mut difference) = (DVec3::ZERO, DVec3::ZERO);
        for (corner, weight) in self.corners.iter().zip(weights) {
            first += corner.first * weight;
            difference += corner.difference * weight;
        }
        (first, first - difference)
    }
}

/// A feature of a simplex and its nearest point.
#[derive(Clone, Copy)]
struct Candidate {
    point: DVec3,
    squared: f64,
    kept: Kept,
}

#[derive(Clone, Copy)]
enum Kept {
    One(usize),
    Two(usize, usize),
    Three(usize, usize, usize),
}

impl Candidate {
    fn new(point: DVec3, kept: Kept) -> Self {
        Self { point, squared: point.length_squared(), kept }
    }

    fn corner(simplex: &Simplex, i: usize) -> Self {
        Self::new(simplex.at(i), Kept::One(i))
    }

    fn segment(simplex: &Simplex, i: usize, j: usize) -> Self {
        let (from, to) = (simplex.at(i), simplex.at(j));
        let share = share_on_segment(from, to);
        if share >= 1.0 {
            return Self::new(to, Kept::One(j));
        } else if share <= 0.0 {
            return Self::new(from, Kept::One(i));
        }
        let along = to - from;
        let point = from + along * share;
        // What rounding leaves along the edge is large compared with a short distance.
        let point = point - along * (point.dot(along) / along.length_squared());
        Self::new(point, Kept::Two(i, j))
    }

    /// `k` is the newest corner: the edge of the others is not tried where the origin is above the
    /// triangle.
    fn triangle(simplex: &Simplex, i: usize, j: usize, k: usize) -> Self {
        let (a, b, c) = (simplex.at(i), simplex.at(j), simplex.at(k));
        let (to_a, to_b) = (a - c, b - c);
        let normal = to_a.cross(to_b);
        let area = normal.length_squared();
        // Weights times `area`: on which side of each edge the origin's projection is.
        let weight_a = normal.dot(to_b.cross(c));
        let weight_b = normal.dot(c.cross(to_a));
        let weight_c = area - weight_a - weight_b;
        let is_wide = area > 1e-24 * to_a.length_squared() * to_b.length_squared();
        if is_wide && weight_a > 0.0 && weight_b > 0.0 && weight_c > 0.0 {
            return Self::new(normal * (normal.dot(c) / area), Kept::Three(i, j, k));
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

/// Where on the segment the nearest point to the origin is, from 0 to 1.
fn share_on_segment(from: DVec3, to: DVec3) -> f64 {
    let along = to - from;
    let squared = along.length_squared();
    if squared > 0.0 { (-from.dot(along) / squared).clamp(0.0, 1.0) } else { 1.0 }
}

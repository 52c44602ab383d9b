//! Clipping two features against each other in their plane.

use glam::DVec2;

use super::Extent;
use super::feature::Feature;
use super::patch::{FLATNESS, Patch, Side};

/// A point of the intersection, and the features that meet there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corner {
    pub(super) at: DVec2,
    pub(super) a: Feature,
    pub(super) b: Feature,
    /// The side of the polygon from this corner to the next.
    side: Cut,
}

/// Which body a side of the intersection belongs to, with its edge.
#[derive(Clone, Copy, Debug)]
enum Cut {
    A([u8; 2]),
    B([u8; 2]),
}

/// Clips, and keeps its memory.
#[derive(Clone, Debug, Default)]
pub(super) struct Clipper {
    corners: Vec<Corner>,
    clipped: Vec<Corner>,
}

impl Clipper {
    /// The corners of the last intersection.
    pub(super) fn corners(&self) -> &[Corner] {
        &self.corners
    }

    /// Intersects the features of a patch.
    ///
    /// The points furthest along the axis of least penetration have a common point in their plane:
    /// the nearest point of the surface of the bodies' difference is the difference of two of them.
    /// A feature also has points a little behind, which may be beside the other feature by as much.
    /// So where the intersection is empty, it is sought again with that tolerance. It stays empty where
    /// the axis is a little tilted and a radius is large: then the features are apart by their product,
    /// and the nearest point is taken.
    pub(super) fn clip(&mut self, patch: &Patch) -> Extent {
        for slack in [patch.slack, patch.flatness()] {
            self.intersect(patch, slack);
            if !self.corners.is_empty() {
                break;
            }
        }
        if self.corners.is_empty() {
            self.nearest(patch);
        }
        match self.corners[..] {
            [_] => Extent::Point,
            [from, to] => Extent::Segment { length: from.at.distance(to.at) },
            _ => Extent::Polygon { area: self.area() },
        }
    }

    /// Points at most `slack` outside count as inside.
    fn intersect(&mut self, patch: &Patch, slack: f64) {
        use Feature::{Edge, Face, Vertex};
        self.corners.clear();
        match patch.features() {
            [Vertex(i), _] if patch.radii().is_le() => self.single(patch.vertex(0, i), patch),
            [_, Vertex(i)] if patch.radii().is_ge() => self.single(patch.vertex(1, i), patch),
            [Vertex(_), _] | [_, Vertex(_)] => self.nearest(patch),
            [Edge(one), Edge(other)] => self.edges(patch, one, other, slack),
            [Edge(edge), Face(_)] => self.edge_and_face(patch, edge, 0, slack),
            [Face(_), Edge(edge)] => self.edge_and_face(patch, edge, 1, slack),
            [Face(_), Face(_)] => self.faces(patch, slack),
        }
        self.join_equal_corners(slack);
    }

    fn single(&mut self, at: DVec2, patch: &Patch) {
        self.push(at, patch.features());
    }

    fn push(&mut self, at: DVec2, [a, b]: [Feature; 2]) {
        self.corners.push(Corner { at, a, b, side: Cut::A([0, 0]) });
    }

    /// The point in which the features are nearest to each other.
    fn nearest(&mut self, patch: &Patch) {
        let [outline_a, outline_b] = [0, 1]
            .map(|side| patch.sides[side].vertices().iter().map(move |&i| patch.vertex(side, i)));
        let from_a = outline_a.clone().map(|at| [at, nearest_in(outline_b.clone(), at)]);
        let from_b = outline_b.clone().map(|at| [nearest_in(outline_a.clone(), at), at]);
        let distance = |[a, b]: &[DVec2; 2]| a.distance_squared(*b);
        let nearest = from_a.chain(from_b).min_by(|x, y| distance(x).total_cmp(&distance(y)));
        if let Some([on_a, on_b]) = nearest {
            self.single(patch.between(on_a, on_b), patch);
        }
    }

    /// Parallel edges have a common interval (000 §3.2), others a crossing.
    fn edges(&mut self, patch: &Patch, one: [u8; 2], other: [u8; 2], slack: f64) {
        let [from, to] = one.map(|i| patch.vertex(0, i));
        let [start, end] = other.map(|i| patch.vertex(1, i));
        let (along, across) = (to - from, end - start);
        let area = along.perp_dot(across);
        let (length, width) = (along.length(), across.length());
        // Edges at a smaller angle touch along a segment.
        if area.abs() > FLATNESS * length * width {
            let share = |numerator: f64| (numerator / area).clamp(0.0, 1.0);
            // Nearly parallel lines may cross a little beyond the end of either.
            let own = from + along * share((start - from).perp_dot(across));
            let others = start + across * share((start - from).perp_dot(along));
            return self.single(patch.between(own, others), patch);
        }
        if length == 0.0 {
            // An edge along the axis, shorter than the flatness.
            return self.push(from, [Feature::Vertex(one[0]), Feature::Edge(other)]);
        }
        let position = |point: DVec2| (point - from).dot(along) / length;
        let (mut low, mut high) = ((position(start), other[0]), (position(end), other[1]));
        if low.0 > high.0 {
            std::mem::swap(&mut low, &mut high);
        }
        if low.0 > length + slack || high.0 < -slack {
            return;
        }
        for (at, own, vertex) in [(0.0, one[0], low), (length, one[1], high)] {
            // Which of the two ends is within the other edge.
            let inset = if at == 0.0 { vertex.0 } else { length - vertex.0 };
            let a = if inset <= slack { Feature::Vertex(own) } else { Feature::Edge(one) };
            let b = if inset >= -slack { Feature::Vertex(vertex.1) } else { Feature::Edge(other) };
            let at = if inset > 0.0 { vertex.0 } else { at };
            self.push(from + along * (at / length), [a, b]);
        }
    }

    /// The part of an edge of body `own` above the face of the other.
    fn edge_and_face(&mut self, patch: &Patch, edge: [u8; 2], own: usize, slack: f64) {
        let other = 1 - own;
        let [from, to] = edge.map(|i| patch.vertex(own, i));
        let corners = patch.sides[other].vertices();
        // Seen along the axis, the second body's face is walked clockwise.
        let turn = [1.0, -1.0][other];
        let (mut low, mut high) = ((0.0, None), (1.0, None));
        for (&first, &second) in corners.iter().zip(corners.iter().cycle().skip(1)) {
            let [p, q] = [first, second].map(|i| patch.vertex(other, i));
            let inward = (q - p).normalize().perp() * turn;
            let (start, end) = (inward.dot(from - p), inward.dot(to - p));
            if start < -slack && end < -slack {
                return;
            }
            let crossing = (start / (start - end)).clamp(0.0, 1.0);
            let side = Some(sorted([first, second]));
            if start < -slack && crossing > low.0 {
                low = (crossing, side);
            } else if end < -slack && crossing < high.0 {
                high = (crossing, side);
            }
        }
        if low.0 > high.0 {
            return;
        }
        for ((share, side), vertex) in [(low, edge[0]), (high, edge[1])] {
            let at = from.lerp(to, share);
            let mut features = patch.features();
            features[own] = side.map_or(Feature::Vertex(vertex), |_| Feature::Edge(edge));
            features[other] = side.map_or(features[other], Feature::Edge);
            self.push(at, features);
        }
    }

    /// The second body's face, cut by each side of the first one's (Sutherland, Hodgman 1974).
    fn faces(&mut self, patch: &Patch, slack: f64) {
        let [loop_a, loop_b] = patch.sides.each_ref().map(Side::vertices);
        let [face_a, face_b] = patch.features();
        for (i, &vertex) in loop_b.iter().enumerate().rev() {
            let next = loop_b[(i + loop_b.len() - 1) % loop_b.len()];
            self.corners.push(Corner {
                at: patch.vertex(1, vertex),
                a: face_a,
                b: Feature::Vertex(vertex),
                side: Cut::B(sorted([vertex, next])),
            });
        }
        for (i, &first) in loop_a.iter().enumerate() {
            let edge = sorted([first, loop_a[(i + 1) % loop_a.len()]]);
            let to = patch.vertex(0, loop_a[(i + 1) % loop_a.len()]);
            let from = patch.vertex(0, first);
            let inward = (to - from).normalize().perp();
            let height = |corner: &Corner| inward.dot(corner.at - from);
            self.clipped.clear();
            for (i, corner) in self.corners.iter().enumerate() {
                let next = self.corners[(i + 1) % self.corners.len()];
                let (here, there) = (height(corner), height(&next));
                let (is_inside, goes_in) = (here >= -slack, there >= -slack);
                if is_inside {
                    self.clipped.push(*corner);
                }
                if is_inside != goes_in {
                    // Within `slack` of the side the quotient is all rounding.
                    let share = (here / (here - there)).clamp(0.0, 1.0);
                    let at = corner.at.lerp(next.at, share);
                    let (a, b) = features_of_crossing(edge, corner.side, face_b);
                    let side = if is_inside { Cut::A(edge) } else { corner.side };
                    self.clipped.push(Corner { at, a, b, side });
                }
            }
            std::mem::swap(&mut self.corners, &mut self.clipped);
        }
    }

    /// Corners in one place are one: of those, the first.
    fn join_equal_corners(&mut self, slack: f64) {
        // A crossing is twice `slack` from a vertex within `slack` of the side that it crosses, or
        // more where edges meet at a small angle.
        let near = 4.0 * slack;
        self.corners.dedup_by(|next, corner| next.at.distance(corner.at) <= near);
        while self.corners.len() > 1
            && self.corners[0].at.distance(self.corners[self.corners.len() - 1].at) <= near
        {
            self.corners.pop();
        }
    }

    fn area(&self) -> f64 {
        let origin = self.corners[0].at;
        let doubled =
            self.corners.windows(2).map(|pair| (pair[0].at - origin).perp_dot(pair[1].at - origin));
        (doubled.sum::<f64>() / 2.0).abs()
    }
}

/// The nearest point to `point` in a point, a segment or a convex polygon.
fn nearest_in(outline: impl Iterator<Item = DVec2> + Clone, point: DVec2) -> DVec2 {
    let sides = outline.clone().zip(outline.clone().cycle().skip(1));
    let mut turns = sides.clone().map(|(from, to)| (to - from).perp_dot(point - from));
    if turns.clone().all(|turn| turn > 0.0) || turns.all(|turn| turn < 0.0) {
        return point;
    }
    let on_sides = sides.map(|(from, to)| {
        let along = to - from;
        let share = (point - from).dot(along) / along.length_squared();
        // A side without length has a share that is not a number.
        if share > 0.0 { from + along * share.min(1.0) } else { from }
    });
    let distance = |at: &DVec2| at.distance_squared(point);
    on_sides.min_by(|x, y| distance(x).total_cmp(&distance(y))).unwrap_or(point)
}

fn sorted([one, other]: [u8; 2]) -> [u8; 2] {
    [one.min(other), one.max(other)]
}

/// A side of the second body's face, or of the first one's, is cut by `edge` of the first one's.
fn features_of_crossing(edge: [u8; 2], side: Cut, face_b: Feature) -> (Feature, Feature) {
    match side {
        Cut::B(across) => (Feature::Edge(edge), Feature::Edge(across)),
        Cut::A(other) => {
            let common = edge.into_iter().find(|vertex| other.contains(vertex));
            (common.map_or(Feature::Edge(edge), Feature::Vertex), face_b)
        }
    }
}

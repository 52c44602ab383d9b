//! Surfaces of triangles: an edge of one body crosses a triangle of the other, or a vertex is
//! inside.

use glam::DVec3;

use super::{normal_of_triangle, share_on_segment};
use crate::answer::Answer;
use crate::pair::{PartPair, ROUNDING};
use crate::shape::{Core, Face};

/// `triangles` (002 §6.1): every edge of each body against every triangle of the other, then a vertex of each body in the
/// other. The faces are divided into triangles in each test.
///
/// Rounded parts touch where their cores do, or where an edge or a vertex is within the rounding
/// radii of an edge or a triangle of the other core. So the method is exact for all shapes. It has
/// a common point for its answer, and no axis.
pub(super) fn triangles(
    [one, other]: &mut [Surface; 2],
    pair: &PartPair,
    _: &mut DVec3,
    steps: &mut u64,
) -> Answer {
    let frame = pair.frame;
    one.fill(pair.a.core(), |v| v * frame.scale_a);
    other.fill(pair.b.core(), |v| frame.point_b(v));
    let (one, other) = (&*one, &*other);
    let slack = ROUNDING * frame.size();
    let crossing = one.crossing(other, steps).or_else(|| other.crossing(one, steps));
    let point = crossing.or_else(|| near_point(pair, [one, other], steps));
    let in_b = |v: DVec3| frame.rotation.transpose() * (v - frame.translation);
    let point = point.or_else(|| one.vertex_inside(pair.b.core(), [frame.scale_b, slack], in_b));
    let in_a = || other.vertex_inside(pair.a.core(), [frame.scale_a, slack], |v| v);
    match point.or_else(in_a) {
        None => Answer::Separated { axis: None },
        point => Answer::Touching { point },
    }
}

/// A point within the rounding radii of the nearest points of both surfaces.
fn near_point(pair: &PartPair, [one, other]: [&Surface; 2], steps: &mut u64) -> Option<DVec3> {
    if pair.radius == 0.0 {
        return None;
    }
    let across = |edge| other.edges.iter().flat_map(move |other| nearest_of_edges(edge, other));
    let edges = one.edges.iter().flat_map(across);
    let swapped = other.feet(one).map(|[second, first]| [first, second]);
    let near = edges.chain(one.feet(other)).chain(swapped).inspect(|_| *steps += 1);
    let squared = |[first, second]: &[DVec3; 2]| first.distance_squared(*second);
    let nearest = near.min_by(|a, b| squared(a).total_cmp(&squared(b)))?;
    let is_near = squared(&nearest) <= pair.radius * pair.radius;
    is_near.then(|| pair.between(nearest[0], nearest[1]))
}

/// The surface of a core. A point is an edge without length.
#[derive(Default)]
pub(super) struct Surface {
    vertices: Vec<DVec3>,
    edges: Vec<[DVec3; 2]>,
    triangles: Vec<Triangle>,
}

struct Triangle {
    corner: DVec3,
    /// The other two corners, from `corner`.
    sides: [DVec3; 2],
    normal: DVec3,
}

impl Surface {
    fn fill(&mut self, core: &Core, point: impl Fn(DVec3) -> DVec3) {
        self.vertices.clear();
        self.vertices.extend(core.vertices().iter().map(|v| point(*v)));
        let vertices = &self.vertices;
        let at = |i: u8| vertices[usize::from(i)];
        self.edges.clear();
        self.edges.extend(core.edges_or_point().iter().map(|edge| edge.map(at)));
        self.triangles.clear();
        for Face { vertices, .. } in core.faces() {
            let fan = vertices[1..].windows(2).map(|side| [vertices[0], side[0], side[1]].map(at));
            self.triangles.extend(fan.map(Triangle::new));
        }
    }

    /// A point where an edge of this surface crosses a triangle of the other.
    fn crossing(&self, other: &Self, steps: &mut u64) -> Option<DVec3> {
        let across = |edge| other.triangles.iter().map(move |triangle| (edge, triangle));
        self.edges.iter().flat_map(across).find_map(|(edge, triangle)| {
            *steps += 1;
            triangle.crossing(edge)
        })
    }

    /// A vertex of this body inside a core of another scale. `local` gives its place in the axes of the core.
    fn vertex_inside(
        &self,
        core: &Core,
        [scale, slack]: [f64; 2],
        local: impl Fn(DVec3) -> DVec3,
    ) -> Option<DVec3> {
        let is_inside = |vertex: &&DVec3| {
            let at = local(**vertex);
            core.faces().iter().all(|face| face.normal.dot(at) <= face.offset * scale + slack)
        };
        self.vertices.iter().filter(|_| !core.faces().is_empty()).find(is_inside).copied()
    }

    /// Each vertex of this surface with the nearest point of each triangle of the other that it is above.
    fn feet(&self, other: &Self) -> impl Iterator<Item = [DVec3; 2]> {
        let below = |&vertex: &DVec3| {
            other.triangles.iter().filter_map(move |of| of.foot(vertex).map(|foot| [vertex, foot]))
        };
        self.vertices.iter().flat_map(below)
    }
}

impl Triangle {
    fn new(corners: [DVec3; 3]) -> Self {
        let [corner, next, last] = corners;
        Self { corner, sides: [next - corner, last - corner], normal: normal_of_triangle(corners) }
    }

    /// Where the edge crosses the plane, if that is within the edge and the triangle (002 §6.1), to rounding: a crossing at
    /// the common edge of two triangles belongs to both. An edge in the plane crosses others of the same surface, or ends
    /// inside.
    fn crossing(&self, [from, to]: &[DVec3; 2]) -> Option<DVec3> {
        let (start, end) = (from - self.corner, to - self.corner);
        let (below, above) = (self.normal.dot(start), self.normal.dot(end));
        let slack = ROUNDING * (below.abs() + above.abs());
        if (below > slack && above > slack) || (below < -slack && above < -slack) || below == above
        {
            return None;
        }
        let share = (below / (below - above)).clamp(0.0, 1.0);
        let point = start + (end - start) * share;
        self.contains(point).then(|| point + self.corner)
    }

    /// Whether a point of the plane, from `corner`, is in the triangle.
    fn contains(&self, point: DVec3) -> bool {
        let area = self.normal.length_squared();
        let u = self.normal.dot(point.cross(self.sides[1]));
        let v = self.normal.dot(self.sides[0].cross(point));
        let slack = -ROUNDING * area;
        u >= slack && v >= slack && area - u - v >= slack
    }

    /// The nearest point of the plane, if it is in the triangle.
    fn foot(&self, point: DVec3) -> Option<DVec3> {
        let from = point - self.corner;
        let foot = from - self.normal * (self.normal.dot(from) / self.normal.length_squared());
        self.contains(foot).then(|| foot + self.corner)
    }
}

fn nearest_on_edge(point: DVec3, [from, to]: &[DVec3; 2]) -> DVec3 {
    from + (to - from) * share_on_segment(from - point, to - point)
}

/// Points of two edges, of which one pair is the nearest: the ends, and those between, which are not precise where edges are
/// nearly parallel.
fn nearest_of_edges(one: &[DVec3; 2], other: &[DVec3; 2]) -> [[DVec3; 2]; 5] {
    let (along, across) = (one[1] - one[0], other[1] - other[0]);
    let normal = along.cross(across);
    let share = (other[0] - one[0]).cross(across).dot(normal) / normal.length_squared();
    // Not a number where they are parallel.
    let start = if share > 0.0 { one[0] + along * share.min(1.0) } else { one[0] };
    let second = nearest_on_edge(start, other);
    let [first_end, second_end] = one.map(|end| [end, nearest_on_edge(end, other)]);
    let [third_end, last_end] = other.map(|end| [nearest_on_edge(end, one), end]);
    [[nearest_on_edge(second, one), second], first_end, second_end, third_end, last_end]
}

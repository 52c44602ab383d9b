//! Surfaces of triangles: an edge of one body crosses a triangle of the other, or a vertex is
//! inside.

use glam::DVec3;

use super::{PartAnswer, normal_of_triangle, test_parts};
use crate::answer::{Answer, NarrowCounters, NarrowPhase, PairCache};
use crate::body::Body;
use crate::pair::PartPair;
use crate::shape::Part;

/// `triangles` (002 §6.1): every edge of each body against every triangle of the other, then a
/// vertex of each body in the other.
///
/// Rounded parts touch where their cores do, or where an edge or a vertex is within the rounding
/// radii of an edge or a triangle of the other core. So the method is exact for all shapes. It has
/// a common point for its answer, and no axis.
#[derive(Clone, Debug, Default)]
pub struct Triangles {
    a: Surface,
    b: Surface,
    counters: NarrowCounters,
}

impl Triangles {
    /// Faces are divided into triangles in each test.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl NarrowPhase for Triangles {
    fn test(&mut self, a: &Body, b: &Body, cache: &mut PairCache) -> Answer {
        let Self { a: one, b: other, counters } = self;
        test_parts([a, b], cache, counters, |pair, _, counters| {
            let frame = pair.frame;
            one.fill(pair.a, |v| v * frame.scale_a, |n| n);
            other.fill(pair.b, |v| frame.point_b(v), |n| frame.rotation * n);
            match common_point(&pair, [one, other], &mut counters.steps) {
                Some(point) => PartAnswer::Touching(Some(point)),
                None => PartAnswer::Separated(None),
            }
        })
    }

    fn counters(&self) -> NarrowCounters {
        self.counters
    }
}

/// Slack of the tests, relative to the lengths: a crossing at the common edge of two triangles
/// belongs to both.
const SLACK: f64 = 1e-12;

fn common_point(pair: &PartPair, [one, other]: [&Surface; 2], steps: &mut u64) -> Option<DVec3> {
    let crossing = one.crossing(other, steps).or_else(|| other.crossing(one, steps));
    if crossing.is_some() {
        return crossing;
    }
    if pair.radius > 0.0 {
        let mut nearest = Nearest { squared: pair.radius * pair.radius, points: None };
        one.nearest_edges(other, &mut nearest, steps);
        one.nearest_vertices(other, &mut nearest, steps);
        if let Some([first, second]) = nearest.points {
            return Some(pair.between(first, second));
        }
        nearest.points = None;
        other.nearest_vertices(one, &mut nearest, steps);
        if let Some([second, first]) = nearest.points {
            return Some(pair.between(first, second));
        }
    }
    let slack = SLACK * pair.frame.size();
    one.vertex_inside(other, slack, steps).or_else(|| other.vertex_inside(one, slack, steps))
}

/// The surface of a core. A point has one vertex, a segment one edge.
#[derive(Clone, Debug, Default)]
struct Surface {
    vertices: Vec<DVec3>,
    edges: Vec<[DVec3; 2]>,
    triangles: Vec<Triangle>,
    /// Outward normals and offsets; empty for cores without volume.
    planes: Vec<(DVec3, f64)>,
}

#[derive(Clone, Copy, Debug)]
struct Triangle {
    corner: DVec3,
    /// The other two corners, from `corner`.
    sides: [DVec3; 2],
    normal: DVec3,
}

/// The nearest points so far, of those within a distance.
struct Nearest {
    squared: f64,
    points: Option<[DVec3; 2]>,
}

impl Nearest {
    fn consider(&mut self, first: DVec3, second: DVec3) {
        let squared = first.distance_squared(second);
        if squared <= self.squared {
            self.squared = squared;
            self.points = Some([first, second]);
        }
    }
}

impl Surface {
    fn fill(&mut self, part: &Part, point: impl Fn(DVec3) -> DVec3, turn: impl Fn(DVec3) -> DVec3) {
        let core = part.core();
        self.vertices.clear();
        self.vertices.extend(core.vertices().iter().map(|v| point(*v)));
        let vertices = &self.vertices;
        let at = |i: u8| vertices[usize::from(i)];
        self.edges.clear();
        self.edges.extend(core.edges().iter().map(|edge| edge.map(at)));
        self.triangles.clear();
        self.planes.clear();
        for face in core.faces() {
            let normal = turn(face.normal);
            let corner = at(face.vertices[0]);
            for pair in face.vertices[1..].windows(2) {
                self.triangles.push(Triangle::new([corner, at(pair[0]), at(pair[1])]));
            }
            if core.faces().len() > 2 {
                self.planes.push((normal, normal.dot(corner)));
            }
        }
    }

    /// A point where an edge of this surface crosses a triangle of the other.
    fn crossing(&self, other: &Self, steps: &mut u64) -> Option<DVec3> {
        for edge in &self.edges {
            for triangle in &other.triangles {
                *steps += 1;
                if let Some(point) = triangle.crossing(edge) {
                    return Some(point);
                }
            }
        }
        None
    }

    /// A vertex of this body inside the other one.
    fn vertex_inside(&self, other: &Self, slack: f64, steps: &mut u64) -> Option<DVec3> {
        if other.planes.is_empty() {
            return None;
        }
        let inside = |vertex: &&DVec3| {
            *steps += 1;
            other.planes.iter().all(|(normal, offset)| normal.dot(**vertex) <= offset + slack)
        };
        self.vertices.iter().find(inside).copied()
    }

    fn nearest_edges(&self, other: &Self, nearest: &mut Nearest, steps: &mut u64) {
        for one in &self.edges {
            for across in &other.edges {
                *steps += 1;
                let [first, second] = nearest_of_edges(one, across);
                nearest.consider(first, second);
            }
        }
    }

    /// The vertices of this surface, and the vertices, edges and triangles of the other.
    fn nearest_vertices(&self, other: &Self, nearest: &mut Nearest, steps: &mut u64) {
        for vertex in &self.vertices {
            *steps += (other.vertices.len() + other.edges.len() + other.triangles.len()) as u64;
            for target in &other.vertices {
                nearest.consider(*vertex, *target);
            }
            for edge in &other.edges {
                nearest.consider(*vertex, nearest_on_edge(*vertex, edge));
            }
            for triangle in &other.triangles {
                if let Some(foot) = triangle.foot(*vertex) {
                    nearest.consider(*vertex, foot);
                }
            }
        }
    }
}

impl Triangle {
    fn new(corners: [DVec3; 3]) -> Self {
        let [corner, next, last] = corners;
        Self { corner, sides: [next - corner, last - corner], normal: normal_of_triangle(corners) }
    }

    /// Where the edge crosses the plane, if that is within the edge and the triangle (002 §6.1). An
    /// edge in the plane crosses others of the same surface, or ends inside.
    fn crossing(&self, [from, to]: &[DVec3; 2]) -> Option<DVec3> {
        let (start, end) = (from - self.corner, to - self.corner);
        let (below, above) = (self.normal.dot(start), self.normal.dot(end));
        let slack = SLACK * (below.abs() + above.abs());
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
        let slack = -SLACK * area;
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
    let along = to - from;
    from + along * ((point - from).dot(along) / along.length_squared()).clamp(0.0, 1.0)
}

/// The nearest points of two edges, both within. Where they are nearly parallel, the ends are
/// nearest, which are compared as vertices.
fn nearest_of_edges(one: &[DVec3; 2], other: &[DVec3; 2]) -> [DVec3; 2] {
    let (along, across) = (one[1] - one[0], other[1] - other[0]);
    let between = one[0] - other[0];
    let (length, width) = (along.length_squared(), across.length_squared());
    let both = along.dot(across);
    let (shift, reach) = (along.dot(between), across.dot(between));
    let area = length * width - both * both;
    let share =
        if area > 0.0 { ((both * reach - shift * width) / area).clamp(0.0, 1.0) } else { 0.0 };
    let other_share = ((both * share + reach) / width).clamp(0.0, 1.0);
    let second = other[0] + across * other_share;
    [nearest_on_edge(second, one), second]
}

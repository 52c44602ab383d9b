//! The axis along which two cores have the greatest gap, or the first one with a gap that is great
//! enough.

use glam::DVec3;

use super::arcs::Arcs;
use super::cuboids::Cuboids;
use super::faces::Faces;
use crate::pair::PartPair;

/// The best axis so far.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BestAxis {
    /// The gap of the cores along `axis`.
    pub(crate) gap: f64,
    /// A unit vector from the first to the second core.
    pub(crate) axis: DVec3,
    /// Axes that were projected on.
    pub(crate) tested: u64,
}

impl BestAxis {
    /// No axis yet: only gaps above `gap` count.
    pub(super) fn above(gap: f64) -> Self {
        Self { gap, axis: DVec3::X, tested: 0 }
    }

    pub(super) fn consider(&mut self, gap: f64, axis: DVec3) {
        self.tested += 1;
        self.raise(gap, axis);
    }

    pub(super) fn raise(&mut self, gap: f64, axis: DVec3) {
        if gap > self.gap {
            self.gap = gap;
            self.axis = axis;
        }
    }
}

/// The unit vector perpendicular to two vectors, `None` if they are parallel.
///
/// It is precise also where they are nearly parallel: the difference of nearly equal unit vectors
/// is exact.
pub(crate) fn perpendicular_to_both(along: DVec3, across: DVec3) -> Option<DVec3> {
    let product = along.cross(across);
    let squared = product.length_squared();
    if squared > NEARLY_PARALLEL * along.length_squared() * across.length_squared() {
        return Some(product / squared.sqrt());
    }
    let (along, across) = (along.normalize(), across.normalize());
    let side = across * along.dot(across).signum() - along;
    along.cross(side).try_normalize()
}

/// Squared sine of an angle below which a product of edges loses more than three digits.
pub(crate) const NEARLY_PARALLEL: f64 = 1e-6;

/// Finds axes. It keeps its scratch between searches.
#[derive(Clone, Debug, Default)]
pub(crate) struct AxisSearch {
    /// Whether extreme vertices are found by hill climbing.
    climbs: bool,
    faces: Faces,
    arcs: Arcs,
    vertices: Vec<DVec3>,
}

impl AxisSearch {
    /// A search that finds extreme vertices by hill climbing instead of projecting all.
    pub(in crate::narrow) fn climbing() -> Self {
        Self { climbs: true, ..Self::default() }
    }

    /// The first axis that separates two parts, rounding included; no gap above `pair.radius` if
    /// they touch.
    pub(crate) fn separating_axis(&mut self, pair: &PartPair) -> BestAxis {
        if pair.radius > 0.0 {
            return self.search(pair, pair.radius, BestAxis::above(f64::NEG_INFINITY));
        }
        if let Some(cuboids) = Cuboids::of(pair) {
            return cuboids.separating_axis(0.0);
        }
        // Sharp parts need a gap and not the greatest one: axes without a gap are left as soon as
        // this shows.
        self.search(pair, 0.0, BestAxis::above(0.0))
    }

    /// The axis with the greatest gap of the cores: their distance, or minus their penetration
    /// depth.
    pub(crate) fn greatest_gap(&mut self, pair: &PartPair) -> BestAxis {
        self.search(pair, f64::INFINITY, BestAxis::above(f64::NEG_INFINITY))
    }

    /// The greatest gap over the face normals and products of edges of sharp parts: above 0 if and only if they are apart,
    /// and at most their distance; minus the penetration depth if they overlap.
    pub(crate) fn greatest_facet_gap(&mut self, pair: &PartPair) -> BestAxis {
        self.facets(pair, f64::INFINITY, BestAxis::above(f64::NEG_INFINITY))
    }

    /// The greatest gap, or the first above `enough`.
    fn search(&mut self, pair: &PartPair, enough: f64, best: BestAxis) -> BestAxis {
        let best = self.facets(pair, enough, best);
        self.with_rounding(pair, enough, best)
    }

    fn facets(&mut self, pair: &PartPair, enough: f64, mut best: BestAxis) -> BestAxis {
        if best.gap < 0.0
            && let Some(cuboids) = Cuboids::of(pair)
        {
            return cuboids.greatest_gap(enough);
        }
        if !self.faces.search(pair, self.climbs, enough, &mut best) {
            if pair.have_volume() {
                self.arcs.search(pair, &self.faces, self.climbs, enough, &mut best);
            } else {
                cross_products_of_directions(pair, enough, &mut best);
            }
        }
        best
    }

    /// Adds the axis of the nearest vertex and edge, which only the distance of separated cores
    /// needs: of rounded ones, and of those without volume.
    pub(super) fn with_rounding(
        &mut self,
        pair: &PartPair,
        enough: f64,
        mut best: BestAxis,
    ) -> BestAxis {
        let is_decided = best.gap > enough || (best.gap <= 0.0 && pair.have_volume());
        if !is_decided && (enough > 0.0 || pair.radius > 0.0) {
            if best.tested == 0 {
                let axis = perpendicular(pair);
                best.consider(pair.gap(axis), axis);
            }
            let axis = nearest_vertex_and_edge(pair, &mut self.vertices);
            if let Some(axis) = axis.try_normalize() {
                best.consider(pair.gap(axis), axis);
            }
        }
        best
    }
}

/// The cross products of all directions of edges, with full projections: for cores without volume,
/// whose edges have no two faces.
fn cross_products_of_directions(pair: &PartPair, enough: f64, best: &mut BestAxis) {
    for along in pair.a.core().directions() {
        for across in pair.b.core().directions() {
            if let Some(axis) = perpendicular_to_both(*along, pair.frame.rotation * *across) {
                let (gap, axis) = pair.greater_gap(axis);
                best.consider(gap, axis);
                if gap > enough {
                    return;
                }
            }
        }
    }
}

/// The shortest vector from a vertex of one core to an edge of the other, from the first core to
/// the second.
///
/// If the cores are nearest there, it is the axis of their distance. If they are nearest elsewhere,
/// that axis is a face normal or a cross product of edges. So this is the only one that these leave
/// out.
fn nearest_vertex_and_edge(pair: &PartPair, vertices_b: &mut Vec<DVec3>) -> DVec3 {
    let (a, b) = (pair.a.core(), pair.b.core());
    vertices_b.clear();
    vertices_b.extend(b.vertices().iter().map(|v| pair.frame.point_b(*v)));
    let mut best = DVec3::splat(f64::INFINITY);
    let mut consider = |vector: DVec3| {
        if vector.length_squared() < best.length_squared() {
            best = vector;
        }
    };
    let scale = pair.frame.scale_a;
    for &[from, to] in a.edges_or_point() {
        let [from, to] = [from, to].map(|i| a.vertices()[usize::from(i)] * scale);
        for vertex in vertices_b.iter() {
            consider(from_edge(*vertex, from, to));
        }
    }
    for &[from, to] in b.edges_or_point() {
        let [from, to] = [from, to].map(|i| vertices_b[usize::from(i)]);
        for vertex in a.vertices() {
            consider(-from_edge(*vertex * scale, from, to));
        }
    }
    best
}

/// The shortest vector from an edge to a point.
fn from_edge(point: DVec3, from: DVec3, to: DVec3) -> DVec3 {
    let along = to - from;
    let share = (point - from).dot(along);
    let squared = along.length_squared();
    if share <= 0.0 {
        point - from
    } else if share >= squared {
        point - to
    } else {
        let vector = point - (from + along * (share / squared));
        // Rounded for a point far along the edge, and longer than the distance by little, but an axis tilted by
        // that little is of no use: the projection of a long edge on it is long.
        vector - along * (vector.dot(along) / squared)
    }
}

/// A unit vector perpendicular to the edges of both cores, which are points or parallel segments:
/// the difference of such cores has no extent along it.
fn perpendicular(pair: &PartPair) -> DVec3 {
    let along_a = pair.a.core().directions().first().copied();
    let along_b = pair.b.core().directions().first().map(|d| pair.frame.rotation * *d);
    along_a.or(along_b).map_or(DVec3::X, |along| along.any_orthonormal_vector())
}

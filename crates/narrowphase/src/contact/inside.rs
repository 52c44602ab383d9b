//! Contact points that are in both bodies, however deep these overlap.

use glam::DVec3;

use crate::pair::PartPair;
use crate::shape::{Core, Part};

/// Steps towards the surface of a rounded part. Each squares the relative error.
const MAX_STEPS: usize = 16;

/// The first point in both parts on the way from `at` to `common`, a point of both. All are in the frame of the first
/// body.
pub(super) fn inside_both(pair: &PartPair, at: DVec3, common: DVec3) -> DVec3 {
    let frame = pair.frame;
    let in_a = |point: DVec3| point / frame.scale_a;
    let in_b =
        |point: DVec3| frame.rotation.transpose() * ((point - frame.translation) / frame.scale_b);
    let share = share_outside(pair.a, in_a(at), in_a(common));
    let share = share.max(share_outside(pair.b, in_b(at), in_b(common)));
    if share > 0.0 { at.lerp(common, share) } else { at }
}

/// The share of the way between two points of which the first may be outside of a part, until it is inside.
fn share_outside(part: &Part, from: DVec3, to: DVec3) -> f64 {
    let core = part.core();
    if part.radius() == 0.0 {
        let faces = core.faces().iter();
        return faces.fold(0.0, |share, face| {
            let above = face.normal.dot(from) - face.offset;
            if above <= 0.0 {
                return share;
            }
            share.max(share_above(above, face.normal.dot(to) - face.offset))
        });
    }
    let mut share = 0.0;
    for _ in 0..MAX_STEPS {
        let point = from.lerp(to, share);
        let nearest = nearest_in(core, point);
        let above = point.distance(nearest) - part.radius();
        if above <= 0.0 {
            break;
        }
        // The part is behind the plane that touches it there.
        let normal = (point - nearest).normalize();
        share += (1.0 - share) * share_above(above, normal.dot(to - nearest) - part.radius());
    }
    share
}

/// The share of the way from one height to another that is above 0.
fn share_above(from: f64, to: f64) -> f64 {
    if to < 0.0 { from / (from - to) } else { 1.0 }
}

/// The point of a core that is nearest to `point`.
fn nearest_in(core: &Core, point: DVec3) -> DVec3 {
    let at = |i: &u8| core.vertices()[usize::from(*i)];
    let is_behind = |face: &crate::shape::Face| face.normal.dot(point) <= face.offset;
    if core.faces().len() > 2 && core.faces().iter().all(is_behind) {
        return point;
    }
    let on_faces = core.faces().iter().filter_map(|face| {
        let next = face.vertices.iter().cycle().skip(1);
        let mut sides = face.vertices.iter().zip(next).map(|(i, next)| [at(i), at(next)]);
        let is_within =
            sides.all(|[from, to]| face.normal.dot((to - from).cross(point - from)) >= 0.0);
        is_within.then(|| point - face.normal * (face.normal.dot(point) - face.offset))
    });
    let on_edges = core.edges().iter().map(|[from, to]| {
        let (from, along) = (at(from), at(to) - at(from));
        from + along * ((point - from).dot(along) / along.length_squared()).clamp(0.0, 1.0)
    });
    let distance = |other: &DVec3| other.distance_squared(point);
    let nearest = on_faces.chain(on_edges).min_by(|a, b| distance(a).total_cmp(&distance(b)));
    nearest.unwrap_or(core.vertices()[0])
}

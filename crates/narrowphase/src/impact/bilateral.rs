//! Bilateral advancement (Catto 2013, "Continuous collision").
//!
//! At one time each pair of convex parts is separated by a plane, whose normal stays. The planes are followed until one
//! separates no longer. There new ones are taken, until the bodies touch, or each pair of parts is separated at the end by
//! its plane.

use crate::body::Body;
use crate::reference::{PartVerdict, Reference, face_planes};
use crate::shape::Part;
use glam::DVec3;

/// Most times that new planes are taken; then the search ends there. A few are enough but for grazing contacts.
const MAX_PLANES: usize = 32;

/// Change of a gap by rounding, in units of the margin.
const ROUNDING: f64 = 1e-4;

/// Two bodies on their paths.
pub trait Paths<'a> {
    /// The bodies after a time.
    fn bodies(&self, time: f64) -> [Body<'a>; 2];

    /// How much larger the bodies are taken to be: the gap of their parts is less by this. Negative for smaller ones.
    fn growth(&self) -> f64 {
        0.0
    }

    /// An upper bound of the acceleration of two parts along the normal of a plane, if less is known of it than
    /// [`Span::curvature`].
    fn curvature(&self, span: &Span, _parts: [usize; 2], _normal: DVec3) -> f64 {
        span.curvature
    }

    /// Whether the first body never moves.
    fn first_stays(&self) -> bool {
        false
    }

    /// Notes that all parts of the bodies are compared.
    fn compares(&self) {}

    /// Whether the search has to end where it is.
    fn is_spent(&self) -> bool {
        false
    }
}

/// How far a search goes, and what it may count on.
#[derive(Clone, Copy, Debug)]
pub struct Span {
    /// The latest time, in seconds.
    pub end: f64,
    /// The largest gap that counts as touching.
    pub margin: f64,
    /// How far an edge may pass a plane that is thought of as separating. `None` if the first plane of parts that touch
    /// decides, and no other one is asked about.
    pub level: Option<f64>,
    /// An upper bound of the speed at which points of the bodies approach.
    pub speed: f64,
    /// An upper bound of the relative acceleration of their points, from rotation. With 0, a plane that separates at both
    /// ends of a time is trusted in between.
    pub curvature: f64,
    /// Most times that a time is halved to see whether a plane separates in all of it. The depth that can be passed is
    /// then `4^-halvings` of that of the whole time.
    pub halvings: u32,
}

/// A search for first contacts. It keeps scratch and nothing else.
#[derive(Clone, Debug, Default)]
pub struct Advancement {
    pub(super) reference: Reference,
    separations: Vec<Separation>,
}

/// A plane that a part of the second body must stay in front of.
#[derive(Clone, Debug)]
struct Separation {
    parts: [usize; 2],
    normal: DVec3,
    /// Where the plane is if the first body never moves.
    offset: f64,
    /// The least gap that is allowed.
    floor: f64,
    /// The gap at the start, less the floor.
    above: f64,
}

impl Advancement {
    /// The end of the free part of two paths, and the contact there; `None` if they are free until the end of `span`. Without
    /// a contact no later time was found to be free.
    ///
    /// `contact` is asked about parts that touch, with a plane between them: at which speed do they approach along its normal,
    /// and where? Parts that do not approach are left alone if they overlap. Others may not come nearer.
    ///
    /// At an edge several planes separate, and one along which the parts do not approach is enough. So a body that slides over a
    /// face does not meet the side of the next body, whose face is as high. The number of the plane is above 0 for those
    /// that are asked about next, among them such as are passed by `span.level` at most.
    pub fn first_touch<'a, C>(
        &mut self,
        paths: &impl Paths<'a>,
        span: &Span,
        mut contact: impl FnMut(u32, &[Body<'a>; 2], &PartVerdict) -> Option<(f64, C)>,
    ) -> Option<(f64, Option<C>)> {
        let Self { reference, separations } = self;
        let mut time = 0.0;
        for _ in 0..MAX_PLANES {
            if paths.is_spent() {
                break;
            }
            let bodies = paths.bodies(time);
            paths.compares();
            // Parts that are further apart cannot meet until the end.
            let growth = paths.growth();
            let reach = span.speed * (span.end - time) + 2.0 * span.margin + growth;
            separations.clear();
            for verdict in reference.near(&bodies[0], &bodies[1], reach) {
                let verdict = &PartVerdict { gap: verdict.gap - growth, ..*verdict };
                let mut plane = *verdict;
                if verdict.gap <= span.margin {
                    if let Some((mut least, mut found)) = contact(0, &bodies, verdict) {
                        let mut number = 0;
                        let mut consider = |other: PartVerdict| {
                            let other = PartVerdict { gap: other.gap - growth, ..other };
                            number += 1;
                            let approach = contact(number, &bodies, &other);
                            let speed = approach.as_ref().map_or(0.0, |(speed, _)| *speed);
                            if speed < least && other.gap >= -span.margin {
                                (least, plane) = (speed, other);
                                if let Some((_, other)) = approach {
                                    found = other;
                                }
                            }
                        };
                        if let Some(level) = span.level {
                            face_planes(&bodies, verdict, growth - level, &mut consider);
                        }
                        if least > 0.0 {
                            return Some((time, Some(found)));
                        }
                    }
                    if verdict.gap < -span.margin {
                        continue;
                    }
                }
                separations.push(Separation::new(&bodies, &plane, [span.margin, growth]));
            }
            let next = separated_until(paths, time, span, separations);
            if next == span.end {
                return None;
            }
            if next <= time {
                break;
            }
            time = next;
        }
        Some((time, None))
    }
}

impl Separation {
    fn new([a, b]: &[Body<'_>; 2], verdict: &PartVerdict, [margin, growth]: [f64; 2]) -> Self {
        let &PartVerdict { part_a, part_b, axis: normal, .. } = verdict;
        let offset = highest(a, &a.shape.parts()[part_a], normal) + growth;
        let gap = gap_of(b, &b.shape.parts()[part_b], normal, offset);
        let floor = floor(gap, margin);
        Self { parts: [part_a, part_b], normal, offset, floor, above: gap - floor }
    }

    /// The gap of the parts along the plane's normal, less the floor.
    fn above<'a>(&self, paths: &impl Paths<'a>, [a, b]: &[Body<'a>; 2]) -> f64 {
        let [part_a, part_b] = self.parts;
        let offset = if paths.first_stays() {
            self.offset
        } else {
            highest(a, &a.shape.parts()[part_a], self.normal) + paths.growth()
        };
        gap_of(b, &b.shape.parts()[part_b], self.normal, offset) - self.floor
    }
}

/// A time until the end at which every plane separates, as at `time`.
fn separated_until<'a>(
    paths: &impl Paths<'a>,
    time: f64,
    span: &Span,
    separations: &[Separation],
) -> f64 {
    let mut free = span.end;
    // Compounds compare many pairs of parts there.
    let mut bodies = paths.bodies(free);
    for _ in 0..MAX_PLANES {
        let before = free;
        for separation in separations {
            if paths.is_spent() {
                return time;
            }
            // No later time is known to be free where the search has to end.
            let above = |time: f64| {
                if paths.is_spent() {
                    return f64::NEG_INFINITY;
                }
                separation.above(paths, &paths.bodies(time))
            };
            let (first, last) = (separation.above, separation.above(paths, &bodies));
            let curvature = paths.curvature(span, separation.parts, separation.normal);
            let (times, limits) = ([time, free], (curvature, span.halvings));
            if let Some((behind, last)) = dip(&above, times, [first, last], limits) {
                free = crossing(above, [time, behind], [first, last], 0.25 * span.margin);
                bodies = paths.bodies(free);
            }
        }
        if free == before || free <= time {
            return free;
        }
    }
    time
}

/// A time between two, or the second one, at which `above` is negative, and its value there. At the two times it is `first`
/// and `last`; `first` is not negative. Its second derivative is at most `curvature`; with 0, only the second time counts.
/// The time between is halved at most `halvings` times.
pub fn dip(
    above: &impl Fn(f64) -> f64,
    [start, end]: [f64; 2],
    [first, last]: [f64; 2],
    (curvature, halvings): (f64, u32),
) -> Option<(f64, f64)> {
    if last < 0.0 {
        return Some((end, last));
    }
    let length = end - start;
    let sag = 0.125 * curvature * length * length;
    // The least value of the chord less the parabola.
    let slope = 4.0 * sag;
    let least = if (last - first).abs() >= slope {
        first.min(last)
    } else {
        let share = 0.5 * (1.0 - (last - first) / slope);
        first + (last - first) * share - slope * share * (1.0 - share)
    };
    if curvature == 0.0 || least >= 0.0 || halvings == 0 {
        return None;
    }
    let middle = 0.5 * (start + end);
    let here = above(middle);
    if here < 0.0 {
        return Some((middle, here));
    }
    let limits = (curvature, halvings - 1);
    let left = dip(above, [start, middle], [first, here], limits);
    left.or_else(|| dip(above, [middle, end], [here, last], limits))
}

/// A time between `start` and `end`, where the gap is `first` and `last`, at which it is from 0 to `tolerance`. Where none is
/// found, the latest time known at which it is not negative. The gap is negative at the end, and not at the start. It may
/// change its sign in between: the time need not be the first such time.
pub fn crossing(
    gap: impl Fn(f64) -> f64,
    [start, end]: [f64; 2],
    [first, last]: [f64; 2],
    tolerance: f64,
) -> f64 {
    // The middle of the allowed gaps is looked for: at its ends, rounding would decide on the sign.
    let half = 0.5 * tolerance;
    let (mut low, mut high) = (start, end);
    let (mut excess_low, mut excess_high) = (first - half, last - half);
    let mut is_secant = false;
    loop {
        let middle = 0.5 * (low + high);
        if middle <= low || middle >= high {
            return low;
        }
        is_secant = !is_secant;
        let time = if is_secant && excess_low > 0.0 {
            // The secant's root; halving alone, every other time, would take fifty evaluations.
            low + (high - low) * (excess_low / (excess_low - excess_high)).clamp(0.0, 1.0)
        } else {
            middle
        };
        let here = gap(time) - half;
        // From a start that is near enough, any later time would do, and the search would hardly go on.
        let goes_on = first - half > half || time - start >= 0.5 * (high - start);
        if here.abs() <= half && time > start && goes_on {
            return time;
        }
        if here >= -half {
            (low, excess_low) = (time, here);
        } else {
            (high, excess_high) = (time, here);
        }
    }
}

/// The least gap that two bodies may have at the end of a motion that they begin with `gap`. It is half a margin unless they
/// are nearer. Then they may stay or part, but not come nearer.
#[must_use]
pub fn floor(gap: f64, margin: f64) -> f64 {
    (gap - ROUNDING * margin).min(0.5 * margin)
}

/// Distance of the nearest point of a part of a body from the plane of the points `p` with `normal.dot(p) == offset`,
/// negative behind it.
#[must_use]
pub fn gap_of(body: &Body<'_>, part: &Part, normal: DVec3, offset: f64) -> f64 {
    let local = body.pose.rotation.conjugate() * normal;
    let heights = part.core().vertices().iter().map(|vertex| local.dot(*vertex));
    let lowest = heights.fold(f64::INFINITY, f64::min) - part.radius();
    lowest * body.scale + (normal.dot(body.pose.position) - offset)
}

/// The greatest projection of a part of a body.
fn highest(body: &Body<'_>, part: &Part, axis: DVec3) -> f64 {
    -gap_of(body, part, -axis, 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crossing_is_in_front_of_the_root() {
        for root in [1e-9, 0.1, 0.3, 0.999_999] {
            let gap = |time: f64| (root - time) * (1.0 + time * time);
            let time = crossing(gap, [0.0, 1.0], [gap(0.0), gap(1.0)], 1e-12);
            assert!((0.0..=1e-12).contains(&gap(time)), "{root}: {time}");
        }
    }

    #[test]
    fn crossing_goes_beyond_a_start_that_touches() {
        // It leaves the wall, and comes back.
        let gap = |time: f64| time * (0.5 - time);
        let time = crossing(gap, [0.0, 1.0], [gap(0.0), gap(1.0)], 1e-12);
        assert!((time - 0.5).abs() < 1e-9, "{time}");
    }
}

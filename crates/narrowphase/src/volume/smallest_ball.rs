//! The smallest ball that contains balls.
//!
//! At most four balls determine it (Welzl 1991). A ball outside of the smallest one of some others
//! is one of those that determine the next. The furthest one is taken, instead of one at random
//! (Gärtner 1999, "Fast and robust smallest enclosing balls"), so that a few rounds suffice and the
//! result does not depend on chance. Balls of different radii are determined by a quadratic
//! equation (Fischer, Gärtner 2003).

use glam::DVec3;

/// Rounds until the result is taken as it is. Ten are usual, for a hundred points too.
const MAX_ROUNDS: usize = 200;

/// A point of which all within `radius` counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Ball {
    pub(super) center: DVec3,
    pub(super) radius: f64,
}

impl Ball {
    /// The radius about `center` that contains this ball.
    pub(super) fn reach_from(&self, center: DVec3) -> f64 {
        self.center.distance(center) + self.radius
    }
}

/// The smallest ball that contains all of `balls`, of which there is at least one.
pub(super) fn smallest_ball(balls: &[Ball]) -> Ball {
    let mut support = vec![balls[0]];
    let mut smallest = balls[0];
    for _ in 0..MAX_ROUNDS {
        let furthest = furthest_from(smallest.center, balls);
        if furthest.reach_from(smallest.center) <= smallest.radius * (1.0 + 1e-14) {
            break;
        }
        support.push(*furthest);
        let larger = smallest_of_few(&support).filter(|(ball, _)| ball.radius > smallest.radius);
        let Some(larger) = larger else { break };
        (smallest, support) = larger;
    }
    let radius = furthest_from(smallest.center, balls).reach_from(smallest.center);
    Ball { radius, ..smallest }
}

fn furthest_from(center: DVec3, balls: &[Ball]) -> &Ball {
    let further = |a: &&Ball, b: &&Ball| a.reach_from(center).total_cmp(&b.reach_from(center));
    balls.iter().max_by(further).expect("at least one ball")
}

/// The smallest ball around at most five balls, and those of them that determine it.
fn smallest_of_few(balls: &[Ball]) -> Option<(Ball, Vec<Ball>)> {
    let subsets = (1_u32..1 << balls.len()).filter(|subset| subset.count_ones() <= 4);
    let touching = subsets.filter_map(|subset| {
        let is_in = |(at, _): &(usize, &Ball)| subset >> at & 1 == 1;
        let chosen: Vec<Ball> = balls.iter().enumerate().filter(is_in).map(|(_, b)| *b).collect();
        let ball = touching_ball(&chosen)?;
        let contains = |other: &Ball| other.reach_from(ball.center) <= ball.radius * (1.0 + 1e-12);
        balls.iter().all(contains).then_some((ball, chosen))
    });
    touching.min_by(|a, b| a.0.radius.total_cmp(&b.0.radius))
}

/// The smallest ball that all of one to four balls touch from inside. Its centre is in their
/// centres' plane, line or point. `None` if there is none, or three centres are on a line, or four
/// in a plane.
fn touching_ball(balls: &[Ball]) -> Option<Ball> {
    let (base, others) = balls.split_first()?;
    let scale = others.iter().map(|ball| ball.center.distance(base.center)).fold(0.0, f64::max);
    // With y the centre relative to the first, r its radius, and p the ball's radius minus r: |y| =
    // p, and for another ball at q whose radius is r + d, |y - q| = p - d. So 2 y.q = q.q - d d + 2
    // p d, and y = fixed + p * growing.
    let mut axes: Vec<DVec3> = Vec::with_capacity(3);
    let [mut fixed, mut growing] = [DVec3::ZERO; 2];
    for ball in others {
        let to = ball.center - base.center;
        let difference = ball.radius - base.radius;
        let rest = axes.iter().fold(to, |rest, axis| rest - *axis * rest.dot(*axis));
        if rest.length() <= 1e-10 * scale {
            return None;
        }
        let axis = rest.normalize();
        let along = to.dot(axis);
        let constant = (to.length_squared() - difference * difference) / 2.0;
        fixed += axis * ((constant - fixed.dot(to)) / along);
        growing += axis * ((difference - growing.dot(to)) / along);
        axes.push(axis);
    }
    let radius = growth(fixed, growing)?;
    let ball =
        Ball { center: base.center + fixed + growing * radius, radius: base.radius + radius };
    let least = balls.iter().map(|ball| ball.radius).fold(0.0, f64::max);
    (ball.radius >= least).then_some(ball)
}

/// The smallest p >= 0 with |fixed + p growing| = p.
fn growth(fixed: DVec3, growing: DVec3) -> Option<f64> {
    let quadratic = growing.length_squared() - 1.0;
    let half_linear = fixed.dot(growing);
    let constant = fixed.length_squared();
    if quadratic.abs() < 1e-14 {
        let root = -constant / (2.0 * half_linear);
        return (root >= 0.0 && root.is_finite()).then_some(root);
    }
    let root = (half_linear * half_linear - quadratic * constant).max(0.0).sqrt();
    let roots = [(-half_linear - root) / quadratic, (-half_linear + root) / quadratic];
    roots.into_iter().filter(|root| *root >= 0.0).min_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::tests::vector;
    use proptest::prelude::*;

    fn balls() -> impl Strategy<Value = Vec<Ball>> {
        let number = || prop_oneof![-1.0..1.0, (-1..=1).prop_map(f64::from)];
        let radius = prop_oneof![Just(0.0), 0.0..1.5];
        let ball = ((number(), number(), number()), radius)
            .prop_map(|(center, radius)| Ball { center: center.into(), radius });
        prop::collection::vec(ball, 1..9)
    }

    proptest! {
        /// The radius about a centre is a convex function of it: without a smaller one nearby there is none.
        #[test]
        fn no_center_nearby_has_a_smaller_ball(balls in balls(), step in vector()) {
            let found = smallest_ball(&balls);
            let radius = |center: DVec3| {
                balls.iter().map(|ball| ball.reach_from(center)).fold(0.0, f64::max)
            };
            prop_assert!(radius(found.center) <= found.radius);
            let steps = DVec3::AXES.into_iter().chain([step]).flat_map(|step| [step, -step]);
            for step in steps {
                let other = radius(found.center + step * 1e-4);
                prop_assert!(other >= found.radius * (1.0 - 1e-12), "{other} {found:?}");
            }
        }
    }
}

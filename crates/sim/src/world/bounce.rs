//! The speed after a bounce in a world with forces.
//!
//! A step adds to each velocity all that forces do to it in the step, then moves along a straight line. The positions at
//! the ends of steps are those of a parabola. A stored velocity is that of the parabola half a step ago, and at a time `t`
//! within the step the parabola has the velocity `v + a (t - dt / 2)`. This velocity is reflected. Reflecting `v` would
//! add up to `a dt` to the speed of an object that touches a wall as the step begins: a resting ball would jump.
//!
//! With `w = v + a dt / 2` at the end of a step, the sum of `w^2 / 2` and the potential energy is then exactly kept by
//! flights and bounces, several in one step included.

/// The speed along the normal of what an object bounces off, after the bounce. `speed` is that before, negative since it
/// approaches. `lag` is the part along the normal of `a (t - dt / 2)`, by which the parabola is faster.
///
/// The parabola may turn before the straight line meets the wall. The object rests then, and leaves with the share `rest`
/// of its speed.
pub(super) fn speed_after(speed: f64, lag: f64, rest: f64) -> f64 {
    (-speed - 2.0 * lag).max(-rest * speed)
}

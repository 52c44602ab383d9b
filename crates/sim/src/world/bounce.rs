//! A bounce in a world with forces.
//!
//! A step adds to each velocity all that forces do to it in the step, then moves along a straight line. The positions at
//! the ends of steps are those of a parabola. A stored velocity is that of the parabola half a step ago, and at a time `t`
//! within the step the parabola has the velocity `v + a (t - dt / 2)`. This velocity is reflected. Reflecting `v` would
//! add up to `a dt` to the speed of an object that touches a wall as the step begins: a resting ball would jump.
//!
//! With `w = v + a dt / 2` at the end of a step, the sum of `w^2 / 2` and the potential energy is then exactly kept by
//! flights and bounces, several in one step included.

/// Share of its speed with which an object leaves what it rests on. More than rounding turns a normal by, and too little to
/// see.
const REST: f64 = 1e-6;

/// Effect of a bounce on the speed along the normal.
pub(super) struct Bounce {
    /// Change of the speed.
    pub(super) change: f64,
    /// Energy that the object gains, per unit of the mass that is reflected: above 0 only if it comes to rest.
    pub(super) gain: f64,
    /// Whether it comes to rest.
    pub(super) rests: bool,
}

/// The bounce of an object whose `speed` along the normal is negative, since it approaches. `ahead` is the part along the
/// normal of `a (t - dt / 2)`: the parabola's velocity minus the stored one. The speed of the parabola is multiplied by
/// -`restitution`.
///
/// The parabola may turn before the straight line meets the wall. The object rests then: it leaves with hardly any
/// speed, and what it gains by that is to be taken back at the end of the step ([`damping`]).
pub(super) fn bounce(speed: f64, ahead: f64, restitution: f64) -> Bounce {
    let (back, rest) = (-restitution * speed - (1.0 + restitution) * ahead, -REST * speed);
    let change = back.max(rest) - speed;
    let rests = rest > back;
    // Without rest nothing is gained, whatever rounding makes of it.
    let gain = if rests { (change * (speed + ahead + 0.5 * change)).max(0.0) } else { 0.0 };
    Bounce { change, gain, rests }
}

/// The factor of an object's velocities that takes `gain` back from its energy, as far as possible. With velocities times
/// `f`, the energy is `own f^2 + shared f` and a constant: `own` is the kinetic energy of the stored velocities, `shared`
/// the mass times the stored velocity times `a dt / 2`.
pub(super) fn damping(own: f64, shared: f64, gain: f64) -> f64 {
    if gain <= 0.0 || own <= 0.0 {
        return 1.0;
    }
    let root = (shared * shared + 4.0 * own * (own + shared - gain)).max(0.0).sqrt();
    ((root - shared) / (2.0 * own)).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn restitution_is_the_share_of_the_speed_that_returns() {
        for (restitution, ahead, back) in [
            (1.0, 0.0, 3.0),
            (0.5, 0.0, 1.5),
            (0.5, 1.0, 0.0),
            (0.5, -1.0, 3.0),
            (1.0, -1.0, 5.0),
            (0.0, 0.0, 0.0),
        ] {
            let Bounce { change, gain, rests } = bounce(-3.0, ahead, restitution);
            let after = change - 3.0;
            assert!((after - back).abs() < 1e-5, "{restitution}, {ahead}: {after}");
            assert_eq!((gain, rests), (0.0, back == 0.0));
            assert!(after > 0.0, "it leaves, with hardly any speed");
        }
    }
}

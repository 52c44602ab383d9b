//! Names of the inputs in the rows, one for each variant of a scene.

pub(super) const RANDOM: &str = "random";
pub(super) const FER: &str = "fer";
pub(super) const DRAWN: &str = "random, drawn";
pub(super) const COARSE: &str = "random, 20 triangles";
pub(super) const FINE: &str = "random, 80 triangles";
pub(super) const PLAIN: &str = "random, plain";
pub(super) const SHADED: &str = "random, shaded";
/// Prefix of a speed, units/s.
pub(super) const SPEED: &str = "random, speed ";
/// Prefix of a radius.
pub(super) const RADIUS: &str = "random, radius ";

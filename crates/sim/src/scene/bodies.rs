//! Shapes, and the bodies that have them.

use super::model::Scene;
use glam::{DQuat, DVec3, Vec3};

/// Largest angle of a step in radians: two and a half revolutions. Faster rotations are slowed down to it: in pictures so far
/// apart, any orientation is as good. It bounds the time of a step.
pub const LARGEST_TURN: f64 = 16.0;

/// Most shapes of a scene.
pub const MAX_SHAPES: usize = 64;

/// A named shape.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeRule {
    /// Its name: 1 to 40 letters, digits, `-` and `_`, and no number.
    pub name: String,
    /// What it is.
    pub form: ShapeForm,
}

/// What a shape is. Lengths are in units; a body scales them. Where a shape has an axis, it is y.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the text of a form explains its fields")]
pub enum ShapeForm {
    /// A ball.
    Sphere { radius: f32 },
    /// A cuboid with these side lengths.
    Box { size: Vec3 },
    /// All points within `radius` of a segment of this length; 0 gives a ball.
    Capsule { radius: f32, length: f32 },
    /// A prism over a regular polygon of 3 to 64 corners, at `radius` from its middle. The height is the distance of its two
    /// ends.
    Cylinder { radius: f32, height: f32, sides: u8 },
    /// A pyramid over a regular polygon of 3 to 64 corners, at `radius` from its middle. The height is the distance of the
    /// apex from the polygon.
    Cone { radius: f32, height: f32, sides: u8 },
    /// A regular tetrahedron with edges of this length.
    Tetrahedron { side: f32 },
    /// The convex hull of random points, 4 at least, which are drawn from a seed.
    Hull { points: u32, seed: u64 },
    /// The convex hull of given points.
    Points(Vec<Vec3>),
    /// A prism over a convex polygon of the x-z plane, whose corners are x and z. The depth is its length along y.
    Polygon { depth: f32, corners: Vec<[f32; 2]> },
    /// The parts that [`PartRule`]s add.
    #[default]
    Compound,
}

/// A part of a compound.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartRule {
    /// Name of the compound.
    pub compound: String,
    /// Name of the part's shape, which is no compound.
    pub shape: String,
    /// Where the shape's own origin is: the middle of a box, a ball, a capsule, a cylinder, and of a cone's height; the
    /// centre of a tetrahedron; the origin of the coordinates of hulls, points and polygons.
    pub position: Vec3,
    /// How the shape is rotated.
    pub rotation: Option<AxisAngle>,
}

/// A rotation by an angle about an axis.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AxisAngle {
    /// The axis, of any length but 0.
    pub axis: Vec3,
    /// The angle in degrees, counterclockwise seen against the axis.
    pub degrees: f32,
}

impl AxisAngle {
    /// The rotation as a unit quaternion; the same on every machine.
    pub fn quaternion(&self) -> DQuat {
        let axis = self.axis.as_dvec3().normalize_or(DVec3::Z);
        // Sine and cosine of the platform differ in the last digit.
        let (sin, cos) = libm::sincos(0.5 * f64::from(self.degrees).to_radians());
        let along = axis * sin;
        DQuat::from_xyzw(along.x, along.y, along.z, cos).normalize()
    }
}

/// The shapes of the objects that a source generates. Objects beyond the shares are spheres.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BodiesRule {
    /// The source, counted from 1 in the order of the file.
    pub source: u32,
    /// The shapes; their shares add up to 100 at most.
    pub shares: Vec<ShapeShare>,
}

/// A shape's share of a source's objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeShare {
    /// Name of the shape.
    pub shape: String,
    /// Per cent of the source's objects.
    pub percent: f32,
}

/// A body placed by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedBody {
    /// Name of its shape.
    pub shape: String,
    /// Its centre of mass at the start.
    pub center: Vec3,
    /// Its velocity at the start, in units/s.
    pub velocity: Vec3,
    /// Factor of all the shape's lengths.
    pub scale: f32,
    /// Its orientation at the start.
    pub rotation: Option<AxisAngle>,
    /// Its angular velocity at the start, in rad/s.
    pub spin: Vec3,
    /// Whether it never moves.
    pub is_static: bool,
    /// Whether its motion is continuous where [`Continuous::Bullets`] is set.
    pub is_bullet: bool,
    /// Whether it moves at its velocity and spin whatever it meets: it pushes, and is never pushed.
    pub is_kinematic: bool,
    /// Whether the user drives it.
    pub is_driven: bool,
}

impl Default for PlacedBody {
    /// A body at rest in the origin, whose shape has no name yet.
    fn default() -> Self {
        Self {
            shape: String::new(),
            center: Vec3::ZERO,
            velocity: Vec3::ZERO,
            scale: 1.0,
            rotation: None,
            spin: Vec3::ZERO,
            is_static: false,
            is_bullet: false,
            is_kinematic: false,
            is_driven: false,
        }
    }
}

/// A number for the bodies of a shape, or for all objects.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShapeValue {
    /// Name of the shape; `None` for all objects whose shape has no value of its own, spheres included.
    pub shape: Option<String>,
    /// The number.
    pub value: f32,
}

/// A force on a placed body from the start on.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct BodyForce {
    /// The body: that of the `body`-th `#!body` line, counted from 1.
    pub body: u32,
    /// The force at the centre of mass; a sphere of radius 1 and density 1 has mass 1.
    pub force: Vec3,
    /// How long it acts, in seconds.
    pub seconds: f32,
}

/// Which moving objects collide continuously: at their first contact within a step, not at its end only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Continuous {
    /// None.
    #[default]
    Off,
    /// Bodies marked as bullets with all others, and all with static and kinematic ones.
    Bullets,
    /// All.
    All,
}

impl Continuous {
    /// All choices.
    pub const ALL: [Self; 3] = [Self::Off, Self::Bullets, Self::All];

    /// Its word in a scene file.
    pub fn word(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Bullets => "bullets",
            Self::All => "all",
        }
    }
}

/// Whether a text can name a shape. A number cannot: files compare numbers by their values.
pub(super) fn is_shape_name(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    (1..=40).contains(&name.len()) && name.chars().all(allowed) && name.parse::<f32>().is_err()
}

impl Scene {
    /// All names of shapes, wherever they stand.
    pub(super) fn shape_names(&self) -> impl Iterator<Item = &str> {
        let shapes = self.shapes.iter().map(|rule| &rule.name);
        let parts = self.parts.iter().flat_map(|part| [&part.compound, &part.shape]);
        let shares = self.generated_bodies.iter().flat_map(|rule| &rule.shares);
        let bodies = self.placed_bodies.iter().map(|body| &body.shape);
        let values = self.restitution.iter().chain(&self.density);
        let values = values.filter_map(|value| value.shape.as_ref());
        let used = shares.map(|share| &share.shape).chain(bodies).chain(values);
        shapes.chain(parts).chain(used).map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotation_is_counterclockwise_about_its_axis() {
        let quarter = AxisAngle { axis: Vec3::Z * 1e-30, degrees: 90.0 }.quaternion();
        assert!((quarter * DVec3::X).distance(DVec3::Y) < 1e-15);
        let none = AxisAngle { axis: Vec3::ONE, degrees: 0.0 }.quaternion();
        assert_eq!(none, DQuat::IDENTITY);
    }
}

//! The scene that a file describes: its settings, its elements, and its bodies.

use super::lines::{self, text_of};
use broadphase::{Aabb, Axis, Layer};
use glam::{DQuat, DVec3, Vec3};
use narrowphase::volume::{self, VolumeKind};
use std::fmt;

/// Seed of everything random unless one is given. Any number would do; a fixed one makes runs comparable.
pub const DEFAULT_SEED: u64 = 1739;

/// A scene: its elements, and the settings that make a run of it repeatable.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Objects to generate in the sources; balls and placed bodies come in addition.
    pub objects: u32,
    /// Radius of the generated spheres; bounding radius of the generated bodies.
    pub radius: Radius,
    /// Speed of every generated sphere; its direction is random.
    pub speed: f32,
    /// Seed of all that is random.
    pub seed: u64,
    /// Simulated seconds per step.
    pub dt: f32,
    /// The acceleration of all moving objects.
    pub gravity: Gravity,
    /// x and y of the vertical line that attracts or repels while held.
    pub line: [f32; 2],
    /// Camera at the start.
    pub camera: CameraPose,
    /// Triangles drawn per sphere: 20 or 80.
    pub triangles: Triangles,
    /// Whether spheres are drawn shaded.
    pub shading: bool,
    /// Angular speed of every generated body, in rad/s; its axis is random.
    pub spin: f32,
    /// Which moving objects collide continuously.
    pub continuous: Continuous,
    /// How driven bodies move.
    pub driving: Driving,
    /// Whether everything stays in its x-z plane and rotates about y only.
    pub flat: bool,
    /// Whether all objects stay inside the first source.
    pub strict: bool,
    /// Boxes in which objects are generated, and whose walls hold them.
    pub sources: Vec<Source>,
    /// Rectangles that objects bounce off.
    pub obstacles: Vec<Obstacle>,
    /// Spheres placed one by one.
    pub balls: Vec<Ball>,
    /// Timed events.
    pub events: Vec<Event>,
    /// Layers of objects other than [`Layer::ALL`]; at most one rule for each target.
    pub layers: Vec<LayerRule>,
    /// Shapes of bodies.
    pub shapes: Vec<ShapeRule>,
    /// Parts of compound shapes.
    pub parts: Vec<PartRule>,
    /// Sources that generate bodies; at most one rule for each.
    pub generated_bodies: Vec<BodiesRule>,
    /// Bodies placed one by one.
    pub placed_bodies: Vec<PlacedBody>,
    /// Restitution, from 0 (plastic) to 1 (elastic), which objects without a value have. At most one value for each shape. In
    /// a collision the smaller one of both counts.
    pub restitution: Vec<ShapeValue>,
    /// Density, above 0; 1 for objects without a value. At most one value for each shape.
    pub density: Vec<ShapeValue>,
    /// Forces on placed bodies.
    pub body_forces: Vec<BodyForce>,
    /// Keys that the scene holds, one entry after the other from the start on, while no others are held.
    pub drive: Vec<DriveStep>,
    /// Texts that are drawn at places; at most [`MAX_LABELS`].
    pub labels: Vec<Label>,
}

impl Default for Scene {
    /// The settings of a file that gives none, and no elements.
    fn default() -> Self {
        Self {
            objects: 1000,
            radius: Radius::Equal(0.02),
            speed: 0.5,
            seed: DEFAULT_SEED,
            dt: 1.0 / 60.0,
            gravity: Gravity::Off,
            line: [0.0, 0.0],
            camera: CameraPose::default(),
            triangles: Triangles::Twenty,
            shading: true,
            spin: 2.0,
            continuous: Continuous::Off,
            driving: Driving::default(),
            flat: false,
            strict: false,
            sources: Vec::new(),
            obstacles: Vec::new(),
            balls: Vec::new(),
            events: Vec::new(),
            layers: Vec::new(),
            shapes: Vec::new(),
            parts: Vec::new(),
            generated_bodies: Vec::new(),
            placed_bodies: Vec::new(),
            restitution: Vec::new(),
            density: Vec::new(),
            body_forces: Vec::new(),
            drive: Vec::new(),
            labels: Vec::new(),
        }
    }
}

impl Scene {
    /// The smallest box around all sources and obstacles: the space that fixed trees divide.
    pub fn bounds(&self) -> Aabb {
        let sources = self.sources.iter().map(Source::bounds);
        let obstacles = self.obstacles.iter().map(Obstacle::bounds);
        sources.chain(obstacles).fold(Aabb::EMPTY, |all, b| all.union(&b))
    }

    /// The layer of some objects.
    pub fn layer_of(&self, target: LayerTarget) -> Layer {
        let rule = self.layers.iter().find(|rule| rule.target == target);
        rule.map_or(Layer::ALL, |rule| rule.layer)
    }

    /// All objects of the scene: generated ones, balls, and bodies placed by hand.
    pub fn total_objects(&self) -> usize {
        self.objects as usize + self.balls.len() + self.placed_bodies.len()
    }

    /// Whether some objects are bodies. Otherwise all are spheres.
    pub fn has_bodies(&self) -> bool {
        !self.placed_bodies.is_empty() || !self.generated_bodies.is_empty()
    }
}

/// The distribution of the radii.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radius {
    /// All the same.
    Equal(f32),
    /// Uniform between two bounds.
    Uniform(f32, f32),
    /// Log-uniform between two bounds: equally many in every octave.
    LogUniform(f32, f32),
}

impl Radius {
    /// The largest possible radius.
    pub fn largest(&self) -> f32 {
        match *self {
            Radius::Equal(r) => r,
            Radius::Uniform(a, b) | Radius::LogUniform(a, b) => a.max(b),
        }
    }
}

/// The acceleration of all objects that move: a pull along -z in the four strengths of the panel, or any vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Gravity {
    /// None.
    Off,
    /// 0.5 units/s².
    Weak,
    /// 1.5 units/s².
    Medium,
    /// 4 units/s².
    Strong,
    /// An acceleration in units/s².
    Vector(Vec3),
}

impl Gravity {
    /// The strengths, weakest first.
    pub const ALL: [Gravity; 4] = [Gravity::Off, Gravity::Weak, Gravity::Medium, Gravity::Strong];

    /// Acceleration along -z, in units/s².
    pub fn acceleration(self) -> f32 {
        match self {
            Gravity::Off => 0.0,
            Gravity::Weak => 0.5,
            Gravity::Medium => 1.5,
            Gravity::Strong => 4.0,
            Gravity::Vector(vector) => -vector.z,
        }
    }

    /// The acceleration itself, in units/s².
    pub fn vector(self) -> DVec3 {
        match self {
            Gravity::Vector(vector) => vector.as_dvec3(),
            // Added to a sum, -0 changes no bit of it, 0 the sign of -0.
            _ => DVec3::new(-0.0, -0.0, -f64::from(self.acceleration())),
        }
    }
}

/// As in a scene file.
impl fmt::Display for Gravity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text_of(*self, lines::gravity))
    }
}

/// Number of triangles of a drawn sphere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangles {
    /// An icosahedron.
    Twenty = 20,
    /// An icosahedron, subdivided once.
    Eighty = 80,
}

impl Triangles {
    /// The number itself.
    pub fn count(self) -> u32 {
        self as u32
    }
}

/// A camera on an orbit about the origin, z up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraPose {
    /// Degrees about z; at 0 the camera stands on the -y side and sees x to the right.
    pub yaw: f32,
    /// Degrees above the x-y plane, within -89..=89.
    pub pitch: f32,
    /// Distance from the origin.
    pub distance: f32,
}

impl Default for CameraPose {
    fn default() -> Self {
        Self { yaw: 25.0, pitch: 20.0, distance: 4.5 }
    }
}

/// The rule by which driven bodies move, and their speed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Driving {
    /// The rule.
    pub rule: MoveRule,
    /// Speed along a key's direction, in units/s, above 0.
    pub speed: f32,
}

impl Default for Driving {
    /// The driving of a scene that gives none.
    fn default() -> Self {
        Self { rule: MoveRule::Slide, speed: 0.5 }
    }
}

/// The response of a driven body to things in its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveRule {
    /// It stays where it is if its bounding volume would touch anything at the end of the step (004). The id of the
    /// volume, one of [`volume::VOLUMES`].
    Refuse(&'static str),
    /// It moves along walls, obstacles and static bodies, and pushes others.
    Slide,
    /// As [`Slide`](Self::Slide), but gravity pulls it, it stands on what is below, and it jumps from there. Gravity is to
    /// point along -z.
    Walk,
}

impl MoveRule {
    /// The volume of [`Refuse`](Self::Refuse); `None` for other rules, and if there is no volume of this id.
    pub fn volume(self) -> Option<&'static VolumeKind> {
        match self {
            Self::Refuse(id) => volume::find(id),
            Self::Slide | Self::Walk => None,
        }
    }
}

/// As in a scene file: `refuse sphere 0.5`.
impl fmt::Display for Driving {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&text_of(*self, lines::driving))
    }
}

/// Keys that a scene holds for some time; such times follow each other.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DriveStep {
    /// For how long, in simulated seconds, above 0.
    pub seconds: f32,
    /// The keys.
    pub keys: DriveKeys,
}

/// The keys that drive bodies, held down in a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct DriveKeys {
    /// Along -x.
    pub left: bool,
    /// Along x.
    pub right: bool,
    /// Along y; in a flat world along z.
    pub up: bool,
    /// Along -y; in a flat world along -z.
    pub down: bool,
    /// A jump, where bodies walk.
    pub jump: bool,
}

impl DriveKeys {
    /// The keys that hold in the middle of a step, counted from 1: rounding moves no change of keys to another step.
    pub fn in_step(step: u64, holds: &[DriveStep], dt: f32) -> Self {
        let middle = (step as f64 - 0.5) * f64::from(dt);
        let mut end = 0.0;
        let current = holds.iter().find(|hold| {
            end += f64::from(hold.seconds);
            middle < end
        });
        current.map_or(Self::NONE, |hold| hold.keys)
    }

    /// No key.
    pub const NONE: Self = Self { left: false, right: false, up: false, down: false, jump: false };

    /// Whether no key is held.
    pub fn is_none(self) -> bool {
        self == Self::NONE
    }

    /// The keys of a text as in a scene file: `none`, or words with `+` between them, each once: `up+right`. `None` for
    /// other texts.
    pub fn parse(text: &str) -> Option<Self> {
        let mut keys = Self::NONE;
        if text == "none" {
            return Some(keys);
        }
        for word in text.split('+') {
            let (_, key) = keys.by_words().into_iter().find(|(name, _)| *name == word)?;
            if std::mem::replace(key, true) {
                return None;
            }
        }
        Some(keys)
    }

    fn by_words(&mut self) -> [(&'static str, &mut bool); 5] {
        let Self { left, right, up, down, jump } = self;
        [("left", left), ("right", right), ("up", up), ("down", down), ("jump", jump)]
    }
}

/// As in a scene file.
impl fmt::Display for DriveKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_none() {
            return f.write_str("none");
        }
        let mut keys = *self;
        let held = keys.by_words().into_iter().filter(|(_, key)| **key);
        let words: Vec<&str> = held.map(|(word, _)| word).collect();
        f.write_str(&words.join("+"))
    }
}

/// A box in which objects are generated; while it is listed, its walls hold them from inside.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Source {
    /// The corner with the lowest coordinates.
    pub corner: Vec3,
    /// Side lengths, none negative.
    pub size: Vec3,
    /// Per cent of all objects that are generated in it; of the last source of a file, the remainder of 100.
    pub percent: f32,
    /// Without a floor, objects fall out of its bottom.
    pub floor: bool,
}

impl Source {
    /// The box itself.
    pub fn bounds(&self) -> Aabb {
        Aabb::new(self.corner, self.corner + self.size)
    }
}

/// A rectangle that objects bounce off, from both sides.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Obstacle {
    /// The corner with the lowest coordinates.
    pub corner: Vec3,
    /// Side lengths, none negative; 0 along the normal.
    pub size: Vec3,
    /// The axis that the rectangle is normal to.
    pub normal: Axis,
}

impl Obstacle {
    /// The rectangle as a box without thickness.
    pub fn bounds(&self) -> Aabb {
        Aabb::new(self.corner, self.corner + self.size)
    }
}

impl Default for Obstacle {
    /// A point, normal to z.
    fn default() -> Self {
        Self { corner: Vec3::ZERO, size: Vec3::ZERO, normal: Axis::Z }
    }
}

/// A sphere placed by hand.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Ball {
    /// Its centre at the start.
    pub center: Vec3,
    /// Its velocity at the start, in units/s.
    pub velocity: Vec3,
    /// Its radius; `None` takes the largest of the scene's.
    pub radius: Option<f32>,
}

/// A timed event.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Event {
    /// Simulated seconds from the start.
    pub time: f32,
    /// The action.
    pub action: Action,
}

/// The action of an event.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Action {
    /// Removes a source, which sets its objects free. Counted from 1 in the order of the file,
    /// whatever was removed before.
    RemoveSource(u32),
    /// Holds the line's key for some simulated seconds.
    Hold {
        /// Whether the line attracts (`p`); else it repels (`o`).
        attract: bool,
        /// For how long.
        seconds: f32,
    },
}

impl Default for Action {
    fn default() -> Self {
        Self::RemoveSource(1)
    }
}

/// The layer of some objects.
///
/// A static object never moves: nothing accelerates it, and objects bounce off it as off a wall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LayerRule {
    /// The objects.
    pub target: LayerTarget,
    /// Their layer.
    pub layer: Layer,
}

/// The objects of a layer rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum LayerTarget {
    /// Objects that a source generates, counted from 1 in the order of the file. They keep their layer if
    /// another source holds them later.
    Source(u32),
    /// The balls.
    #[default]
    Balls,
    /// The bodies placed by hand.
    Bodies,
}

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
    /// Its geometry.
    pub form: ShapeForm,
}

/// Geometry of a shape. Lengths are in units; a body scales them. Where a shape has an axis, it is y.
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

/// Most labels of a scene.
pub const MAX_LABELS: usize = 64;

/// A text at a place of the scene.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Label {
    /// Its middle.
    pub position: Vec3,
    /// Its words, 1 to 12 of at most 40 characters.
    pub words: Vec<String>,
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

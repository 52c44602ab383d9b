//! What a scene file says.

use broadphase::{Aabb, Axis, Layer};
use glam::Vec3;

/// A scene: its elements, and the settings that make a run of it repeatable.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// Spheres to generate in the sources; balls come in addition.
    pub objects: u32,
    /// Radius of the generated spheres.
    pub radius: Radius,
    /// Speed of every generated sphere; its direction is random.
    pub speed: f32,
    /// Seed of all that is random.
    pub seed: u64,
    /// Simulated seconds per step.
    pub dt: f32,
    /// Pull along -z.
    pub gravity: Gravity,
    /// x and y of the vertical line that attracts or repels while held.
    pub line: [f32; 2],
    /// Where a viewer looks from at first.
    pub camera: CameraPose,
    /// Triangles drawn per sphere: 20 or 80.
    pub triangles: Triangles,
    /// Whether spheres are drawn shaded.
    pub shading: bool,
    /// Whether all objects stay inside the first source.
    pub strict: bool,
    /// Boxes in which objects are generated, and whose walls hold them.
    pub sources: Vec<Source>,
    /// Rectangles that objects bounce off.
    pub obstacles: Vec<Obstacle>,
    /// Spheres placed one by one.
    pub balls: Vec<Ball>,
    /// What happens at given times.
    pub events: Vec<Event>,
    /// The layers of objects, where they are not [`Layer::ALL`]; of each kind of object at most one.
    pub layers: Vec<LayerRule>,
}

impl Default for Scene {
    /// The settings of a file that gives none, and no element at all.
    fn default() -> Self {
        Self {
            objects: 1000,
            radius: Radius::Equal(0.02),
            speed: 0.5,
            seed: 1739,
            dt: 1.0 / 60.0,
            gravity: Gravity::Off,
            line: [0.0, 0.0],
            camera: CameraPose::default(),
            triangles: Triangles::Twenty,
            shading: true,
            strict: false,
            sources: Vec::new(),
            obstacles: Vec::new(),
            balls: Vec::new(),
            events: Vec::new(),
            layers: Vec::new(),
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

    /// About how many pairs of boxes overlap at the start, if every sphere has the largest radius
    /// and stands anywhere in its source: the order of magnitude by which memory is judged.
    pub fn expected_pairs(&self) -> f64 {
        let width = 2.0 * f64::from(self.radius.largest());
        let in_source = |source: &Source| {
            let n = f64::from(self.objects) * f64::from(source.percent) / 100.0;
            let near = source.size.to_array().map(|side| {
                // Two points in an interval lie within a distance of each other with this chance.
                let share = (width / f64::from(side)).min(1.0);
                share * (2.0 - share)
            });
            0.5 * n * n * near.iter().product::<f64>()
        };
        self.sources.iter().map(in_source).sum()
    }

    /// The layer of some of its objects.
    pub fn layer_of(&self, whose: Whose) -> Layer {
        let rule = self.layers.iter().find(|rule| rule.whose == whose);
        rule.map_or(Layer::ALL, |rule| rule.layer)
    }

    /// All objects of the scene: generated spheres and balls.
    pub fn total_objects(&self) -> usize {
        self.objects as usize + self.balls.len()
    }
}

/// How radii are drawn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Radius {
    /// All the same.
    Equal(f32),
    /// Evenly between two bounds.
    Uniform(f32, f32),
    /// Evenly in the logarithm between two bounds: as many small ones per octave as large ones.
    LogUniform(f32, f32),
}

impl Radius {
    /// The largest radius that can come.
    pub fn largest(&self) -> f32 {
        match *self {
            Radius::Equal(r) => r,
            Radius::Uniform(a, b) | Radius::LogUniform(a, b) => a.max(b),
        }
    }
}

/// Pull along -z, in the four strengths of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gravity {
    /// None.
    Off,
    /// 0.5 units/s².
    Weak,
    /// 1.5 units/s².
    Medium,
    /// 4 units/s².
    Strong,
}

impl Gravity {
    /// All strengths, weakest first.
    pub const ALL: [Gravity; 4] = [Gravity::Off, Gravity::Weak, Gravity::Medium, Gravity::Strong];

    /// Acceleration along -z, in units/s².
    pub fn acceleration(self) -> f32 {
        match self {
            Gravity::Off => 0.0,
            Gravity::Weak => 0.5,
            Gravity::Medium => 1.5,
            Gravity::Strong => 4.0,
        }
    }

    /// Its word in a scene file.
    pub fn word(self) -> &'static str {
        match self {
            Gravity::Off => "off",
            Gravity::Weak => "weak",
            Gravity::Medium => "medium",
            Gravity::Strong => "strong",
        }
    }
}

/// How finely a sphere is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangles {
    /// An icosahedron.
    Twenty,
    /// An icosahedron, subdivided once.
    Eighty,
}

impl Triangles {
    /// The number itself.
    pub fn count(self) -> u32 {
        match self {
            Triangles::Twenty => 20,
            Triangles::Eighty => 80,
        }
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

/// A box in which objects are generated; while it is listed, its walls hold them from inside.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Source {
    /// The corner with the lowest coordinates.
    pub corner: Vec3,
    /// Side lengths, none negative.
    pub size: Vec3,
    /// Per cent of all objects that are generated in it; of the last source of a file, what the
    /// others leave.
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

/// A sphere placed by hand.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Its centre at the start.
    pub center: Vec3,
    /// Its velocity at the start, in units/s.
    pub velocity: Vec3,
    /// Its radius; `None` takes the largest of the scene's.
    pub radius: Option<f32>,
}

/// Something that happens at a given time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Simulated seconds from the start.
    pub time: f32,
    /// What happens.
    pub action: Action,
}

/// What an event does.
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

/// The layer of some objects.
///
/// A static object stands still for good: nothing accelerates it, and what hits it bounces off as
/// off a wall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LayerRule {
    /// The objects.
    pub whose: Whose,
    /// Their layer.
    pub layer: Layer,
}

/// Objects that have a layer in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whose {
    /// Those that a source generates. Counted from 1 in the order of the file. Whoever holds them
    /// later, they keep their layer.
    Source(u32),
    /// The balls.
    Balls,
}

impl std::fmt::Display for Whose {
    /// As a scene file says it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Whose::Source(number) => write!(f, "source {number}"),
            Whose::Balls => f.write_str("balls"),
        }
    }
}

mod align;
mod diagnostic;
mod directives;
mod document;
mod elements;
mod error;
mod parse;
mod tokens;
mod write;

pub use document::SceneDocument;
pub use error::{SaveError, SceneError, Warning};

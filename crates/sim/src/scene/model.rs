//! The scene that a file describes.

use super::{
    Ball, BodiesRule, BodyForce, CameraPose, Continuous, DriveStep, Driving, Event, Gravity,
    LayerRule, LayerTarget, Obstacle, PartRule, PlacedBody, Radius, ShapeRule, ShapeValue, Source,
    Triangles,
};
use broadphase::{Aabb, Layer};

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

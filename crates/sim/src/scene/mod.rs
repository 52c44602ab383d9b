//! Scenes: what a scene file says, and the file itself.

mod bodies;
mod catalogue;
mod check;
mod document;
mod driving;
mod elements;
mod fault;
mod fields;
mod lines;
mod model;
mod numbers;
mod parse;
mod settings;
mod text;
mod tokens;
mod write;

pub use bodies::{
    AxisAngle, BodiesRule, BodyForce, Continuous, LARGEST_TURN, MAX_SHAPES, PartRule, PlacedBody,
    ShapeForm, ShapeRule, ShapeShare, ShapeValue,
};
pub use catalogue::{Catalogue, CatalogueError, NamedShape};
pub use document::SceneDocument;
pub use driving::{DriveKeys, DriveStep, Driving, MoveRule};
pub use elements::{Action, Ball, Event, LayerRule, LayerTarget, Obstacle, Source};
pub use fault::SceneDiagnostic;
pub use model::{DEFAULT_SEED, Scene};
pub use numbers::{shortest_number, spelling_help};
pub use settings::{CameraPose, Gravity, Radius, Triangles};

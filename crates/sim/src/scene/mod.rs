//! Scenes: what a scene file says, and the file itself.

mod bodies;
mod catalogue;
mod check;
mod diagnostic;
mod document;
mod driving;
mod elements;
mod error;
mod fault;
mod fields;
mod lines;
mod model;
mod numbers;
mod parse;
mod reader;
mod settings;
mod text;
mod write;

pub use bodies::{
    AxisAngle, BodiesRule, BodyForce, Continuous, LARGEST_TURN, MAX_SHAPES, PartRule, PlacedBody,
    ShapeForm, ShapeRule, ShapeShare, ShapeValue,
};
pub use catalogue::{Catalogue, CatalogueError, NamedShape};
pub use document::SceneDocument;
pub use driving::{DriveKeys, DriveStep, Driving, MoveRule};
pub use elements::{Action, Ball, Event, LayerRule, LayerTarget, Obstacle, Source};
pub use error::{SaveError, SceneError, Warning};
pub use model::{DEFAULT_SEED, Scene};
pub use numbers::{shortest_number, spelling_help};
pub use settings::{CameraPose, Gravity, Radius, Triangles};

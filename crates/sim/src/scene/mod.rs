//! Scenes: what a scene file says, and the file itself.

mod align;
mod bodies;
mod body_lines;
mod catalogue;
mod diagnostic;
mod directives;
mod document;
mod driving;
mod elements;
mod error;
mod fault;
mod model;
mod motion_lines;
mod numbers;
mod parse;
mod parse_bodies;
mod parse_elements;
mod settings;
mod text;
mod tokens;
mod write;
mod write_bodies;

pub use bodies::{
    AxisAngle, BodiesRule, BodyForce, Continuous, ExactPose, MAX_SHAPES, PartRule, PlacedBody,
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

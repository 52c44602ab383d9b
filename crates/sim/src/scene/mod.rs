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
mod write;

pub use bodies::*;
pub use catalogue::{Catalogue, CatalogueError, NamedShape};
pub use document::SceneDocument;
pub use driving::*;
pub use elements::*;
pub use fault::SceneDiagnostic;
pub use model::{DEFAULT_SEED, Scene};
pub use numbers::{shortest_number, spelling_help};
pub use settings::*;

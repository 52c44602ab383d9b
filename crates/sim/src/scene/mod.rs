//! Scenes: what a scene file says, and the file itself.

mod catalogue;
mod check;
mod document;
mod fault;
mod fields;
mod lines;
mod model;
mod parse;
mod text;
mod write;

pub use catalogue::{Catalogue, CatalogueError, NamedShape};
pub use document::SceneDocument;
pub use fault::SceneDiagnostic;
pub use model::*;
pub use text::{shortest_number, spelling_help};

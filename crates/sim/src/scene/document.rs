//! Placeholder.
use super::Scene;
use std::path::Path;
/// Placeholder.
pub struct SceneDocument { scene: Scene }
/// Placeholder.
#[derive(Debug, thiserror::Error)]
#[error("")]
pub struct SceneError;
impl SceneDocument {
    /// Placeholder.
    pub fn read(_path: &Path) -> Result<Self, SceneError> { Err(SceneError) }
    /// Placeholder.
    pub fn scene(&self) -> &Scene { &self.scene }
    /// Placeholder.
    pub fn warnings(&self) -> &[String] { &[] }
}

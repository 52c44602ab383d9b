//! Saving what an ending window would lose.

use crate::platform::Files;
use sim::{Scene, SceneDocument};
use std::path::Path;

/// Saves the scene with its edits. Returns `why` with its path, or with the reason why it could not be saved.
pub(super) fn rescue(why: &str, scene: &Scene, files: &dyn Files, path: &Path) -> String {
    match save(scene, files, path) {
        Ok(()) => format!("{why}; the scene is saved in {}", path.display()),
        Err(error) => format!("{why}; the scene could not be saved: {error}"),
    }
}

fn save(scene: &Scene, files: &dyn Files, path: &Path) -> Result<(), String> {
    let document = SceneDocument::from_scene(scene).map_err(|e| e.to_string())?;
    files.write_with_folder(path, document.to_text().as_bytes()).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::System;
    use sim::scene::Source;

    #[test]
    fn scene_is_saved_when_drawing_failed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("results/a.scene");
        let source = Source {
            corner: glam::Vec3::NEG_ONE,
            size: glam::Vec3::splat(2.0),
            percent: 100.0,
            floor: true,
        };
        let scene = Scene { objects: 7, sources: vec![source], ..Scene::default() };
        let message = rescue("the device was lost", &scene, &System, &path);
        assert_eq!(
            message,
            format!("the device was lost; the scene is saved in {}", path.display())
        );
        assert_eq!(*SceneDocument::read(&path).unwrap().scene(), scene);
        let message = rescue("lost", &scene, &System, &path.join("x.scene"));
        assert!(message.starts_with("lost; the scene could not be saved: "), "{message}");
    }
}

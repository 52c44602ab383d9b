//! Saving the scene when drawing fails permanently.

use sim::{Scene, SceneDocument};
use std::path::Path;

/// Saves the scene with its edits, if it is one. Returns the fault with the paths of the scene and
/// of the recorded frames.
pub(super) fn rescue(fault: String, scene: Option<&Scene>, path: &Path, frames: &Path) -> String {
    let save = |scene| -> Result<(), String> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        }
        let document = SceneDocument::from_scene(scene).map_err(|e| e.to_string())?;
        document.save(path).map_err(|e| e.to_string())
    };
    let mut message = fault;
    message += &match scene.map(save) {
        Some(Ok(())) => format!("; the scene is saved in {}", path.display()),
        Some(Err(error)) => format!("; the scene could not be saved: {error}"),
        None => String::new(),
    };
    if frames.exists() {
        message += &format!(", the recorded frames in {}", frames.display());
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
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
        let frames = folder.path().join("results/none.csv");
        let message = rescue("the device was lost".to_owned(), Some(&scene), &path, &frames);
        assert_eq!(
            message,
            format!("the device was lost; the scene is saved in {}", path.display())
        );
        assert_eq!(*SceneDocument::read(&path).unwrap().scene(), scene);
        let message = rescue("lost".to_owned(), Some(&scene), &path.join("x.scene"), &path);
        assert!(message.starts_with("lost; the scene could not be saved: "), "{message}");
        assert!(
            message.ends_with(&format!(", the recorded frames in {}", path.display())),
            "{message}"
        );
    }
}

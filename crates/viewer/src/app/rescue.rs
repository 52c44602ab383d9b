//! Saving what an ending window would lose.

use crate::platform::Files;
use sim::{Scene, SceneDocument};
use std::path::{Path, PathBuf};

/// Saves the scene with its edits, if it is given. Returns `why` with the paths of the scene and of the recorded
/// frames, or with what could not be saved.
pub(super) fn rescue(
    why: String,
    scene: Option<&Scene>,
    files: &dyn Files,
    path: &Path,
    frames: Option<Result<PathBuf, String>>,
) -> String {
    let scene = scene.map(|scene| match save(scene, files, path) {
        Ok(()) => format!("the scene is saved in {}", path.display()),
        Err(error) => format!("the scene could not be saved: {error}"),
    });
    let frames = frames.map(|frames| match frames {
        Ok(frames) => format!("the recorded frames are saved in {}", frames.display()),
        Err(error) => format!("the recorded frames could not be saved: {error}"),
    });
    std::iter::once(why).chain(scene).chain(frames).collect::<Vec<_>>().join("; ")
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
        let message = rescue("the device was lost".to_owned(), Some(&scene), &System, &path, None);
        assert_eq!(
            message,
            format!("the device was lost; the scene is saved in {}", path.display())
        );
        assert_eq!(*SceneDocument::read(&path).unwrap().scene(), scene);
        let message = rescue(
            "lost".to_owned(),
            Some(&scene),
            &System,
            &path.join("x.scene"),
            Some(Ok(path.clone())),
        );
        assert!(message.starts_with("lost; the scene could not be saved: "), "{message}");
        assert!(
            message.ends_with(&format!("; the recorded frames are saved in {}", path.display())),
            "{message}"
        );
    }
}

//! What is saved when drawing fails for good.

use sim::{Scene, SceneDocument};
use std::path::Path;

/// Saves the scene with its edits beside the recorded frames; tells of both after the fault.
pub(super) fn rescue(fault: String, scene: &Scene, path: &Path, frames: &Path) -> String {
    let save = || -> Result<(), String> {
        if let Some(folder) = path.parent() {
            std::fs::create_dir_all(folder).map_err(|e| e.to_string())?;
        }
        let document = SceneDocument::from_scene(scene).map_err(|e| e.to_string())?;
        document.save(path).map_err(|e| e.to_string())
    };
    let mut told = fault;
    told += &match save() {
        Ok(()) => format!("; the scene is saved in {}", path.display()),
        Err(trouble) => format!("; the scene could not be saved: {trouble}"),
    };
    if frames.exists() {
        told += &format!(", the recorded frames in {}", frames.display());
    }
    told
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::scene::Source;

    #[test]
    fn a_scene_is_saved_from_a_broken_window() {
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
        let told = rescue("the device was lost".to_owned(), &scene, &path, &frames);
        assert_eq!(told, format!("the device was lost; the scene is saved in {}", path.display()));
        assert_eq!(*SceneDocument::read(&path).unwrap().scene(), scene);
        let told = rescue("lost".to_owned(), &scene, &path.join("x.scene"), &path);
        assert!(told.starts_with("lost; the scene could not be saved: "), "{told}");
        assert!(told.ends_with(&format!(", the recorded frames in {}", path.display())), "{told}");
    }
}

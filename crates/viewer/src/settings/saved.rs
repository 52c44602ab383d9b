//! Cameras and bookmarks as the settings keep them, with the scene of each.

use crate::camera::OrbitCamera;
use crate::panel::Bookmark;
use glam::Vec3;
use serde::{Deserialize, Serialize};
use sim::scene::CameraPose;
use std::path::{Path, PathBuf};

/// Largest absolute value of a camera number. No scene is visible from farther away.
const FARTHEST: f32 = 1e6;

/// A camera, and the scene that it belongs to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedCamera {
    scene: PathBuf,
    target: [f32; 3],
    yaw: f32,
    pitch: f32,
    distance: f32,
}

/// A bookmark of a scene.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedBookmark {
    name: String,
    step: u64,
    objects: u32,
    /// As text: TOML has no unsigned numbers of 64 bits.
    seed: String,
    #[serde(flatten)]
    camera: SavedCamera,
}

impl SavedCamera {
    pub(super) fn of(scene: &Path, camera: &OrbitCamera) -> Self {
        let CameraPose { yaw, pitch, distance } = camera.pose();
        let target = camera.target.to_array();
        Self { scene: scene.to_owned(), target, yaw, pitch, distance }
    }

    pub(super) fn is_of(&self, scene: &Path) -> bool {
        self.scene == scene
    }

    /// The camera, if its numbers are valid.
    pub(super) fn camera(&self) -> Option<OrbitCamera> {
        let Self { target, yaw, pitch, distance, .. } = *self;
        let numbers = [target[0], target[1], target[2], yaw, pitch, distance];
        numbers.iter().all(|number| number.abs() <= FARTHEST).then(|| {
            let mut camera = OrbitCamera::from_pose(CameraPose { yaw, pitch, distance });
            camera.target = Vec3::from(target);
            camera
        })
    }
}

impl SavedBookmark {
    pub(super) fn of(scene: &Path, bookmark: &Bookmark) -> Self {
        Self {
            name: bookmark.name.clone(),
            step: bookmark.step,
            objects: bookmark.objects,
            seed: bookmark.seed.to_string(),
            camera: SavedCamera::of(scene, &bookmark.camera),
        }
    }

    pub(super) fn is_of(&self, scene: &Path) -> bool {
        self.camera.is_of(scene)
    }

    /// The bookmark, if its numbers are valid.
    pub(super) fn bookmark(&self) -> Option<Bookmark> {
        let (step, objects, seed) = (self.step, self.objects, self.seed.parse().ok()?);
        let name = self.name.chars().take(Bookmark::MAX_NAME).collect();
        Some(Bookmark { name, step, objects, seed, camera: self.camera.camera()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_camera_is_ignored() {
        let saved = SavedCamera::of(Path::new("a.scene"), &OrbitCamera::default());
        assert!(saved.camera().is_some());
        for number in [1e30, -1e30, 1.1e6, f32::NAN, f32::INFINITY] {
            let target = SavedCamera { target: [0.0, number, 0.0], ..saved.clone() };
            for invalid in [target, SavedCamera { distance: number, ..saved.clone() }] {
                assert_eq!(invalid.camera(), None, "{invalid:?}");
            }
        }
    }
}

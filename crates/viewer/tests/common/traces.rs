//! Small traces, and sessions that play them.

use super::{clock, row};
use broadphase::Aabb;
use glam::Vec3;
use measure::{Case, Input};
use sim::{GeneratedBoxes, TraceWriter};
use std::path::{Path, PathBuf};
use tempfile::TempDir;
use viewer::session::Session;

/// A folder with a trace.
pub(crate) struct Trace {
    pub(crate) folder: TempDir,
    pub(crate) frames: Vec<Vec<Aabb>>,
}

impl Trace {
    /// Cubes that fly for some frames.
    pub(crate) fn new(objects: u32, frames: usize) -> Self {
        let mut boxes = GeneratedBoxes::new(&format!("gas:{objects}").parse().unwrap());
        let mut next = || {
            let mut frame = Vec::new();
            boxes.next_frame(&mut frame);
            frame
        };
        Self::of((0..frames).map(|_| next()).collect())
    }

    pub(crate) fn of(frames: Vec<Vec<Aabb>>) -> Self {
        let trace = Self { folder: tempfile::tempdir().unwrap(), frames };
        trace.write(&trace.path());
        trace
    }

    pub(crate) fn write(&self, path: &Path) {
        let mut writer = TraceWriter::create(path, self.frames[0].len() as u32, 0.02).unwrap();
        self.frames.iter().for_each(|frame| writer.write_frame(frame).unwrap());
        writer.finish().unwrap();
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.folder.path().join("a.bpt")
    }

    pub(crate) fn case(&self) -> Case {
        case_of(&self.path())
    }

    pub(crate) fn session(&self, algorithm: &str) -> Session {
        Session::of_case(&self.case(), row(algorithm), clock(), None).unwrap()
    }

    /// Makes a coordinate of an object in a frame no number.
    pub(crate) fn spoil(&self, frame: usize, object: usize) {
        let mut bytes = std::fs::read(self.path()).unwrap();
        let at = 24 + (frame * self.frames[0].len() + object) * 24;
        bytes[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        std::fs::write(self.path(), bytes).unwrap();
    }
}

pub(crate) fn case_of(path: &Path) -> Case {
    Input::open(path).unwrap().cases(&Default::default()).unwrap().remove(0)
}

/// Generated boxes, or a cell of the atlas.
pub(crate) fn boxes_session(name: &str, algorithm: &str) -> Session {
    Session::of_case(&boxes_case(name), row(algorithm), clock(), None).unwrap()
}

/// Generated boxes as a case.
pub(crate) fn boxes_case(name: &str) -> Case {
    Input::boxes(name.parse().unwrap()).cases(&Default::default()).unwrap().remove(0)
}

/// A cube of a side.
pub(crate) fn cube_at(center: Vec3, side: f32) -> Aabb {
    Aabb::around_sphere(center, 0.5 * side)
}

//! Traces of a few boxes, written, read and assembled by hand.

use broadphase::Aabb;
use glam::Vec3;
use sim::{TraceError, TraceReader, TraceWriter};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub(crate) fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.bpt");
    (folder, path)
}

pub(crate) fn box_at(x: f32) -> Aabb {
    Aabb::new(Vec3::new(x, -0.0, 1e-40), Vec3::new(x + 1.0, 2.0, f32::MAX))
}

/// Three frames of two boxes, one absent in the middle frame.
pub(crate) fn frames() -> Vec<Vec<Aabb>> {
    vec![
        vec![box_at(0.0), box_at(1.0)],
        vec![Aabb::EMPTY, box_at(2.0)],
        vec![box_at(3.0), box_at(4.0)],
    ]
}

pub(crate) fn write(path: &Path, frames: &[Vec<Aabb>]) {
    let mut writer = TraceWriter::create(path, frames[0].len() as u32, 0.25).unwrap();
    for frame in frames {
        writer.write_frame(frame).unwrap();
    }
    writer.finish().unwrap();
}

pub(crate) fn read(path: &Path) -> Result<Vec<Vec<Aabb>>, TraceError> {
    let mut reader = TraceReader::open(path)?;
    let mut frames = Vec::new();
    let mut boxes = Vec::new();
    while reader.read_frame(&mut boxes)? {
        frames.push(boxes.clone());
    }
    assert_eq!(frames.len(), reader.frames() as usize);
    assert!(boxes.is_empty());
    Ok(frames)
}

/// The bytes of [`frames`], assembled by hand.
pub(crate) fn bytes() -> Vec<u8> {
    let mut bytes = b"BPTRACE1".to_vec();
    for word in [2, 3, 0.25f32.to_bits(), 0] {
        bytes.extend(word.to_le_bytes());
    }
    for b in frames().concat() {
        for value in [b.min.x, b.min.y, b.min.z, b.max.x, b.max.y, b.max.z] {
            bytes.extend(value.to_le_bytes());
        }
    }
    bytes
}

/// Reads a file of these bytes.
pub(crate) fn read_bytes(bytes: &[u8]) -> Result<Vec<Vec<Aabb>>, TraceError> {
    let (_folder, path) = folder();
    std::fs::write(&path, bytes).unwrap();
    read(&path)
}

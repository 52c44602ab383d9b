//! The reader and the writer of traces.

use crate::files;
use crate::messages::message;
use broadphase::Aabb;
use sim::{TraceError, TraceReader, TraceWriter};
use std::path::Path;

/// Bytes of a header and of a box, and where the header has its numbers of objects and of frames.
const HEADER: usize = 24;
const BOX: usize = 24;
const COUNTS: std::ops::Range<usize> = 8..16;

/// A trace that is read reads back bit by bit after it was written again.
///
/// If the first byte is odd, the header is completed: with a valid start and with numbers that suit the
/// length. Few random headers do.
pub(crate) fn check(bytes: &[u8]) {
    let Some((&mode, bytes)) = bytes.split_first() else { return };
    let mut bytes = bytes.to_vec();
    if mode % 2 == 1 {
        complete(&mut bytes, u32::from(mode >> 1) % 8 + 1);
    }
    let path = files::write("read.bpt", &bytes);
    let (dt, frames) = match read(&path) {
        Ok(read) => read,
        Err(error) => return assert!(message(&error).contains("read.bpt: ")),
    };
    let objects = frames[0].len() as u32;
    assert_eq!(bytes.len(), HEADER + frames.len() * frames[0].len() * BOX);

    let path = files::path("written.bpt");
    let mut writer = TraceWriter::create(&path, objects, dt).expect("it was read");
    for frame in &frames {
        writer.write_frame(frame).expect("the frame was read");
    }
    writer.finish().expect("it has frames");
    let (dt_again, frames_again) = read(&path).expect("it was just written");
    assert_eq!(dt_again.to_bits(), dt.to_bits());
    assert_eq!(bits(&frames_again), bits(&frames));
}

/// Completes the header of a trace of `objects` objects, and cuts off what is no whole frame.
fn complete(bytes: &mut Vec<u8>, objects: u32) {
    bytes.resize(bytes.len().max(HEADER), 0);
    bytes[..8].copy_from_slice(b"BPTRACE1");
    let frames = (bytes.len() - HEADER) / (objects as usize * BOX);
    bytes.truncate(HEADER + frames * objects as usize * BOX);
    let counts = u64::from(objects) | (frames as u64) << 32;
    bytes[COUNTS].copy_from_slice(&counts.to_le_bytes());
    bytes[20..HEADER].fill(0);
}

/// The time step and all frames; a frame with a bad box is an error.
fn read(path: &Path) -> Result<(f32, Vec<Vec<Aabb>>), TraceError> {
    let mut reader = TraceReader::open(path)?;
    let (mut frames, mut boxes) = (Vec::new(), Vec::new());
    while reader.read_frame(&mut boxes)? {
        assert_eq!(boxes.len(), reader.objects() as usize);
        frames.push(boxes.clone());
    }
    assert_eq!(frames.len(), reader.frames() as usize);
    assert!(boxes.is_empty());
    reader.go_to(0);
    assert!(reader.read_frame(&mut boxes)?);
    assert_eq!(bits(&[boxes]), bits(&frames[..1]));
    Ok((reader.dt(), frames))
}

/// The bits of all coordinates; an absent object has one form, the one that is written.
fn bits(frames: &[Vec<Aabb>]) -> Vec<u32> {
    let canonical = |b: &Aabb| if b.is_empty() { Aabb::EMPTY } else { *b };
    let coordinates = |b: Aabb| [b.min.to_array(), b.max.to_array()].concat();
    let boxes = frames.iter().flatten().map(canonical);
    boxes.flat_map(coordinates).map(f32::to_bits).collect()
}

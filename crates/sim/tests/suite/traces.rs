//! A trace reads back as it was written, and faults are reported with their place.

use broadphase::Aabb;
use glam::Vec3;
use sim::{TraceError, TraceReader, TraceWriter};
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn folder() -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("test.bpt");
    (folder, path)
}

fn files_in(folder: &TempDir) -> usize {
    std::fs::read_dir(folder.path()).unwrap().count()
}

fn box_at(x: f32) -> Aabb {
    Aabb::new(Vec3::new(x, -0.0, 1e-40), Vec3::new(x + 1.0, 2.0, f32::MAX))
}

/// Three frames of two boxes, one absent in the middle frame.
fn frames() -> [[Aabb; 2]; 3] {
    [[box_at(0.0), box_at(1.0)], [Aabb::EMPTY, box_at(2.0)], [box_at(3.0), box_at(4.0)]]
}

/// A trace of the first frames, which is not finished.
fn begin(path: &Path, frames: &[[Aabb; 2]]) -> TraceWriter {
    let mut writer = TraceWriter::create(path, 2, 0.25).unwrap();
    frames.iter().for_each(|frame| writer.write_frame(frame).unwrap());
    writer
}

fn read(path: &Path) -> Result<Vec<Vec<Aabb>>, TraceError> {
    frames_of(TraceReader::open(path)?)
}

fn frames_of(mut reader: TraceReader) -> Result<Vec<Vec<Aabb>>, TraceError> {
    let (mut frames, mut boxes) = (Vec::new(), Vec::new());
    while reader.read_frame(&mut boxes)? {
        frames.push(boxes.clone());
    }
    assert_eq!(frames.len(), reader.frames() as usize);
    assert!(boxes.is_empty());
    Ok(frames)
}

/// The bytes of [`frames`], assembled by hand, with some of them replaced.
fn patched(offset: usize, patch: &[u8]) -> Vec<u8> {
    let mut bytes = b"BPTRACE1".to_vec();
    for word in [2, 3, 0.25f32.to_bits(), 0] {
        bytes.extend(word.to_le_bytes());
    }
    for b in frames().concat() {
        let values = [b.min.to_array(), b.max.to_array()];
        bytes.extend(values.as_flattened().iter().flat_map(|value| value.to_le_bytes()));
    }
    bytes[offset..offset + patch.len()].copy_from_slice(patch);
    bytes
}

/// Reads a file of these bytes, and the bytes without a file. An error names the file.
fn read_bytes(bytes: &[u8]) -> Result<Vec<Vec<Aabb>>, String> {
    let (_folder, path) = folder();
    std::fs::write(&path, bytes).unwrap();
    let in_memory = TraceReader::of_bytes(&path, bytes.into()).and_then(frames_of);
    let [in_file, in_memory] = [read(&path), in_memory].map(|read| {
        read.map_err(|error| {
            let shown = error.to_string();
            shown.strip_prefix(&format!("{}: ", path.display())).expect(&shown).to_owned()
        })
    });
    assert_eq!(in_file, in_memory);
    in_file
}

#[test]
fn trace_has_the_documented_layout_and_reads_back_at_will() {
    let (_folder, path) = folder();
    begin(&path, &frames()).finish().unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), patched(0, &[]));
    let mut reader = TraceReader::open(&path).unwrap();
    assert_eq!((reader.objects(), reader.frames(), reader.dt()), (2, 3, 0.25));
    let mut boxes = vec![box_at(9.0); 5];
    let memory = (boxes.as_ptr(), boxes.capacity());
    for first in [0, 2, 1] {
        reader.go_to(first);
        for (index, frame) in (0..).zip(frames()).skip(first as usize) {
            assert_eq!(reader.next_frame(), index);
            assert!(reader.read_frame(&mut boxes).unwrap());
            assert_eq!(boxes, frame);
        }
        assert!(!reader.read_frame(&mut boxes).unwrap() && boxes.is_empty());
        assert!(!reader.read_frame(&mut boxes).unwrap());
        assert_eq!((boxes.as_ptr(), boxes.capacity()), memory, "it is reused");
    }
}

#[test]
fn absent_objects_are_written_in_one_form() {
    let (_folder, path) = folder();
    let absent = [
        Aabb::new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 1.0)),
        Aabb::new(Vec3::splat(f32::MAX), Vec3::new(f32::INFINITY, 1.0, 1.0)),
    ];
    begin(&path, &[absent]).finish().unwrap();
    assert_eq!(read(&path).unwrap(), [[Aabb::EMPTY, Aabb::EMPTY]]);
}

#[test]
fn every_fault_of_a_file_names_its_place() {
    let (magic, step) = ("the magic `BPTRACE1`", "a finite time step greater than 0");
    let table: &[(usize, &[u8], u64, &str, &str)] = &[
        (0, b"X", 0, magic, "`XPTRACE1`"),
        (0, b"\x1b[31m", 0, magic, r"`\x1b[31mCE1`"),
        (8, &[0; 4], 8, "at least one object", "0"),
        (12, &[0; 4], 12, "at least one frame", "0"),
        (16, &[0; 4], 16, step, "0"),
        (16, &f32::NAN.to_le_bytes(), 16, step, "NaN"),
        (23, &[1], 20, "flags of 0", "0x1000000"),
    ];
    for (offset, patch, byte, expected, found) in table {
        let fault = format!("byte {byte}: expected {expected}, found {found}");
        assert_eq!(read_bytes(&patched(*offset, patch)).unwrap_err(), fault);
    }
    let good = patched(0, &[]);
    let long = [good.as_slice(), b"!!"].concat();
    let whole = "expected 168 bytes for 3 frames of 2 boxes, found";
    for (bytes, expected) in [
        (&good[..167], format!("{whole} 167: it ends before frame 2 is complete")),
        (&good[..24], format!("{whole} 24: it ends before frame 0 is complete")),
        (&long, format!("{whole} 170: 2 bytes too many, from byte 168 on")),
        (&good[..23], "byte 23: expected a header of 24 bytes, found the end of the file".into()),
        (&good[..0], "byte 0: expected the magic `BPTRACE1`, found ``".into()),
    ] {
        assert_eq!(read_bytes(bytes).unwrap_err(), expected);
    }
}

#[test]
fn overflowing_counts_are_refused_before_allocating() {
    for (objects, frames) in [(u32::MAX, u32::MAX), (1 << 31, 1 << 31), (1, 1 << 30)] {
        // At 2^31 x 2^31 boxes, 64 bits overflow to the length of a header alone.
        let bytes = patched(8, [objects.to_le_bytes(), frames.to_le_bytes()].as_flattened());
        let expected = 24 + u128::from(objects) * u128::from(frames) * 24;
        let error = read_bytes(&bytes[..24]).unwrap_err();
        let start = format!("expected {expected} bytes for {frames} frames of {objects} boxes");
        assert!(error.starts_with(&format!("{start}, found 24: ")), "{error}");
    }
}

#[test]
fn bad_box_is_named_and_other_frames_can_be_read() {
    for (offset, value, fault) in [(8, f32::NAN, "is NaN"), (20, f32::INFINITY, "infinite")] {
        let (_folder, path) = folder();
        std::fs::write(&path, patched(24 + 24 * 3 + offset, &value.to_le_bytes())).unwrap();
        let (mut reader, mut boxes) = (TraceReader::open(&path).unwrap(), Vec::new());
        assert!(reader.read_frame(&mut boxes).unwrap());
        let error = reader.read_frame(&mut boxes).unwrap_err().to_string();
        assert!(boxes.is_empty(), "bad boxes must not get out");
        assert!(error.contains("frame 1, object 1") && error.contains(fault), "{error}");
        assert!(error.ends_with(" (at byte 96)"), "{error}");
        assert!(reader.read_frame(&mut boxes).unwrap());
        assert_eq!(boxes, frames()[2]);
    }
}

#[test]
fn file_that_is_cut_while_it_is_read_is_an_error() {
    let (_folder, path) = folder();
    begin(&path, &frames()).finish().unwrap();
    let (mut reader, mut boxes) = (TraceReader::open(&path).unwrap(), Vec::new());
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(100).unwrap();
    assert!(reader.read_frame(&mut boxes).unwrap());
    for _ in 0..2 {
        let error = reader.read_frame(&mut boxes).unwrap_err().to_string();
        assert!(error.contains("frame 1: the file became shorter"), "{error}");
        assert!(boxes.is_empty());
    }
    // The same file has its full length again.
    std::fs::write(&path, patched(0, &[])).unwrap();
    assert!(reader.read_frame(&mut boxes).unwrap());
    assert_eq!(boxes, frames()[1]);
}

#[test]
fn path_that_is_no_file_is_refused() {
    let (folder, path) = folder();
    let read = [&*path, folder.path()].map(|path| TraceReader::open(path).unwrap_err());
    let write = [folder.path(), &folder.path().join("missing").join("test.bpt")]
        .map(|path| TraceWriter::create(path, 1, 0.1).unwrap_err());
    for error in read.iter().chain(&write) {
        assert!(error.to_string().contains(": cannot "), "{error}");
    }
    assert_eq!(files_in(&folder), 0);
}

#[test]
fn unfinished_trace_leaves_the_old_file_untouched() {
    let (folder, path) = folder();
    drop(begin(&path, &frames()));
    assert_eq!(files_in(&folder), 0);
    begin(&path, &frames()).finish().unwrap();
    drop(begin(&path, &frames()[..1]));
    assert_eq!(read(&path).unwrap(), frames());
    begin(&path, &frames()[2..]).finish().unwrap();
    assert_eq!((read(&path).unwrap(), files_in(&folder)), (vec![frames()[2].to_vec()], 1));
}

#[test]
fn writer_refuses_invalid_frames_and_goes_on() {
    let (folder, path) = folder();
    let refusal = |writer: Result<TraceWriter, TraceError>| writer.unwrap_err().to_string();
    let fault = refusal(TraceWriter::create(&path, 0, 0.25));
    assert!(fault.ends_with(".bpt: expected at least one object, found 0"), "{fault}");
    assert!(refusal(TraceWriter::create(&path, 1, f32::NAN)).contains("a finite time step"));
    let error = begin(&path, &[]).finish().unwrap_err().to_string();
    assert!(error.contains("at least one frame"), "{error}");
    assert_eq!(files_in(&folder), 0);

    let mut writer = begin(&path, &frames()[..1]);
    let nan = Aabb::new(Vec3::ZERO, Vec3::NAN);
    for (boxes, expected) in [
        (&[box_at(0.0)][..], "frame 1: expected 2 boxes, found 1"),
        (&[box_at(0.0), nan], "frame 1, object 1"),
    ] {
        let error = writer.write_frame(boxes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
    writer.write_frame(&frames()[1]).unwrap();
    writer.finish().unwrap();
    assert_eq!(read(&path).unwrap(), frames()[..2]);
}

//! A trace reads back as it was written, and faults are reported with their place.

// Clippy does not see the helpers of an integration test as tests.

use crate::trace_files::{box_at, bytes, folder, frames, read, read_bytes, write};
use broadphase::{Aabb, BoxFault};
use glam::Vec3;
use sim::{TraceError, TraceReader, TraceWriter};
use tempfile::TempDir;

fn files_in(folder: &TempDir) -> usize {
    std::fs::read_dir(folder.path()).unwrap().count()
}

/// The good file with some bytes replaced.
fn patched(offset: usize, patch: &[u8]) -> Vec<u8> {
    let mut bytes = bytes();
    bytes[offset..offset + patch.len()].copy_from_slice(patch);
    bytes
}

#[test]
fn the_layout_is_the_documented_one() {
    let (_folder, path) = folder();
    write(&path, &frames());
    assert_eq!(std::fs::read(&path).unwrap(), bytes());
}

#[test]
fn a_trace_reads_back_as_often_as_wanted() {
    let (_folder, path) = folder();
    std::fs::write(&path, bytes()).unwrap();
    let mut reader = TraceReader::open(&path).unwrap();
    assert_eq!((reader.objects(), reader.frames(), reader.dt()), (2, 3, 0.25));
    let mut boxes = vec![box_at(9.0); 5];
    for _ in 0..2 {
        for (index, frame) in frames().iter().enumerate() {
            assert_eq!(reader.next_frame() as usize, index);
            assert!(reader.read_frame(&mut boxes).unwrap());
            assert_eq!(&boxes, frame);
        }
        assert!(!reader.read_frame(&mut boxes).unwrap());
        assert!(!reader.read_frame(&mut boxes).unwrap());
        reader.rewind().unwrap();
    }
    reader.read_frame(&mut boxes).unwrap();
    reader.rewind().unwrap();
    reader.read_frame(&mut boxes).unwrap();
    assert_eq!(boxes, frames()[0]);
}

#[test]
fn the_memory_of_a_frame_is_reused() {
    let (_folder, path) = folder();
    write(&path, &frames());
    let mut reader = TraceReader::open(&path).unwrap();
    let mut boxes = Vec::new();
    reader.read_frame(&mut boxes).unwrap();
    let (place, capacity) = (boxes.as_ptr(), boxes.capacity());
    while reader.read_frame(&mut boxes).unwrap() {
        assert_eq!((boxes.as_ptr(), boxes.capacity()), (place, capacity));
    }
}

#[test]
fn absent_objects_are_written_in_one_form() {
    let (_folder, path) = folder();
    let absent = [
        Aabb::new(Vec3::new(1.0, 0.0, 0.0), Vec3::new(0.0, 1.0, 1.0)),
        Aabb::new(Vec3::splat(f32::MAX), Vec3::new(f32::INFINITY, 1.0, 1.0)),
    ];
    write(&path, &[absent.to_vec()]);
    assert_eq!(read(&path).unwrap(), [[Aabb::EMPTY, Aabb::EMPTY]]);
}

#[test]
fn every_fault_of_a_header_names_its_byte() {
    let table: &[(usize, &[u8], u64, &str)] = &[
        (0, b"X", 0, "`XPTRACE1`"),
        (7, b"2", 0, "`BPTRACE2`"),
        (0, b"\x1b[31m", 0, r"`\x1b[31mCE1`"),
        (8, &[0; 4], 8, "at least one object, found 0"),
        (12, &[0; 4], 12, "at least one frame, found 0"),
        (16, &[0; 4], 16, "a finite time step greater than 0, found 0"),
        (16, &(-1f32).to_le_bytes(), 16, "found -1"),
        (16, &f32::NAN.to_le_bytes(), 16, "found NaN"),
        (16, &f32::INFINITY.to_le_bytes(), 16, "found inf"),
        (23, &[1], 20, "flags of 0, found 0x1000000"),
    ];
    for &(offset, patch, expected, fragment) in table {
        let error = read_bytes(&patched(offset, patch)).unwrap_err();
        let TraceError::Header { byte, .. } = error else { panic!("{error}") };
        assert_eq!(byte, expected, "{error}");
        let shown = error.to_string();
        assert!(shown.contains(&format!("byte {byte}:")) && shown.contains(fragment), "{shown}");
        assert!(shown.contains("test.bpt"), "{shown}");
    }
}

#[test]
fn a_short_or_long_file_says_where_it_ends() {
    let good = bytes();
    let long = [good.as_slice(), b"!!"].concat();
    let table = [
        (&good[..167], "found 167: it ends before frame 2 is complete"),
        (&good[..100], "it ends before frame 1 is complete"),
        (&good[..24], "it ends before frame 0 is complete"),
        (&good[..23], "byte 23: expected a header of 24 bytes, found the end of the file"),
        (&good[..5], "byte 0: expected the magic `BPTRACE1`, found `BPTRA`"),
        (&good[..0], "byte 0: expected the magic"),
        (&long, "2 bytes too many, from byte 168 on"),
    ];
    for (bytes, fragment) in table {
        let error = read_bytes(bytes).unwrap_err().to_string();
        assert!(error.contains(fragment), "{error}");
    }
}

#[test]
fn truncated_or_flipped_trace_is_an_error_or_other_input() {
    let good = bytes();
    for length in 0..good.len() {
        assert!(read_bytes(&good[..length]).is_err(), "{length} bytes");
    }
    for bit in 0..24 * 8 {
        let read = read_bytes(&patched(bit / 8, &[good[bit / 8] ^ 1 << (bit % 8)]));
        match (bit / 8, read) {
            // Another time step, which the boxes do not show.
            (16..20, Ok(read)) => assert_eq!(read, frames(), "bit {bit}"),
            (_, read) => assert!(read.is_err(), "bit {bit}"),
        }
    }
}

#[test]
fn overflowing_counts_are_refused_before_allocating() {
    for (objects, frames) in [(u32::MAX, u32::MAX), (u32::MAX, 1), (1 << 31, 1 << 31), (1, 1 << 30)]
    {
        // At 2^31 x 2^31 boxes, 64 bits overflow to the length of a header alone.
        let mut bytes = patched(8, &objects.to_le_bytes());
        bytes[12..16].copy_from_slice(&frames.to_le_bytes());
        for length in [24, 168] {
            let error = read_bytes(&bytes[..length]).unwrap_err();
            let TraceError::Length { expected, found, .. } = error else { panic!("{error}") };
            assert_eq!(expected, 24 + u128::from(objects) * u128::from(frames) * 24);
            assert_eq!(found, length as u64);
        }
    }
}

#[test]
fn bad_box_is_named_and_other_frames_can_be_read() {
    let nan = patched(24 + 24 * 3 + 8, &f32::NAN.to_le_bytes());
    let endless = patched(24 + 24 * 3 + 20, &f32::INFINITY.to_le_bytes());
    for (bytes, expected) in [(nan, BoxFault::NotANumber), (endless, BoxFault::Infinite)] {
        let (_folder, path) = folder();
        std::fs::write(&path, bytes).unwrap();
        let mut reader = TraceReader::open(&path).unwrap();
        let mut boxes = Vec::new();
        assert!(reader.read_frame(&mut boxes).unwrap());
        let error = reader.read_frame(&mut boxes).unwrap_err();
        assert!(boxes.is_empty(), "bad boxes must not get out");
        let shown = error.to_string();
        assert!(shown.contains("frame 1, object 1") && shown.contains("byte 96"), "{shown}");
        let TraceError::BadBox { frame, byte, fault, .. } = error else { panic!("{shown}") };
        assert_eq!((frame, byte, fault.object, fault.fault), (1, Some(96), 1, expected));
        assert!(reader.read_frame(&mut boxes).unwrap());
        assert_eq!(boxes, frames()[2]);
    }
}

#[test]
fn a_file_cut_while_it_is_read_is_an_error() {
    let (_folder, path) = folder();
    write(&path, &frames());
    let mut reader = TraceReader::open(&path).unwrap();
    let file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.set_len(100).unwrap();
    let mut boxes = Vec::new();
    assert!(reader.read_frame(&mut boxes).unwrap());
    for _ in 0..2 {
        let error = reader.read_frame(&mut boxes).unwrap_err().to_string();
        assert!(error.contains("frame 1: the file became shorter"), "{error}");
        assert!(boxes.is_empty());
    }
    // The same file has its full length again.
    std::fs::write(&path, bytes()).unwrap();
    assert!(reader.read_frame(&mut boxes).unwrap());
    assert_eq!(boxes, frames()[1]);
}

#[test]
fn path_that_is_no_file_is_refused() {
    let (folder, path) = folder();
    assert!(matches!(TraceReader::open(&path), Err(TraceError::Io { .. })));
    assert!(matches!(TraceReader::open(folder.path()), Err(TraceError::Io { .. })));
    assert!(matches!(TraceWriter::create(folder.path(), 1, 0.1), Err(TraceError::Io { .. })));
    let nowhere = folder.path().join("missing").join("test.bpt");
    assert!(matches!(TraceWriter::create(&nowhere, 1, 0.1), Err(TraceError::Io { .. })));
    assert_eq!(files_in(&folder), 0);
}

#[test]
fn unfinished_trace_leaves_the_old_file_untouched() {
    let (folder, path) = folder();
    let mut writer = TraceWriter::create(&path, 2, 0.25).unwrap();
    writer.write_frame(&frames()[0]).unwrap();
    drop(writer);
    assert_eq!(files_in(&folder), 0);

    write(&path, &frames());
    let mut writer = TraceWriter::create(&path, 2, 0.25).unwrap();
    writer.write_frame(&frames()[0]).unwrap();
    assert_eq!(read(&path).unwrap(), frames(), "not touched before the end");
    drop(writer);
    assert_eq!(read(&path).unwrap(), frames());
    let mut writer = TraceWriter::create(&path, 2, 0.25).unwrap();
    writer.write_frame(&frames()[2]).unwrap();
    writer.finish().unwrap();
    assert_eq!(read(&path).unwrap(), frames()[2..]);
    assert_eq!(files_in(&folder), 1);
}

#[test]
fn writer_refuses_invalid_frames_and_goes_on() {
    let (folder, path) = folder();
    assert!(TraceWriter::create(&path, 0, 0.25).is_err());
    for dt in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(TraceWriter::create(&path, 1, dt).is_err());
    }
    let error = TraceWriter::create(&path, 1, 0.25).unwrap().finish().unwrap_err();
    assert!(error.to_string().contains("at least one frame"), "{error}");
    assert_eq!(files_in(&folder), 0);

    let mut writer = TraceWriter::create(&path, 2, 0.25).unwrap();
    writer.write_frame(&frames()[0]).unwrap();
    let error = writer.write_frame(&[box_at(0.0)]).unwrap_err().to_string();
    assert!(error.contains("frame 1: expected 2 boxes, found 1"), "{error}");
    let nan = Aabb::new(Vec3::ZERO, Vec3::NAN);
    let error = writer.write_frame(&[box_at(0.0), nan]).unwrap_err().to_string();
    assert!(error.contains("frame 1, object 1"), "{error}");
    writer.write_frame(&frames()[1]).unwrap();
    writer.finish().unwrap();
    assert_eq!(read(&path).unwrap(), frames()[..2]);
}

//! Pictures as files, compared with each other and with snapshots.

use std::collections::HashSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use viewer::offscreen::Picture;

/// Reads a PNG file.
pub(crate) fn load(path: &Path) -> Picture {
    let file = fs::File::open(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut reader = png::Decoder::new(std::io::BufReader::new(file)).read_info().unwrap();
    let mut rgba = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut rgba).unwrap();
    assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgba, png::BitDepth::Eight));
    Picture { width: info.width, height: info.height, rgba }
}

/// Writes a PNG file with the best compression, because snapshots stay in the repository.
fn save(picture: &Picture, path: &Path) {
    let file = fs::File::create(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut encoder = png::Encoder::new(file, picture.width, picture.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::High);
    encoder.write_header().unwrap().write_image_data(&picture.rgba).unwrap();
}

/// Number of different colours.
pub(crate) fn colors(picture: &Picture) -> usize {
    picture.rgba.as_chunks::<4>().0.iter().collect::<HashSet<_>>().len()
}

/// Share of the pixels in which some channel differs by more than `tolerance`.
pub(crate) fn changed(a: &Picture, b: &Picture, tolerance: u8) -> f64 {
    assert_eq!((a.width, a.height), (b.width, b.height));
    let pixels = a.rgba.as_chunks::<4>().0.iter().zip(b.rgba.as_chunks::<4>().0);
    let differ = |(a, b): &(&[u8; 4], &[u8; 4])| {
        a.iter().zip(b.iter()).any(|(a, b)| a.abs_diff(*b) > tolerance)
    };
    pixels.filter(differ).count() as f64 / (f64::from(a.width) * f64::from(a.height))
}

/// Compares a picture with the snapshot of this name in `tests/snapshots`. At most `share` of the
/// pixels may differ by more than `tolerance` in a channel, since adapters round and blend
/// differently.
///
/// With `UPDATE_SNAPSHOTS=1` in the environment, the picture replaces the snapshot instead.
#[track_caller]
pub(crate) fn assert_like_snapshot(picture: &Picture, name: &str, tolerance: u8, share: f64) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots");
    let path = folder.join(format!("{name}.png"));
    if env::var_os("UPDATE_SNAPSHOTS").is_some_and(|value| value == "1") {
        save(picture, &path);
        return;
    }
    let expected = load(&path);
    let now = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.png"));
    save(picture, &now);
    let sizes = [(picture.width, picture.height), (expected.width, expected.height)];
    assert_eq!(sizes[0], sizes[1], "{name} has another size; it is now {}", now.display());
    let changed = changed(picture, &expected, tolerance);
    assert!(
        changed <= share,
        "{:.2} % of the pixels differ from {}; the picture is now {}. If that is intended, run with \
         UPDATE_SNAPSHOTS=1",
        100.0 * changed,
        path.display(),
        now.display()
    );
}

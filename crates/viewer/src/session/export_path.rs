//! Where exports go.

use measure::{InputName, RunId};
use std::path::{Path, PathBuf};

/// The part of a file's name that an input gives it. Names of cells have colons, which some systems refuse;
/// `--moving 0.25` has a dot that begins no extension.
pub(crate) fn file_stem(label: &str) -> String {
    let is_file = InputName::read(label).boxes(1).is_none();
    let stem = Path::new(label).file_stem().unwrap_or_default().to_string_lossy();
    let stem = if is_file { &*stem } else { label };
    stem.replace(" --", "-").replace([':', ' '], "-")
}

/// A path in `results/` in `folder`, named after the scene and the microsecond: two windows may end together, as at a logout.
pub fn export_path(label: &str, folder: &Path, ending: &str) -> PathBuf {
    folder.join("results").join(format!("{}-{}{ending}", file_stem(label), RunId::now()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_after_files_and_generated_boxes() {
        for (label, stem) in [
            ("some/where/a.b.scene", "a.b"),
            ("gas", "gas"),
            ("statics --moving 0.25", "statics-moving-0.25"),
            ("atlas:7:12", "atlas-7-12"),
        ] {
            assert_eq!(file_stem(label), stem);
        }
    }
}

//! Where exports go.

use crate::platform::Files;
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

/// A free path in `results/` in `folder`, named after the scene and the microsecond: two windows may end together, as at
/// a logout.
pub fn export_path(files: &dyn Files, label: &str, folder: &Path, ending: &str) -> PathBuf {
    let stem = format!("{}-{}", file_stem(label), RunId::now());
    let path = |name: String| folder.join("results").join(name);
    let numbered = (2..).map(|number| path(format!("{stem}-{number}{ending}")));
    let mut paths = std::iter::once(path(format!("{stem}{ending}"))).chain(numbered);
    // The numbers are unlimited, so that one is free.
    paths.find(|path| !files.exists(path)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::double::Double;

    #[test]
    fn two_windows_that_export_in_one_second_choose_different_files() {
        let double = Double::leaked();
        let chosen: Vec<PathBuf> = (0..20)
            .map(|_| {
                std::thread::sleep(std::time::Duration::from_micros(10));
                export_path(double, "a.scene", Path::new("missing"), ".csv")
            })
            .collect();
        // None of them is written before the next is chosen.
        assert!(chosen.windows(2).all(|pair| pair[0] != pair[1]), "{chosen:?}");
    }

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

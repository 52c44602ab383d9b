//! Where exports go.

use measure::RunId;
use std::path::{Path, PathBuf};

/// The part of a file's name that an input gives it. Names of cells have colons, which some systems refuse.
pub(crate) fn file_stem(label: &str) -> String {
    let stem = Path::new(label).file_stem().unwrap_or_default().to_string_lossy();
    stem.replace([':', ' '], "-")
}

/// A free path in `results/` in `folder`, named after the scene and the moment.
pub fn export_path(label: &str, folder: &Path, ending: &str) -> PathBuf {
    let stem = format!("{}-{}", file_stem(label), RunId::now().stamp());
    let path = |name: String| folder.join("results").join(name);
    let numbered = (2..).map(|number| path(format!("{stem}-{number}{ending}")));
    let mut paths = std::iter::once(path(format!("{stem}{ending}"))).chain(numbered);
    // The numbers are unlimited, so that one is free.
    paths.find(|path| !path.exists()).unwrap_or_default()
}

//! Where exports go.

use measure::RunId;
use std::path::{Path, PathBuf};

/// A free path in `results/` in `folder`, named after the scene and the moment.
pub fn export_path(label: &str, folder: &Path, ending: &str) -> PathBuf {
    let stem = Path::new(label).file_stem().map(|s| s.to_string_lossy().into_owned());
    let stem = format!("{}-{}", stem.unwrap_or_default(), RunId::now().stamp());
    let path = |name: String| folder.join("results").join(name);
    let numbered = (2..).map(|number| path(format!("{stem}-{number}{ending}")));
    let mut paths = std::iter::once(path(format!("{stem}{ending}"))).chain(numbered);
    // The numbers are unlimited, so that one is free.
    paths.find(|path| !path.exists()).unwrap_or_default()
}

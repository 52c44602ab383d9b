//! Whether two paths name one file.

use std::path::Path;

/// Whether two paths lead to the same file, which need not exist. An output that is an input would replace it.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    // They are opened to be compared, and opening a pipe waits for its other end.
    let is_regular = |path: &Path| path.metadata().is_ok_and(|metadata| metadata.is_file());
    if is_regular(a) && is_regular(b) && same_file::is_same_file(a, b).unwrap_or(false) {
        return true;
    }
    let whole = |path: &Path| {
        let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some((folder.canonicalize().ok()?, path.file_name()?.to_owned()))
    };
    a == b || whole(a).is_some_and(|a| Some(a) == whole(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn paths_of_one_file_are_the_same_whether_or_not_it_exists() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("deep")).unwrap();
        let is_same = |a: &str, b: &str| is_same_file(&at(a), &at(b));
        assert!(is_same("a", "a") && is_same("a", "./a") && is_same("a", "deep/../a"));
        assert!(!is_same("a", "b") && !is_same("a", "deep/a") && !is_same("none/a", "a"));
        assert!(is_same("none/a", "none/a"));
        for name in ["a", "b"] {
            fs::write(at(name), "equal").unwrap();
        }
        assert!(is_same("a", "deep/../a") && !is_same("a", "b"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(at("a"), at("link")).unwrap();
            assert!(is_same("link", "a"));
        }
    }
}

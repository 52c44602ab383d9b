//! Which modules may use which.

use broadphase::registry::ALGORITHMS;
use std::fs;
use std::path::{Path, PathBuf};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// Calls `visit` with the path and the code of each file below a folder, without comments and
/// unit tests.
fn visit_code(folder: &Path, visit: &mut impl FnMut(&Path, &str)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            visit_code(&path, visit);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let (code, _) = text.split_once("#[cfg(test)]\nmod tests").unwrap_or((&text, ""));
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        visit(&path, &lines.collect::<Vec<_>>().join("\n"));
    }
}

#[test]
fn only_parallel_uses_rayon() {
    let (mut inside, mut outside) = (0, 0);
    visit_code(&source(), &mut |path, code| {
        let is_used = code.contains("rayon");
        if path.starts_with(source().join("parallel")) {
            inside += usize::from(is_used);
        } else {
            outside += 1;
            assert!(!is_used, "{} uses rayon, not `parallel`", path.display());
        }
    });
    assert!(inside > 0 && outside > 50, "{inside} and {outside}: the search finds nothing");
}

/// An algorithm is a public module of `algorithms`; the private ones are shared.
#[test]
fn no_algorithm_imports_another() {
    let folder = source().join("algorithms");
    let list = fs::read_to_string(folder.join("mod.rs")).unwrap();
    let public = list.lines().filter_map(|line| line.strip_prefix("pub mod "));
    let algorithms: Vec<_> = public.map(|line| line.trim_end_matches(';')).collect();
    let is_in_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let mut read = 0;
    visit_code(&folder, &mut |path, code| {
        let inside = path.strip_prefix(&folder).unwrap();
        let own = inside.components().next().unwrap().as_os_str().to_str().unwrap();
        let own = own.trim_end_matches(".rs");
        // Paths, and the names in the braces of an import.
        let paths = code.split(|c| !is_in_path(c)).filter(|path| path.contains("::"));
        let imports = code.split("use super::{").skip(1).filter_map(|rest| rest.split_once('}'));
        let names = imports.flat_map(|(names, _)| names.split(|c| !is_in_path(c)));
        for part in paths.chain(names).flat_map(|path| path.split("::")) {
            let is_other = part != own && algorithms.contains(&part);
            assert!(!is_other, "{} imports the algorithm {part}", path.display());
        }
        read += 1;
    });
    assert!(read > 20 && algorithms.len() > 12, "{read} files: the search finds nothing");
}

/// The tests of all instruction sets choose their entries by the field.
#[test]
fn entries_that_use_vector_kernels_say_so() {
    let folder = source().join("algorithms");
    let kernels = ["box_set", "simd", "sweep", "columns", "caching", "regions"]
        .map(|m| format!("crate::{m}"));
    let mut users = Vec::new();
    visit_code(&folder, &mut |path, code| {
        if kernels.iter().any(|kernel| code.contains(kernel)) {
            let ids =
                code.split("Algorithm::new(\"").skip(1).filter_map(|rest| rest.split_once('"'));
            users.extend(ids.map(|(id, _)| (id.to_owned(), path.to_owned())));
        }
    });
    assert!(users.len() > 5, "{users:?}: the search finds nothing");
    for (id, path) in users {
        let entry = broadphase::registry::find(&id).unwrap();
        assert!(
            entry.vectorised,
            "{} uses a vector kernel, but {id} is not vectorised",
            path.display()
        );
    }
}

/// Panels state which algorithms search on one thread. The rest are presets of shared modules.
#[test]
fn entries_without_parallel_sources_say_so() {
    let folder = source().join("algorithms");
    let uses_threads = |module: &str| {
        let (mut read, mut uses) = (0, false);
        visit_code(&folder, &mut |path, code| {
            let inside = path.strip_prefix(&folder).unwrap().with_extension("");
            if inside.starts_with(module) {
                read += 1;
                uses |= ["threads_for", "Tasks", "crate::regions"]
                    .iter()
                    .any(|name| code.contains(name));
            }
        });
        assert!(read > 0, "{module} has no sources");
        uses
    };
    for entry in ALGORITHMS.iter().filter(|entry| entry.single_threaded) {
        assert!(!uses_threads(&entry.family.replace('-', "_")), "{}", entry.id);
    }
    for parallel in ["areas", "bvh", "grid", "octree_loose", "sap_incremental"] {
        assert!(uses_threads(parallel), "{parallel}");
    }
}

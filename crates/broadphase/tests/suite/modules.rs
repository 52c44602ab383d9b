//! Which modules may use which.

use broadphase::registry::find;
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The path below `src` and the code of each file there, without comments and unit tests.
fn sources() -> Vec<(String, String)> {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"));
    let (mut paths, mut sources) = (vec![root.to_owned()], Vec::new());
    while let Some(path) = paths.pop() {
        if path.is_dir() {
            paths.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let (code, _) = text.split_once("#[cfg(test)]\nmod tests").unwrap_or((&text, ""));
        let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        let inside = path.strip_prefix(root).unwrap().to_str().unwrap();
        sources.push((inside.replace('\\', "/"), lines.collect::<Vec<_>>().join("\n")));
    }
    sources
}

/// The sources of algorithms, each with its module: a public module of `algorithms`, or a private one that is shared.
fn algorithms() -> Vec<(String, String)> {
    let inside = |(path, code): (String, String)| {
        let module = path.strip_prefix("algorithms/")?.split(['/', '.']).next()?;
        Some((module.to_owned(), code))
    };
    sources().into_iter().filter_map(inside).collect()
}

#[test]
fn only_parallel_uses_rayon() {
    let using = sources().into_iter().filter(|(_, code)| code.contains("rayon"));
    let (inside, outside): (Vec<_>, Vec<_>) =
        using.map(|(path, _)| path).partition(|path| path.starts_with("parallel"));
    assert!(!inside.is_empty() && outside.is_empty(), "{outside:?} use rayon, not `parallel`");
}

#[test]
fn no_algorithm_imports_another() {
    let sources = algorithms();
    let (_, list) = sources.iter().find(|(module, _)| module == "mod").unwrap();
    let public = list.lines().filter_map(|line| line.strip_prefix("pub mod "));
    let public: Vec<_> = public.map(|line| line.trim_end_matches(';')).collect();
    assert!(sources.len() > 20 && public.len() > 10, "the search finds nothing");
    let is_in_path = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    for (module, code) in &sources {
        // Paths, and the names in the braces of an import.
        let paths = code.split(|c| !is_in_path(c)).filter(|path| path.contains("::"));
        let imports = code.split("use super::{").skip(1).filter_map(|rest| rest.split_once('}'));
        let names = imports.flat_map(|(names, _)| names.split(|c| !is_in_path(c)));
        for part in paths.chain(names).flat_map(|path| path.split("::")) {
            let is_other = part != module && public.contains(&part);
            assert!(!is_other, "{module} imports the algorithm {part}");
        }
    }
}

/// Tests of all instruction sets choose their entries by the one field, panels state the other one.
#[test]
fn entries_state_vector_kernels_and_threads_of_their_sources() {
    let sources = algorithms();
    let mut modules = HashMap::<&str, String>::new();
    sources.iter().for_each(|(module, code)| *modules.entry(module).or_default() += code);
    let uses = |code: &str, names: &[&str]| names.iter().any(|name| code.contains(name));
    let kernels = ["box_set", "simd", "sweep", "columns", "caching", "regions"]
        .map(|module| format!("crate::{module}"));
    let mut counts = [0; 2];
    for (module, code) in &sources {
        for entry in code.split("Algorithm::new(\"").skip(1) {
            let entry = find(entry.split_once('"').unwrap().0).unwrap();
            let has_kernel = uses(code, &kernels.each_ref().map(String::as_str));
            let has_threads =
                uses(&modules[&**module], &["threads_for", "Tasks", "crate::regions"]);
            assert!(entry.vectorised || !has_kernel, "{} uses a vector kernel", entry.id);
            assert!(!entry.single_threaded || !has_threads, "{} uses threads", entry.id);
            counts[0] += usize::from(has_kernel);
            counts[1] += usize::from(has_threads);
        }
    }
    assert!(counts.into_iter().all(|count| count > 5), "{counts:?}: the search finds nothing");
}

//! Records how the program is built, for `machine.json`.

use std::path::Path;
use std::process::Command;

/// The parts of the tree that a program is built from. A change of any of them may change whether the
/// tracked files are as committed.
const SOURCES: [&str; 9] = [
    ".",
    "../broadphase",
    "../sim",
    "../charts",
    "../harness",
    "../peers",
    "../viewer",
    "../../Cargo.toml",
    "../../Cargo.lock",
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    record("MEASURE_RUSTC", &output(&rustc, &["--version"]).unwrap_or_default());
    for (name, from) in [
        ("MEASURE_PROFILE", "PROFILE"),
        ("MEASURE_OPT_LEVEL", "OPT_LEVEL"),
        ("MEASURE_TARGET", "TARGET"),
        ("MEASURE_TARGET_FEATURES", "CARGO_CFG_TARGET_FEATURE"),
    ] {
        record(name, &std::env::var(from).unwrap_or_default());
    }
    let (revision, is_clean) = revision().unwrap_or_default();
    record("MEASURE_GIT_REVISION", &revision);
    record("MEASURE_GIT_CLEAN", &is_clean.to_string());
}

/// The commit that is checked out, and whether the tracked files are as committed. `None` without
/// git, and where the repository around this folder is not the project's: in a package.
fn revision() -> Option<(String, bool)> {
    let root = Path::new("../..").canonicalize().ok()?;
    // No lock on the index: another process may be working in the checkout.
    let git = |arguments: &[&str]| output("git", &[&["--no-optional-locks"], arguments].concat());
    let top = git(&["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != root {
        return None;
    }
    // Every move of HEAD, and every commit, changes one of them.
    for file in ["HEAD", "logs/HEAD", "index"] {
        let path = git(&["rev-parse", "--git-path", file])?;
        rerun_if_changed(Path::new(&path));
    }
    SOURCES.iter().for_each(|path| rerun_if_changed(Path::new(path)));
    let revision = git(&["rev-parse", "HEAD"])?;
    let is_clean = git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Some((revision, is_clean))
}

/// A path that is missing would rerun this script in every build.
fn rerun_if_changed(path: &Path) {
    if path.exists() {
        println!("cargo::rerun-if-changed={}", path.display());
    }
}

/// What a program prints, where it runs and succeeds.
fn output(program: &str, arguments: &[&str]) -> Option<String> {
    let output = Command::new(program).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn record(name: &str, value: &str) {
    println!("cargo::rustc-env={name}={value}");
}

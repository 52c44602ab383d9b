//! Records how the program is built, for `machine.json`.

use std::path::Path;
use std::process::Command;

/// The crates that a program is built from. A change of any of them may change whether the tracked files are as committed.
const CRATES: [&str; 7] = ["broadphase", "charts", "harness", "measure", "peers", "sim", "viewer"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let of_cargo = |name| std::env::var(name).unwrap_or_default();
    let rustc = output(&of_cargo("RUSTC"), &["--version"]).unwrap_or_default();
    let (revision, is_clean) = revision().unwrap_or_default();
    for (name, value) in [
        ("RUSTC", rustc),
        ("PROFILE", of_cargo("PROFILE")),
        ("OPT_LEVEL", of_cargo("OPT_LEVEL")),
        ("TARGET", of_cargo("TARGET")),
        ("TARGET_FEATURES", of_cargo("CARGO_CFG_TARGET_FEATURE")),
        ("GIT_REVISION", revision),
        ("GIT_CLEAN", is_clean.to_string()),
    ] {
        println!("cargo::rustc-env=MEASURE_{name}={value}");
    }
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
        rerun_if_changed(Path::new(&git(&["rev-parse", "--git-path", file])?));
    }
    CRATES.iter().for_each(|name| rerun_if_changed(&Path::new("..").join(name)));
    for path in ["../../Cargo.toml", "../../Cargo.lock"] {
        rerun_if_changed(Path::new(path));
    }
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

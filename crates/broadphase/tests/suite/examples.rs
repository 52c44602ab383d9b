//! Each program in `examples` prints what its first comment says.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The program of an example. `cargo test` builds it beside the tests.
fn program(name: &str) -> PathBuf {
    let this = env::current_exe().unwrap();
    let profile = this.ancestors().nth(2).unwrap();
    profile.join("examples").join(format!("{name}{EXE_SUFFIX}"))
}

/// The lines of the first block of text in a program's comment.
fn documented(source: &str) -> Vec<&str> {
    let lines = source.lines().skip_while(|line| *line != "//! ```text").skip(1);
    let block = lines.take_while(|line| *line != "//! ```");
    block.map(|line| line.strip_prefix("//! ").unwrap()).collect()
}

#[test]
fn examples_print_what_their_comments_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut examples = 0;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let program = program(name);
        let output = Command::new(&program).output().unwrap_or_else(|error| {
            panic!("{}: {error}; `cargo test -p broadphase` builds it", program.display())
        });
        let printed = String::from_utf8(output.stdout).unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && errors.is_empty(), "{name}: {errors}");
        let source = fs::read_to_string(&path).unwrap();
        assert_eq!(printed.lines().collect::<Vec<_>>(), documented(&source), "{name}");
        examples += 1;
    }
    assert!(examples > 3, "{examples}: the search finds nothing");
}

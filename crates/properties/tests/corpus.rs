//! Replays the inputs that fuzzing has kept: each reaches code that no other one of its property does, or was
//! once a fault.
#![allow(clippy::unwrap_used, reason = "this is a test, though not one of libtest's")]

use libtest_mimic::{Arguments, Failed, Trial};
use properties::{PROPERTIES, Property};
use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let replays = PROPERTIES.iter().map(|property| {
        Trial::test(format!("{}_holds_for_its_corpus", property.name), || replay(property))
    });
    let same = Trial::test("targets_folders_and_properties_are_the_same", || {
        let known: BTreeSet<String> = PROPERTIES.iter().map(|p| p.name.to_owned()).collect();
        assert_eq!(names("targets"), known);
        assert_eq!(names("corpus"), known);
        Ok(())
    });
    libtest_mimic::run(&arguments, replays.chain([same]).collect()).exit_code()
}

fn fuzz() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The names in a folder of `fuzz`, without their endings.
fn names(folder: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(fuzz().join(folder)).unwrap();
    let stem = |path: PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    entries.map(|entry| stem(entry.unwrap().path())).collect()
}

fn replay(property: &'static Property) -> Result<(), Failed> {
    let mut replayed = 0;
    for entry in fs::read_dir(fuzz().join("corpus").join(property.name))? {
        let path = entry?.path();
        let bytes = fs::read(&path)?;
        // The panic's message is printed above.
        if catch_unwind(|| (property.check)(&bytes)).is_err() {
            let name = property.name;
            return Err(format!("{name} does not hold for {}", path.display()).into());
        }
        replayed += 1;
    }
    if replayed == 0 {
        return Err(format!("{} has no corpus", property.name).into());
    }
    Ok(())
}

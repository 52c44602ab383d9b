//! The C++ header in `examples/peers`: a program with it is verified and measured.

use crate::{succeed, trial};
use libtest_mimic::Trial;
use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

pub(crate) fn trials() -> Vec<Trial> {
    vec![trial("program_with_the_header_is_measured", "c++", || {
        let folder = tempfile::tempdir()?;
        let program = folder.path().join("sweep");
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/peers/sweep.cpp");
        let flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-o"];
        succeed(Command::new("c++").args(flags).arg(&program).arg(source))?;
        // Without an argument it explains itself.
        let alone = Command::new(&program).output()?;
        assert!(String::from_utf8_lossy(&alone.stderr).contains("TRACE.bpt"), "{alone:?}");

        let harness = assert_cmd::cargo::cargo_bin!("harness");
        let words = "speed --quick --frames 3 --repeat 1 --parts programs --out out --only \
                     gas:200,statics,plane --program";
        let words = words.split_whitespace();
        succeed(Command::new(harness).current_dir(folder.path()).args(words).arg(&program))?;
        let mut rows = csv::Reader::from_path(folder.path().join("out/speed.csv"))?;
        let rows = rows.deserialize().collect::<Result<Vec<HashMap<String, String>>, _>>()?;
        let shown = ["part", "input", "n", "algorithm", "peer", "threads", "status"];
        for (input, n) in [("gas", "200"), ("statics", "5000"), ("plane", "10000")] {
            let expected = ["programs", input, n, "sweep", "true", "1", "ok"];
            let is_it = |row: &HashMap<String, String>| {
                shown.map(|column| row[column].as_str()) == expected
            };
            assert!(rows.iter().any(is_it), "{expected:?}: {rows:?}");
        }
        Ok(())
    })]
}

//! The program, called from tests in a folder of their own.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// A row by the names of its columns.
pub(crate) type Row = BTreeMap<String, String>;

/// A folder that commands are called in.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    /// With a scene of 60 crowded spheres, `tiny.scene`.
    pub(crate) fn tiny() -> Self {
        let folder = Self::new();
        let text = "i -1 -1 -1  2 2 2  100 t\n#!objects 60\n#!radius 0.1\n#!speed 2\n#!seed 7\n";
        folder.write("tiny.scene", text);
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn at(&self, name: &str) -> PathBuf {
        self.path().join(name)
    }

    pub(crate) fn has(&self, name: &str) -> bool {
        self.at(name).exists()
    }

    /// Writes a file, in folders that are made.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::create_dir_all(self.at(name).parent().unwrap()).unwrap();
        fs::write(self.at(name), content).unwrap();
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    pub(crate) fn rows(&self, name: &str) -> Vec<Row> {
        let mut reader = csv::Reader::from_path(self.at(name)).unwrap();
        reader.deserialize().map(Result::unwrap).collect()
    }

    /// Calls the program with arguments that are separated by blanks. It ends with this code. Returns what it prints and
    /// what it reports.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32, arguments: impl AsRef<str>) -> [String; 2] {
        let arguments = arguments.as_ref();
        // A command that is not refused as it should be may run for hours.
        let output = assert_cmd::Command::from_std(command(self.path(), arguments))
            .timeout(Duration::from_secs(1800))
            .output()
            .unwrap();
        let said = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        assert_eq!(output.status.code(), Some(code), "{arguments}: {said:?}");
        said
    }

    /// A command that succeeds. Returns what it prints.
    #[track_caller]
    pub(crate) fn runs(&self, arguments: impl AsRef<str>) -> String {
        let [printed, _] = self.ends(0, arguments);
        printed
    }

    /// A command that succeeds, and prints these texts.
    #[track_caller]
    pub(crate) fn prints(&self, arguments: impl AsRef<str>, texts: &[&str]) {
        assert_has(&self.runs(arguments), texts);
    }

    /// A command that ends with a code, and names the reason on standard error.
    #[track_caller]
    pub(crate) fn refuses(&self, code: i32, arguments: impl AsRef<str>, reason: &str) {
        let [_, reported] = self.ends(code, arguments.as_ref());
        assert!(reported.contains(reason), "{}: no `{reason}` in {reported}", arguments.as_ref());
    }
}

#[track_caller]
pub(crate) fn assert_has(text: &str, parts: &[&str]) {
    parts.iter().for_each(|part| assert!(text.contains(part), "no `{part}` in {text}"));
}

/// The program in a folder, to be started, and killed.
pub(crate) fn command(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
    command.current_dir(folder).args(shlex::split(arguments).unwrap());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

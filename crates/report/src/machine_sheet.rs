//! The machine as pages show it, from a run's `machine.json`.

use crate::error::ReportError;
use measure::{Machine, WrittenTables};
use serde::Deserialize;
use sim::read_regular;
use std::path::Path;

/// Lines of a sheet that are of a single run.
const OF_RUN: [&str; 4] = ["date", "taken up again", "command", "warnings"];

/// The fields of a `machine.json` that pages show. All may be missing: other versions wrote others.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct MachineSheet {
    cpu: Option<String>,
    physical_cores: Option<usize>,
    logical_cores: Option<usize>,
    memory_bytes: Option<u64>,
    os: Option<String>,
    kernel: Option<String>,
    /// The adapter that drew.
    pub gpu: Option<String>,
    rustc: Option<String>,
    profile: Option<String>,
    opt_level: Option<String>,
    target: Option<String>,
    target_features: Vec<String>,
    cpu_features: Vec<String>,
    peers: Vec<String>,
    simd: Option<String>,
    git: Option<Git>,
    date: Option<String>,
    /// When the run was taken up again.
    resumed: Vec<String>,
    run_id: String,
    /// The tables of the run, by their paths from this file; older files have none.
    tables: WrittenTables,
    /// How the program was called.
    pub command_line: Vec<String>,
    /// What was measured how.
    pub settings: serde_json::Value,
    /// When the run was complete.
    pub finished: Option<String>,
    /// What makes the figures doubtful.
    pub warnings: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Git {
    revision: String,
    clean: bool,
}

impl MachineSheet {
    /// The sheet of a machine that was just inspected.
    pub fn of(machine: &Machine) -> Self {
        let value = serde_json::to_value(machine).unwrap_or_default();
        serde_json::from_value(value).unwrap_or_default()
    }

    /// Reads a `machine.json`, and checks the tables of a finished run: pages show what it wrote.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is wrong, or a table was changed.
    pub fn read(path: &Path) -> Result<Self, ReportError> {
        let sheet = Self::parse(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let tables = sheet.tables.iter().filter(|_| sheet.finished.is_some());
        // A file of another machine names none outside of the results.
        let tables = tables.filter(|(name, _)| Path::new(name).is_relative());
        let mut there = tables.map(|(name, was)| (folder.join(name), was));
        // Rows of frames are seldom kept.
        there.try_for_each(|(table, was)| match table.exists() {
            true => was
                .check(&table, &sheet.run_id)
                .map_err(|error| ReportError::BadFile(error.to_string())),
            false => Ok(()),
        })?;
        Ok(sheet)
    }

    fn parse(path: &Path) -> Result<Self, ReportError> {
        let bad = |reason: String| ReportError::BadFile(format!("{}: {reason}", path.display()));
        let text = read_regular(path, Machine::MAX_BYTES)
            .map_err(|e| ReportError::BadFile(format!("cannot read {}: {e}", path.display())))?;
        serde_json::from_slice(&text)
            .map_err(|e| bad(format!("line {}, column {}: {e}", e.line(), e.column())))
    }

    /// The machine's name as a folder's: processor and cores.
    pub fn slug(&self) -> String {
        let cpu = self.cpu.as_deref().unwrap_or("unknown processor");
        let plain = cpu.replace("(R)", " ").replace("(TM)", " ").replace("(tm)", " ");
        // The clock follows, which the model implies.
        let model = plain.split(" @ ").next().unwrap_or_default();
        let words = model.split(|c: char| !c.is_ascii_alphanumeric());
        let idle = ["", "cpu", "processor"];
        let words: Vec<String> = words
            .map(str::to_ascii_lowercase)
            .filter(|word| !idle.contains(&word.as_str()))
            .collect();
        let cores = self.logical_cores.unwrap_or(1);
        let plural = if cores == 1 { "" } else { "s" };
        format!("{}-{cores}-core{plural}", words.join("-"))
    }

    /// The revision of the sources, where it is known.
    pub fn revision(&self) -> Option<&str> {
        self.git.as_ref().map(|git| &*git.revision)
    }

    /// Whether both are of one machine and build: all but when and how they were called.
    pub fn is_same_machine(&self, other: &Self) -> bool {
        let shown = |sheet: &Self| {
            let lines = sheet.lines().into_iter();
            lines.filter(|(name, _)| !OF_RUN.contains(name)).collect::<Vec<_>>()
        };
        shown(self) == shown(other)
    }

    /// How many libraries of others were measured.
    pub fn peers(&self) -> usize {
        self.peers.len()
    }

    /// A table in Markdown.
    pub fn table(&self) -> String {
        let mut text = String::from("| | |\n|---|---|\n");
        for (name, value) in self.lines() {
            text += &format!("| {name} | {} |\n", markdown_cell(&value));
        }
        text
    }

    /// Names and values, for a table. What is not known is left out.
    pub fn lines(&self) -> Vec<(&'static str, String)> {
        let cores = match (self.physical_cores, self.logical_cores) {
            (Some(p), Some(l)) if p != l => Some(format!("{p}, {l} hardware threads")),
            (_, Some(l)) => Some(l.to_string()),
            (p, None) => p.map(|p| p.to_string()),
        };
        let memory = self.memory_bytes.map(|b| format!("{:.1} GiB", b as f64 / f64::from(1 << 30)));
        let system = match (&self.os, &self.kernel) {
            (Some(os), Some(kernel)) => Some(format!("{os}, kernel {kernel}")),
            (os, kernel) => os.clone().or_else(|| kernel.clone()),
        };
        let profile = self.profile.as_ref().map(|profile| {
            let level = self.opt_level.as_ref().map(|level| format!(", opt-level {level}"));
            format!("{profile}{}", level.unwrap_or_default())
        });
        let git = self.git.as_ref().map(|git| {
            let state = if git.clean { "" } else { ", with changes that are not committed" };
            format!("{}{state}", git.revision)
        });
        let list = |items: &[String], by: &str| (!items.is_empty()).then(|| items.join(by));
        let lines = [
            ("processor", self.cpu.clone()),
            ("cores", cores),
            ("memory", memory),
            ("system", system),
            ("graphics", self.gpu.clone()),
            ("compiler", self.rustc.clone()),
            ("profile", profile),
            ("target", self.target.clone()),
            ("whole build uses", list(&self.target_features, ", ")),
            ("kernels may use", list(&self.cpu_features, ", ")),
            ("peers", list(&self.peers, ", ")),
            ("explicit vectors", self.simd.clone()),
            ("revision", git),
            ("date", self.date.clone()),
            ("taken up again", list(&self.resumed, ", ")),
            ("command", list(&self.command_line, " ")),
            ("warnings", list(&self.warnings, "; ")),
        ];
        lines.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }
}

/// Escapes text for a cell of a table in Markdown.
pub fn markdown_cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slug(cpu: &str, cores: usize) -> String {
        let (cpu, logical_cores) = (Some(cpu.to_owned()), Some(cores));
        MachineSheet { cpu, logical_cores, ..MachineSheet::default() }.slug()
    }

    #[test]
    fn slug_is_processor_and_cores() {
        assert_eq!(slug("AMD EPYC 7B13", 2), "amd-epyc-7b13-2-cores");
        let name = "Intel(R) Core(TM)2 Duo CPU     E6550  @ 2.33GHz";
        assert_eq!(slug(name, 1), "intel-core-2-duo-e6550-1-core");
        assert_eq!(MachineSheet::default().slug(), "unknown-1-core");
    }

    #[test]
    fn machine_sheet_has_every_field_of_the_machine() {
        let machine = Machine::detect(&measure::RunId::now(), vec!["harness".into(), "x".into()]);
        let sheet = MachineSheet::of(&machine);
        assert_eq!(sheet.rustc.as_deref(), Some(machine.rustc));
        let lines = sheet.lines();
        assert!(lines.iter().any(|(name, value)| *name == "command" && value == "harness x"));
    }
}

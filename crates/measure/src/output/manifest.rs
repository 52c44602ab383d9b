//! `machine.json`: the machine, the build and the settings of a run.

use super::error::{OutputError, io_error};
use super::machine::Machine;
use super::warning::Warning;
use super::written::WrittenTables;
use serde_json::{Map, Value};
use sim::{AtomicFile, read_regular};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What must be the same when a run is taken up again: figures of another processor, build or plan
/// would be mixed with the old ones. So must be all `settings`.
const IDENTITY: [&str; 12] = [
    "cpu",
    "cpu_features",
    "logical_cores",
    "memory_bytes",
    "rustc",
    "profile",
    "opt_level",
    "target",
    "target_features",
    "simd",
    "git",
    "program",
];

/// Key of the tables.
const TABLES: &str = "tables";

/// The contents of `machine.json`.
#[derive(Debug)]
pub(super) struct Manifest {
    path: PathBuf,
    fields: Map<String, Value>,
    run_id: String,
}

impl Manifest {
    pub(super) fn create(path: PathBuf, machine: &Machine) -> Result<Self, OutputError> {
        let fields = fields_of(&path, machine)?;
        let manifest = Self { path, fields, run_id: machine.run_id.clone() };
        manifest.write()?;
        Ok(manifest)
    }

    /// Reads what was written, and notes that it is taken up again, which is to be written.
    pub(super) fn resume(path: &Path, machine: &Machine) -> Result<Self, OutputError> {
        let text = read_regular(path, Machine::MAX_BYTES).map_err(io_error("read", path))?;
        let corrupt = |line: usize, problem: String| OutputError::Corrupt {
            path: path.to_owned(),
            line: line as u64,
            problem,
        };
        let mut fields: Map<String, Value> =
            serde_json::from_slice(&text).map_err(|e| corrupt(e.line(), e.to_string()))?;
        let here = fields_of(path, machine)?;
        same(path, &fields, &here, &IDENTITY)?;
        same(path, &fields, &here, &["settings"])?;
        let Some(run_id) = fields.get("run_id").and_then(Value::as_str).map(str::to_owned) else {
            return Err(corrupt(1, "expected a `run_id`".to_owned()));
        };
        push_new(&mut fields, "resumed", [machine.date.clone()]);
        push_new(&mut fields, "warnings", machine.warnings.iter().map(Warning::to_string));
        Ok(Self { path: path.to_owned(), fields, run_id })
    }

    /// The tables of a complete run.
    pub(super) fn tables(&self) -> Result<WrittenTables, OutputError> {
        let tables = self.fields.get(TABLES).cloned().unwrap_or_default();
        serde_json::from_value(tables).map_err(|error| {
            self.corrupt(format!("expected the lengths and hashes of the `{TABLES}`: {error}"))
        })
    }

    /// An error in it, of no certain line.
    pub(super) fn corrupt(&self, problem: String) -> OutputError {
        OutputError::Corrupt { path: self.path.clone(), line: 1, problem }
    }

    /// Whether the run was complete.
    pub(super) fn is_finished(&self) -> bool {
        self.fields.get("finished").is_some_and(|date| !date.is_null())
    }

    pub(super) fn run_id(&self) -> &str {
        &self.run_id
    }

    /// Adds a warning, which is to be written.
    pub(super) fn note(&mut self, warning: &Warning) {
        push_new(&mut self.fields, "warnings", [warning.to_string()]);
    }

    pub(super) fn finish(&mut self, date: &str, tables: &WrittenTables) -> Result<(), OutputError> {
        let tables = serde_json::to_value(tables);
        let tables = tables.map_err(|error| io_error("set", &self.path)(error.into()))?;
        self.fields.insert(TABLES.to_owned(), tables);
        self.fields.insert("finished".to_owned(), date.into());
        self.write()
    }

    pub(super) fn write(&self) -> Result<(), OutputError> {
        let write = || -> io::Result<()> {
            let json = serde_json::to_string_pretty(&self.fields)?;
            let mut file = AtomicFile::create(&self.path)?;
            writeln!(file, "{json}")?;
            file.commit()
        };
        write().map_err(io_error("write", &self.path))
    }
}

fn fields_of(path: &Path, machine: &Machine) -> Result<Map<String, Value>, OutputError> {
    match serde_json::to_value(machine) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => unreachable!("a struct is an object"),
        Err(error) => Err(io_error("set", path)(error.into())),
    }
}

/// Appends to a list what does not stand in it.
fn push_new(fields: &mut Map<String, Value>, key: &str, items: impl IntoIterator<Item = String>) {
    let list = fields.entry(key).or_insert_with(|| Value::Array(Vec::new()));
    if let Value::Array(list) = list {
        for item in items.into_iter().map(Value::from) {
            if !list.contains(&item) {
                list.push(item);
            }
        }
    }
}

fn same<'a>(
    path: &Path,
    there: &'a Map<String, Value>,
    here: &'a Map<String, Value>,
    keys: &[&str],
) -> Result<(), OutputError> {
    let shown = |value: &Value| match value {
        Value::Null => "missing".to_owned(),
        value => value.to_string(),
    };
    let of = |fields: &'a Map<String, Value>, key: &str| fields.get(key).unwrap_or(&Value::Null);
    match keys.iter().find_map(|key| difference(key, of(there, key), of(here, key))) {
        None => Ok(()),
        Some((what, there, here)) => Err(OutputError::OtherRun {
            path: path.to_owned(),
            what,
            there: shown(there),
            here: shown(here),
        }),
    }
}

/// The first value that differs, with its place.
fn difference<'a>(
    place: &str,
    there: &'a Value,
    here: &'a Value,
) -> Option<(String, &'a Value, &'a Value)> {
    match (there, here) {
        (Value::Object(then), Value::Object(now)) => {
            let keys = then.keys().chain(now.keys());
            keys.into_iter()
                .find_map(|key| difference(&format!("{place}.{key}"), &there[key], &here[key]))
        }
        (Value::Array(then), Value::Array(now)) if then.len() == now.len() => {
            let name = |item: &Value, at: usize| {
                let name = item.get("input").or(item.get("id")).and_then(Value::as_str);
                name.map_or_else(|| at.to_string(), str::to_owned)
            };
            let mut items = then.iter().zip(now).enumerate();
            items.find_map(|(at, (then, now))| {
                difference(&format!("{place}[{}]", name(now, at)), then, now)
            })
        }
        _ => (there != here).then(|| (place.to_owned(), there, here)),
    }
}

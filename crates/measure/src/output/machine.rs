//! The machine, the build and the settings of a run: `machine.json`.

use super::run_id::RunId;
use super::run_output::{Written, write_file};
use super::warning::Warning;
use super::{OutputError, io_error};
use crate::input::GrowingHash;
use crate::rows::{Checksum, RowError};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sim::{AtomicFile, read_regular};
use std::collections::BTreeMap;
use std::path::Path;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// What must be the same when a run is taken up again: figures of another processor, build or plan would be mixed with the
/// old ones.
const IDENTITY: &str = "cpu cpu_features logical_cores memory_bytes rustc profile opt_level target target_features \
    simd git program settings";

/// The facts by which figures are judged, as `machine.json` has them. A fact that cannot be found out is `None`; other
/// versions wrote other facts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Machine {
    /// The processor's name.
    pub cpu: Option<String>,
    /// Cores.
    pub physical_cores: Option<usize>,
    /// Hardware threads that the process may use: affinity and quotas of containers count.
    pub logical_cores: Option<usize>,
    /// Bytes of memory.
    pub memory_bytes: Option<u64>,
    /// The operating system.
    pub os: Option<String>,
    /// Its kernel.
    pub kernel: Option<String>,
    /// The adapter that draws; `None` where nothing is drawn.
    pub gpu: Option<String>,
    /// The compiler.
    pub rustc: Option<String>,
    /// The build's profile: `debug` or `release`.
    pub profile: Option<String>,
    /// The compiler's optimisation level.
    pub opt_level: Option<String>,
    /// The platform that the build is for.
    pub target: Option<String>,
    /// Instruction sets that the whole build may use.
    pub target_features: Vec<String>,
    /// Instruction sets that the processor has, of those that an algorithm may choose at run time.
    pub cpu_features: Vec<String>,
    /// Instruction set of the vector kernels.
    pub simd: Option<String>,
    /// The revision that the program was built from; `None` where it was built outside of its
    /// repository.
    pub git: Option<Git>,
    /// Hash of the program's file: builds of one revision with different changes differ.
    pub program: Option<String>,
    /// Crates whose broad phases can be measured too, `name version`; empty where the program is
    /// built without them.
    pub peers: Vec<String>,
    /// When the run began, ISO 8601.
    pub date: Option<String>,
    /// How the program was called.
    pub command_line: Vec<String>,
    /// The run's name in its rows.
    pub run_id: String,
    /// What was measured how, as far as the program that measures says so.
    pub settings: Value,
    /// Which counters of the processor were read, or why none were.
    pub hardware_counters: String,
    /// When the run was taken up again after it had been killed or stopped.
    pub resumed: Vec<String>,
    /// When the run was complete.
    pub finished: Option<String>,
    /// What makes the figures doubtful.
    pub warnings: Vec<String>,
    /// The tables of a complete run by their paths from the folder of this file; older versions wrote none.
    pub tables: BTreeMap<String, Written>,
}

/// The state of the sources when the program was built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Git {
    /// The commit.
    pub revision: String,
    /// Whether the tracked files were as committed.
    pub clean: bool,
}

impl Machine {
    /// Its file in the folder of a run.
    pub const FILE: &'static str = "machine.json";

    /// The longest file that is read, in bytes.
    pub const MAX_BYTES: u64 = 16 << 20;

    /// Inspects the machine. Programs that draw add the adapter.
    pub fn detect(run: &RunId, command_line: Vec<String>) -> Self {
        let refresh = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(refresh).ok();
        let cpu = system.as_ref().and_then(|s| s.cpus().first()).map(|c| c.brand().to_owned());
        let logical_cores = std::thread::available_parallelism().map_or(1, usize::from);
        let text = |known: &str| Some(known.to_owned());
        let target_features = env!("MEASURE_TARGET_FEATURES").split(',');
        let program = std::env::current_exe().and_then(|path| GrowingHash::of_file(&path));
        Self {
            cpu: cpu.filter(|brand| !brand.is_empty()),
            physical_cores: System::physical_core_count().ok(),
            logical_cores: Some(logical_cores),
            memory_bytes: system.map(|s| s.total_memory()),
            os: System::long_os_version().ok(),
            kernel: System::kernel_version().ok(),
            rustc: text(env!("MEASURE_RUSTC")),
            profile: text(env!("MEASURE_PROFILE")),
            opt_level: text(env!("MEASURE_OPT_LEVEL")),
            target: text(env!("MEASURE_TARGET")),
            target_features: target_features.filter(|f| !f.is_empty()).map(str::to_owned).collect(),
            cpu_features: cpu_features().into_iter().map(str::to_owned).collect(),
            simd: text(broadphase::benchmark::simd_name()),
            git: built_from(),
            program: program.ok().map(|hash| Checksum(hash.value()).to_string()),
            date: Some(run.date()),
            command_line,
            run_id: run.to_string(),
            hardware_counters: "not asked for".to_owned(),
            warnings: warnings(logical_cores),
            ..Self::default()
        }
    }

    /// The machine with the settings of a run. If they name more `threads` than the process has processors, that is a
    /// warning.
    pub fn with_settings(mut self, settings: Value) -> Self {
        let threads = settings["threads"].as_array().into_iter().flatten();
        let threads = threads.filter_map(Value::as_u64);
        let few = self.logical_cores.and_then(|cores| Warning::of_threads(threads, cores));
        few.iter().for_each(|few| self.warn(few));
        Self { settings, ..self }
    }

    /// Adds a warning, unless it is stated already.
    pub fn warn(&mut self, warning: &impl ToString) {
        let warning = warning.to_string();
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }

    /// Reads a `machine.json`, and checks the tables of a complete run: pages show what it wrote.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is wrong, or a table was changed.
    pub fn read(path: &Path) -> Result<Self, RowError> {
        let machine = Self::read_unchecked(path)?;
        let folder = path.parent().unwrap_or(Path::new(""));
        let tables = machine.tables.iter().filter(|_| machine.finished.is_some());
        // A file of another machine names none outside of the results.
        let tables = tables.filter(|(name, _)| Path::new(name).is_relative());
        let there = tables.map(|(name, was)| (folder.join(name), was));
        // Rows of frames are seldom kept.
        let mut there = there.filter(|(table, _)| table.exists());
        there.try_for_each(|(table, was)| was.check(&table, &machine.run_id))?;
        Ok(machine)
    }

    /// [`read`](Self::read) without its tables.
    ///
    /// # Errors
    ///
    /// If the file cannot be read or is wrong.
    pub fn read_unchecked(path: &Path) -> Result<Self, RowError> {
        let text = read_regular(path, Self::MAX_BYTES);
        let text = text.map_err(|error| RowError::unreadable(path, error))?;
        serde_json::from_slice(&text).map_err(|e| {
            RowError::unreadable(path, format!("line {}, column {}: {e}", e.line(), e.column()))
        })
    }

    /// Writes the file, in place of an earlier one.
    ///
    /// # Errors
    ///
    /// Where the system refuses.
    pub fn write(&self, path: &Path) -> Result<(), OutputError> {
        let json = serde_json::to_string_pretty(self);
        let json = json.map_err(|error| io_error("write", path)(error.into()))?;
        write_file(path, &(json + "\n"), AtomicFile::commit)
    }

    /// The file of an earlier process whose run is taken up again `here`.
    pub(super) fn resume(path: &Path, here: &Self) -> Result<Self, OutputError> {
        let mut machine = Self::read_unchecked(path)?;
        let [there, now] = [&machine, here].map(|m| serde_json::to_value(m).unwrap_or_default());
        let mut keys = IDENTITY.split(' ');
        if let Some(differs) = keys.find_map(|key| difference(key, &there[key], &now[key])) {
            return Err(OutputError::OtherRun(format!("{}: {differs}", path.display())));
        }
        if machine.run_id.is_empty() {
            return Err(RowError::unreadable(path, "expected a `run_id`").into());
        }
        machine.resumed.extend(here.date.clone());
        here.warnings.iter().for_each(|warning| machine.warn(warning));
        Ok(machine)
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

/// The first value that differs, with its place.
fn difference(place: &str, there: &Value, here: &Value) -> Option<String> {
    match (there, here) {
        (Value::Object(then), Value::Object(now)) => {
            let mut keys = then.keys().chain(now.keys());
            keys.find_map(|key| difference(&format!("{place}.{key}"), &there[key], &here[key]))
        }
        (Value::Array(then), Value::Array(now)) if then.len() == now.len() => {
            let mut items = then.iter().zip(now).enumerate();
            items.find_map(|(at, (then, now))| {
                let name = now.get("input").or(now.get("id")).and_then(Value::as_str);
                let name = name.map_or_else(|| at.to_string(), str::to_owned);
                difference(&format!("{place}[{name}]"), then, now)
            })
        }
        _ if there == here => None,
        _ => {
            let [there, here] = [there, here].map(|value| match value {
                Value::Null => "missing".to_owned(),
                value => value.to_string(),
            });
            Some(format!("`{place}` of the run to resume is {there}, here it is {here}"))
        }
    }
}

fn cpu_features() -> Vec<&'static str> {
    #[cfg_attr(target_family = "wasm", expect(unused_mut))]
    let mut features = Vec::new();
    #[cfg(not(target_family = "wasm"))]
    macro_rules! note {
        ($detect:ident, $($name:tt),*) => {
            $(if std::arch::$detect!($name) { features.push($name); })*
        };
    }
    #[cfg(target_arch = "x86_64")]
    note!(is_x86_feature_detected, "sse4.2", "avx", "avx2", "fma", "avx512f");
    #[cfg(target_arch = "aarch64")]
    note!(is_aarch64_feature_detected, "neon", "sve");
    features
}

/// The revision that the build script recorded.
fn built_from() -> Option<Git> {
    let revision = env!("MEASURE_GIT_REVISION");
    let clean = env!("MEASURE_GIT_CLEAN") == "true";
    (!revision.is_empty()).then(|| Git { revision: revision.to_owned(), clean })
}

fn warnings(threads: usize) -> Vec<String> {
    let mut warnings = Vec::new();
    if cfg!(debug_assertions) || env!("MEASURE_OPT_LEVEL") == "0" {
        warnings.push("debug build: build with --release to measure".to_owned());
    }
    // Half of the cores busy with something else is noise for a single thread already.
    if let Ok(load) = System::load_average()
        && load.one > threads as f64 / 2.0
    {
        warnings.push(format!(
            "noisy machine: load {:.1} on {threads} hardware threads at the start",
            load.one
        ));
    }
    // Linux only; elsewhere the file does not exist.
    let governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    if let Ok(governor) = std::fs::read_to_string(governor)
        && governor.trim() != "performance"
    {
        warnings.push(format!("frequency scaling: governor {}", governor.trim()));
    }
    warnings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slug_is_processor_and_cores() {
        let slug = |cpu: &str, cores: usize| {
            let (cpu, logical_cores) = (Some(cpu.to_owned()), Some(cores));
            Machine { cpu, logical_cores, ..Machine::default() }.slug()
        };
        assert_eq!(slug("AMD EPYC 7B13", 2), "amd-epyc-7b13-2-cores");
        let name = "Intel(R) Core(TM)2 Duo CPU     E6550  @ 2.33GHz";
        assert_eq!(slug(name, 1), "intel-core-2-duo-e6550-1-core");
        assert_eq!(Machine::default().slug(), "unknown-1-core");
    }
}

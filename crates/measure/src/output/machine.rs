//! The machine and the build that a measurement comes from: `machine.json`.

use super::run_id::RunId;
use super::warning::Warning;
use crate::input::file_hash;
use crate::rows::Checksum;
use serde::Serialize;
use sysinfo::{CpuRefreshKind, MemoryRefreshKind, RefreshKind, System};

/// The facts by which figures are judged. A fact that cannot be found out is `None`.
#[derive(Clone, Debug, Serialize)]
pub struct Machine {
    /// The processor's name.
    pub cpu: Option<String>,
    /// Cores.
    pub physical_cores: Option<usize>,
    /// Hardware threads that the process may use: affinity and quotas of containers count.
    pub logical_cores: usize,
    /// Bytes of memory.
    pub memory_bytes: Option<u64>,
    /// The operating system.
    pub os: Option<String>,
    /// Its kernel.
    pub kernel: Option<String>,
    /// The adapter that draws; `None` where nothing is drawn.
    pub gpu: Option<String>,
    /// The compiler.
    pub rustc: &'static str,
    /// The build's profile: `debug` or `release`.
    pub profile: &'static str,
    /// The compiler's optimisation level.
    pub opt_level: &'static str,
    /// The platform that the build is for.
    pub target: &'static str,
    /// Instruction sets that the whole build may use.
    pub target_features: Vec<&'static str>,
    /// Instruction sets that the processor has, of those that an algorithm may choose at run time.
    pub cpu_features: Vec<&'static str>,
    /// Instruction set of the vector kernels.
    pub simd: &'static str,
    /// The revision that the program was built from; `None` where it was built outside of its
    /// repository.
    pub git: Option<Git>,
    /// Hash of the program's file: builds of one revision with different changes differ.
    pub program: Option<Checksum>,
    /// Crates whose broad phases can be measured too, `name version`; empty where the program is
    /// built without them.
    pub peers: Vec<String>,
    /// When the run began, ISO 8601.
    pub date: String,
    /// How the program was called.
    pub command_line: Vec<String>,
    /// The run's name in its rows.
    pub run_id: String,
    /// What was measured how, as far as the program that measures says so.
    pub settings: serde_json::Value,
    /// Which counters of the processor were read, or why none were.
    pub hardware_counters: String,
    /// When the run was taken up again after it had been killed or stopped.
    pub resumed: Vec<String>,
    /// When the run was complete.
    pub finished: Option<String>,
    /// What makes the figures doubtful.
    pub warnings: Vec<Warning>,
}

/// The state of the sources when the program was built.
#[derive(Clone, Debug, Serialize)]
pub struct Git {
    /// The commit.
    pub revision: String,
    /// Whether the tracked files were as committed.
    pub clean: bool,
}

impl Machine {
    /// The longest `machine.json` that is read, in bytes.
    pub const MAX_BYTES: u64 = 16 << 20;

    /// Inspects the machine. Programs that draw add the adapter.
    pub fn detect(run: &RunId, command_line: Vec<String>) -> Self {
        let refresh = RefreshKind::nothing()
            .with_cpu(CpuRefreshKind::nothing())
            .with_memory(MemoryRefreshKind::nothing().with_ram());
        let system = System::new_with_specifics(refresh).ok();
        let cpu = system.as_ref().and_then(|s| s.cpus().first()).map(|c| c.brand().to_owned());
        let logical_cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            cpu: cpu.filter(|brand| !brand.is_empty()),
            physical_cores: System::physical_core_count().ok(),
            logical_cores,
            memory_bytes: system.map(|s| s.total_memory()),
            os: System::long_os_version().ok(),
            kernel: System::kernel_version().ok(),
            gpu: None,
            rustc: env!("MEASURE_RUSTC"),
            profile: env!("MEASURE_PROFILE"),
            opt_level: env!("MEASURE_OPT_LEVEL"),
            target: env!("MEASURE_TARGET"),
            target_features: env!("MEASURE_TARGET_FEATURES")
                .split(',')
                .filter(|feature| !feature.is_empty())
                .collect(),
            cpu_features: cpu_features(),
            simd: broadphase::benchmark::simd_name(),
            git: built_from(),
            program: std::env::current_exe().and_then(|path| file_hash(&path)).ok().map(Checksum),
            peers: Vec::new(),
            date: run.date(),
            command_line,
            run_id: run.to_string(),
            settings: serde_json::Value::Null,
            hardware_counters: "not asked for".to_owned(),
            resumed: Vec::new(),
            finished: None,
            warnings: warnings(logical_cores),
        }
    }

    /// The machine with the settings of a run. If they name more `threads` than the process has processors, that is a
    /// warning.
    pub fn with_settings(mut self, settings: serde_json::Value) -> Self {
        let threads = settings["threads"].as_array().into_iter().flatten();
        let threads = threads.filter_map(serde_json::Value::as_u64);
        self.warnings.extend(Warning::of_threads(threads, self.logical_cores));
        Self { settings, ..self }
    }
}

fn cpu_features() -> Vec<&'static str> {
    let mut features = Vec::new();
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

/// What the build script recorded.
fn built_from() -> Option<Git> {
    let revision = env!("MEASURE_GIT_REVISION");
    let clean = env!("MEASURE_GIT_CLEAN") == "true";
    (!revision.is_empty()).then(|| Git { revision: revision.to_owned(), clean })
}

fn warnings(threads: usize) -> Vec<Warning> {
    let mut warnings = Vec::new();
    if cfg!(debug_assertions) || env!("MEASURE_OPT_LEVEL") == "0" {
        warnings.push(Warning::DebugBuild);
    }
    // Half of the cores busy with something else is noise for a single thread already.
    if let Ok(load) = System::load_average()
        && load.one > threads as f64 / 2.0
    {
        warnings.push(Warning::Load { load: load.one, threads });
    }
    // Linux only; elsewhere the file does not exist.
    let governor = "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor";
    if let Ok(governor) = std::fs::read_to_string(governor)
        && governor.trim() != "performance"
    {
        warnings.push(Warning::Governor(governor.trim().to_owned()));
    }
    warnings
}

//! What a measurement is: clocked phases, verified checksums, rows, statistics, tables.
//!
//! From the outside in:
//!
//! - an [`Input`] is a scene file, a trace, or generated boxes; with [`CaseOptions`] it becomes
//!   [`Case`]s, one for each number of objects;
//! - [`measure_case`] measures algorithms and [`Program`]s on a case, interleaved by repetition, and compares
//!   their checksums outside the clock; an [`Observer`] can follow it, and go on where another process was
//!   killed; [`paired_ratio`] compares two of its cells;
//!   [`probe_case`] tries them briefly first; [`verify_case`] compares whole pair lists
//!   and trajectories instead;
//! - a [`Meter`] clocks a single frame, for programs that drive the frames themselves (a window);
//! - [`Sample`]s become [`FrameRow`]s and, by [`summarise`], a [`SummaryRow`]; [`Output`] writes
//!   both as CSV, beside a [`Machine`], so that nothing is lost by a kill ([`CaseLog`] does so with
//!   any tables); [`summary_table`] and
//!   [`winners_table`] format them for reading.
//!
//! The library knows no command line, and prints nothing.

mod agreement;
mod calibration;
mod case;
mod cell;
mod clock;
mod content;
mod exit;
mod file_memory;
mod frames_file;
mod hardware;
mod heap;
mod input;
mod input_error;
mod input_name;
mod machine;
mod memory;
mod meter;
pub mod numbers;
mod order;
mod outcome;
mod output;
mod plan;
mod playback;
mod pools;
mod prescribed;
mod probe;
mod program;
mod ratio;
mod recording;
mod repetition;
mod row_reader;
mod rows;
mod run_id;
mod runner;
mod same_path;
mod sample;
mod signals;
mod stages;
mod stats;
mod summary;
mod summary_file;
mod table;
mod verify;
mod warning;
mod watch;
mod watched_file;
mod winners;

pub use agreement::reference;
pub use calibration::notable_drift;
pub use case::Case;
pub use cell::{Cell, MeasuredCase};
pub use clock::{Clock, MonotonicClock};
pub use exit::Exit;
pub use file_memory::check_memory_left;
pub use frames_file::FramesFile;
pub use hardware::{HardwareCount, HardwareCounters, HardwareCounts};
pub use heap::HeapProbe;
pub use input::{BoxesSpec, BoxesSpecError, CaseOptions, DEFAULT_FRAMES, DEFAULT_WARMUP, Input};
pub use input_error::{CaseError, InputError};
pub use input_name::InputName;
pub use machine::{Git, Machine};
pub use memory::{MemoryError, PairsError, available_memory, check_pairs_fit, search_memory};
pub use meter::{AllocationCount, Collision, Instruments, Meter};
pub use order::{DEFAULT_ORDER_SEED, measuring_order};
pub use outcome::{Outcome, RunError};
pub use output::{
    CaseLog, FolderLock, Output, OutputError, Table, Written, WrittenTables, remove_files,
    run_directory,
};
pub use plan::{Checks, Plan};
pub use playback::{Playback, Step, find_sorted};
pub use prescribed::Prescribed;
pub use probe::{Trial, probe_case};
pub use program::{Program, ProgramError};
pub use ratio::{FrameTime, PairedRatio, Ratio, paired_ratio};
pub use recording::record_case;
pub use row_reader::{MEMORY_OF_FRAMES, MEMORY_OF_ROWS, RowError, RowPlace, RowReader, csv_reader};
pub use rows::{
    Checksum, ChecksumError, Failed, FrameRow, Panicked, Reason, Status, SummaryRow, columns,
};
pub use run_id::{ClockError, RunId};
pub use runner::{measure_case, measure_case_watched};
pub use same_path::is_same_file;
pub use sample::{EventFigures, Labels, Phase, Sample};
pub use signals::{end_stopped, handle_requests_to_end, report_file_size_limit};
pub use stages::{
    MeasuredStages, PairsSpec, PairsSpecError, RandomPairs, Stage, StageCase, StageFigure,
    StageFigures, StageMethods, StagePlan, StageRow, Stages, StagesFile, VerifiedBodies, finder,
    measure_stages, stage_memory, stages_table,
};
pub use stats::{Interval, mean, median, median_interval, percentile};
pub use summary::summarise;
pub use summary_file::SummaryFile;
pub use table::{Group, STYLE, summary_table};
pub use verify::{Finding, Problem, VerifyPlan, VerifyReport, verify_case};
pub use warning::Warning;
pub use watch::{FinishedRepetition, Observer, Watch};
pub use winners::winners_table;

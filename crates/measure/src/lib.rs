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
//!   both as CSV, beside a [`Machine`], so that nothing is lost by a kill, and so for any other
//!   [`Table`]s; [`summary_table`] and
//!   [`winners_table`] format them for reading.
//!
//! The rooms, from the ground up; each uses only those before it:
//!
//! - `process`: the process and its machine: clock, memory, counters, panics, signals, exit codes;
//! - `rows`: samples and outcomes, the rows of all tables, and their readers;
//! - `table`: statistics, summaries, and tables for reading;
//! - `input`: what is played;
//! - `output`: the files of a run, `machine.json`, and what a killed run needs to be resumed;
//! - `play`: a case in motion, frame by frame;
//! - `program`: external programs, their lines and their processes;
//! - `stages`: bounding volume, narrow phase, contact sets, times of impact;
//! - `run`: measuring, trying and verifying on a case.
//!
//! The library knows no command line, and prints nothing.

mod input;
mod output;
mod play;
mod process;
mod program;
mod rows;
mod run;
mod stages;
mod table;

pub use input::{
    BoxesSpec, Case, CaseError, CaseOptions, DEFAULT_FRAMES, DEFAULT_WARMUP, Input, InputError,
    InputName, MemoryError, PairMotion, PairsError, PairsSpec, PairsSpecError, RandomPairs,
};
pub use output::{
    ClockError, FolderLock, FramesFile, Git, Machine, Median, Output, OutputError, RunId, Table,
    UNFINISHED, Warning, Written, noise, noise_of_rows, remove_files, run_directory,
};
pub use play::{
    AllocationCount, DEFAULT_ORDER_SEED, Drawing, Instruments, Meter, ONE_CALL, Observer,
    PairBound, Playback, Pools, Prescribed, Problem, RunError, Step, find_sorted, finder,
    measuring_order, reference, work_on_all_processors, work_on_this_thread, world_methods,
};
pub use process::{
    Clock, Exit, HardwareCount, HardwareCounters, HardwareCounts, HeapProbe, MonotonicClock,
    available_memory, calibrate, check_memory_left, end, handle_requests_to_end, is_same_file,
    notable_drift, report_file_size_limit,
};
pub use program::{Program, ProgramError};
pub use rows::{
    Checksum, ChecksumError, Collision, EventFigures, FinishedRepetition, FrameRow, Labels,
    MEMORY_OF_FRAMES, MEMORY_OF_ROWS, Outcome, Phase, PhaseTimes, RowError, RowPlace, RowReader,
    Sample, SearchPhase, Seed, Stage, StageFigures, StageRow, StagesFile, Status, SummaryFile,
    SummaryRow, columns, parse_seed, seed_form, summarise,
};
pub use run::{
    Cell, Checks, Finding, MeasuredCase, Plan, VerifyPlan, VerifyReport, Watch, case_settings,
    measure_case, measure_case_watched, probe_case, record_case, run_settings, verify_case,
};
pub use stages::{
    Checked, MAX_EDGE_PAIRS, MeasuredMethod, Method, Stages, VerifiedBodies, stage_holders,
};
pub use table::{
    FrameTime, Interval, PairedRatio, Ratio, STYLE, Shown, ShownRow, ShownTable, mean, median,
    median_interval, numbers, paired_ratio, percentile, stage_tables, stages_table, summary_table,
    summary_tables, winners_table,
};

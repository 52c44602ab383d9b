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
//! - [`FrameRow`]s become, by [`summarise`], a [`SummaryRow`]; [`Output`] writes
//!   both as CSV, beside a [`Machine`], so that nothing is lost by a kill, and so for any other
//!   [`Table`]s; [`summary_table`] and
//!   [`winners_table`] format them for reading.
//!
//! The rooms, from the ground up; each uses only those before it:
//!
//! - `process`: the process and its machine: clock, memory, counters, panics, signals, exit codes;
//! - `rows`: frames and outcomes, the rows of all tables, and their readers;
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

pub use input::*;
pub use output::*;
pub use play::*;
pub use process::*;
pub use program::*;
pub use rows::*;
pub use run::*;
pub use stages::*;
pub use table::*;

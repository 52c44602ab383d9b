//! A program that runs, with its lines as they come, until a deadline.

use crate::process::Clock;
use sim::is_terminal_control;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

/// Time between two checks of the deadline. Rare: on few cores, a check delays the program.
const POLL: Duration = Duration::from_millis(20);
/// Longest line, in bytes: what is longer comes in parts, which are no lines.
const LONGEST_LINE: u64 = 256;
/// Lines that are read ahead.
const LINES_AHEAD: usize = 256;
/// Bytes that are kept of the program's complaints.
const COMPLAINT: usize = 1024;
/// Nanoseconds to wait, once it has ended, for the rest of its output and of its complaints, and for the end of processes that
/// it has started. These may hold both for longer.
const REST_NS: u64 = 500_000_000;
/// Nanoseconds to wait for its end once its output is closed. The system closes it at the end, if the program does not.
const CLOSED_NS: u64 = 3_000_000_000;

/// A program that runs. It is over when its process has ended. It is killed when this is dropped, with the processes of
/// its group.
pub(crate) struct Process<'a> {
    child: Child,
    lines: Receiver<Vec<u8>>,
    /// The last line of its standard error, sent at its end.
    complaint: Receiver<String>,
    clock: &'a dyn Clock,
    /// The reading of the clock until which it may run.
    deadline_ns: Option<u64>,
    stop: &'a AtomicBool,
    /// Its end, and when it was seen.
    ended: Option<(ExitStatus, u64)>,
    /// No process of its group is left.
    is_gone: bool,
}

/// Why a program is not waited for any more.
pub(crate) enum ProgramEnd {
    /// It failed, for this reason.
    Failed(String),
    /// The deadline has passed.
    OutOfTime,
    /// The measurement was stopped.
    Stopped,
}

impl<'a> Process<'a> {
    /// Starts the program on a trace, or returns why it cannot be started.
    pub(crate) fn start(
        program: &Path,
        trace: &Path,
        clock: &'a dyn Clock,
        deadline_ns: Option<u64>,
        stop: &'a AtomicBool,
    ) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.arg(trace).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|e| format!("it cannot be started: {e}"))?;
        let (line, lines) = mpsc::sync_channel(LINES_AHEAD);
        let (sender, complaint) = mpsc::sync_channel(1);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        // Ends the program where one of its readers cannot be started.
        let (ended, is_gone) = (None, false);
        let process = Self { child, lines, complaint, clock, deadline_ns, stop, ended, is_gone };
        let cannot_read = |e| format!("no thread to read its output: {e}");
        if let Some(stdout) = stdout {
            let read = move || send_lines(stdout, &line);
            thread::Builder::new().spawn(read).map_err(cannot_read)?;
        }
        if let Some(stderr) = stderr {
            // There is no receiver where the program has not failed.
            let read = move || sender.send(last_line(stderr)).ok();
            thread::Builder::new().spawn(read).map_err(cannot_read)?;
        }
        Ok(process)
    }

    /// The next line, or `None` after the last: the output is closed, or the program has ended.
    pub(crate) fn next_line(&mut self) -> Result<Option<Vec<u8>>, ProgramEnd> {
        loop {
            // First: a program that prints often is late, too.
            self.check_time()?;
            match self.lines.recv_timeout(POLL) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // An error is reported by `wait`.
            if let Ok(Some((_, seen))) = self.try_wait()
                && self.since(seen) > REST_NS
            {
                return Ok(None);
            }
        }
    }

    /// Waits for the end of the program, whose output has ended: how it ended.
    pub(crate) fn wait(&mut self) -> Result<ExitStatus, ProgramEnd> {
        let start_ns = self.clock.now_ns();
        let unknown = |error| ProgramEnd::Failed(format!("its end is unknown: {error}"));
        loop {
            if let Some((status, _)) = self.try_wait().map_err(unknown)? {
                return Ok(status);
            }
            self.check_time()?;
            if self.since(start_ns) > CLOSED_NS {
                let seconds = CLOSED_NS / 1_000_000_000;
                let reason = format!("it goes on {seconds} s after its output was closed");
                return Err(ProgramEnd::Failed(reason));
            }
            thread::sleep(POLL / 10);
        }
    }

    /// Whether processes that the program has started outlive it. They disturb what is measured, and are killed when this is
    /// dropped. One that has left the program's group is not seen.
    pub(crate) fn leaves_processes(&mut self) -> bool {
        let start_ns = self.clock.now_ns();
        while group_runs(&self.child) {
            if self.since(start_ns) > REST_NS {
                return true;
            }
            thread::sleep(POLL);
        }
        self.is_gone = true;
        false
    }

    /// The last line that it has written to its standard error.
    pub(crate) fn complaint(&self) -> Option<String> {
        let line = self.complaint.recv_timeout(Duration::from_nanos(REST_NS)).ok();
        line.filter(|line| !line.is_empty())
    }

    /// Nanoseconds since a reading of the clock.
    fn since(&self, start_ns: u64) -> u64 {
        self.clock.now_ns() - start_ns
    }

    fn try_wait(&mut self) -> io::Result<Option<(ExitStatus, u64)>> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait()?.map(|status| (status, self.clock.now_ns()));
        }
        Ok(self.ended)
    }

    fn check_time(&self) -> Result<(), ProgramEnd> {
        if self.stop.load(Ordering::Relaxed) {
            return Err(ProgramEnd::Stopped);
        }
        let is_late = self.deadline_ns.is_some_and(|deadline| self.clock.now_ns() > deadline);
        if is_late { Err(ProgramEnd::OutOfTime) } else { Ok(()) }
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        // Once the program was waited for, an empty group's number may be in use again.
        if self.is_gone || self.ended.is_some() && !group_runs(&self.child) {
            return;
        }
        // A script may have started the program proper, which would disturb what is measured next. Its group
        // keeps its number while any process is in it, also after the script has ended.
        #[cfg(unix)]
        let _ = rustix::process::kill_process_group(
            rustix::process::Pid::from_child(&self.child),
            rustix::process::Signal::KILL,
        );
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Whether the program, whose end was seen, has left processes in its group that run.
#[cfg(unix)]
fn group_runs(child: &Child) -> bool {
    let group = rustix::process::Pid::from_child(child);
    rustix::process::test_kill_process_group(group).is_ok() && !has_only_zombies(child.id())
}

#[cfg(not(unix))]
fn group_runs(_child: &Child) -> bool {
    false
}

/// Whether all processes of a group have ended. Zombies stay in it until their parent collects them. In a container, the
/// first process may never do so.
#[cfg(unix)]
fn has_only_zombies(group: u32) -> bool {
    let Ok(processes) = std::fs::read_dir("/proc") else { return false };
    let stat = |entry: std::fs::DirEntry| std::fs::read_to_string(entry.path().join("stat")).ok();
    !processes.flatten().filter_map(stat).any(|stat| {
        // The fields behind the name: state, parent, group.
        let mut fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
        let is_zombie = fields.next() == Some("Z");
        !is_zombie && fields.nth(1) == Some(&group.to_string())
    })
}

fn send_lines(stdout: ChildStdout, lines: &SyncSender<Vec<u8>>) {
    let mut stdout = BufReader::new(stdout);
    loop {
        let mut line = Vec::new();
        let mut part = stdout.by_ref().take(LONGEST_LINE);
        let read = part.read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) || lines.send(line).is_err() {
            return;
        }
    }
}

/// Reads to the end, so that the program never waits for a reader.
fn last_line(mut stderr: impl Read) -> String {
    let mut tail = Vec::new();
    let mut block = [0; COMPLAINT];
    while let Ok(read @ 1..) = stderr.read(&mut block) {
        tail.extend_from_slice(&block[..read]);
        tail.drain(..tail.len().saturating_sub(COMPLAINT));
    }
    let text = String::from_utf8_lossy(&tail);
    let line = text.lines().rev().find(|line| !line.trim().is_empty()).unwrap_or_default();
    line.trim().chars().filter(|c| !is_terminal_control(*c)).collect()
}

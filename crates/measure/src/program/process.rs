//! A program that runs, with its lines as they come, until a deadline.

use sim::is_terminal_control;
use std::io::{BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

/// Time between two checks of the deadline. Rare: on few cores, a check delays the program.
const POLL: Duration = Duration::from_millis(20);
/// Longest line, in bytes: what is longer comes in parts, which are no lines.
const LONGEST_LINE: u64 = 256;
/// Lines that are read ahead.
const LINES_AHEAD: usize = 256;
/// Bytes that are kept of the program's complaints.
const COMPLAINT: usize = 1024;
/// How long to wait for the rest of its complaints once it has ended. A process that it has started may hold
/// its standard error for longer.
const REST_OF_COMPLAINT: Duration = Duration::from_millis(500);

/// A program that runs. It is killed when this is dropped, with the processes of its group.
pub(super) struct Process<'a> {
    child: Child,
    lines: Receiver<Vec<u8>>,
    /// The last line of its standard error, sent at its end.
    complaint: Receiver<String>,
    deadline: Option<Instant>,
    stop: &'a AtomicBool,
    /// Its output was read to the end: no process writes to it any more.
    is_silent: bool,
    /// Its own end was seen; processes that it has started may go on.
    has_ended: bool,
}

/// What comes next of a program.
pub(super) enum Next<T> {
    /// It has printed a line, or ended.
    Ready(T),
    /// The deadline has passed.
    OutOfTime,
    /// The measurement was stopped.
    Stopped,
}

impl<'a> Process<'a> {
    /// Starts the program on a trace, or returns why it cannot be started.
    pub(super) fn start(
        program: &Path,
        trace: &Path,
        deadline: Option<Instant>,
        stop: &'a AtomicBool,
    ) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.arg(trace).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|e| format!("it cannot be started: {e}"))?;
        let (line, lines) = mpsc::sync_channel(LINES_AHEAD);
        if let Some(stdout) = child.stdout.take() {
            thread::spawn(move || send_lines(stdout, &line));
        }
        let (sender, complaint) = mpsc::sync_channel(1);
        if let Some(stderr) = child.stderr.take() {
            // There is no receiver where the program has not failed.
            thread::spawn(move || sender.send(last_line(stderr)).ok());
        }
        let (is_silent, has_ended) = (false, false);
        Ok(Self { child, lines, complaint, deadline, stop, is_silent, has_ended })
    }

    /// The next line, or `None` after the last.
    pub(super) fn next_line(&mut self) -> Next<Option<Vec<u8>>> {
        loop {
            // First: a program that prints often is late, too.
            if let Some(end) = self.end() {
                return end;
            }
            match self.lines.recv_timeout(POLL) {
                Ok(line) => return Next::Ready(Some(line)),
                Err(RecvTimeoutError::Disconnected) => {
                    self.is_silent = true;
                    return Next::Ready(None);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    /// Waits for the program's end: how it ended, or why that is not known.
    pub(super) fn wait(&mut self) -> Next<Result<ExitStatus, String>> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.has_ended = true;
                    return Next::Ready(Ok(status));
                }
                Err(error) => return Next::Ready(Err(error.to_string())),
                Ok(None) => {}
            }
            if let Some(end) = self.end() {
                return end;
            }
            thread::sleep(POLL / 10);
        }
    }

    /// The last line that it has written to its standard error.
    pub(super) fn complaint(&self) -> Option<String> {
        let line = self.complaint.recv_timeout(REST_OF_COMPLAINT).ok();
        line.filter(|line| !line.is_empty())
    }

    fn end<T>(&self) -> Option<Next<T>> {
        if self.stop.load(Ordering::Relaxed) {
            return Some(Next::Stopped);
        }
        let is_late = self.deadline.is_some_and(|deadline| Instant::now() > deadline);
        is_late.then_some(Next::OutOfTime)
    }
}

impl Drop for Process<'_> {
    fn drop(&mut self) {
        if self.has_ended && self.is_silent {
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

//! One repetition of a program: one run of it on one trace, with its lines as they come, until its time is used up.

use super::repetition::Repetition;
use crate::play::{Halt, Observer};
use crate::program::Program;
use crate::rows::{FrameRow, Phase};
use sim::is_terminal_control;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitStatus, Stdio};
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

/// Runs the program on a case that is a trace with exactly its frames, and appends the frames that it reports to `rows`.
///
/// A program reports one time for update and search; it is kept as that of the search.
///
/// # Errors
///
/// If the repetition ends before its last frame, or the program fails.
pub(super) fn measure_program(
    repetition: &Repetition<'_>,
    program: &Program,
    rows: &mut Vec<FrameRow>,
    observer: &mut dyn Observer,
) -> Result<(), Halt> {
    let &Repetition { case, repeat, instruments, .. } = repetition;
    let failed = |reason: String| repetition.failed(&reason);
    let trace = case.trace().ok_or_else(|| repetition.failed("the input is no trace"))?;
    // A program goes on while this process is stopped.
    let wall_ns = || instruments.clock.now_ns() + instruments.clock.stopped_ns();
    let start_ns = wall_ns();
    let mut process = Process::start(repetition, program.path(), trace).map_err(failed)?;
    let expected = case.total_frames();
    let mut frame = 0;
    while let Some(line) = process.next_line(frame)? {
        if frame == expected {
            return Err(failed(format!("it prints more lines than the {expected} frames")));
        }
        let row = read_line(&line);
        let row = row.map_err(|reason| failed(format!("line {}: {reason}", frame + 1)))?;
        let phase = if frame < case.warmup { Phase::Warmup } else { Phase::Measure };
        rows.push(FrameRow { repeat, frame, phase, ..row });
        observer.frame_done(frame);
        frame += 1;
    }
    let failed_then = |why: String| failed(format!("after {frame} of {expected} frames, {why}"));
    let status = process.wait(frame)?.map_err(failed_then)?;
    let took_ns = wall_ns() - start_ns;
    if !status.success() {
        let complaint = process.complaint().map(|line| format!(": {line}")).unwrap_or_default();
        return Err(failed_then(format!("{status}{complaint}")));
    }
    if process.leaves_processes() {
        return Err(repetition.failed("it ended, but processes that it has started went on"));
    }
    if frame < expected {
        return Err(failed(format!("it prints {frame} lines for {expected} frames")));
    }
    // A wrong unit, or not the program's own time.
    let reported: u128 = rows.iter().map(|row| u128::from(row.detection_ns())).sum();
    if reported <= u128::from(took_ns) {
        return Ok(());
    }
    let [reported, took] = [reported as f64, took_ns as f64].map(|ns| ns / 1e9);
    Err(failed(format!(
        "its frames add up to {reported:.3} s, yet it ran for {took:.3} s: the times are nanoseconds"
    )))
}

/// A program that runs. It is over when its process has ended. It is killed when this is dropped, with the processes of
/// its group.
struct Process<'a> {
    repetition: &'a Repetition<'a>,
    child: Child,
    lines: Receiver<Vec<u8>>,
    /// The last line of its standard error, sent at its end.
    complaint: Receiver<String>,
    /// Its end, and when it was seen.
    ended: Option<(ExitStatus, u64)>,
    /// No process of its group is left.
    is_gone: bool,
}

impl<'a> Process<'a> {
    /// Starts the program on a trace, or returns why it cannot be started.
    fn start(repetition: &'a Repetition<'a>, program: &Path, trace: &Path) -> Result<Self, String> {
        let mut command = Command::new(program);
        command.arg(trace).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|e| format!("it cannot be started: {e}"))?;
        let (line, lines) = mpsc::sync_channel(LINES_AHEAD);
        let (sender, complaint) = mpsc::sync_channel(1);
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        // Ends the program where one of its readers cannot be started.
        let process = Self { repetition, child, lines, complaint, ended: None, is_gone: false };
        let read_lines = move || stdout.map_or((), |stdout| send_lines(stdout, &line));
        // There is no receiver where the program has not failed.
        let read_errors = move || drop(stderr.map(|stderr| sender.send(last_line(stderr))));
        let cannot_read = |e| format!("no thread to read its output: {e}");
        thread::Builder::new().spawn(read_lines).map_err(cannot_read)?;
        thread::Builder::new().spawn(read_errors).map_err(cannot_read)?;
        Ok(process)
    }

    /// The next line, or `None` after the last: the output is closed, or the program has ended.
    fn next_line(&mut self, frame: u32) -> Result<Option<Vec<u8>>, Halt> {
        loop {
            // First: a program that prints often is late, too.
            self.check_time(frame)?;
            match self.lines.recv_timeout(POLL) {
                Ok(line) => return Ok(Some(line)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
            // An error is reported by `wait`.
            if let Ok(Some((_, seen))) = self.try_wait()
                && self.now_ns() - seen > REST_NS
            {
                return Ok(None);
            }
        }
    }

    /// Waits for the end of the program, whose output has ended: how it ended, or why it does not.
    fn wait(&mut self, frame: u32) -> Result<Result<ExitStatus, String>, Halt> {
        let start_ns = self.now_ns();
        loop {
            match self.try_wait() {
                Ok(Some((status, _))) => return Ok(Ok(status)),
                Ok(None) => self.check_time(frame)?,
                Err(error) => return Ok(Err(format!("its end is unknown: {error}"))),
            }
            if self.now_ns() - start_ns > CLOSED_NS {
                let seconds = CLOSED_NS / 1_000_000_000;
                return Ok(Err(format!("it goes on {seconds} s after its output was closed")));
            }
            thread::sleep(POLL / 10);
        }
    }

    /// Whether processes that the program has started outlive it. They disturb what is measured, and are killed when this is
    /// dropped. One that has left the program's group is not seen.
    fn leaves_processes(&mut self) -> bool {
        let start_ns = self.now_ns();
        while group_runs(&self.child) {
            if self.now_ns() - start_ns > REST_NS {
                return true;
            }
            thread::sleep(POLL);
        }
        self.is_gone = true;
        false
    }

    /// The last line that it has written to its standard error.
    fn complaint(&self) -> Option<String> {
        let line = self.complaint.recv_timeout(Duration::from_nanos(REST_NS)).ok();
        line.filter(|line| !line.is_empty())
    }

    fn now_ns(&self) -> u64 {
        self.repetition.instruments.clock.now_ns()
    }

    fn try_wait(&mut self) -> io::Result<Option<(ExitStatus, u64)>> {
        if self.ended.is_none() {
            self.ended = self.child.try_wait()?.map(|status| (status, self.now_ns()));
        }
        Ok(self.ended)
    }

    /// Ends the repetition once it is stopped, or its budget is used up.
    fn check_time(&self, frame: u32) -> Result<(), Halt> {
        let goes_on = self.repetition.goes_on(self.repetition.uncharged_ns);
        if goes_on { Ok(()) } else { Err(self.repetition.end(frame)) }
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

/// Most characters of a wrong line that are quoted.
const QUOTED: usize = 60;

/// Reads a line: nanoseconds of update and search, pairs, and checksum, separated by blanks.
fn read_line(line: &[u8]) -> Result<FrameRow, String> {
    let text = std::str::from_utf8(line).unwrap_or_default();
    let fields: Vec<&str> = text.split_ascii_whitespace().collect();
    let row = |[ns, pairs, checksum]: [&str; 3]| {
        let (pairs_ns, pairs) = (ns.parse().ok()?, pairs.parse().ok()?);
        let checksum = checksum.parse().ok()?;
        Some(FrameRow { pairs_ns, pairs, checksum, ..FrameRow::default() })
    };
    fields.try_into().ok().and_then(row).ok_or_else(|| {
        let found = String::from_utf8_lossy(line);
        let quoted: String = found.trim_end().escape_debug().take(QUOTED).collect();
        format!(
            "expected `NANOSECONDS PAIRS CHECKSUM`, the checksum in 16 hexadecimal digits, found \
             `{quoted}`"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_has_time_pairs_and_checksum_or_is_quoted_in_part() {
        let checksum = crate::rows::Checksum(0xdc16);
        let row = FrameRow { pairs_ns: 12_500, pairs: 3, checksum, ..FrameRow::default() };
        for text in ["12500 3 000000000000DC16\n", " 12500\t3 000000000000dc16 \r\n"] {
            assert_eq!(read_line(text.as_bytes()).as_ref(), Ok(&row), "{text:?}");
        }
        for (text, quoted) in [
            ("1 2", "`1 2`"),
            ("1 2 dc16", "`1 2 dc16`"),
            ("-1 2 000000000000dc16", "`-1 2"),
            ("1 2 000000000000dc16 4", "dc16 4`"),
            ("1 2 +00000000000dc16", "`1 2 +"),
            ("a\x1b[31m\n", "`a\\u{1b}[31m`"),
            (&"x".repeat(200), &format!("`{}`", "x".repeat(QUOTED))),
        ] {
            let refusal = read_line(text.as_bytes()).unwrap_err();
            assert!(refusal.contains(quoted), "{text:?}: {refusal}");
        }
        assert!(read_line(b"1 2 \xff").unwrap_err().contains("found `1 2 "));
    }
}

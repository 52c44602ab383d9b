//! The messages that are shown.

use crate::simulation::Notice;
use std::path::Path;

/// Maximum of messages shown at once; the oldest are dropped.
const MAX_NOTICES: usize = 4;

/// How long a message is shown, in ns: one that something was done, and one that needs to be read. Why the motion
/// stopped is shown until it moves again.
const DONE_NS: u64 = 8_000_000_000;
const PROBLEM_NS: u64 = 60_000_000_000;

/// A message, and how many times it has come.
#[derive(Debug)]
struct Message {
    notice: Notice,
    times: u32,
    until_ns: u64,
}

/// The last messages, oldest first.
#[derive(Debug, Default)]
pub(super) struct Notices {
    messages: Vec<Message>,
    /// Their texts as shown.
    shown: Vec<Notice>,
}

impl Notices {
    /// Messages from before the window opened: all of them, even if they are many.
    pub(super) fn at_start(notices: Vec<Notice>, now_ns: u64) -> Self {
        let mut all = Self::default();
        notices.into_iter().for_each(|notice| all.add(notice, now_ns));
        all.refresh();
        all
    }

    /// Shows a message. One that is shown already is counted, and shown for longer.
    pub(super) fn push(&mut self, notice: Notice, now_ns: u64) {
        self.add(notice, now_ns);
        let excess = self.messages.len().saturating_sub(MAX_NOTICES);
        self.messages.drain(..excess);
        self.refresh();
    }

    fn add(&mut self, notice: Notice, now_ns: u64) {
        let known = self.messages.iter().position(|message| message.notice == notice);
        let before = known.map_or(0, |known| self.messages.remove(known).times);
        let until_ns = now_ns
            + match &notice {
                Notice::Done(_) => DONE_NS,
                Notice::Problem(_) | Notice::Stop(_) => PROBLEM_NS,
            };
        self.messages.push(Message { notice, times: before + 1, until_ns });
    }

    /// Removes the messages whose time is over. Unless the scene is `moving`, the last one about a stop stays.
    pub(super) fn expire(&mut self, now_ns: u64, moving: bool) {
        let before = self.messages.len();
        let is_stop = |message: &Message| matches!(message.notice, Notice::Stop(_));
        let stop = self.messages.iter().rposition(is_stop).filter(|_| !moving);
        let mut place = 0..;
        self.messages.retain(|message| place.next() == stop || now_ns < message.until_ns);
        if self.messages.len() < before {
            self.refresh();
        }
    }

    pub(super) fn problem(&mut self, text: impl ToString, now_ns: u64) {
        self.push(Notice::Problem(text.to_string()), now_ns);
    }

    /// Reports the outcome of writing a file.
    pub(super) fn written(
        &mut self,
        what: &str,
        path: &Path,
        outcome: Result<(), String>,
        now_ns: u64,
    ) {
        match outcome {
            Ok(()) => {
                self.push(Notice::Done(format!("{what} written to {}", path.display())), now_ns);
            }
            Err(error) => self.problem(error, now_ns),
        }
    }

    pub(super) fn clear(&mut self) {
        *self = Self::default();
    }

    pub(super) fn all(&self) -> &[Notice] {
        &self.shown
    }

    fn refresh(&mut self) {
        let shown = |message: &Message| match (&message.notice, message.times) {
            (notice, 1) => notice.clone(),
            (Notice::Done(text), times) => Notice::Done(format!("{text} ({times} times)")),
            (Notice::Problem(text), times) => Notice::Problem(format!("{text} ({times} times)")),
            (Notice::Stop(text), times) => Notice::Stop(format!("{text} ({times} times)")),
        };
        self.shown = self.messages.iter().map(shown).collect();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(text: &str) -> Notice {
        Notice::Problem(text.to_owned())
    }

    #[test]
    fn repeated_messages_are_merged_and_counted() {
        let mut notices = Notices::default();
        for text in ["no edit", "no file", "no edit", "no edit"] {
            notices.problem(text, 0);
        }
        assert_eq!(notices.all(), [problem("no file"), problem("no edit (3 times)")]);
        notices.push(Notice::Done("no edit".to_owned()), 0);
        assert_eq!(notices.all().len(), 3, "another kind of message");
        (0..10).for_each(|number| notices.problem(number, 0));
        assert_eq!(notices.all(), ["6", "7", "8", "9"].map(problem));
    }

    #[test]
    fn messages_are_gone_after_their_time() {
        let mut notices = Notices::default();
        notices.written("chart", Path::new("a.svg"), Ok(()), 0);
        notices.problem("no edit", 0);
        notices.expire(DONE_NS - 1, true);
        assert_eq!(notices.all().len(), 2);
        notices.expire(DONE_NS, false);
        assert_eq!(notices.all(), [problem("no edit")]);
        notices.problem("no edit", PROBLEM_NS - 1);
        notices.expire(PROBLEM_NS, true);
        assert_eq!(notices.all(), [problem("no edit (2 times)")], "it has come again");
        notices.expire(2 * PROBLEM_NS, false);
        assert!(notices.all().is_empty(), "{:?}", notices.all());
    }

    #[test]
    fn why_the_motion_stopped_stays_until_it_moves() {
        let stop = |text: &str| Notice::Stop(text.to_owned());
        let mut notices = Notices::default();
        notices.push(stop("bsp failed"), 0);
        notices.push(stop("bsp is wrong"), 0);
        notices.problem("no edit", 0);
        notices.expire(PROBLEM_NS - 1, false);
        assert_eq!(notices.all().len(), 3);
        notices.expire(PROBLEM_NS, false);
        assert_eq!(notices.all(), [stop("bsp is wrong")], "that of the last stop");
        notices.expire(PROBLEM_NS, true);
        assert!(notices.all().is_empty());
    }

    #[test]
    fn all_messages_of_the_start_are_shown() {
        let notices = Notices::at_start((0..9).map(|n| problem(&n.to_string())).collect(), 0);
        assert_eq!(notices.all().len(), 9);
    }
}

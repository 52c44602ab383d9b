//! The system's clipboard, for text only: egui-winit's own would bring decoders of pictures, and wait for the owner for
//! seconds. On Wayland there is another, which egui-winit uses.

use egui::{Context, Event, FullOutput, Key, OutputCommand, Plugin, RawInput};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// How long the window waits for another program, the owner of the clipboard.
const PATIENCE: Duration = Duration::from_millis(300);

/// Passes text between the panels and the clipboard.
pub(super) struct Clipboard {
    /// `None` if the clipboard cannot be used.
    system: Option<arboard::Clipboard>,
    answers: Answers,
}

/// Answers of the clipboard's owner. It is asked on another thread: one that does not answer would hold up the window for
/// seconds.
#[derive(Default)]
struct Answers {
    /// The thread whose answer did not come in time.
    late: Option<JoinHandle<()>>,
}

impl Answers {
    /// The text that `ask` returns; `None` if it does not in time, or an earlier one has not yet.
    fn wait(&mut self, ask: impl FnOnce() -> String + Send + 'static) -> Option<String> {
        if self.late.as_ref().is_some_and(|late| !late.is_finished()) {
            return None;
        }
        let (answer, answers) = channel();
        let asked = thread::Builder::new().spawn(move || {
            // A late answer is that of no question.
            let _ = answer.send(ask());
        });
        let asked = asked.inspect_err(|error| log::error!("the clipboard is not asked: {error}"));
        let asked = asked.ok()?;
        let text = answers.recv_timeout(PATIENCE);
        if text == Err(RecvTimeoutError::Timeout) {
            log::error!("the program that holds the clipboard does not answer");
            self.late = Some(asked);
        }
        text.ok()
    }
}

impl Clipboard {
    pub(super) fn open() -> Self {
        let system = arboard::Clipboard::new();
        let system = system.inspect_err(|error| log::error!("no clipboard: {error}")).ok();
        Self { system, answers: Answers::default() }
    }

    /// The text that was last copied, if there is one.
    fn copied(&mut self) -> Option<String> {
        self.system.as_ref()?;
        let ask = || arboard::Clipboard::new().and_then(|mut system| system.get_text());
        self.answers.wait(move || ask().unwrap_or_default()).filter(|text| !text.is_empty())
    }
}

impl Plugin for Clipboard {
    fn debug_name(&self) -> &'static str {
        "clipboard"
    }

    /// Turns keys into what they copy, cut and paste. The clipboard is asked only where a text field is
    /// edited.
    fn input_hook(&mut self, context: &Context, input: &mut RawInput) {
        let is_edited = context.text_edit_focused();
        for event in std::mem::take(&mut input.events) {
            match transfer(&event) {
                Some(Transfer::Copy) => input.events.push(Event::Copy),
                Some(Transfer::Cut) => input.events.push(Event::Cut),
                Some(Transfer::Paste) if is_edited => {
                    let text = self.copied().map(|text| Event::Paste(text.replace("\r\n", "\n")));
                    input.events.extend(text);
                }
                _ => input.events.push(event),
            }
        }
    }

    /// Keeps the text that the panels copied.
    fn output_hook(&mut self, _: &Context, output: &mut FullOutput) {
        for command in &output.platform_output.commands {
            if let (OutputCommand::CopyText(text), Some(system)) = (command, &mut self.system)
                && let Err(error) = system.set_text(text)
            {
                log::error!("the text is not in the clipboard: {error}");
            }
        }
    }
}

/// The use of the clipboard by an event.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Transfer {
    Copy,
    Cut,
    Paste,
}

fn transfer(event: &Event) -> Option<Transfer> {
    match event {
        Event::Key { key, pressed: true, modifiers, .. } => match key {
            Key::C | Key::Insert if modifiers.command => Some(Transfer::Copy),
            Key::X if modifiers.command => Some(Transfer::Cut),
            Key::V if modifiers.command => Some(Transfer::Paste),
            Key::Insert if modifiers.shift => Some(Transfer::Paste),
            Key::Delete if modifiers.shift => Some(Transfer::Cut),
            Key::Copy => Some(Transfer::Copy),
            Key::Cut => Some(Transfer::Cut),
            Key::Paste => Some(Transfer::Paste),
            _ => None,
        },
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Modifiers;
    use std::iter;

    #[test]
    fn owner_that_does_not_answer_is_asked_once() {
        let mut answers = Answers::default();
        let (release, released) = channel();
        assert_eq!(answers.wait(move || released.recv().unwrap_or_default()), None);
        assert_eq!(answers.wait(|| unreachable!("the first one has not answered yet")), None);
        release.send(String::new()).unwrap();
        // The late answer is not that of the next question. It may still be on its way.
        let text = iter::from_fn(|| Some(answers.wait(|| "text".to_owned()))).flatten().next();
        assert_eq!(text.as_deref(), Some("text"));
    }

    #[test]
    fn keys_copy_cut_and_paste() {
        let (none, shift, command) = (Modifiers::NONE, Modifiers::SHIFT, Modifiers::COMMAND);
        for (key, modifiers, does) in [
            (Key::V, command, Some(Transfer::Paste)),
            (Key::V, command | shift, Some(Transfer::Paste)),
            (Key::V, shift, None),
            (Key::C, command, Some(Transfer::Copy)),
            (Key::X, command, Some(Transfer::Cut)),
            (Key::C, none, None),
            (Key::Paste, none, Some(Transfer::Paste)),
            (Key::Insert, shift, Some(Transfer::Paste)),
            (Key::Insert, command, Some(Transfer::Copy)),
            (Key::Delete, shift, Some(Transfer::Cut)),
            (Key::Insert, none, None),
            (Key::Delete, none, None),
        ] {
            for pressed in [true, false] {
                let event =
                    Event::Key { key, physical_key: None, pressed, repeat: false, modifiers };
                assert_eq!(transfer(&event), does.filter(|_| pressed), "{event:?}");
            }
        }
    }

    /// The part of an event that the panels get, where a text field is edited or not.
    #[test]
    fn nothing_is_pasted_where_no_text_is_edited() {
        let mut clipboard = Clipboard { system: None, answers: Answers::default() };
        let key = |key| Event::Key {
            key,
            physical_key: None,
            pressed: true,
            repeat: false,
            modifiers: Modifiers::COMMAND,
        };
        let mut input = RawInput { events: vec![key(Key::V), key(Key::C)], ..RawInput::default() };
        clipboard.input_hook(&Context::default(), &mut input);
        assert_eq!(input.events, [key(Key::V), Event::Copy]);
    }
}

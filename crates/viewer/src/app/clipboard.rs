//! The system's clipboard, for text only: egui-winit's own would bring decoders of pictures, and wait for the owner for
//! seconds. On Wayland there is another, which egui-winit uses.

use egui::mutex::Mutex;
use egui::{Context, Event, FullOutput, OutputCommand, Plugin, RawInput};
use std::sync::Arc;
use std::thread;

/// Stands in egui-winit for the text of the clipboard: it reports the keys that paste only if it has a text.
pub(super) const SOMETHING: &str = "\0";

/// Passes text between the panels and the clipboard.
pub(super) struct Clipboard {
    /// `None` if the clipboard cannot be used.
    system: Option<arboard::Clipboard>,
    /// Answers of the owner.
    pasted: Arc<Mutex<Vec<String>>>,
}

impl Clipboard {
    pub(super) fn open() -> Self {
        let system = arboard::Clipboard::new();
        let system = system.inspect_err(|error| log::error!("no clipboard: {error}")).ok();
        Self { system, pasted: Arc::default() }
    }

    /// Asks the clipboard's owner, on another thread: one that does not answer would hold up the window for seconds.
    fn ask(&self, context: &Context) {
        let (context, pasted) = (context.clone(), Arc::clone(&self.pasted));
        let ask = move || {
            match arboard::Clipboard::new().and_then(|mut system| system.get_text()) {
                Ok(text) => pasted.lock().push(text.replace("\r\n", "\n")),
                Err(error) => log::error!("nothing is pasted: {error}"),
            }
            context.request_repaint();
        };
        if let Err(error) = thread::Builder::new().spawn(ask) {
            log::error!("the clipboard is not asked: {error}");
        }
    }
}

impl Plugin for Clipboard {
    fn debug_name(&self) -> &'static str {
        "clipboard"
    }

    /// Asks for the text where a text field is edited, and pastes the answer if one still is.
    fn input_hook(&mut self, context: &Context, input: &mut RawInput) {
        let is_edited = context.text_edit_focused();
        for _ in input.events.extract_if(.., |event| matches!(event, Event::Paste(_))) {
            if is_edited {
                self.ask(context);
            }
        }
        let pasted = std::mem::take(&mut *self.pasted.lock());
        input.events.extend(pasted.into_iter().filter(|_| is_edited).map(Event::Paste));
    }

    /// Keeps the text that the panels copied.
    fn output_hook(&mut self, _: &Context, output: &mut FullOutput) {
        for command in &mut output.platform_output.commands {
            if let (OutputCommand::CopyText(text), Some(system)) = (command, &mut self.system)
                && text != SOMETHING
                && let Err(error) = system.set_text(std::mem::replace(text, SOMETHING.to_owned()))
            {
                log::error!("the text is not in the clipboard: {error}");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_pasted_where_no_text_is_edited() {
        let mut clipboard = Clipboard { system: None, pasted: Arc::default() };
        let paste = Event::Paste(SOMETHING.to_owned());
        let mut input = RawInput { events: vec![paste, Event::Copy], ..RawInput::default() };
        clipboard.pasted.lock().push("late".to_owned());
        clipboard.input_hook(&Context::default(), &mut input);
        assert_eq!(input.events, [Event::Copy]);
    }
}

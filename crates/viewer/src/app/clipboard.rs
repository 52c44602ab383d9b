//! The system's clipboard, for text only: egui-winit's own would bring decoders of pictures. On Wayland there is another,
//! which egui-winit uses.

use egui::{Event, OutputCommand, PointerButton};
use egui_winit::State;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, channel};
use std::thread;
use std::time::Duration;
use winit::event::{ElementState, MouseButton, WindowEvent};
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};
use winit::raw_window_handle::{HasDisplayHandle as _, RawDisplayHandle};
use winit::window::Window;

/// How long the window waits for another program, the owner of the clipboard.
const PATIENCE: Duration = Duration::from_millis(300);

/// The clipboard, and the keys held with others.
pub(super) struct Clipboard {
    /// `None` on Wayland, or if the clipboard cannot be used.
    system: Option<arboard::Clipboard>,
    modifiers: ModifiersState,
    answers: Answers,
}

/// Answers of the clipboard's owner. It is asked on another thread: one that does not answer would hold up the window for
/// seconds.
#[derive(Default)]
struct Answers {
    /// The answer that did not come in time.
    late: Option<Receiver<String>>,
}

impl Answers {
    /// The text that `ask` returns; `None` if it does not in time, or an earlier one has not yet.
    fn wait(&mut self, ask: impl FnOnce() -> String + Send + 'static) -> Option<String> {
        let is_late = |late: &Receiver<String>| late.try_recv() == Err(TryRecvError::Empty);
        if self.late.as_ref().is_some_and(is_late) {
            return None;
        }
        let (answer, answers) = channel();
        let asked = thread::Builder::new().spawn(move || answer.send(ask()));
        asked.inspect_err(|error| log::error!("the clipboard is not asked: {error}")).ok()?;
        let text = answers.recv_timeout(PATIENCE);
        if text == Err(RecvTimeoutError::Timeout) {
            log::error!("the program that holds the clipboard does not answer");
            self.late = Some(answers);
        }
        text.ok()
    }
}

impl Clipboard {
    pub(super) fn new(window: &Window) -> Self {
        let display = window.display_handle().map(|display| display.as_raw());
        let is_wayland = matches!(display, Ok(RawDisplayHandle::Wayland(_)));
        let open = || {
            let system = arboard::Clipboard::new();
            system.inspect_err(|error| log::error!("no clipboard: {error}")).ok()
        };
        let system = if is_wayland { None } else { open() };
        Self { system, modifiers: ModifiersState::default(), answers: Answers::default() }
    }

    /// Passes an event to the panels' input, with the text that it pastes. Returns whether they consume it. The clipboard is
    /// asked only where a text field `is_edited`: elsewhere an event that would paste is not passed.
    pub(super) fn pass(
        &mut self,
        window: &Window,
        event: &WindowEvent,
        input: &mut State,
        is_edited: bool,
    ) -> bool {
        if let WindowEvent::ModifiersChanged(modifiers) = event {
            self.modifiers = modifiers.state();
        }
        let by_key = match event {
            WindowEvent::KeyboardInput { event: key, .. } => {
                key.state.is_pressed()
                    && may_paste(&key.logical_key, key.physical_key, self.modifiers)
            }
            _ => false,
        };
        let by_mouse = is_middle_press(event);
        if (by_key || by_mouse) && !is_edited {
            return by_mouse && input.egui_ctx().egui_wants_pointer_input();
        }
        if by_key && self.system.is_some() {
            // It may hold no text.
            let ask = || arboard::Clipboard::new().and_then(|mut system| system.get_text());
            let text = self.answers.wait(move || ask().unwrap_or_default());
            input.set_clipboard_text(text.unwrap_or_default());
        }
        let consumed = input.on_window_event(window, event).consumed;
        let events = &mut input.egui_input_mut().events;
        if let WindowEvent::MouseInput { .. } = event
            && let Some(Event::PointerButton { pos, button, pressed: true, .. }) = events.last()
            && *button == PointerButton::Middle
            && let Some(text) = self.selected()
        {
            let pos = *pos;
            events.push(Event::MiddleClickPaste { pos, text });
        }
        consumed
    }

    /// Keeps the text that the panels copied or selected.
    pub(super) fn keep(&mut self, commands: &[OutputCommand]) {
        for command in commands {
            let kept = match (command, &mut self.system) {
                (OutputCommand::CopyText(text), Some(system)) => system.set_text(text),
                (OutputCommand::TextSelectionSettled(text), Some(system)) => select(system, text),
                _ => Ok(()),
            };
            if let Err(error) = kept {
                log::error!("the text is not in the clipboard: {error}");
            }
        }
    }

    /// The text that was last selected, on systems that paste it by the middle button.
    fn selected(&mut self) -> Option<String> {
        #[cfg(all(unix, not(target_os = "macos")))]
        {
            use arboard::{GetExtLinux as _, LinuxClipboardKind::Primary};
            self.system.as_ref()?;
            let ask = || arboard::Clipboard::new()?.get().clipboard(Primary).text();
            let text = self.answers.wait(move || ask().unwrap_or_default());
            text.filter(|text| !text.is_empty())
        }
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        None
    }
}

#[cfg(all(unix, not(target_os = "macos")))]
fn select(system: &mut arboard::Clipboard, text: &str) -> Result<(), arboard::Error> {
    use arboard::{LinuxClipboardKind::Primary, SetExtLinux as _};
    system.set().clipboard(Primary).text(text)
}

#[cfg(not(all(unix, not(target_os = "macos"))))]
fn select(_: &mut arboard::Clipboard, _: &str) -> Result<(), arboard::Error> {
    Ok(())
}

/// Whether egui may paste at this event of the mouse. The release is always passed: egui may know of the press.
fn is_middle_press(event: &WindowEvent) -> bool {
    let WindowEvent::MouseInput { state, button, .. } = event else { return false };
    (*state, *button) == (ElementState::Pressed, MouseButton::Middle)
}

/// Whether egui may paste when this key is pressed. Physical keys are those of keyboards without Latin letters.
fn may_paste(logical: &Key, physical: PhysicalKey, modifiers: ModifiersState) -> bool {
    let is_v = match logical {
        Key::Named(NamedKey::Paste | NamedKey::Insert) => return true,
        Key::Character(text) if text.eq_ignore_ascii_case("v") => true,
        _ => physical == KeyCode::KeyV,
    };
    is_v && (modifiers.control_key() || modifiers.super_key())
}

#[cfg(test)]
mod tests {
    use super::*;
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
    fn press_of_the_middle_button_pastes_and_its_release_does_not() {
        for (state, pastes) in [(ElementState::Pressed, true), (ElementState::Released, false)] {
            let device_id = winit::event::DeviceId::dummy();
            let event = WindowEvent::MouseInput { device_id, state, button: MouseButton::Middle };
            assert_eq!(is_middle_press(&event), pastes);
        }
    }

    #[test]
    fn keys_that_paste_are_those_of_every_keyboard() {
        let letter = |text: &str| Key::Character(text.into());
        let (none, shift) = (ModifiersState::empty(), ModifiersState::SHIFT);
        let (control, command) = (ModifiersState::CONTROL, ModifiersState::SUPER);
        for (logical, physical, modifiers, pastes) in [
            (letter("v"), KeyCode::KeyV, control, true),
            (letter("V"), KeyCode::KeyV, control | shift, true),
            (letter("v"), KeyCode::KeyV, command, true),
            // Dvorak, and Cyrillic letters.
            (letter("v"), KeyCode::Period, control, true),
            (letter("м"), KeyCode::KeyV, control, true),
            (letter("v"), KeyCode::KeyV, none, false),
            (letter("v"), KeyCode::KeyV, shift, false),
            (letter("c"), KeyCode::KeyC, control, false),
            (Key::Named(NamedKey::Paste), KeyCode::Paste, none, true),
            (Key::Named(NamedKey::Insert), KeyCode::Insert, shift, true),
            (Key::Named(NamedKey::Enter), KeyCode::Enter, control, false),
        ] {
            let may = may_paste(&logical, PhysicalKey::Code(physical), modifiers);
            assert_eq!(may, pastes, "{logical:?} {physical:?} {modifiers:?}");
        }
    }
}

//! The system's clipboard, for text only: egui-winit's own would bring decoders of pictures. On Wayland there is another,
//! which egui-winit uses.

use egui::{Event, OutputCommand, PointerButton};
use egui_winit::State;
use winit::event::WindowEvent;
use winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};
use winit::raw_window_handle::{HasDisplayHandle as _, RawDisplayHandle};
use winit::window::Window;

/// The clipboard, and the keys held with others.
pub(super) struct Clipboard {
    /// `None` on Wayland, or if the clipboard cannot be used.
    system: Option<arboard::Clipboard>,
    modifiers: ModifiersState,
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
        Self { system, modifiers: ModifiersState::default() }
    }

    /// Passes an event to the panels' input, with the text that it pastes. Returns whether they consume it.
    pub(super) fn pass(&mut self, window: &Window, event: &WindowEvent, input: &mut State) -> bool {
        if let WindowEvent::ModifiersChanged(modifiers) = event {
            self.modifiers = modifiers.state();
        }
        if let WindowEvent::KeyboardInput { event: key, .. } = event
            && key.state.is_pressed()
            && may_paste(&key.logical_key, key.physical_key, self.modifiers)
            && let Some(system) = &mut self.system
        {
            // It may hold no text.
            input.set_clipboard_text(system.get_text().unwrap_or_default());
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
            let text = self.system.as_mut()?.get().clipboard(Primary).text().ok()?;
            (!text.is_empty()).then_some(text)
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

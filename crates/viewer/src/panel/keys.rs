//! The keys: what each one does, and the words for it.

use super::command::{Command, MAX_RESPONSE_DELAY};
use super::state::PanelState;
use crate::simulation::{Order, Snapshot};
use KeyAction::{Again, Algorithm, Close, Once, Other, Panel};
use egui::{Key, KeyboardShortcut, ModifierNames, Modifiers};
use std::time::Duration;

/// Change of the response delay by one press of a key.
const DELAY_STEP: Duration = Duration::from_millis(1);

/// The effect of a key when it is pressed.
#[derive(Clone, Copy)]
pub enum KeyAction {
    /// Gives a command.
    Once(fn(&mut Snapshot) -> Command),
    /// Gives a command again and again while the key is held.
    Again(fn(&mut Snapshot) -> Command),
    /// Changes the panels.
    Panel(fn(&mut PanelState)),
    /// Chooses an algorithm of the group of a digit.
    Algorithm,
    /// Closes the window.
    Close,
    /// Nothing: it acts while it is held, or is a key of egui or an action of the mouse.
    Other,
}

/// Keys with one effect, or an action of the mouse: a row of the help sheet.
pub struct KeyRow {
    modifiers: Modifiers,
    keys: &'static [Key],
    /// Empty if the names of the keys say it.
    name: &'static str,
    /// Its effect in words.
    pub(super) words: &'static str,
    /// The same for the window.
    pub action: KeyAction,
}

impl KeyRow {
    /// The names of the keys.
    pub(super) fn name(&self) -> String {
        if !self.name.is_empty() {
            return self.name.to_owned();
        }
        let names = ModifierNames { is_short: true, ..ModifierNames::NAMES };
        let name = |key: &Key| {
            KeyboardShortcut::new(self.modifiers, *key).format(&names, cfg!(target_os = "macos"))
        };
        self.keys.iter().map(name).collect::<Vec<_>>().join(", ")
    }
}

/// Words of keys that tooltips name.
pub(super) const RUN: &str = "start, stop";
pub(super) const STEP: &str = "one step";
pub(super) const BACK: &str = "one step back";
pub(super) const RESTART: &str = "restart the scene";
pub(super) const SLOWER: &str = "decrease the delay of each collision response";
pub(super) const FRAME_PICKED: &str = "zoom to the picked object";
pub(super) const HIDE: &str = "hide the panels";
pub(super) const PROJECTOR: &str = "projector mode: large text, no side panel";
pub(super) const EXPORT: &str = "export the recorded frames";
pub(super) const PICTURE: &str = "save a picture of the view";
pub(super) const HELP: &str = "this sheet";
pub(super) const UNDO: &str = "undo the last drag, edit or restart with other settings";
pub(super) const DESELECT: &str = "deselect the picked object";

/// The keys with these words, for the end of a tooltip.
pub(super) fn hint(words: &str) -> String {
    let row = KEYS.iter().find(|row| row.words == words);
    row.map_or(String::new(), |row| format!(" (key {})", row.name()))
}

/// The row of a key that is pressed. Further modifiers belong to the window system, except Shift.
pub fn row_of_key(key: Key, modifiers: Modifiers) -> Option<&'static KeyRow> {
    let is_pressed =
        |row: &&KeyRow| row.keys.contains(&key) && modifiers.cmd_ctrl_matches(row.modifiers);
    KEYS.iter().find(is_pressed).filter(|_| !modifiers.alt)
}

const fn row(keys: &'static [Key], words: &'static str, action: KeyAction) -> KeyRow {
    KeyRow { modifiers: Modifiers::NONE, keys, name: "", words, action }
}

const fn command(keys: &'static [Key], words: &'static str, action: KeyAction) -> KeyRow {
    KeyRow { modifiers: Modifiers::COMMAND, ..row(keys, words, action) }
}

const fn named(name: &'static str, words: &'static str) -> KeyRow {
    KeyRow { name, ..row(&[], words, Other) }
}

/// Changes the response delay in the snapshot too: a held key counts on from there.
fn delayed(snapshot: &mut Snapshot, change: impl Fn(Duration) -> Duration) -> Command {
    let delay = &mut snapshot.input.response_delay;
    *delay = change(*delay).min(MAX_RESPONSE_DELAY);
    Order::ResponseDelay(*delay).into()
}

const DIGITS: [Key; 10] = [
    Key::Num0,
    Key::Num1,
    Key::Num2,
    Key::Num3,
    Key::Num4,
    Key::Num5,
    Key::Num6,
    Key::Num7,
    Key::Num8,
    Key::Num9,
];

/// All keys and actions of the mouse, as the help sheet lists them.
pub(super) static KEYS: [KeyRow; 26] = [
    row(&[Key::S, Key::Space], RUN, Once(|now| Order::Run(!now.engine.running).into())),
    row(&[Key::Period], STEP, Again(|_| Order::Step.into())),
    row(&[Key::Comma], BACK, Again(|_| Order::StepBack.into())),
    row(&[Key::R], RESTART, Once(|_| Order::Restart.into())),
    KeyRow {
        name: "1 to 6, 0",
        ..row(
            &DIGITS,
            "a group of algorithms; again: the next one of the group; 0: auto",
            Algorithm,
        )
    },
    named("P, O", "hold to attract objects to, or repel them from, the vertical line"),
    named("Arrow keys", "drive the driven bodies; J: jump; W, A, S, D too while Drive is ticked"),
    row(&[Key::Minus], SLOWER, Again(|now| delayed(now, |delay| delay.saturating_sub(DELAY_STEP)))),
    // The key of + needs Shift on most keyboards.
    row(
        &[Key::Plus, Key::Equals],
        "increase that delay",
        Again(|now| delayed(now, |delay| delay + DELAY_STEP)),
    ),
    row(&[Key::F], "fit the scene in view", Once(|_| Command::FrameAll)),
    row(&[Key::Z], FRAME_PICKED, Once(|_| Command::FramePicked)),
    row(&[Key::Tab], HIDE, Panel(|panel| panel.hidden = !panel.hidden)),
    row(&[Key::F5], PROJECTOR, Panel(|panel| panel.projector = !panel.projector)),
    row(&[Key::E], EXPORT, Once(|_| Command::ExportFrames)),
    row(&[Key::F12], PICTURE, Once(|_| Command::ExportPicture)),
    row(&[Key::F1], HELP, Panel(|panel| panel.help = !panel.help)),
    command(&[Key::Z], UNDO, Again(|_| Order::Undo.into())),
    named("Ctrl+plus, Ctrl+minus", "larger, smaller text"),
    command(&[Key::Q], "close the window", Close),
    row(&[Key::Escape], DESELECT, Panel(|panel| (panel.help, panel.view.picked) = (false, None))),
    named("Left drag", "orbit the camera"),
    named("Right drag", "pan it"),
    named("Wheel", "zoom"),
    named(
        "Click a tip of the axes (x red, y green, z blue)",
        "view along that axis; again: from the other side",
    ),
    named("Click an object", "show its figures and neighbours"),
    named("Left drag of that object", "move it; it pushes others, and time passes meanwhile"),
];

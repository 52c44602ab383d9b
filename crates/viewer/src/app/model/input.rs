//! Keys, and the mouse over the scene.

use super::Model;
use crate::camera::Ray;
use crate::panel::{KeyAction, algorithm_kinds, algorithm_of_key, free_part, row_of_key};
use crate::simulation::{Order, Snapshot};
use egui::{
    Event, FocusDirection, Id, InputState, Key, Modifiers, MouseWheelUnit, PointerButton, Pos2,
    Response, Sense, Ui,
};
use glam::Vec2;
use sim::{DriveKeys, Hold};

/// Distance from the edges of the scene in points within which the mouse grabs the edge of a panel.
const EDGE: f32 = 3.0;

/// Points of a smooth wheel that are a step of another one.
const POINTS_A_STEP: f32 = 40.0;

impl Model {
    /// Carries out what the user did since the last picture.
    pub(super) fn take_input(&mut self, ui: &Ui) {
        if ui.ctx().text_edit_focused() {
            self.set_hold(Hold::None);
            self.set_drive(DriveKeys::NONE);
        } else {
            // Tab hides the panels, and arrows drive, where egui would move the focus.
            ui.memory_mut(|memory| memory.move_focus(FocusDirection::None));
            self.take_keys(ui);
        }
        // Other widgets of the same place are laid out later, and so are above it.
        let place = self.scene.shrink(EDGE);
        let scene = ui.interact(place, Id::unique("scene"), Sense::CLICK | Sense::DRAG);
        self.take_mouse(ui, &scene);
    }

    fn take_keys(&mut self, ui: &Ui) {
        let letters_drive = self.drives_by_letters();
        let drives = |key| letters_drive && [Key::W, Key::A, Key::S, Key::D].contains(&key);
        let pressed = |event: &Event| match *event {
            Event::Key { key, pressed: true, repeat, modifiers, .. } if !drives(key) => {
                Some((key, modifiers, repeat))
            }
            _ => None,
        };
        let (keys, hold, drive) = ui.input(|input| {
            let keys: Vec<_> = input.events.iter().filter_map(pressed).collect();
            (keys, hold(input), drive(input, letters_drive))
        });
        keys.into_iter().for_each(|(key, modifiers, again)| self.key(key, modifiers, again));
        self.set_hold(hold);
        self.set_drive(drive);
    }

    /// Carries out a key that is pressed, or pressed `again` since it is held.
    pub(super) fn key(&mut self, key: Key, modifiers: Modifiers, again: bool) {
        let Some(row) = row_of_key(key, modifiers) else { return };
        match row.action {
            KeyAction::Again(command) => self.commands.push(command(&mut self.snapshot)),
            _ if again => {}
            KeyAction::Once(command) => self.commands.push(command(&mut self.snapshot)),
            KeyAction::Panel(change) => change(&mut self.panel),
            KeyAction::Algorithm => self.choose_algorithm(key as usize - Key::Num0 as usize),
            KeyAction::Close => self.close(),
            KeyAction::Other => {}
        }
    }

    fn choose_algorithm(&mut self, digit: usize) {
        let Snapshot { offered, algorithm, .. } = *self.snapshot;
        match algorithm_of_key(offered, digit, algorithm) {
            Some(entry) => self.commands.push(Order::Algorithm(entry).into()),
            None => {
                let groups = algorithm_kinds(offered).count();
                self.report(format_args!("no group {digit}: there are {groups}"));
            }
        }
    }

    /// A drag with the left button orbits, with others pans; a drag of the picked object moves that. The wheel zooms.
    fn take_mouse(&mut self, ui: &Ui, scene: &Response) {
        let at = scene.interact_pointer_pos().map(|at| self.ray_at(at));
        let (pressed, left, steps, leaves) = ui.input(|input| {
            let steps: f32 = input.events.iter().filter_map(wheel_steps).sum();
            let leaves = input.events.contains(&Event::WindowFocused(false));
            (input.pointer.primary_pressed(), input.pointer.primary_down(), steps, leaves)
        });
        if scene.contains_pointer() && steps != 0.0 {
            self.camera.goal.zoom(steps);
        }
        if let Some(ray) = at.filter(|_| pressed && scene.is_pointer_button_down_on()) {
            self.grip(ray);
        }
        if let Some(ray) = at.filter(|_| scene.clicked_by(PointerButton::Primary)) {
            self.click(ray);
        }
        if leaves {
            // Another window receives the release.
            ui.ctx().stop_dragging();
        }
        let moved = scene.drag_delta();
        let moved = Vec2::new(moved.x, moved.y);
        if !scene.dragged() || leaves {
            self.pull(None);
        } else if moved == Vec2::ZERO {
            // The object is held where it is.
        } else if left && self.grip.is_some() {
            self.pull(at);
        } else if left {
            self.camera.goal.orbit(moved * ui.pixels_per_point());
        } else {
            let scale = free_part(self.scene).scale;
            self.camera.goal.pan(moved, scale * self.scene.height());
        }
    }

    /// The ray through a point of the window.
    fn ray_at(&self, at: Pos2) -> Ray {
        let (at, size) = (at - self.scene.min, self.scene.size());
        self.shown_camera().ray_through(Vec2::new(at.x, at.y), Vec2::new(size.x, size.y))
    }
}

/// The effect of the line's held key.
fn hold(input: &InputState) -> Hold {
    match (is_held(input, Key::P), is_held(input, Key::O)) {
        (true, false) => Hold::Attract,
        (false, true) => Hold::Repel,
        _ => Hold::None,
    }
}

/// The held keys that drive bodies.
fn drive(input: &InputState, letters_drive: bool) -> DriveKeys {
    let held = |arrow, letter| is_held(input, arrow) || letters_drive && is_held(input, letter);
    DriveKeys {
        left: held(Key::ArrowLeft, Key::A),
        right: held(Key::ArrowRight, Key::D),
        up: held(Key::ArrowUp, Key::W),
        down: held(Key::ArrowDown, Key::S),
        jump: is_held(input, Key::J),
    }
}

/// Whether a key is held alone.
fn is_held(input: &InputState, key: Key) -> bool {
    input.key_down(key) && !input.modifiers.command && !input.modifiers.alt
}

fn wheel_steps(event: &Event) -> Option<f32> {
    match event {
        Event::MouseWheel { unit: MouseWheelUnit::Point, delta, .. } => {
            Some(delta.y / POINTS_A_STEP)
        }
        Event::MouseWheel { delta, .. } => Some(delta.y),
        _ => None,
    }
}

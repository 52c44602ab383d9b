//! Keys and the mouse over the scene.

use crate::camera::OrbitCamera;
use crate::scene_renderer::Viewport;
use glam::Vec2;
use sim::{DriveKeys, Hold};
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{Key as LogicalKey, ModifiersState, NamedKey};

/// The action of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    ToggleRun,
    Step,
    StepBack,
    Restart,
    Export,
    Picture,
    Help,
    HidePanels,
    LessDelay,
    MoreDelay,
    Undo,
    Quit,
    LetGo,
    /// Choose the algorithm of this digit.
    Algorithm(usize),
    FrameAll,
    FramePicked,
    Projector,
}

/// Distance from the edges of the scene within which a press is none over the scene, in pixels: the edge of a panel can
/// be grabbed from 3 points beside it.
const EDGE: f32 = 6.0;

/// A drag that stays within this many pixels of its start is a click.
const CLICK_REACH: f32 = 4.0;

/// Mouse position, drag, modifiers and the held keys of the line.
#[derive(Debug, Default)]
pub(super) struct Pointer {
    at: Vec2,
    drag: Option<Drag>,
    attract: bool,
    repel: bool,
    /// The held keys that drive bodies: arrows, and letters.
    drive: [DriveKeys; 2],
    modifiers: ModifiersState,
}

/// A button that is held down.
#[derive(Clone, Copy, Debug)]
struct Drag {
    button: MouseButton,
    /// Where the left button was pressed, while the pointer stays there.
    click_at: Option<Vec2>,
    /// It moves an object instead of the camera.
    grips: bool,
}

impl Pointer {
    /// The effect of the line's held key.
    pub(super) fn hold(&self) -> Hold {
        match (self.attract, self.repel) {
            (true, false) => Hold::Attract,
            (false, true) => Hold::Repel,
            _ => Hold::None,
        }
    }

    /// The held keys that drive bodies.
    pub(super) fn drive(&self) -> DriveKeys {
        let [arrows, letters] = self.drive;
        DriveKeys {
            left: arrows.left || letters.left,
            right: arrows.right || letters.right,
            up: arrows.up || letters.up,
            down: arrows.down || letters.down,
            jump: arrows.jump || letters.jump,
        }
    }

    /// The action of a key event. The keys of the line and of driven bodies only change [`hold`](Self::hold) and
    /// [`drive`](Self::drive).
    pub(super) fn key(&mut self, event: &KeyEvent, letters_drive: bool) -> Option<Key> {
        let pressed = event.state == ElementState::Pressed;
        let is_repeated = event.repeat;
        self.key_of(event.logical_key.as_ref(), pressed, is_repeated, letters_drive)
    }

    fn key_of(
        &mut self,
        key: LogicalKey<&str>,
        pressed: bool,
        is_repeated: bool,
        letters_drive: bool,
    ) -> Option<Key> {
        let control = self.modifiers.control_key() || self.modifiers.super_key();
        if pressed && (control || self.modifiers.alt_key()) {
            // Other keys with Ctrl or Alt are for the window system.
            return match key {
                LogicalKey::Character("z" | "Z") if control => Some(Key::Undo),
                LogicalKey::Character("q" | "Q") if control => Some(Key::Quit),
                _ => None,
            };
        }
        if self.drive_by(&key, pressed, letters_drive) {
            return None;
        }
        let text = match key {
            LogicalKey::Character(text) => text,
            LogicalKey::Named(NamedKey::Space) => " ",
            LogicalKey::Named(named) if pressed && !is_repeated => {
                return match named {
                    NamedKey::Tab => Some(Key::HidePanels),
                    NamedKey::F1 => Some(Key::Help),
                    NamedKey::F5 => Some(Key::Projector),
                    NamedKey::F12 => Some(Key::Picture),
                    NamedKey::Escape => Some(Key::LetGo),
                    _ => None,
                };
            }
            _ => return None,
        };
        let letter = text.chars().next()?.to_ascii_lowercase();
        match letter {
            'p' => self.attract = pressed,
            'o' => self.repel = pressed,
            _ => {}
        }
        if !pressed {
            return None;
        }
        // A held key repeats steps and delays, but switches only once.
        match letter {
            '.' => Some(Key::Step),
            ',' => Some(Key::StepBack),
            '-' => Some(Key::LessDelay),
            // The key of + needs Shift on most keyboards.
            '+' | '=' => Some(Key::MoreDelay),
            _ if is_repeated => None,
            's' | ' ' => Some(Key::ToggleRun),
            'r' => Some(Key::Restart),
            'e' => Some(Key::Export),
            'f' => Some(Key::FrameAll),
            'z' => Some(Key::FramePicked),
            '0'..='9' => Some(Key::Algorithm(letter as usize - '0' as usize)),
            _ => None,
        }
    }

    /// Notes a key that drives bodies. Returns whether it is one. Releases always count: a key that was pressed while letters
    /// drove would stay held.
    fn drive_by(&mut self, key: &LogicalKey<&str>, pressed: bool, letters_drive: bool) -> bool {
        let [arrows, letters] = &mut self.drive;
        let letter = match key {
            LogicalKey::Character(text) => text.chars().next().map(|c| c.to_ascii_lowercase()),
            _ => None,
        };
        let (held, is_letter) = match (key, letter) {
            (LogicalKey::Named(NamedKey::ArrowLeft), _) => (&mut arrows.left, false),
            (LogicalKey::Named(NamedKey::ArrowRight), _) => (&mut arrows.right, false),
            (LogicalKey::Named(NamedKey::ArrowUp), _) => (&mut arrows.up, false),
            (LogicalKey::Named(NamedKey::ArrowDown), _) => (&mut arrows.down, false),
            (_, Some('j')) => (&mut arrows.jump, false),
            (_, Some('a')) => (&mut letters.left, true),
            (_, Some('d')) => (&mut letters.right, true),
            (_, Some('w')) => (&mut letters.up, true),
            (_, Some('s')) => (&mut letters.down, true),
            _ => return false,
        };
        *held = pressed && (letters_drive || !is_letter);
        letters_drive || !is_letter
    }

    /// Moves the camera: left button orbits, right or middle button pans, wheel zooms. A drag
    /// begins over the scene, may go on over the panel, and ends with its own button. The view has this
    /// share of the scene's height. Returns the position of a click, which is a left button that does not move.
    pub(super) fn event(
        &mut self,
        event: &WindowEvent,
        scene: Viewport,
        scale: f32,
        camera: &mut OrbitCamera,
    ) -> Option<Vec2> {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let to = Vec2::new(position.x as f32, position.y as f32);
                let moved = to - std::mem::replace(&mut self.at, to);
                let drag = self.drag.as_mut()?;
                if drag.click_at.is_some_and(|start| start.distance(to) < CLICK_REACH) {
                    return None;
                }
                drag.click_at = None;
                match drag.button {
                    _ if drag.grips => {}
                    MouseButton::Left => camera.orbit(moved),
                    _ => camera.pan(moved, scale * scene.height as f32),
                }
            }
            WindowEvent::MouseInput { state: ElementState::Released, button, .. } => {
                return self.drag.take_if(|drag| drag.button == *button)?.click_at;
            }
            WindowEvent::MouseInput { button, .. } if self.is_over(scene, EDGE) => {
                let click_at = match button {
                    MouseButton::Left => Some(self.at),
                    MouseButton::Right | MouseButton::Middle => None,
                    _ => return None,
                };
                self.drag = Some(Drag { button: *button, click_at, grips: false });
            }
            WindowEvent::MouseWheel { delta, .. } if self.is_over(scene, 0.0) => {
                camera.zoom(match delta {
                    MouseScrollDelta::LineDelta(_, lines) => *lines,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 40.0,
                });
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
            }
            WindowEvent::Focused(false) => {
                // Another window receives the release of keys and buttons.
                (self.attract, self.repel, self.drag) = (false, false, None);
                self.drive = [DriveKeys::NONE; 2];
            }
            _ => {}
        }
        None
    }

    /// Where the left button was just pressed over the scene.
    pub(super) fn pressed_at(&self) -> Option<Vec2> {
        self.drag?.click_at.filter(|at| *at == self.at)
    }

    /// Lets the present drag move an object instead of the camera.
    pub(super) fn grip(&mut self) {
        self.drag.iter_mut().for_each(|drag| drag.grips = true);
    }

    /// Where the pointer drags an object to.
    pub(super) fn gripped_at(&self) -> Option<Vec2> {
        self.drag.filter(|drag| drag.grips && drag.click_at.is_none()).map(|_| self.at)
    }

    /// Whether the pointer is over the scene, farther than a distance from its edges.
    fn is_over(&self, scene: Viewport, rim: f32) -> bool {
        let low = Vec2::new(scene.x as f32, scene.y as f32);
        let high = low + Vec2::new(scene.width as f32, scene.height as f32);
        self.at.cmpge(low + rim).all() && self.at.cmplt(high - rim).all()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use winit::dpi::PhysicalPosition;
    use winit::event::{DeviceId, MouseButton::*};

    const SCENE: Viewport = Viewport { x: 0, y: 0, width: 100, height: 100 };

    #[test]
    fn edge_of_a_panel_is_dragged_without_the_camera() {
        let (mut pointer, mut camera) = (Pointer::default(), OrbitCamera::default());
        for (from, moves) in [(97.0, false), (2.0, false), (80.0, true)] {
            let before = camera;
            for event in [move_to(from), press(Left), move_to(50.0), release(Left)] {
                assert_eq!(pointer.event(&event, SCENE, 1.0, &mut camera), None);
            }
            assert_eq!(camera != before, moves, "{from}");
        }
    }

    fn move_to(x: f64) -> WindowEvent {
        let position = PhysicalPosition::new(x, 50.0);
        WindowEvent::CursorMoved { device_id: DeviceId::dummy(), position }
    }

    fn button(button: MouseButton, state: ElementState) -> WindowEvent {
        WindowEvent::MouseInput { device_id: DeviceId::dummy(), state, button }
    }

    fn press(which: MouseButton) -> WindowEvent {
        button(which, ElementState::Pressed)
    }

    fn release(which: MouseButton) -> WindowEvent {
        button(which, ElementState::Released)
    }

    #[test]
    fn buttons_click_or_drag() {
        let lost = || WindowEvent::Focused(false);
        // Events over the middle of the scene, with their clicks and moves of the camera.
        for (events, clicks, moves) in [
            (vec![press(Left), move_to(52.0), release(Left)], 1, 0),
            (vec![press(Left), move_to(60.0), release(Left)], 0, 1),
            (vec![press(Right), release(Right)], 0, 0),
            // Only its own button ends a click or a drag.
            (vec![press(Left), release(Right)], 0, 0),
            (vec![press(Left), release(Back), release(Left)], 1, 0),
            (vec![press(Left), move_to(60.0), release(Middle), move_to(70.0)], 0, 2),
            (vec![press(Right), release(Left), move_to(60.0)], 0, 1),
            (vec![press(Left), press(Back), release(Back), release(Left)], 1, 0),
            (vec![press(Left), press(Right), release(Left), release(Right)], 0, 0),
            (vec![press(Left), lost(), release(Left), move_to(90.0)], 0, 0),
        ] {
            let (mut pointer, mut camera) = (Pointer::default(), OrbitCamera::default());
            pointer.event(&move_to(50.0), SCENE, 1.0, &mut camera);
            let mut found = (0, 0);
            for event in &events {
                let before = camera;
                let click = pointer.event(event, SCENE, 1.0, &mut camera);
                found.0 += usize::from(click.is_some());
                found.1 += usize::from(camera != before);
            }
            assert_eq!(found, (clicks, moves), "{events:?}");
        }
    }

    #[test]
    fn gripped_object_follows_the_pointer_instead_of_the_camera() {
        let (mut pointer, mut camera) = (Pointer::default(), OrbitCamera::default());
        let mut send = |event: WindowEvent| {
            assert_eq!(pointer.event(&event, SCENE, 1.0, &mut camera), None, "it is no click");
            let pressed = pointer.pressed_at().map(|at| at.x);
            pointer.grip();
            (pressed, pointer.gripped_at().map(|at| at.x))
        };
        assert_eq!(send(move_to(50.0)), (None, None));
        assert_eq!(send(press(Left)), (Some(50.0), None));
        assert_eq!(send(move_to(52.0)).1, None, "it may become a click");
        assert_eq!(send(move_to(70.0)).1, Some(70.0));
        assert_eq!(send(release(Left)).1, None);
        assert_eq!(camera, OrbitCamera::default());
    }

    fn press_key(pointer: &mut Pointer, text: &str, pressed: bool, letters: bool) -> Option<Key> {
        pointer.key_of(LogicalKey::Character(text), pressed, false, letters)
    }

    #[test]
    fn letters_drive_only_where_they_are_let() {
        let mut pointer = Pointer::default();
        assert_eq!(press_key(&mut pointer, "s", true, false), Some(Key::ToggleRun));
        assert!(pointer.drive().is_none());
        assert_eq!(press_key(&mut pointer, "S", true, true), None, "it drives");
        let down = DriveKeys { down: true, ..DriveKeys::NONE };
        assert_eq!(pointer.drive(), down);
        assert_eq!(press_key(&mut pointer, "d", true, true), None);
        assert_eq!(pointer.drive(), DriveKeys { right: true, ..down });
        // Drive is no longer ticked when the key is released.
        press_key(&mut pointer, "s", false, false);
        press_key(&mut pointer, "d", false, true);
        assert!(pointer.drive().is_none());
        let space = LogicalKey::Named(NamedKey::Space);
        assert_eq!(pointer.key_of(space, true, false, true), Some(Key::ToggleRun));
    }

    #[test]
    fn arrow_keys_drive_until_released_or_the_focus_is_lost() {
        let (mut pointer, mut camera) = (Pointer::default(), OrbitCamera::default());
        let arrow = |pointer: &mut Pointer, key, pressed| {
            assert_eq!(pointer.key_of(LogicalKey::Named(key), pressed, false, false), None);
        };
        arrow(&mut pointer, NamedKey::ArrowUp, true);
        arrow(&mut pointer, NamedKey::ArrowLeft, true);
        let both = DriveKeys { up: true, left: true, ..DriveKeys::NONE };
        assert_eq!(pointer.drive(), both);
        arrow(&mut pointer, NamedKey::ArrowUp, false);
        assert_eq!(pointer.drive(), DriveKeys { up: false, ..both });
        pointer.event(&WindowEvent::Focused(false), SCENE, 1.0, &mut camera);
        assert!(pointer.drive().is_none());
    }
}

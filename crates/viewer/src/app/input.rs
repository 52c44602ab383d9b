//! Keys and the mouse over the scene.

use crate::camera::OrbitCamera;
use crate::scene_renderer::Viewport;
use glam::Vec2;
use sim::Hold;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{Key as LogicalKey, ModifiersState, NamedKey};

/// A key that means something.
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
    /// By its place in the registry, from 0.
    Algorithm(usize),
    FrameAll,
}

/// Nearer than this to where it began, in pixels, a drag is still a click.
const CLICK_REACH: f32 = 4.0;

/// Where the mouse is, what it drags, and which key of the line is held.
#[derive(Debug, Default)]
pub(super) struct Pointer {
    at: Vec2,
    drag: Option<Drag>,
    attract: bool,
    repel: bool,
    /// Where the left button went down, while the pointer has not left that place.
    pressed_at: Option<Vec2>,
    modifiers: ModifiersState,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Drag {
    Orbit,
    Pan,
}

impl Pointer {
    /// The key of the line that is held.
    pub(super) fn hold(&self) -> Hold {
        match (self.attract, self.repel) {
            (true, false) => Hold::Attract,
            (false, true) => Hold::Repel,
            _ => Hold::None,
        }
    }

    /// What a key means; the line's keys only change [`hold`](Self::hold).
    pub(super) fn key(&mut self, event: &KeyEvent) -> Option<Key> {
        let pressed = event.state == ElementState::Pressed;
        let control = self.modifiers.control_key() || self.modifiers.super_key();
        let key = event.logical_key.as_ref();
        if pressed && (control || self.modifiers.alt_key()) {
            // The rest of what is pressed with Ctrl or Alt is meant for somebody else.
            return match key {
                LogicalKey::Character("z" | "Z") if control => Some(Key::Undo),
                LogicalKey::Character("q" | "Q") if control => Some(Key::Quit),
                _ => None,
            };
        }
        let text = match key {
            LogicalKey::Character(text) => text,
            LogicalKey::Named(NamedKey::Space) => " ",
            LogicalKey::Named(named) if pressed && !event.repeat => {
                return match named {
                    NamedKey::Tab => Some(Key::HidePanels),
                    NamedKey::F1 => Some(Key::Help),
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
        // A held key steps on and on; what it switches it switches once.
        match letter {
            '.' => Some(Key::Step),
            ',' => Some(Key::StepBack),
            '-' => Some(Key::LessDelay),
            // The key of + needs Shift on most keyboards.
            '+' | '=' => Some(Key::MoreDelay),
            _ if event.repeat => None,
            's' | ' ' => Some(Key::ToggleRun),
            'r' => Some(Key::Restart),
            'e' => Some(Key::Export),
            'f' => Some(Key::FrameAll),
            '1'..='9' => Some(Key::Algorithm(letter as usize - '1' as usize)),
            _ => None,
        }
    }

    /// Left button: orbit, and a click where it does not move; right or middle button: pan; wheel:
    /// zoom. A drag begins over the scene and may go on over the panel. Returns where a click was.
    pub(super) fn event(
        &mut self,
        event: &WindowEvent,
        scene: Viewport,
        camera: &mut OrbitCamera,
    ) -> Option<Vec2> {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let to = Vec2::new(position.x as f32, position.y as f32);
                let moved = to - std::mem::replace(&mut self.at, to);
                if let Some(start) = self.pressed_at {
                    if start.distance(to) < CLICK_REACH {
                        return None;
                    }
                    self.pressed_at = None;
                }
                match self.drag {
                    Some(Drag::Orbit) => camera.orbit(moved),
                    Some(Drag::Pan) => camera.pan(moved, scene.height as f32),
                    None => {}
                }
            }
            WindowEvent::MouseInput { state: ElementState::Released, .. } => {
                self.drag = None;
                return self.pressed_at.take();
            }
            WindowEvent::MouseInput { button, .. } if self.is_over(scene) => {
                self.pressed_at = (*button == MouseButton::Left).then_some(self.at);
                self.drag = match button {
                    MouseButton::Left => Some(Drag::Orbit),
                    MouseButton::Right | MouseButton::Middle => Some(Drag::Pan),
                    _ => None,
                };
            }
            WindowEvent::MouseWheel { delta, .. } if self.is_over(scene) => {
                camera.zoom(match delta {
                    MouseScrollDelta::LineDelta(_, lines) => *lines,
                    MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 40.0,
                });
            }
            WindowEvent::ModifiersChanged(modifiers) => {
                self.modifiers = modifiers.state();
            }
            WindowEvent::Focused(false) => {
                // The keys' release will go to another window.
                (self.attract, self.repel, self.drag) = (false, false, None);
            }
            _ => {}
        }
        None
    }

    fn is_over(&self, scene: Viewport) -> bool {
        let low = Vec2::new(scene.x as f32, scene.y as f32);
        let high = low + Vec2::new(scene.width as f32, scene.height as f32);
        self.at.cmpge(low).all() && self.at.cmplt(high).all()
    }
}

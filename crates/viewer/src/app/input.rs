//! Keys and the mouse over the scene.

use crate::camera::OrbitCamera;
use crate::scene_renderer::Viewport;
use glam::Vec2;
use sim::Hold;
use winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta, WindowEvent};
use winit::keyboard::{Key as LogicalKey, NamedKey};

/// A key that means something.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Key {
    ToggleRun,
    Step,
    Export,
    /// By its place in the registry, from 0.
    Algorithm(usize),
    FrameAll,
}

/// Where the mouse is, what it drags, and which key of the line is held.
#[derive(Debug, Default)]
pub(super) struct Pointer {
    at: Vec2,
    drag: Option<Drag>,
    attract: bool,
    repel: bool,
    /// Ctrl, Alt or the like is down: what is pressed then is meant for somebody else.
    modified: bool,
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
        if pressed && self.modified {
            return None;
        }
        let text = match event.logical_key.as_ref() {
            LogicalKey::Character(text) => text,
            LogicalKey::Named(NamedKey::Space) => " ",
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
            _ if event.repeat => None,
            's' | ' ' => Some(Key::ToggleRun),
            'e' => Some(Key::Export),
            'f' => Some(Key::FrameAll),
            '1'..='9' => Some(Key::Algorithm(letter as usize - '1' as usize)),
            _ => None,
        }
    }

    /// Left button: orbit; right or middle button: pan; wheel: zoom. A drag begins over the scene
    /// and may go on over the panel.
    pub(super) fn event(&mut self, event: &WindowEvent, scene: Viewport, camera: &mut OrbitCamera) {
        match event {
            WindowEvent::CursorMoved { position, .. } => {
                let to = Vec2::new(position.x as f32, position.y as f32);
                let moved = to - std::mem::replace(&mut self.at, to);
                match self.drag {
                    Some(Drag::Orbit) => camera.orbit(moved),
                    Some(Drag::Pan) => camera.pan(moved, scene.height as f32),
                    None => {}
                }
            }
            WindowEvent::MouseInput { state: ElementState::Released, .. } => self.drag = None,
            WindowEvent::MouseInput { button, .. } if self.is_over(scene) => {
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
                let state = modifiers.state();
                self.modified = state.control_key() || state.alt_key() || state.super_key();
            }
            WindowEvent::Focused(false) => {
                // The keys' release will go to another window.
                (self.attract, self.repel, self.drag) = (false, false, None);
            }
            _ => {}
        }
    }

    fn is_over(&self, scene: Viewport) -> bool {
        let low = Vec2::new(scene.x as f32, scene.y as f32);
        let high = low + Vec2::new(scene.width as f32, scene.height as f32);
        self.at.cmpge(low).all() && self.at.cmplt(high).all()
    }
}

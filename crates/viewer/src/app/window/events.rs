//! The window's events, as far as eframe's own handling does not suffice.

use super::App;
use crate::app::error::WindowError;
use crate::app::scale;
use eframe::{EframeWinitApplication, UserEvent};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;
use winit::application::ApplicationHandler;
use winit::dpi::PhysicalSize;
use winit::event::{KeyEvent, StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::keyboard::{Key, KeyCode, NamedKey};
use winit::window::{Window, WindowId};

/// Passes events to eframe.
pub(super) struct Events<'a> {
    native: EframeWinitApplication<'a>,
    app: Rc<RefCell<App>>,
    /// Pixels per point of the window, as far as it follows the display.
    scale: f64,
    /// The display has a scale at which eframe would panic. Nothing is passed until it has another one.
    is_frozen: bool,
    /// The surface could not follow the size of the window. Nothing is drawn until it can.
    is_oversized: bool,
}

impl<'a> Events<'a> {
    pub(super) fn new(native: EframeWinitApplication<'a>, app: Rc<RefCell<App>>) -> Self {
        Self { native, app, scale: 1.0, is_frozen: false, is_oversized: false }
    }

    fn window(&self) -> Option<Arc<Window>> {
        self.app.borrow().screen.as_ref().map(|screen| Arc::clone(&screen.window))
    }

    /// Keeps the size in points where the display's scale changes. Returns the size in pixels.
    fn rescale(&mut self, window: &Window, display: f64) -> PhysicalSize<u32> {
        let size = scale::rescaled(window.inner_size(), self.scale, display);
        self.scale = scale::of_window(display).unwrap_or(self.scale);
        self.is_frozen = scale::possible(display).is_none();
        size
    }

    /// Lets the surface follow the size of the window, up to the largest texture.
    fn resize(&mut self, event_loop: &ActiveEventLoop, window: &Window) {
        let device = self.app.borrow().gpu.device.clone();
        let (size, limit) = (window.inner_size(), device.limits().max_texture_dimension_2d);
        let drawable = PhysicalSize::new(size.width.min(limit), size.height.min(limit));
        if drawable != size {
            // A window system that keeps the size leaves a part undrawn.
            let _ = window.request_inner_size(drawable);
            return;
        }
        // The window may be larger already than what was asked for here: eframe asks again.
        let errors = device.push_error_scope(wgpu::ErrorFilter::Validation);
        self.native.window_event(event_loop, window.id(), WindowEvent::Resized(size));
        self.is_oversized = pollster::block_on(errors.pop()).is_some();
        if !self.is_oversized {
            self.app.borrow_mut().resized(size, self.scale);
        }
    }

    /// Whether a key would paste, with others, where no text is edited. The clipboard of Wayland waits for its owner.
    fn pastes_nowhere(&self, key: &KeyEvent) -> bool {
        let app = self.app.borrow();
        let is_edited = |screen: &super::Screen| screen.context.text_edit_focused();
        let is_v = match &key.logical_key {
            Key::Named(NamedKey::Paste) => true,
            Key::Character(text) if text.eq_ignore_ascii_case("v") => true,
            _ => key.physical_key == KeyCode::KeyV,
        };
        is_v && key.state.is_pressed() && !app.screen.as_ref().is_some_and(is_edited)
    }
}

impl ApplicationHandler<UserEvent> for Events<'_> {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        self.native.resumed(event_loop);
        if let Some(window) = self.window() {
            self.rescale(&window, window.scale_factor());
            self.app.borrow_mut().resized(window.inner_size(), self.scale);
        }
    }

    fn new_events(&mut self, event_loop: &ActiveEventLoop, cause: StartCause) {
        if !self.is_frozen {
            self.native.new_events(event_loop, cause);
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        if !self.is_frozen {
            self.native.user_event(event_loop, event);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, id: WindowId, event: WindowEvent) {
        // Another window is the one by which the device was found.
        let Some(window) = self.window().filter(|window| window.id() == id) else { return };
        match &event {
            WindowEvent::CloseRequested => return self.app.borrow_mut().model.close(),
            // By another program: the own one destroys it after the event loop.
            WindowEvent::Destroyed => {
                let text = "the window was destroyed".to_owned();
                return self.app.borrow_mut().fail(WindowError::Broken(text));
            }
            WindowEvent::ScaleFactorChanged { scale_factor, inner_size_writer } => {
                let size = self.rescale(&window, *scale_factor);
                // A window that is gone needs none.
                let _ = inner_size_writer.clone().request_inner_size(size);
            }
            WindowEvent::KeyboardInput { event: key, .. } if self.pastes_nowhere(key) => return,
            WindowEvent::RedrawRequested if self.is_oversized => return,
            _ => {}
        }
        if self.is_frozen {
            return;
        }
        let changes_scale = matches!(event, WindowEvent::ScaleFactorChanged { .. });
        let changes_size = matches!(event, WindowEvent::Resized(_));
        if !changes_size {
            self.native.window_event(event_loop, id, event);
        }
        if changes_size || changes_scale {
            self.resize(event_loop, &window);
        }
    }

    /// Writes files, and ends the loop, also while nothing is drawn.
    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        let mut app = self.app.borrow_mut();
        let due = app.follow();
        if app.is_over() {
            return event_loop.exit();
        }
        let Some(at) = due.map(|wait| Instant::now() + wait) else { return };
        match event_loop.control_flow() {
            ControlFlow::WaitUntil(sooner) if sooner <= at => {}
            _ => event_loop.set_control_flow(ControlFlow::WaitUntil(at)),
        }
    }

    fn exiting(&mut self, event_loop: &ActiveEventLoop) {
        let has_failed = self.app.borrow().failure.is_some();
        if !has_failed {
            self.native.exiting(event_loop);
        }
    }
}

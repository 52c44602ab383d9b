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
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::{Window, WindowId};

/// Passes events to eframe.
pub(super) struct Events<'a> {
    native: EframeWinitApplication<'a>,
    app: Rc<RefCell<App>>,
    /// Pixels per point of the window, as far as it follows the display.
    scale: f64,
    /// The surface could not follow the size of the window. Nothing is drawn until it can.
    is_oversized: bool,
}

impl<'a> Events<'a> {
    pub(super) fn new(native: EframeWinitApplication<'a>, app: Rc<RefCell<App>>) -> Self {
        Self { native, app, scale: 1.0, is_oversized: false }
    }

    fn window(&self) -> Option<Arc<Window>> {
        self.app.borrow().window.clone()
    }

    /// Whether the window is at a scale at which eframe would panic. Nothing is passed until it has another one.
    fn is_frozen(&self) -> bool {
        self.window().is_some_and(|window| scale::possible(window.scale_factor()).is_none())
    }

    /// Follows the scale of the display. Returns the size in pixels that keeps the size in points.
    fn rescale(&mut self, window: &Window, display: f64) -> PhysicalSize<u32> {
        let size = scale::rescaled(window.inner_size(), self.scale, display);
        let app = self.app.borrow();
        if let (Some(screen), Ok(followed)) = (&app.viewer.screen, scale::of_window(display)) {
            self.scale = followed;
            screen.context.options_mut(|options| scale::fit_zoom(options, display));
        }
        size
    }

    /// Lets the surface follow the size of the window, up to the largest texture.
    fn resize(&mut self, event_loop: &ActiveEventLoop, window: &Window) {
        let device = self.app.borrow().viewer.gpu.device.clone();
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
        if !self.is_frozen() {
            self.native.new_events(event_loop, cause);
        }
    }

    fn user_event(&mut self, event_loop: &ActiveEventLoop, event: UserEvent) {
        if !self.is_frozen() {
            self.native.user_event(event_loop, event);
        }
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, id: WindowId, event: WindowEvent) {
        // Another window is the one by which the device was found.
        let Some(window) = self.window().filter(|window| window.id() == id) else { return };
        match &event {
            WindowEvent::CloseRequested => return self.app.borrow_mut().viewer.model.close(),
            // By another program: the own one destroys it after the event loop.
            WindowEvent::Destroyed => {
                let text = "the window was destroyed".to_owned();
                return self.app.borrow_mut().fail(WindowError::Broken(text));
            }
            WindowEvent::ScaleFactorChanged { scale_factor, inner_size_writer } => {
                let size = self.rescale(&window, *scale_factor);
                // A window that is gone needs none.
                let _ = inner_size_writer.clone().request_inner_size(size);
                if scale::possible(*scale_factor).is_none() {
                    return;
                }
            }
            WindowEvent::Resized(_) if !self.is_frozen() => {
                return self.resize(event_loop, &window);
            }
            WindowEvent::RedrawRequested if self.is_oversized => return,
            _ => {}
        }
        if !self.is_frozen() {
            self.native.window_event(event_loop, id, event);
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

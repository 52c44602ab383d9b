//! The window's events.

use super::App;
use crate::app::error::WindowError;
use crate::app::event_loop::News;
use crate::app::screen::Screen;
use crate::panel::NOTICEABLE;
use std::time::{Duration, Instant};
use winit::application::ApplicationHandler;
use winit::event::{StartCause, WindowEvent};
use winit::event_loop::{ActiveEventLoop, ControlFlow};
use winit::window::WindowId;

/// Time until a surface without a texture is tried again. Trying at once would keep a core busy.
const RETRY_AFTER: Duration = Duration::from_millis(100);

/// Time between two pictures while a long step runs, for the seconds that they show.
const BUSY_EVERY: Duration = Duration::from_millis(250);

impl ApplicationHandler<News> for App {
    fn resumed(&mut self, event_loop: &ActiveEventLoop) {
        if self.screen.is_some() || self.failure.is_some() {
            return;
        }
        let settings = &self.model.settings;
        match Screen::open(event_loop, settings.window, settings.vsync) {
            Ok(screen) => {
                self.adapter = screen.adapter();
                let proxy = self.proxy.clone();
                screen.watch_drags(move |problem| {
                    // A closed window takes no files.
                    let _ = proxy.send_event(News::Undroppable(problem));
                });
                self.screen = Some(screen);
                self.model.offer_edits();
            }
            Err(failure) => return self.fail(event_loop, failure),
        }
        let proxy = self.proxy.clone();
        let wake = move || {
            // A closed window shows no more snapshots.
            let _ = proxy.send_event(News::Snapshot);
        };
        if let Err(e) = self.model.start(wake) {
            let text = format!("no thread for the simulation: {e}");
            self.fail(event_loop, WindowError::Broken(text));
        }
    }

    fn new_events(&mut self, _: &ActiveEventLoop, cause: StartCause) {
        // The time has come to announce a long step, or to repaint a panel.
        if let StartCause::ResumeTimeReached { .. } = cause {
            self.request_redraw();
        }
    }

    fn user_event(&mut self, _: &ActiveEventLoop, news: News) {
        match news {
            News::Snapshot => {}
            News::Answer(answer) => self.model.answered(answer),
            News::Undroppable(problem) => self.model.report(problem),
        }
        self.request_redraw();
    }

    fn window_event(&mut self, event_loop: &ActiveEventLoop, _: WindowId, event: WindowEvent) {
        let Some(screen) = &mut self.screen else { return };
        let taken = screen.on_event(&event);
        match &event {
            WindowEvent::CloseRequested => self.model.close(),
            // By another program: the own one destroys it after the event loop.
            WindowEvent::Destroyed => {
                let text = "the window was destroyed".to_owned();
                return self.fail(event_loop, WindowError::Broken(text));
            }
            WindowEvent::RedrawRequested => return self.picture(event_loop),
            WindowEvent::Resized(size) => {
                screen.resize(size.width, size.height);
                if size.width > 0 && size.height > 0 {
                    self.model.settings.window = screen.window_size();
                }
            }
            WindowEvent::ScaleFactorChanged { scale_factor, inner_size_writer } => {
                let size = screen.rescale(*scale_factor);
                // A window that is gone needs none.
                let _ = inner_size_writer.clone().request_inner_size(size);
            }
            WindowEvent::Occluded(occluded) => screen.set_occluded(*occluded),
            WindowEvent::DroppedFile(path) => self.model.drop_file(path),
            // Releases always count: a key whose release a panel took would stay held.
            WindowEvent::KeyboardInput { event, .. } if !taken || !event.state.is_pressed() => {
                let letters_drive = self.model.drives_by_letters();
                if let Some(key) = self.pointer.key(event, letters_drive) {
                    self.model.key(key);
                }
            }
            // Panels keep their presses; a drag that began over the scene continues.
            WindowEvent::MouseInput { state, .. } if taken && state.is_pressed() => {}
            WindowEvent::MouseWheel { .. } if taken => {}
            _ => {
                let rect = screen.scene_rect();
                let scale = self.model.free_scale();
                let camera = self.model.camera.goal_mut();
                let clicked = self.pointer.event(&event, rect, scale, camera);
                self.touch_objects(clicked);
            }
        }
        self.model.set_hold(self.pointer.hold());
        self.model.set_drive(self.pointer.drive());
        self.request_redraw();
    }

    fn about_to_wait(&mut self, event_loop: &ActiveEventLoop) {
        self.model.open_dropped();
        if self.model.is_closed() {
            return event_loop.exit();
        }
        let files_due = self.model.keep_files(self.clock.now_ns());
        let Some(screen) = &self.screen else { return };
        if screen.is_hidden() {
            event_loop
                .set_control_flow(files_due.map_or(ControlFlow::Wait, ControlFlow::wait_duration));
        } else if screen.owes_picture() {
            event_loop.set_control_flow(ControlFlow::wait_duration(RETRY_AFTER));
            screen.request_redraw();
        } else if self.model.camera.is_moving() || !self.model.commands.is_empty() {
            // Commands of the last picture are carried out with the next one.
            event_loop.set_control_flow(ControlFlow::Poll);
            screen.request_redraw();
        } else {
            // Nothing is drawn until there is a snapshot or an event, or a panel asks for it.
            let next = |busy: Duration| NOTICEABLE.saturating_sub(busy).max(BUSY_EVERY);
            let work = self.model.simulation.at_work();
            let busy = work.map(|work| next(work.busy_for));
            // One more picture, without a frame rate: nothing is drawn after it.
            let idle = self.times.fps_lasts(self.clock.now_ns());
            let from_now = [busy, files_due, idle].into_iter().flatten();
            let from_now = from_now.map(|wait| Instant::now() + wait);
            match screen.repaint_at().into_iter().chain(from_now).min() {
                Some(at) if at <= Instant::now() => screen.request_redraw(),
                Some(at) => event_loop.set_control_flow(ControlFlow::WaitUntil(at)),
                None => event_loop.set_control_flow(ControlFlow::Wait),
            }
        }
    }
}

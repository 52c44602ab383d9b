//! The window's screen: the surface, the scene drawn on it, and the panels over the scene.

use super::error::WindowError;
use super::panel_painter::{LaidOut, PanelPainter};
use super::scale;
use super::scene_texture::SceneTexture;
use super::surface::{Canvas, Surface};
use crate::gpu::{Gpu, GpuTimer};
use crate::offscreen::{OffscreenError, Studio};
use crate::one_line::one_line;
use crate::scene_renderer::{Antialiasing, SceneView, Viewport};
use egui::{Rect, Ui};
use std::sync::Arc;
use std::time::Instant;
use winit::dpi::PhysicalSize;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::window::Window;

/// The window and everything that draws into it.
pub(super) struct Screen {
    window: Arc<Window>,
    gpu: Gpu,
    surface: Surface,
    scene: SceneTexture,
    scene_rect: Viewport,
    panels: PanelPainter,
    /// Pixels per point of the window, as far as it follows the display.
    scale: f64,
    /// No part of the window is visible.
    occluded: bool,
    /// Reads the GPU's clock, if it has one.
    timer: Option<GpuTimer>,
    /// The CPU draws.
    software: bool,
}

impl Screen {
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        size: [f32; 2],
        vsync: bool,
    ) -> Result<Self, WindowError> {
        let within_screen = scale::within_screen(event_loop)?;
        let attributes = Window::default_attributes()
            .with_title("broad phase")
            .with_inner_size(within_screen(size))
            .with_min_inner_size(within_screen([640.0, 360.0]));
        let window = event_loop
            .create_window(attributes)
            .map_err(|e| WindowError::NoWindow(one_line(&e.to_string())))?;
        let window = Arc::new(window);
        let instance = Gpu::instance_for_display(Box::new(event_loop.owned_display_handle()));
        let surface = instance
            .create_surface(window.clone())
            .map_err(|e| WindowError::NoWindow(one_line(&e.to_string())))?;
        let gpu = pollster::block_on(Gpu::acquire(instance, Some(&surface)))?;
        let surface = Surface::configured(surface, &gpu, &window, vsync)
            .ok_or_else(|| WindowError::NoWindow("the adapter cannot draw on it".to_owned()))?;

        // Where the CPU draws, four samples a pixel would halve the frame rate.
        let software = gpu.adapter_summary().software;
        let antialiasing = if software { Antialiasing::Off } else { Antialiasing::Msaa4 };
        let [width, height] = surface.size();
        let format = surface.format();
        let scene = SceneTexture::new(&gpu.device, format, antialiasing, surface.copies());
        Ok(Self {
            panels: PanelPainter::new(&window, &gpu.device, surface.format(), scene.clears()),
            scene,
            timer: GpuTimer::new(&gpu.device, &gpu.queue),
            scene_rect: Viewport { x: 0, y: 0, width, height },
            scale: scale::followed(window.scale_factor()),
            occluded: false,
            software,
            window,
            gpu,
            surface,
        })
    }

    /// Calls `report` with what is wrong with files that are dragged over the window, where winit says nothing.
    pub(super) fn watch_drags(&self, report: impl Fn(String) + Send + 'static) {
        #[cfg(all(unix, not(target_os = "macos")))]
        super::drags::watch(&self.window, report);
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        drop(report);
    }

    /// The name and kind of the adapter that draws.
    pub(super) fn adapter(&self) -> String {
        self.gpu.adapter_summary().to_string()
    }

    /// A fault that the device has reported on its own.
    pub(super) fn fault(&self) -> Option<String> {
        self.gpu.fault()
    }

    pub(super) fn set_title(&self, title: &str) {
        self.window.set_title(title);
    }

    pub(super) fn request_redraw(&self) {
        self.window.request_redraw();
    }

    /// When the panels are to be painted again without an event.
    pub(super) fn repaint_at(&self) -> Option<Instant> {
        self.panels.repaint_at()
    }

    /// Whether no part of the window is visible.
    pub(super) fn is_hidden(&self) -> bool {
        let size = self.window.inner_size();
        self.occluded || size.width == 0 || size.height == 0
    }

    pub(super) fn set_occluded(&mut self, occluded: bool) {
        self.occluded = occluded;
    }

    /// Whether the surface had no texture for the last picture.
    pub(super) fn owes_picture(&self) -> bool {
        self.surface.owes_picture()
    }

    /// The part of the surface that the panels leave to the scene, in pixels.
    pub(super) fn scene_rect(&self) -> Viewport {
        self.scene_rect
    }

    pub(super) fn pixels_per_point(&self) -> f32 {
        self.panels.pixels_per_point()
    }

    pub(super) fn set_vsync(&mut self, vsync: bool) {
        self.surface.set_vsync(vsync);
    }

    /// The present mode in use, in words.
    pub(super) fn present_mode(&self) -> &'static str {
        self.surface.present_mode()
    }

    /// Chooses dark or light panels.
    pub(super) fn set_dark(&mut self, dark: bool) {
        self.panels.set_dark(dark);
    }

    /// Inner size of the window in points.
    pub(super) fn window_size(&self) -> [f32; 2] {
        let size = self.window.inner_size().to_logical(self.scale);
        [size.width, size.height]
    }

    /// Keeps the size in points where the display's scale changes. Returns the size in pixels.
    pub(super) fn rescale(&mut self, display: f64) -> PhysicalSize<u32> {
        let size = scale::rescaled(self.window.inner_size(), self.scale, display);
        self.scale = scale::of_window(display).unwrap_or(self.scale);
        size
    }

    /// For pictures of that many pixels.
    ///
    /// # Errors
    ///
    /// If the adapter does not support this size.
    pub(super) fn studio(&self, size: [u32; 2]) -> Result<Studio, OffscreenError> {
        Studio::new(&self.gpu, size)
    }

    pub(super) fn resize(&mut self, width: u32, height: u32) {
        self.surface.resize(width, height);
    }

    /// Passes an event to the panels. Returns whether they keep it.
    pub(super) fn on_event(&mut self, event: &WindowEvent) -> bool {
        self.panels.on_event(&self.window, event)
    }

    /// The surface's next texture, if there is one now.
    pub(super) fn acquire(&mut self) -> Option<Canvas> {
        self.surface.acquire(&self.gpu, &self.window)
    }

    /// Lays out the panels; `contents` returns the part that is left to the scene, in points.
    /// Returns whether the scene must be drawn again because that part has another size.
    pub(super) fn lay_out(&mut self, contents: impl FnMut(&mut Ui) -> Rect) -> (LaidOut, bool) {
        let size = self.surface.size();
        let (laid_out, rect, scale) = self.panels.lay_out(&self.window, size, contents);
        self.scene_rect = in_pixels(rect, scale, size);
        let lost = self.scene.fit(self.scene_rect);
        (laid_out, lost)
    }

    /// Draws the panels, and the scene if it is given.
    ///
    /// If the GPU has no clock, it waits until all is drawn, so that the caller's clock measures
    /// the drawing. It waits too if the CPU draws: presenting would wait instead, and keep a core
    /// busy.
    ///
    /// [`drawn`](Self::drawn) returns `tag` with the GPU's time.
    ///
    /// # Errors
    ///
    /// The message of a lost device.
    pub(super) fn draw(
        &mut self,
        canvas: &Canvas,
        laid_out: LaidOut,
        scene: Option<&SceneView<'_>>,
        tag: u64,
    ) -> Result<(), String> {
        let Gpu { device, queue, .. } = &self.gpu;
        let mut encoder = device.create_command_encoder(&Default::default());
        if let Some(timer) = &mut self.timer {
            timer.begin(&mut encoder, tag);
        }
        let size = self.surface.size();
        let uploaded =
            self.panels.upload(&self.window, device, queue, &mut encoder, laid_out, size);
        let target = &canvas.texture.texture;
        self.scene.clear(&mut encoder, target, self.panels.background());
        self.scene.draw(device, queue, &mut encoder, target, self.scene_rect, scene);
        self.panels.paint(&mut encoder, &target.create_view(&Default::default()), &uploaded);
        if let Some(timer) = &mut self.timer {
            timer.end(&mut encoder);
        }
        self.panels.submit(queue, encoder, uploaded);
        if let Some(timer) = &mut self.timer {
            timer.submitted();
        }
        let wait =
            if self.waits() { wgpu::PollType::wait_indefinitely() } else { wgpu::PollType::Poll };
        device.poll(wait).map(drop).map_err(|e| format!("graphics error: {e}"))
    }

    /// Whether [`draw`](Self::draw) returns only when all is drawn.
    pub(super) fn waits(&self) -> bool {
        self.timer.is_none() || self.software
    }

    /// Calls `report` with tag and GPU nanoseconds of the pictures whose times have arrived.
    pub(super) fn drawn(&mut self, report: impl FnMut(u64, u64)) {
        if let Some(timer) = &mut self.timer {
            timer.collect(report);
        }
    }

    /// Shows a drawn texture.
    pub(super) fn present(&self, canvas: Canvas) {
        self.gpu.queue.present(canvas.texture);
    }
}

/// A rectangle in whole pixels, within a window of that size and never without area.
fn in_pixels(rect: Rect, scale: f32, [width, height]: [u32; 2]) -> Viewport {
    let pixels = |points: f32, most: u32| ((points * scale).round().max(0.0) as u32).min(most);
    let (x, y) = (pixels(rect.left(), width - 1), pixels(rect.top(), height - 1));
    Viewport {
        x,
        y,
        width: pixels(rect.right(), width).saturating_sub(x).max(1),
        height: pixels(rect.bottom(), height).saturating_sub(y).max(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangle_in_pixels_lies_in_the_window_and_has_an_area() {
        let rect = |x: [f32; 2], y: [f32; 2]| Rect::from_x_y_ranges(x[0]..=x[1], y[0]..=y[1]);
        let half = in_pixels(rect([10.0, 485.25], [0.0, 360.0]), 2.0, [1280, 720]);
        assert_eq!(half, Viewport { x: 20, y: 0, width: 951, height: 720 });
        let nothing = in_pixels(rect([700.0, 600.0], [-5.0, -9.0]), 2.0, [1280, 720]);
        assert_eq!(nothing, Viewport { x: 1279, y: 0, width: 1, height: 1 });
    }
}

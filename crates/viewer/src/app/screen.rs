//! The window's surface, and the two things drawn on it: the scene, and the panel over it.

use super::WindowError;
use super::scene_texture::SceneTexture;
use crate::gpu::{Gpu, GpuTimer};
use crate::offscreen::{Offscreen, OffscreenError, Picture};
use crate::scene_renderer::{Antialiasing, SceneView, Viewport};
use egui::{FullOutput, Rect, Ui, ViewportId};
use egui_wgpu::ScreenDescriptor;
use std::sync::Arc;
use std::time::Instant;
use wgpu::CurrentSurfaceTexture;
use winit::dpi::LogicalSize;
use winit::event::WindowEvent;
use winit::event_loop::ActiveEventLoop;
use winit::keyboard::{Key, NamedKey};
use winit::window::Window;

/// The window and all that draws into it.
pub(super) struct Screen {
    window: Arc<Window>,
    gpu: Gpu,
    surface: wgpu::Surface<'static>,
    config: wgpu::SurfaceConfiguration,
    scene: SceneTexture,
    egui: egui::Context,
    input: egui_winit::State,
    painter: egui_wgpu::Renderer,
    scene_rect: Viewport,
    repaint_at: Option<Instant>,
    /// The surface must be configured before the next frame.
    outdated: bool,
    /// Nothing of the window can be seen.
    occluded: bool,
    /// The last picture could not be drawn, for want of a texture.
    owes_picture: bool,
    /// Reads the GPU's clock, where it has one.
    timer: Option<GpuTimer>,
    /// The CPU draws.
    software: bool,
    /// Ways of presenting that the surface offers.
    present_modes: Vec<wgpu::PresentMode>,
    dark: Option<bool>,
}

/// A texture of the surface, to be drawn on and presented.
pub(super) struct Canvas {
    texture: wgpu::SurfaceTexture,
}

/// A panel that is laid out, but not painted.
pub(super) struct Panel {
    output: FullOutput,
}

impl Screen {
    pub(super) fn open(
        event_loop: &ActiveEventLoop,
        size: [f32; 2],
        vsync: bool,
    ) -> Result<Self, WindowError> {
        let size = within_screen(event_loop, size);
        let attributes = Window::default_attributes()
            .with_title("broad phase")
            .with_inner_size(LogicalSize::new(size[0], size[1]))
            .with_min_inner_size(LogicalSize::new(640.0, 360.0));
        let window = event_loop
            .create_window(attributes)
            .map_err(|e| WindowError::NoWindow(super::one_line(&e.to_string())))?;
        let window = Arc::new(window);
        let instance = Gpu::instance_for_display(Box::new(event_loop.owned_display_handle()));
        let surface = instance
            .create_surface(window.clone())
            .map_err(|e| WindowError::NoWindow(super::one_line(&e.to_string())))?;
        let gpu = pollster::block_on(Gpu::acquire(instance, Some(&surface)))?;
        let capabilities = surface.get_capabilities(&gpu.adapter);
        let present_modes = capabilities.present_modes;
        let mut config =
            configuration(&surface, &gpu, &window, present_mode(&present_modes, vsync))
                .ok_or_else(|| WindowError::NoWindow("the adapter cannot draw on it".to_owned()))?;
        let copies = capabilities.usages.contains(wgpu::TextureUsages::COPY_DST);
        if copies {
            config.usage |= wgpu::TextureUsages::COPY_DST;
        }
        surface.configure(&gpu.device, &config);

        // Where the CPU draws, four samples a pixel would halve the frame rate.
        let software = gpu.adapter_summary().software;
        let antialiasing = if software { Antialiasing::Off } else { Antialiasing::Msaa4 };
        let egui = egui::Context::default();
        let largest = gpu.device.limits().max_texture_dimension_2d as usize;
        let scale = Some(window.scale_factor() as f32);
        let input = egui_winit::State::new(
            egui.clone(),
            ViewportId::ROOT,
            &window,
            scale,
            None,
            Some(largest),
        );
        // The scene is dithered where it needs to be; once more, on every pixel, would only cost time.
        let options = egui_wgpu::RendererOptions { dithering: false, ..Default::default() };
        let painter = egui_wgpu::Renderer::new(&gpu.device, config.format, options);
        let scene = SceneTexture::new(&gpu.device, config.format, antialiasing, copies);
        let timer = GpuTimer::new(&gpu.device, &gpu.queue);
        Ok(Self {
            scene_rect: Viewport { x: 0, y: 0, width: config.width, height: config.height },
            window,
            gpu,
            surface,
            config,
            scene,
            egui,
            input,
            painter,
            repaint_at: None,
            outdated: false,
            occluded: false,
            owes_picture: false,
            timer,
            software,
            present_modes,
            dark: None,
        })
    }

    /// Which adapter draws.
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

    /// When the panel wants to be painted again, if nothing happens until then.
    pub(super) fn repaint_at(&self) -> Option<Instant> {
        self.repaint_at
    }

    /// Whether there is nothing to draw on.
    pub(super) fn is_hidden(&self) -> bool {
        let size = self.window.inner_size();
        self.occluded || size.width == 0 || size.height == 0
    }

    /// The system says whether anything of the window can be seen.
    pub(super) fn set_occluded(&mut self, occluded: bool) {
        self.occluded = occluded;
    }

    /// Whether the last picture could not be drawn.
    pub(super) fn owes_picture(&self) -> bool {
        self.owes_picture
    }

    /// The part of the surface that the panel leaves to the scene, in pixels.
    pub(super) fn scene_rect(&self) -> Viewport {
        self.scene_rect
    }

    /// Width over height of the scene's part.
    pub(super) fn scene_aspect(&self) -> f32 {
        self.scene_rect.width.max(1) as f32 / self.scene_rect.height.max(1) as f32
    }

    pub(super) fn pixels_per_point(&self) -> f32 {
        self.egui.pixels_per_point()
    }

    pub(super) fn set_vsync(&mut self, vsync: bool) {
        self.config.present_mode = present_mode(&self.present_modes, vsync);
        self.outdated = true;
    }

    /// The way of presenting that is in force.
    pub(super) fn present_mode(&self) -> &'static str {
        match self.config.present_mode {
            wgpu::PresentMode::Fifo => "Fifo: waits for the screen",
            wgpu::PresentMode::FifoRelaxed => "FifoRelaxed: waits for the screen, unless late",
            wgpu::PresentMode::Immediate => "Immediate: does not wait",
            wgpu::PresentMode::Mailbox => "Mailbox: does not wait, shows whole pictures",
            _ => "chosen by the system",
        }
    }

    /// Dark or light panels.
    pub(super) fn set_dark(&mut self, dark: bool) {
        if self.dark != Some(dark) {
            self.dark = Some(dark);
            self.egui.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
        }
    }

    /// Inner size of the window in points.
    pub(super) fn window_size(&self) -> [f32; 2] {
        let size = self.window.inner_size().to_logical(self.window.scale_factor());
        [size.width, size.height]
    }

    /// Draws a scene once more, with smooth edges, as large as it stands in the window.
    ///
    /// # Errors
    ///
    /// What the device says.
    pub(super) fn picture(&self, scene: &SceneView<'_>) -> Result<Picture, OffscreenError> {
        let Viewport { width, height, .. } = self.scene_rect;
        Offscreen::new(&self.gpu, width, height)?.draw(scene)
    }

    pub(super) fn resize(&mut self, width: u32, height: u32) {
        (self.config.width, self.config.height) = (width, height);
        self.outdated = true;
    }

    /// Hands an event to the panel; says whether the panel keeps it for itself.
    pub(super) fn on_event(&mut self, event: &WindowEvent) -> bool {
        if let WindowEvent::KeyboardInput { event: key, .. } = event
            && key.logical_key == Key::Named(NamedKey::Tab)
            && !self.egui.text_edit_focused()
        {
            // It hides the panels; the panels themselves would move their focus by it.
            return false;
        }
        let consumed = self.input.on_window_event(&self.window, event).consumed;
        match event {
            // A key belongs to the panel only while a field is being edited: a focused button would
            // otherwise swallow the space bar.
            WindowEvent::KeyboardInput { .. } => self.egui.text_edit_focused(),
            _ => consumed,
        }
    }

    /// The next texture of the surface; `None` where there is none in this moment.
    pub(super) fn acquire(&mut self) -> Option<Canvas> {
        if self.config.width == 0 || self.config.height == 0 {
            return None;
        }
        if std::mem::take(&mut self.outdated) {
            self.surface.configure(&self.gpu.device, &self.config);
        }
        let canvas = self.next_canvas();
        self.owes_picture = canvas.is_none();
        canvas
    }

    fn next_canvas(&mut self) -> Option<Canvas> {
        match self.surface.get_current_texture() {
            CurrentSurfaceTexture::Success(texture) => Some(Canvas { texture }),
            CurrentSurfaceTexture::Suboptimal(texture) => {
                self.outdated = true;
                Some(Canvas { texture })
            }
            CurrentSurfaceTexture::Outdated => {
                self.outdated = true;
                None
            }
            CurrentSurfaceTexture::Lost => {
                // The window is still there: a new surface takes the lost one's place.
                if let Ok(surface) = self.gpu.instance.create_surface(self.window.clone()) {
                    self.surface = surface;
                }
                self.outdated = true;
                None
            }
            // A validation error is recorded as a fault, which ends the app.
            CurrentSurfaceTexture::Timeout
            | CurrentSurfaceTexture::Occluded
            | CurrentSurfaceTexture::Validation => None,
        }
    }

    /// Lays out the panels; `contents` returns the part that is left to the scene, in points.
    /// Afterwards the scene must be drawn anew if this says so: it has got another size.
    pub(super) fn lay_out(&mut self, mut contents: impl FnMut(&mut Ui) -> Rect) -> (Panel, bool) {
        let raw = self.input.take_egui_input(&self.window);
        let mut rect = Rect::ZERO;
        let output = self.egui.run_ui(raw, |ui| rect = contents(ui));
        let size = [self.config.width, self.config.height];
        self.scene_rect = in_pixels(rect, output.pixels_per_point, size);
        let stale = self.scene.fit(self.scene_rect);
        (Panel { output }, stale)
    }

    /// Draws the scene, if there is one to draw anew, and the panels. Where the GPU has no clock to
    /// read, it waits until they are drawn, so that somebody's clock can tell how long that took;
    /// otherwise it does not. Where the CPU draws, it waits too: presenting would only wait in its
    /// stead, and keep a core busy with it.
    ///
    /// `tag` comes back from [`drawn`](Self::drawn) with the GPU's time.
    ///
    /// # Errors
    ///
    /// What the device says, where it is lost.
    pub(super) fn draw(
        &mut self,
        canvas: &Canvas,
        panel: Panel,
        scene: Option<&SceneView<'_>>,
        tag: u64,
    ) -> Result<(), String> {
        let Panel { mut output } = panel;
        self.input.handle_platform_output(&self.window, output.platform_output);
        let repaint = output.viewport_output.get(&ViewportId::ROOT).map(|v| v.repaint_delay);
        self.repaint_at = repaint.and_then(|delay| Instant::now().checked_add(delay));

        let Gpu { device, queue, .. } = &self.gpu;
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.painter.update_texture(device, queue, *id, delta);
            }
        }
        let scale = output.pixels_per_point;
        let triangles = self.egui.tessellate(output.shapes, scale);
        let size = [self.config.width, self.config.height];
        let descriptor = ScreenDescriptor { size_in_pixels: size, pixels_per_point: scale };
        let mut encoder = device.create_command_encoder(&Default::default());
        if let Some(timer) = &mut self.timer {
            timer.begin(&mut encoder, tag);
        }
        let mut commands =
            self.painter.update_buffers(device, queue, &mut encoder, &triangles, &descriptor);
        let view = canvas.texture.texture.create_view(&Default::default());
        let surface = &canvas.texture.texture;
        self.scene.draw(device, queue, &mut encoder, surface, self.scene_rect, scene);
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panel"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            })
            .forget_lifetime();
        self.painter.render(&mut pass, &triangles, &descriptor);
        drop(pass);
        if let Some(timer) = &mut self.timer {
            timer.end(&mut encoder);
        }
        commands.push(encoder.finish());
        queue.submit(commands);
        if let Some(timer) = &mut self.timer {
            timer.submitted();
        }
        for id in &output.textures_delta.free {
            self.painter.free_texture(id);
        }
        // All of it is applied; otherwise egui takes it for forgotten.
        output.textures_delta.clear();
        let wait =
            if self.waits() { wgpu::PollType::wait_indefinitely() } else { wgpu::PollType::Poll };
        device.poll(wait).map(drop).map_err(|e| format!("graphics error: {e}"))
    }

    /// Whether [`draw`](Self::draw) returns only when all is drawn.
    pub(super) fn waits(&self) -> bool {
        self.timer.is_none() || self.software
    }

    /// Calls `tell` with tag and GPU nanoseconds of the pictures whose times have come in.
    pub(super) fn drawn(&mut self, tell: impl FnMut(u64, u64)) {
        if let Some(timer) = &mut self.timer {
            timer.collect(tell);
        }
    }

    /// Shows what was drawn.
    pub(super) fn present(&self, canvas: Canvas) {
        self.gpu.queue.present(canvas.texture);
    }
}

/// A window that was left on a larger screen, or at another scale, fits on this one.
fn within_screen(event_loop: &ActiveEventLoop, size: [f32; 2]) -> [f32; 2] {
    let monitor = event_loop.primary_monitor().or_else(|| event_loop.available_monitors().next());
    let Some(monitor) = monitor else { return size };
    let screen = monitor.size().to_logical::<f32>(monitor.scale_factor());
    // A monitor that does not tell its size has none.
    let fit = |side: f32, most: f32| if most > 0.0 { side.min(most) } else { side };
    [fit(size[0], screen.width), fit(size[1], screen.height)]
}

/// A rectangle in whole pixels of a window of that size; never without area.
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

fn configuration(
    surface: &wgpu::Surface<'_>,
    gpu: &Gpu,
    window: &Window,
    present_mode: wgpu::PresentMode,
) -> Option<wgpu::SurfaceConfiguration> {
    let size = window.inner_size();
    let mut config =
        surface.get_default_config(&gpu.adapter, size.width.max(1), size.height.max(1))?;
    // egui blends in the colours as they are shown, and looks wrong on an sRGB format.
    let formats = surface.get_capabilities(&gpu.adapter).formats;
    if let Some(plain) = formats.into_iter().find(|format| {
        matches!(format, wgpu::TextureFormat::Bgra8Unorm | wgpu::TextureFormat::Rgba8Unorm)
    }) {
        config.format = plain;
    }
    config.present_mode = present_mode;
    // The picture follows the mouse closely; where the CPU draws, pictures in advance are slow ones.
    config.desired_maximum_frame_latency = 1;
    Some(config)
}

/// Every surface has Fifo. Without waiting, tearing is the price of Immediate; Mailbox has none.
fn present_mode(offered: &[wgpu::PresentMode], vsync: bool) -> wgpu::PresentMode {
    use wgpu::PresentMode::{Fifo, Immediate, Mailbox};
    let wanted: &[_] = if vsync { &[] } else { &[Immediate, Mailbox] };
    wanted.iter().find(|mode| offered.contains(mode)).copied().unwrap_or(Fifo)
}

#[cfg(test)]
mod tests {
    use super::*;
    use wgpu::PresentMode::{Fifo, Immediate, Mailbox};

    #[test]
    fn a_rectangle_in_pixels_lies_in_the_window_and_has_an_area() {
        let rect = |x: [f32; 2], y: [f32; 2]| Rect::from_x_y_ranges(x[0]..=x[1], y[0]..=y[1]);
        let half = in_pixels(rect([10.0, 485.25], [0.0, 360.0]), 2.0, [1280, 720]);
        assert_eq!(half, Viewport { x: 20, y: 0, width: 951, height: 720 });
        let nothing = in_pixels(rect([700.0, 600.0], [-5.0, -9.0]), 2.0, [1280, 720]);
        assert_eq!(nothing, Viewport { x: 1279, y: 0, width: 1, height: 1 });
    }

    #[test]
    fn vertical_sync_switches_as_far_as_the_surface_can() {
        for offered in [&[Fifo][..], &[Fifo, Mailbox], &[Fifo, Mailbox, Immediate]] {
            assert_eq!(present_mode(offered, true), Fifo);
            assert_eq!(present_mode(offered, false), *offered.last().unwrap());
        }
    }
}

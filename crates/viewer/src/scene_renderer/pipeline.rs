//! The common settings of a scene's pipelines.

use super::globals::Globals;

/// Format of the depth buffer, which is never read outside the pass.
pub(crate) const DEPTH_FORMAT: wgpu::TextureFormat = wgpu::TextureFormat::Depth32Float;

/// Creates pipelines for the same pass.
pub(crate) struct PipelineMaker<'a> {
    pub(crate) device: &'a wgpu::Device,
    pub(crate) globals: &'a Globals,
    pub(crate) format: wgpu::TextureFormat,
    pub(crate) samples: u32,
}

/// The settings in which pipelines differ.
pub(crate) struct Recipe<'a> {
    pub(crate) label: &'a str,
    pub(crate) shader: &'a wgpu::ShaderModule,
    pub(crate) vertex: &'a str,
    pub(crate) fragment: &'a str,
    pub(crate) buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub(crate) topology: wgpu::PrimitiveTopology,
    pub(crate) cull_back_faces: bool,
    /// Blended, occluded by depth, and not occluding.
    pub(crate) translucent: bool,
}

impl PipelineMaker<'_> {
    /// Compiles a shader whose source begins with shaders/globals.wgsl.
    pub(crate) fn shader(&self, label: &str, source: &'static str) -> wgpu::ShaderModule {
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(source.into()),
        })
    }

    pub(crate) fn pipeline(&self, recipe: &Recipe<'_>) -> wgpu::RenderPipeline {
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(recipe.label),
            bind_group_layouts: &[Some(&self.globals.layout)],
            immediate_size: 0,
        });
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(recipe.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: recipe.shader,
                entry_point: Some(recipe.vertex),
                compilation_options: Default::default(),
                buffers: recipe.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: recipe.topology,
                cull_mode: recipe.cull_back_faces.then_some(wgpu::Face::Back),
                ..Default::default()
            },
            depth_stencil: Some(wgpu::DepthStencilState {
                format: DEPTH_FORMAT,
                depth_write_enabled: Some(!recipe.translucent),
                // Equal too, because the background has the depth of the cleared buffer.
                depth_compare: Some(wgpu::CompareFunction::LessEqual),
                stencil: Default::default(),
                bias: Default::default(),
            }),
            multisample: wgpu::MultisampleState { count: self.samples, ..Default::default() },
            fragment: Some(wgpu::FragmentState {
                module: recipe.shader,
                entry_point: Some(recipe.fragment),
                compilation_options: Default::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: self.format,
                    blend: recipe.translucent.then_some(wgpu::BlendState::ALPHA_BLENDING),
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// The layout of a buffer with one element per instance.
pub(crate) fn per_instance<T>(
    attributes: &[wgpu::VertexAttribute],
) -> Option<wgpu::VertexBufferLayout<'_>> {
    Some(wgpu::VertexBufferLayout {
        array_stride: size_of::<T>() as u64,
        step_mode: wgpu::VertexStepMode::Instance,
        attributes,
    })
}

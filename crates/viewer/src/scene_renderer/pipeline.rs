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

/// The settings in which pipelines differ, besides their entry points.
#[derive(Clone, Copy)]
pub(crate) struct Recipe<'a> {
    pub(crate) shader: &'a wgpu::ShaderModule,
    pub(crate) buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    pub(crate) topology: wgpu::PrimitiveTopology,
    pub(crate) cull_back_faces: bool,
    /// Blended, occluded by depth, and not occluding.
    pub(crate) translucent: bool,
}

impl<'a> Recipe<'a> {
    /// For opaque triangles.
    pub(crate) fn opaque(
        shader: &'a wgpu::ShaderModule,
        buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    ) -> Self {
        let topology = wgpu::PrimitiveTopology::TriangleList;
        Self { shader, buffers, topology, cull_back_faces: false, translucent: false }
    }

    /// For translucent strips of triangles.
    pub(crate) fn translucent(
        shader: &'a wgpu::ShaderModule,
        buffers: &'a [Option<wgpu::VertexBufferLayout<'a>>],
    ) -> Self {
        let topology = wgpu::PrimitiveTopology::TriangleStrip;
        Self { topology, translucent: true, ..Self::opaque(shader, buffers) }
    }
}

impl PipelineMaker<'_> {
    /// Compiles a shader after globals.wgsl, since WGSL has no include.
    pub(crate) fn shader(&self, label: &str, source: &str) -> wgpu::ShaderModule {
        let globals = include_str!("../../../../shaders/globals.wgsl");
        let all = [globals, source].concat();
        self.device.create_shader_module(wgpu::ShaderModuleDescriptor {
            label: Some(label),
            source: wgpu::ShaderSource::Wgsl(all.into()),
        })
    }

    /// The pipelines of plain and of lit objects, by the entry points for a vertex and for a fragment of each.
    pub(crate) fn plain_and_lit(
        &self,
        recipe: Recipe<'_>,
        entries: [[&str; 2]; 2],
    ) -> [wgpu::RenderPipeline; 2] {
        entries.map(|[vertex, fragment]| self.pipeline(recipe, vertex, fragment))
    }

    pub(crate) fn pipeline(
        &self,
        recipe: Recipe<'_>,
        vertex: &str,
        fragment: &str,
    ) -> wgpu::RenderPipeline {
        let layout = self.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(vertex),
            bind_group_layouts: &[Some(&self.globals.layout)],
            immediate_size: 0,
        });
        self.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(vertex),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: recipe.shader,
                entry_point: Some(vertex),
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
                entry_point: Some(fragment),
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

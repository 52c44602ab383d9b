//! The background gradient.

use super::pipeline::{PipelineMaker, Recipe};

const SHADER: &str = concat!(
    include_str!("../../../../shaders/globals.wgsl"),
    include_str!("../../../../shaders/background.wgsl")
);

pub(crate) struct Background {
    pipeline: wgpu::RenderPipeline,
}

impl Background {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let shader = maker.shader("background", SHADER);
        let pipeline = maker.pipeline(&Recipe {
            label: "background",
            shader: &shader,
            vertex: "vs_main",
            fragment: "fs_main",
            buffers: &[],
            topology: wgpu::PrimitiveTopology::TriangleList,
            cull_back_faces: false,
            translucent: false,
        });
        Self { pipeline }
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        pass.set_pipeline(&self.pipeline);
        pass.draw(0..3, 0..1);
    }
}

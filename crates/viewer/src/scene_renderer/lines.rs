//! Lines: edges of boxes, panes and planes, and further segments.

use broadphase::{Aabb, Axis};
use glam::Vec3;

use super::gpu_buffer::GrowingBuffer;
use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::theme::Color;
use super::view::{SceneView, Segment, is_drawable, sides};

const SHADER: &str = concat!(
    include_str!("../../../../shaders/globals.wgsl"),
    include_str!("../../../../shaders/line.wgsl")
);

const PANE_EDGE_WIDTH: f32 = 1.25;
const PLANE_EDGE_WIDTH: f32 = 1.0;
/// Opacity of a plane's edges, as a multiple of that of its fill.
const PLANE_EDGE_STRENGTH: f32 = 3.0;

pub(crate) struct Lines {
    pipeline: wgpu::RenderPipeline,
    over_objects: wgpu::RenderPipeline,
    instances: GrowingBuffer,
    /// Of these the last ones are drawn over all objects.
    last: u32,
    segments: Vec<Segment>,
}

impl Lines {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let shader = maker.shader("line", SHADER);
        let attributes = wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4, 3 => Float32
        ];
        let pipeline = |vertex| {
            maker.pipeline(&Recipe {
                label: "line",
                shader: &shader,
                vertex,
                fragment: "fs_main",
                buffers: &[per_instance::<Segment>(&attributes)],
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                cull_back_faces: false,
                translucent: true,
            })
        };
        Self {
            pipeline: pipeline("vs_main"),
            over_objects: pipeline("vs_over_objects"),
            instances: GrowingBuffer::new(maker.device, "lines"),
            last: 0,
            segments: Vec::new(),
        }
    }

    pub(crate) fn prepare(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        scene: &SceneView<'_>,
    ) {
        let theme = scene.theme;
        let segments = &mut self.segments;
        segments.clear();
        for plane in scene.planes {
            let color = plane.color(theme, (plane.alpha * PLANE_EDGE_STRENGTH).min(0.8));
            add_outline(segments, plane.bounds, plane.normal, color, PLANE_EDGE_WIDTH);
        }
        for pane in scene.panes {
            let color = if pane.selected { theme.selected_pane_edge } else { theme.pane_edge };
            add_outline(segments, pane.bounds, pane.normal, color, PANE_EDGE_WIDTH);
        }
        for wire in scene.boxes {
            add_box(segments, wire.bounds, wire.color, wire.width);
        }
        segments.extend_from_slice(scene.segments);
        segments.extend_from_slice(scene.over_objects);
        self.last = scene.over_objects.len() as u32;
        self.instances.write(device, queue, segments);
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        if self.instances.items() == 0 {
            return;
        }
        let split = self.instances.items() - self.last;
        pass.set_vertex_buffer(0, self.instances.slice());
        for (pipeline, instances) in
            [(&self.pipeline, 0..split), (&self.over_objects, split..self.instances.items())]
        {
            if !instances.is_empty() {
                pass.set_pipeline(pipeline);
                pass.draw(0..4, instances);
            }
        }
    }

    pub(crate) fn created(&self) -> u64 {
        self.instances.created()
    }
}

fn add(segments: &mut Vec<Segment>, a: Vec3, b: Vec3, color: Color, width: f32) {
    segments.push(Segment { a: a.to_array(), b: b.to_array(), color, width });
}

/// The four edges of a rectangle.
fn add_outline(segments: &mut Vec<Segment>, bounds: Aabb, normal: Axis, color: Color, width: f32) {
    if is_drawable(bounds) {
        let [u, v] = sides(bounds, normal);
        let corner = bounds.min;
        add(segments, corner, corner + u, color, width);
        add(segments, corner + u, corner + u + v, color, width);
        add(segments, corner + u + v, corner + v, color, width);
        add(segments, corner + v, corner, color, width);
    }
}

/// The twelve edges of a box.
fn add_box(segments: &mut Vec<Segment>, bounds: Aabb, color: Color, width: f32) {
    if is_drawable(bounds) {
        for axis in Axis::ALL {
            let [u, v] = sides(bounds, axis);
            let along = bounds.size() - u - v;
            for start in [Vec3::ZERO, u, v, u + v] {
                let start = bounds.min + start;
                add(segments, start, start + along, color, width);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn box_has_twelve_different_edges_between_its_corners() {
        let bounds = Aabb::new(Vec3::new(-1.0, 2.0, 0.0), Vec3::new(1.0, 3.0, 7.0));
        let mut segments = Vec::new();
        add_box(&mut segments, bounds, [255; 4], 1.0);
        assert_eq!(segments.len(), 12);
        for (i, segment) in segments.iter().enumerate() {
            let (a, b) = (Vec3::from(segment.a), Vec3::from(segment.b));
            for end in [a, b] {
                let on_corner = end.cmpeq(bounds.min) | end.cmpeq(bounds.max);
                assert!(on_corner.all(), "{end} is no corner");
            }
            assert_eq!(a.cmpne(b).bitmask().count_ones(), 1, "{a} to {b} is no edge");
            assert!(!segments[..i].contains(segment), "{a} to {b} comes twice");
        }
    }
}

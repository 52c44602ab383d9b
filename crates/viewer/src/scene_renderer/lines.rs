//! Lines: edges of boxes, panes and planes, and further segments.

use broadphase::{Aabb, Axis};
use glam::Vec3;

use super::pipeline::{PipelineMaker, Recipe, per_instance};
use super::theme::Color;
use super::upload::{GrowingBuffer, Upload};
use super::view::{Rectangle, SceneView, Segment, is_drawable, sides};

pub(crate) struct Lines {
    pipeline: wgpu::RenderPipeline,
    over_objects: wgpu::RenderPipeline,
    instances: GrowingBuffer,
    /// The last of these are drawn over all objects.
    segments: Vec<Segment>,
    hidden: u32,
}

impl Lines {
    pub(crate) fn new(maker: &PipelineMaker<'_>) -> Self {
        let shader = maker.shader("line", include_str!("../../../../shaders/line.wgsl"));
        let attributes = wgpu::vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Unorm8x4, 3 => Float32
        ];
        let buffers = [per_instance::<Segment>(&attributes)];
        let recipe = Recipe::translucent(&shader, &buffers);
        Self {
            pipeline: maker.pipeline(recipe, "vs_main", "fs_main"),
            over_objects: maker.pipeline(recipe, "vs_over_objects", "fs_main"),
            instances: GrowingBuffer::default(),
            segments: Vec::new(),
            hidden: 0,
        }
    }

    pub(crate) fn prepare(&mut self, upload: &mut Upload<'_>, scene: &SceneView<'_>) {
        let segments = &mut self.segments;
        segments.clear();
        for Rectangle { bounds, normal, edge, width, .. } in scene.rectangles {
            add_outline(segments, *bounds, *normal, *edge, *width);
        }
        for wire in scene.boxes {
            add_box(segments, wire.bounds, wire.color, wire.width);
        }
        segments.extend_from_slice(scene.segments);
        self.hidden = segments.len() as u32;
        segments.extend_from_slice(scene.over_objects);
        self.instances.write(upload, segments);
    }

    pub(crate) fn draw(&self, pass: &mut wgpu::RenderPass<'_>) {
        let Some((instances, number)) = self.instances.contents() else { return };
        pass.set_vertex_buffer(0, instances);
        for (pipeline, instances) in
            [(&self.pipeline, 0..self.hidden), (&self.over_objects, self.hidden..number)]
        {
            if !instances.is_empty() {
                pass.set_pipeline(pipeline);
                pass.draw(0..4, instances);
            }
        }
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

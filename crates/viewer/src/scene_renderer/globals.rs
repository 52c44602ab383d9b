//! The uniforms that all pipelines share: camera, lights, background.

use glam::{Mat4, Vec4};

use super::view::SceneView;

/// The struct `Globals` of shaders/globals.wgsl.
#[repr(C)]
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
struct Uniforms {
    view_projection: Mat4,
    view: Mat4,
    eye: Vec4,
    size: Vec4,
    background_top: Vec4,
    background_bottom: Vec4,
    haze: Vec4,
    lights: Vec4,
}

impl Uniforms {
    fn of(scene: &SceneView<'_>, size: [u32; 2]) -> Self {
        let [width, height] = size.map(|side| side as f32);
        let theme = scene.theme;
        let haze = scene.haze.map_or([0.0; 3], |haze| {
            [haze.near, 1.0 / (haze.far - haze.near).max(1e-6), haze.amount]
        });
        Self {
            view_projection: scene.camera.view_projection(width / height),
            view: scene.camera.view(),
            eye: scene.camera.eye().extend(1.0),
            size: Vec4::new(width, height, 0.0, 0.0),
            background_top: encoded(theme.background_top, theme.vignette),
            background_bottom: encoded(theme.background_bottom, 1.0),
            haze: Vec4::new(haze[0], haze[1], haze[2], scene.pixels_per_point),
            lights: Vec4::from_array(theme.lights),
        }
    }
}

/// A colour as shaders read it, with another value in its fourth component.
fn encoded(color: [u8; 3], fourth: f32) -> Vec4 {
    let [r, g, b] = color.map(|channel| f32::from(channel) / 255.0);
    Vec4::new(r, g, b, fourth)
}

/// The uniform buffer and its binding.
pub(crate) struct Globals {
    buffer: wgpu::Buffer,
    pub(crate) layout: wgpu::BindGroupLayout,
    pub(crate) bind_group: wgpu::BindGroup,
}

impl Globals {
    pub(crate) fn new(device: &wgpu::Device) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("globals"),
            size: size_of::<Uniforms>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("globals"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                ty: wgpu::BindingType::Buffer {
                    ty: wgpu::BufferBindingType::Uniform,
                    has_dynamic_offset: false,
                    min_binding_size: None,
                },
                count: None,
            }],
        });
        let bind_group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("globals"),
            layout: &layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() }],
        });
        Self { buffer, layout, bind_group }
    }

    pub(crate) fn write(&self, queue: &wgpu::Queue, scene: &SceneView<'_>, size: [u32; 2]) {
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&Uniforms::of(scene, size)));
    }
}

//! Whole frames: targets, allocations, faults.

use super::*;

/// A picture, copied to a target that encodes to sRGB by itself and to one that does not.
pub(crate) fn srgb(gpu: &Gpu) {
    let spheres = [sphere(Vec3::ZERO, 0.6, ORANGE)];
    let scene = SceneView { spheres: &spheres, shading: true, ..view() };
    let plain = wgpu::TextureFormat::Rgba8Unorm;
    let texture = gpu.device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width: WIDTH, height: HEIGHT, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: plain,
        usage: wgpu::TextureUsages::RENDER_ATTACHMENT | wgpu::TextureUsages::TEXTURE_BINDING,
        view_formats: &[],
    });
    let source = texture.create_view(&Default::default());
    let mut renderer = SceneRenderer::new(&gpu.device, plain, Antialiasing::Off);
    for format in [plain, plain.add_srgb_suffix()] {
        let antialiasing = Antialiasing::Off;
        let target = Offscreen::with_settings(gpu, WIDTH, HEIGHT, format, antialiasing);
        let image = Image::new(&gpu.device, &Image::pipeline(&gpu.device, format), &source);
        let copied = target.unwrap().draw_by(|device, queue, encoder, view| {
            renderer.render(device, queue, encoder, &source, &scene);
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: Default::default(),
                })],
                ..Default::default()
            });
            image.draw(&mut pass);
        });
        for (a, b) in copied.unwrap().rgba.iter().zip(&draw(gpu, &scene).rgba) {
            assert!(a.abs_diff(*b) <= 1, "{b} became {a} ({format:?})");
        }
    }
}

pub(crate) fn steady(gpu: &Gpu) {
    let mut offscreen = Offscreen::new(gpu, WIDTH, HEIGHT).unwrap();
    let spheres: Vec<_> =
        (0..1000).map(|i| sphere(Vec3::X * (i as f32 * 1e-3), 0.1, ORANGE)).collect();
    let planes: Vec<_> =
        (0..100).map(|i| plane(Vec3::X * (i as f32 * 0.01), Axis::X, 0.1)).collect();
    let boxes = [WireBox { bounds: planes[0].bounds, color: ORANGE, width: 1.0 }; 20];
    let scene = SceneView { spheres: &spheres, rectangles: &planes, boxes: &boxes, ..view() };
    offscreen.draw(&scene).unwrap();
    let before = offscreen.gpu_allocations();
    for _ in 0..5 {
        offscreen.submit(&scene);
        // Fewer objects fit too.
        offscreen.submit(&SceneView { spheres: &spheres[..10], rectangles: &[], ..scene });
    }
    offscreen.finish().unwrap();
    assert_eq!(offscreen.gpu_allocations(), before);
    // A larger scene changes the count.
    let more: Vec<_> = spheres.iter().cycle().take(5000).copied().collect();
    offscreen.submit(&SceneView { spheres: &more, ..scene });
    assert_eq!(offscreen.gpu_allocations(), before + 1);
}

pub(crate) fn sizes(gpu: &Gpu) {
    for (width, height) in [(0, 10), (10, 0), (1 << 30, 10)] {
        let error = Offscreen::new(gpu, width, height).err().unwrap();
        assert!(matches!(error, OffscreenError::Size { .. }));
        assert!(error.to_string().contains(&format!("{width} x {height}")), "{error}");
    }
    // Rows that are no multiple of the copy alignment.
    let picture = Offscreen::new(gpu, 3, 5).unwrap().draw(&view()).unwrap();
    assert_eq!(picture.rgba.len(), 3 * 5 * 4);
}

pub(crate) fn fault(_: &Gpu) {
    // On a separate device: the harness reports a fault of the test's own as a failure.
    let gpu = Gpu::headless().unwrap();
    let mut offscreen = Offscreen::new(&gpu, WIDTH, HEIGHT).unwrap();
    assert_eq!(gpu.fault(), None);
    let _ = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor {
        label: Some("nonsense"),
        source: wgpu::ShaderSource::Wgsl("nonsense".into()),
    });
    let fault = gpu.fault().unwrap();
    assert_eq!(fault.lines().count(), 1, "{fault}");
    let error = offscreen.draw(&view()).unwrap_err();
    assert_eq!(error.to_string(), fault);
}

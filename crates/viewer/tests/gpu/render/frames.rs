//! Whole frames: targets, viewports, allocations, faults.

use super::*;

pub(crate) fn srgb(gpu: &Gpu) {
    let spheres = [sphere(Vec3::ZERO, 0.6, ORANGE)];
    let planes = [plane(Vec3::Y * -0.8, Axis::Y, 0.3)];
    let panes = [pane(Vec3::Y * 0.8, true)];
    let scene =
        SceneView { spheres: &spheres, planes: &planes, panes: &panes, shading: true, ..view() };
    for antialiasing in [Antialiasing::Off, Antialiasing::Msaa4] {
        let plain = draw_with(gpu, &scene, wgpu::TextureFormat::Rgba8Unorm, antialiasing);
        let srgb = draw_with(gpu, &scene, wgpu::TextureFormat::Rgba8UnormSrgb, antialiasing);
        for (a, b) in plain.rgba.iter().zip(&srgb.rgba) {
            assert!(a.abs_diff(*b) <= 1, "{a} became {b} ({antialiasing:?})");
        }
    }
}

pub(crate) fn viewport(gpu: &Gpu) {
    let device = &gpu.device;
    let mut offscreen = Offscreen::new(gpu, WIDTH, HEIGHT).unwrap();
    let spheres = [sphere(Vec3::ZERO, 50.0, ORANGE)];
    // The eye is outside the sphere, which fills the view.
    let mut camera = front();
    camera.zoom(-29.0);
    let scene = SceneView { camera, spheres: &spheres, ..view() };
    let whole = offscreen.draw(&scene).unwrap();
    assert_eq!(whole.pixel(WIDTH - 1, HEIGHT / 2), ORANGE);

    let format = wgpu::TextureFormat::Rgba8Unorm;
    let mut renderer = SceneRenderer::new(device, format, Antialiasing::Off);
    let part = Viewport { x: 0, y: 0, width: WIDTH / 2, height: HEIGHT };
    let picture = offscreen.draw_by(|device, queue, encoder, target| {
        let target = Target { viewport: part, ..*target };
        renderer.render(device, queue, encoder, &target, &scene);
    });
    let picture = picture.unwrap();
    assert_eq!(picture.pixel(WIDTH / 2 - 1, HEIGHT / 2), ORANGE);
    let [r, g, b] = THEME.background_bottom;
    assert_eq!(picture.pixel(WIDTH / 2, HEIGHT / 2), [r, g, b, 255]);
}

pub(crate) fn steady(gpu: &Gpu) {
    let mut offscreen = Offscreen::new(gpu, WIDTH, HEIGHT).unwrap();
    let spheres: Vec<_> =
        (0..1000).map(|i| sphere(Vec3::X * (i as f32 * 1e-3), 0.1, ORANGE)).collect();
    let planes: Vec<_> =
        (0..100).map(|i| plane(Vec3::X * (i as f32 * 0.01), Axis::X, 0.1)).collect();
    let boxes = [WireBox { bounds: planes[0].bounds, color: ORANGE, width: 1.0 }; 20];
    let scene = SceneView { spheres: &spheres, planes: &planes, boxes: &boxes, ..view() };
    offscreen.draw(&scene).unwrap();
    let before = offscreen.gpu_allocations();
    for _ in 0..5 {
        offscreen.submit(&scene);
        // Fewer objects fit too.
        offscreen.submit(&SceneView { spheres: &spheres[..10], planes: &[], ..scene });
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

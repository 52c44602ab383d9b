//! Spheres: colour, light, shape and depth.

use super::*;

pub(crate) fn plain_sphere(gpu: &Gpu) {
    let spheres = [sphere(Vec3::ZERO, 0.5, ORANGE)];
    let picture = draw(gpu, &SceneView { spheres: &spheres, ..view() });
    assert_eq!(middle(&picture), ORANGE);
    let empty = draw(gpu, &view());
    for (x, y) in [(0, 0), (WIDTH - 1, 0), (0, HEIGHT - 1), (WIDTH - 1, HEIGHT - 1)] {
        assert_eq!(picture.pixel(x, y), empty.pixel(x, y));
        assert!(difference(picture.pixel(x, y), ORANGE) > 50);
    }
}

pub(crate) fn shading(gpu: &Gpu) {
    let spheres = [sphere(Vec3::ZERO, 0.8, ORANGE)];
    let scene = SceneView { spheres: &spheres, triangles: Triangles::Eighty, ..view() };
    let plain = draw(gpu, &scene);
    let shaded = draw(gpu, &SceneView { shading: true, ..scene });
    let (lit, dark) = (Vec3::new(-0.3, 0.0, 0.4), Vec3::new(0.3, 0.0, -0.5));
    assert_eq!(at(&plain, lit), at(&plain, dark));
    assert!(brightness(at(&shaded, lit)) > brightness(at(&shaded, dark)) + 60);
    // The background does not change.
    assert_eq!(plain.pixel(0, 0), shaded.pixel(0, 0));
    let [r, g, b, _] = at(&shaded, dark);
    assert!(r > g && g > b, "not orange any more: {r} {g} {b}");
}

pub(crate) fn triangles(gpu: &Gpu) {
    let spheres = [sphere(Vec3::ZERO, 1.0, ORANGE)];
    let scene = SceneView { spheres: &spheres, ..view() };
    let empty = draw(gpu, &view());
    let coarse = changed(&draw(gpu, &scene), &empty);
    let fine = changed(&draw(gpu, &SceneView { triangles: Triangles::Eighty, ..scene }), &empty);
    // The disc in the picture has an angular radius of asin(1 / 4).
    let half_height = 22.5_f32.to_radians().tan();
    let radius = (1.0_f32 / 4.0).asin().tan() / half_height * SIZE.y / 2.0;
    let disc = std::f32::consts::PI * radius * radius;
    assert!(coarse < fine, "{coarse} against {fine} pixels");
    assert!((0.7 * disc..0.95 * disc).contains(&(coarse as f32)), "{coarse} of {disc}");
    assert!((0.9 * disc..disc).contains(&(fine as f32)), "{fine} of {disc}");
}

pub(crate) fn antialiasing(gpu: &Gpu) {
    let spheres = [sphere(Vec3::ZERO, 1.0, ORANGE)];
    let scene = SceneView { spheres: &spheres, ..view() };
    let hard = draw(gpu, &scene);
    let soft = draw_with(gpu, &scene, wgpu::TextureFormat::Rgba8Unorm, Antialiasing::Msaa4);
    assert_eq!(middle(&soft), ORANGE);
    let changed = changed(&hard, &soft);
    assert!((50..1500).contains(&changed), "{changed} pixels differ");
}

pub(crate) fn haze(gpu: &Gpu) {
    let spheres = [
        sphere(Vec3::new(-0.5, -1.0, 0.0), 0.3, ORANGE),
        sphere(Vec3::new(0.8, 1.5, 0.0), 0.3, ORANGE),
    ];
    let scene = SceneView { spheres: &spheres, shading: true, ..view() };
    let clear = draw(gpu, &scene);
    let haze = Some(Haze { near: 3.2, far: 5.0, amount: 0.6 });
    let hazy = draw(gpu, &SceneView { haze, ..scene });
    let near = Vec3::from(spheres[0].center);
    let far = Vec3::from(spheres[1].center);
    assert_eq!(at(&clear, near), at(&hazy, near));
    assert!(at(&hazy, far)[0] < at(&clear, far)[0] - 50);
}

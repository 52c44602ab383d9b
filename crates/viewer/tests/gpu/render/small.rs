//! Objects of a few pixels, drawn as one triangle each.

use super::*;

/// Points of a lattice across the picture, at all places within a pixel.
fn places() -> impl Iterator<Item = Vec3> {
    let at = |i: i32, scale: f32| (i as f32 + 0.5) * scale;
    (-9..9).flat_map(move |x| (-6..6).map(move |z| Vec3::new(at(x, 0.1137), 0.0, at(z, 0.1171))))
}

/// Spheres of that many pixels.
fn spheres(radius: f32) -> Vec<SphereInstance> {
    // At a distance of 4, half of the picture's 240 pixels are 1.657 units.
    places().map(|center| sphere(center, radius * 1.657 / 120.0, ORANGE)).collect()
}

/// The scene with and without simplification.
fn both(gpu: &Gpu, scene: &SceneView<'_>) -> [Picture; 2] {
    [true, false].map(|simplified| draw(gpu, &SceneView { simplified, ..*scene }))
}

/// The sum of all pixels' brightness.
fn total(picture: &Picture) -> f64 {
    let pixels = picture.rgba.as_chunks::<4>().0.iter();
    pixels.map(|pixel| f64::from(brightness(*pixel))).sum()
}

pub(crate) fn like_meshes(gpu: &Gpu) {
    let empty = draw(gpu, &view());
    for (radius, triangles) in
        [1.0, 2.0, 3.5].into_iter().flat_map(|r| [(r, Triangles::Twenty), (r, Triangles::Eighty)])
    {
        let spheres = spheres(radius);
        for shading in [false, true] {
            let scene = SceneView { spheres: &spheres, triangles, shading, ..view() };
            let [simple, mesh] = both(gpu, &scene);
            // A mesh covers somewhat more or less from this side than from all sides on average.
            let [covered, expected] = [&simple, &mesh].map(|drawn| changed(drawn, &empty) as f64);
            assert!((covered / expected - 1.0).abs() < 0.08, "{radius}: {covered} {expected}");
            let [light, expected] = [&simple, &mesh].map(|drawn| total(drawn) - total(&empty));
            assert!((light / expected - 1.0).abs() < 0.08, "{radius}: {light} {expected}");
            let differ = changed(&simple, &mesh);
            assert!(0 < differ, "{radius}: no sphere was small");
        }
    }
}

pub(crate) fn like_faces(gpu: &Gpu) {
    let empty = draw(gpu, &view());
    for sides in [Vec3::splat(0.05), Vec3::new(0.09, 0.04, 0.02), Vec3::new(0.0, 0.06, 0.06)] {
        let instance = |center: Vec3| BoxInstance {
            min: (center - 0.5 * sides).to_array(),
            max: (center + 0.5 * sides).to_array(),
            color: ORANGE,
        };
        let boxes: Vec<_> = places().map(instance).collect();
        for shading in [false, true] {
            let scene = SceneView { solid_boxes: &boxes, shading, ..view() };
            let [simple, faces] = both(gpu, &scene);
            let (covered, differ) = (changed(&faces, &empty), changed(&simple, &faces));
            assert!(differ * 25 < covered, "{sides}: {differ} of {covered} pixels");
        }
    }
}

pub(crate) fn meshes_kept(gpu: &Gpu) {
    // Larger than a few pixels, or with smooth edges.
    let [small, large] = [2.0, 5.0].map(spheres);
    for (spheres, antialiasing) in [(large, Antialiasing::Off), (small, Antialiasing::Msaa4)] {
        let scene = SceneView { spheres: &spheres, ..view() };
        let [a, b] = [true, false].map(|simplified| {
            let format = wgpu::TextureFormat::Rgba8Unorm;
            draw_with(gpu, &SceneView { simplified, ..scene }, format, antialiasing)
        });
        assert!(a == b, "{antialiasing:?}: {} pixels differ", changed(&a, &b));
    }
}

// The light on boxes and bodies. Prepended to their shaders, after globals.wgsl.

// A colour under the lights of the spheres, without rim and gloss. `n` is the unit normal in view space.
fn matt(n: vec3<f32>, color: vec3<f32>) -> vec3<f32> {
    let key = max((dot(n, KEY_LIGHT) + 0.2) / 1.2, 0.0);
    let fill = max(dot(n, FILL_LIGHT), 0.0);
    let light = globals.lights.x * (0.7 + 0.3 * n.y)
        + globals.lights.y * key * (0.4 + 0.6 * key) * KEY_COLOR
        + globals.lights.z * fill * FILL_COLOR;
    // Squares and square roots stand for the sRGB curve, as for spheres.
    return sqrt(min(color * color * light, vec3<f32>(1.0)));
}

// A colour as haze fades it at a point in clip space.
fn faded(color: vec3<f32>, clip: vec4<f32>) -> vec3<f32> {
    return mix(color, background_behind(clip), haze_at(clip.w));
}

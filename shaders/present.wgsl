// Copies the finished picture to a target whose format encodes to sRGB by itself: the picture is
// encoded already, so the target's encoding is undone beforehand.

@group(0) @binding(0) var picture: texture_2d<f32>;

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(f32((vertex << 1u) & 2u), f32(vertex & 2u));
    return vec4<f32>(corner * 2.0 - 1.0, 0.0, 1.0);
}

@fragment
fn fs_main(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let encoded = textureLoad(picture, vec2<i32>(position.xy), 0).rgb;
    let low = encoded / 12.92;
    let high = pow((encoded + 0.055) / 1.055, vec3<f32>(2.4));
    return vec4<f32>(select(high, low, encoded <= vec3<f32>(0.04045)), 1.0);
}

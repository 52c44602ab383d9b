// Copies a picture to a viewport of its size: two triangles without perspective, which a CPU draws fastest.

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,
}

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var nearest: sampler;

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> Corner {
    let at = vec2<f32>(f32((0x1au >> index) & 1u), f32((0x34u >> index) & 1u));
    return Corner(vec4<f32>(2.0 * at.x - 1.0, 1.0 - 2.0 * at.y, 0.0, 1.0), at);
}

@fragment
fn fs_main(corner: Corner) -> @location(0) vec4<f32> {
    return textureSample(picture, nearest, corner.at);
}

// The same for a target whose format encodes to sRGB by itself: the picture is encoded already, so the target's encoding is
// undone beforehand.
@fragment
fn fs_decoded(corner: Corner) -> @location(0) vec4<f32> {
    let encoded = textureSample(picture, nearest, corner.at).rgb;
    let low = encoded / 12.92;
    let high = pow((encoded + 0.055) / 1.055, vec3<f32>(2.4));
    return vec4<f32>(select(high, low, encoded <= vec3<f32>(0.04045)), 1.0);
}

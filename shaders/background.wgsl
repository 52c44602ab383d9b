// A vertical gradient, darker towards the corners, behind everything.

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) ndc: vec2<f32>,
    // Of the globals. Where the CPU draws, each read of a uniform is slow.
    @location(1) @interpolate(flat) top: vec4<f32>,
    @location(2) @interpolate(flat) bottom: vec3<f32>,
};

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32) -> Varyings {
    // One triangle that covers the picture, at the greatest depth: covered pixels are not shaded.
    let corner = vec2<f32>(f32((vertex << 1u) & 2u), f32(vertex & 2u));
    var out: Varyings;
    out.ndc = corner * 2.0 - 1.0;
    out.position = vec4<f32>(out.ndc, 1.0, 1.0);
    out.top = globals.background_top;
    out.bottom = globals.background_bottom.rgb;
    return out;
}

@fragment
fn fs_main(in: Varyings) -> @location(0) vec4<f32> {
    let vignette = 1.0 - in.top.a * dot(in.ndc, in.ndc);
    // Eight bits show bands in so faint a gradient; interleaved gradient noise (Jimenez 2014)
    // dissolves them.
    let pixel = in.position.xy;
    let noise = fract(52.9829189 * fract(dot(pixel, vec2<f32>(0.06711056, 0.00583715))));
    let color = gradient(in.bottom, in.top.rgb, in.ndc.y) * vignette + (noise - 0.5) / 255.0;
    return vec4<f32>(color, 1.0);
}

// Translucent axis-aligned rectangles: panes of glass (obstacles) and splitting planes.

struct Instance {
    @location(0) corner: vec3<f32>,
    @location(1) side_u: vec3<f32>,
    @location(2) side_v: vec3<f32>,
    @location(3) color: vec4<f32>,
    // 1 for glass, 0 for an evenly tinted plane.
    @location(4) glass: f32,
};

struct Varyings {
    @builtin(position) position: vec4<f32>,
    // Distances to the two sides that meet in the corner, in world units.
    @location(0) along: vec2<f32>,
    @location(1) to_eye: vec3<f32>,
    @location(2) @interpolate(flat) normal: vec3<f32>,
    @location(3) @interpolate(flat) color: vec4<f32>,
    @location(4) @interpolate(flat) size: vec2<f32>,
    @location(5) @interpolate(flat) glass: f32,
};

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varyings {
    // A triangle strip of four.
    let uv = vec2<f32>(f32(vertex & 1u), f32(vertex >> 1u));
    let world = instance.corner + instance.side_u * uv.x + instance.side_v * uv.y;
    var out: Varyings;
    out.position = globals.view_projection * vec4<f32>(world, 1.0);
    out.size = vec2<f32>(length(instance.side_u), length(instance.side_v));
    out.along = uv * out.size;
    out.to_eye = globals.eye.xyz - world;
    let area = cross(instance.side_u, instance.side_v);
    out.normal = area / max(length(area), 1e-12);
    out.color = instance.color;
    out.glass = instance.glass;
    return out;
}

@fragment
fn fs_main(in: Varyings) -> @location(0) vec4<f32> {
    // Light gathers along the sides of a pane.
    let from_side = min(in.along, in.size - in.along);
    let reach = 0.25 * min(in.size.x, in.size.y);
    let inwards = clamp(min(from_side.x, from_side.y) / max(reach, 1e-6), 0.0, 1.0);
    let glow = (1.0 - inwards) * (1.0 - inwards);

    // Glass reflects more at grazing angles.
    let facing = abs(dot(normalize(in.to_eye), in.normal));
    let grazing = (1.0 - facing) * (1.0 - facing) * (1.0 - facing);

    let shine = in.glass * clamp(0.45 * grazing + 0.35 * glow, 0.0, 1.0);
    let color = mix(in.color.rgb, vec3<f32>(1.0), shine * 0.5);
    let thicker = mix(0.5 * glow, 1.6 * grazing + 0.9 * glow, in.glass);
    return vec4<f32>(color, min(in.color.a * (1.0 + thicker), 0.9));
}

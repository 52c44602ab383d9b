// Line segments of a width in points, as camera-facing strips with soft sides. The GPU's own lines
// are one pixel wide whatever the density of the screen.

struct Instance {
    @location(0) a: vec3<f32>,
    @location(1) b: vec3<f32>,
    @location(2) color: vec4<f32>,
    @location(3) width: f32,
};

struct Varyings {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) color: vec4<f32>,
    // Pixels from the middle of the line, times w; and w. Their quotient is linear on the screen,
    // which WebGL2 cannot interpolate by itself.
    @location(1) across: vec2<f32>,
    // Half its width in pixels.
    @location(2) @interpolate(flat) half_width: f32,
    @location(3) haze: f32,
};

fn strip_corner(vertex: u32, instance: Instance) -> Varyings {
    var a = globals.view_projection * vec4<f32>(instance.a, 1.0);
    var b = globals.view_projection * vec4<f32>(instance.b, 1.0);
    // Behind the near plane there is no direction on the screen: such an end is cut off first.
    // Depth is z, which is 0 there.
    if a.z < 0.0 && b.z > 0.0 {
        a = mix(a, b, a.z / (a.z - b.z));
    } else if b.z < 0.0 && a.z > 0.0 {
        b = mix(b, a, b.z / (b.z - a.z));
    }

    let half_size = globals.size.xy * 0.5;
    let start = a.xy / max(a.w, 1e-6) * half_size;
    let stop = b.xy / max(b.w, 1e-6) * half_size;
    let length_in_pixels = max(length(stop - start), 1e-6);
    let along = (stop - start) / length_in_pixels;
    let sideways = vec2<f32>(-along.y, along.x);

    // A triangle strip of four: -a, +a, -b, +b; one pixel wider than the line on all sides.
    let at_b = vertex >> 1u;
    let side = f32(vertex & 1u) * 2.0 - 1.0;
    let half_width = 0.5 * instance.width * globals.haze.w;
    let reach = half_width + 1.0;
    let end = select(a, b, at_b == 1u);
    let outwards = along * select(-half_width, half_width, at_b == 1u);
    let offset = sideways * (side * reach) + outwards;

    var out: Varyings;
    out.position = vec4<f32>(end.xy + offset / half_size * end.w, end.z, end.w);
    out.color = instance.color;
    out.across = vec2<f32>(side * reach, 1.0) * end.w;
    out.half_width = half_width;
    out.haze = haze_at(end.w);
    return out;
}

@vertex
fn vs_main(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varyings {
    return strip_corner(vertex, instance);
}

// In front of all objects: depth is 0 at the near plane.
@vertex
fn vs_over_objects(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varyings {
    var out = strip_corner(vertex, instance);
    out.position.z = 0.0;
    return out;
}

@fragment
fn fs_main(in: Varyings) -> @location(0) vec4<f32> {
    let coverage = clamp(in.half_width + 0.5 - abs(in.across.x / in.across.y), 0.0, 1.0);
    return vec4<f32>(in.color.rgb, in.color.a * coverage * (1.0 - in.haze));
}

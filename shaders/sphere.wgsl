// Instanced spheres. The mesh is a unit icosphere, so that a vertex is its own normal.

struct Instance {
    @location(1) center_radius: vec4<f32>,
    @location(2) color: vec4<f32>,
};

// Light is computed in a frame of each sphere's own: x right, y up, z towards the eye. There the direction to
// the eye is the same for all.

// Halfway between the key light and the eye, where the gloss is.
const HALFWAY: vec3<f32> = vec3<f32>(-0.2495, 0.4159, 0.8745);

struct Shaded {
    @builtin(position) position: vec4<f32>,
    @location(0) normal: vec3<f32>,
    // Constant over a sphere: its colour (linear light) and haze, and the colour that it fades into.
    @location(1) @interpolate(flat) color: vec4<f32>,
    @location(2) @interpolate(flat) fade: vec3<f32>,
};

@vertex
fn vs_shaded(@location(0) unit: vec3<f32>, instance: Instance) -> Shaded {
    let center = instance.center_radius.xyz;
    let center_view = (globals.view * vec4<f32>(center, 1.0)).xyz;
    let center_clip = globals.view_projection * vec4<f32>(center, 1.0);

    let to_eye = -center_view / max(length(center_view), 1e-6);
    let level_squared = max(1.0 - to_eye.y * to_eye.y, 1e-6);
    let right = vec3<f32>(to_eye.z, 0.0, -to_eye.x) * inverseSqrt(level_squared);
    let up = cross(to_eye, right);
    let normal = (globals.view * vec4<f32>(unit, 0.0)).xyz;

    var out: Shaded;
    let world = center + unit * instance.center_radius.w;
    out.position = globals.view_projection * vec4<f32>(world, 1.0);
    out.normal = vec3<f32>(dot(normal, right), dot(normal, up), dot(normal, to_eye));
    // Squares and square roots stand for the sRGB curve: close to it, exact inverses of each
    // other, and much cheaper where a CPU draws.
    out.color = vec4<f32>(instance.color.rgb * instance.color.rgb, haze_at(center_clip.w));
    out.fade = background_behind(center_clip);
    return out;
}

// A sphere's colour where its normal, in its own frame, is n. The other arguments are as in `Shaded`.
fn lit(n: vec3<f32>, color: vec4<f32>, fade: vec3<f32>) -> vec4<f32> {
    // Wrapped slightly around the sphere, for a soft terminator.
    let key = max((dot(n, KEY_LIGHT) + 0.2) / 1.2, 0.0);
    let fill = max(dot(n, FILL_LIGHT), 0.0);
    let ambient = globals.lights.x * (0.7 + 0.3 * n.y);
    let edge = 1.0 - max(n.z, 0.0);
    let rim = globals.lights.w * edge * edge * edge * (0.55 + 0.45 * n.y);

    // To the 32nd power.
    var gloss = max(dot(n, HALFWAY), 0.0);
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;
    gloss *= gloss;

    let light = ambient
        + globals.lights.y * key * (0.4 + 0.6 * key) * KEY_COLOR
        + globals.lights.z * fill * FILL_COLOR;
    let reflected = color.rgb * light + rim * FILL_COLOR * (0.35 + 0.65 * color.rgb) + 0.22 * gloss;
    let encoded = sqrt(min(reflected, vec3<f32>(1.0)));
    return vec4<f32>(mix(encoded, fade, color.a), 1.0);
}

@fragment
fn fs_shaded(in: Shaded) -> @location(0) vec4<f32> {
    return lit(normalize(in.normal), in.color, in.fade);
}

struct Plain {
    @builtin(position) position: vec4<f32>,
    @location(0) @interpolate(flat) color: vec3<f32>,
};

@vertex
fn vs_plain(@location(0) unit: vec3<f32>, instance: Instance) -> Plain {
    let center = globals.view_projection * vec4<f32>(instance.center_radius.xyz, 1.0);
    let world = instance.center_radius.xyz + unit * instance.center_radius.w;
    var out: Plain;
    out.position = globals.view_projection * vec4<f32>(world, 1.0);
    out.color = mix(instance.color.rgb, background_behind(center), haze_at(center.w));
    return out;
}

@fragment
fn fs_plain(in: Plain) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color, 1.0);
}

struct Small {
    @builtin(position) position: vec4<f32>,
    // x right and y up from the centre, in radii.
    @location(0) disc: vec2<f32>,
    // Its colour and haze, and the colour that it fades into.
    @location(1) @interpolate(flat) color: vec4<f32>,
    @location(2) @interpolate(flat) fade: vec3<f32>,
};

@vertex
fn vs_small(@builtin(vertex_index) vertex: u32, instance: Instance) -> Small {
    let center = instance.center_radius.xyz;
    let center_clip = globals.view_projection * vec4<f32>(center, 1.0);
    var out: Small;
    out.disc = corner_around_circle(vertex);
    let offset = in_plane_facing_eye(center, out.disc * instance.center_radius.w);
    out.position = globals.view_projection * vec4<f32>(center + offset, 1.0);
    out.color = vec4<f32>(instance.color.rgb, haze_at(center_clip.w));
    out.fade = background_behind(center_clip);
    return out;
}

// The normal in the sphere's own frame.
fn normal_on_disc(disc: vec2<f32>) -> vec3<f32> {
    let height_squared = 1.0 - dot(disc, disc);
    if height_squared < 0.0 {
        discard;
    }
    return vec3<f32>(disc, sqrt(height_squared));
}

@fragment
fn fs_small_shaded(in: Small) -> @location(0) vec4<f32> {
    let color = vec4<f32>(in.color.rgb * in.color.rgb, in.color.a);
    return lit(normal_on_disc(in.disc), color, in.fade);
}

@fragment
fn fs_small_plain(in: Small) -> @location(0) vec4<f32> {
    if dot(in.disc, in.disc) > 1.0 {
        discard;
    }
    return vec4<f32>(mix(in.color.rgb, in.fade, in.color.a), 1.0);
}

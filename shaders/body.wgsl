// Instanced bodies: the mesh of a shape, rotated, scaled and moved.

struct Vertex {
    @location(0) position: vec3<f32>,
    @location(1) normal: vec3<f32>,
};

struct Instance {
    // Where the shape's origin is, and the factor of its lengths.
    @location(2) position_scale: vec4<f32>,
    // A unit quaternion: x, y, z, w.
    @location(3) rotation: vec4<f32>,
    @location(4) color: vec4<f32>,
};

struct Varyings {
    @builtin(position) position: vec4<f32>,
    // The same at all corners of a flat face.
    @location(0) color: vec3<f32>,
};

fn rotate(by: vec4<f32>, v: vec3<f32>) -> vec3<f32> {
    let aside = 2.0 * cross(by.xyz, v);
    return v + by.w * aside + cross(by.xyz, aside);
}

// Haze is that of the body's origin, so that it leaves faces even.
fn drawn(vertex: Vertex, instance: Instance, color: vec3<f32>) -> Varyings {
    let origin = instance.position_scale.xyz;
    let world = origin + rotate(instance.rotation, vertex.position * instance.position_scale.w);
    var out: Varyings;
    out.position = globals.view_projection * vec4<f32>(world, 1.0);
    out.color = faded(color, globals.view_projection * vec4<f32>(origin, 1.0));
    return out;
}

@vertex
fn vs_shaded(vertex: Vertex, instance: Instance) -> Varyings {
    let normal = rotate(instance.rotation, vertex.normal);
    let n = (globals.view * vec4<f32>(normal, 0.0)).xyz;
    return drawn(vertex, instance, matt(n, instance.color.rgb));
}

@vertex
fn vs_plain(vertex: Vertex, instance: Instance) -> Varyings {
    return drawn(vertex, instance, instance.color.rgb);
}

@fragment
fn fs_main(in: Varyings) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color, 1.0);
}

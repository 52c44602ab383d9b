// Instanced boxes: solid, or as their twelve edges.

struct Instance {
    @location(0) low: vec3<f32>,
    @location(1) high: vec3<f32>,
    @location(2) color: vec4<f32>,
};

struct Varyings {
    @builtin(position) position: vec4<f32>,
    // Constant over a face or an edge: its lit colour, faded by haze.
    @location(0) @interpolate(flat) color: vec3<f32>,
};

// A box about its centre, no smaller than a pixel and a half: boxes without thickness, and distant ones, are seen.
struct Extent {
    center: vec3<f32>,
    half_sides: vec3<f32>,
    clip: vec4<f32>,
};

fn extent_of(instance: Instance) -> Extent {
    var out: Extent;
    let half_sides = 0.5 * (instance.high - instance.low);
    out.center = instance.low + half_sides;
    out.clip = globals.view_projection * vec4<f32>(out.center, 1.0);
    // The projection's factor of heights is the length of the second row: the view only rotates and moves.
    let rows = globals.view_projection;
    let height = length(vec3<f32>(rows[0].y, rows[1].y, rows[2].y)) * max(globals.size.y, 1.0);
    out.half_sides = max(half_sides, vec3<f32>(1.5 * max(out.clip.w, 0.0) / height));
    return out;
}

// A point by its coordinate along an axis and those along the two other ones.
fn point(axis: u32, along: f32, u: f32, v: f32) -> vec3<f32> {
    if axis == 0u {
        return vec3<f32>(along, u, v);
    }
    if axis == 1u {
        return vec3<f32>(u, along, v);
    }
    return vec3<f32>(u, v, along);
}

// -1 or 1, by a bit of a number.
fn sign_of(number: u32, bit: u32) -> f32 {
    return f32((number >> bit) & 1u) * 2.0 - 1.0;
}

// The three faces on the side of the eye, four vertices each: no other is seen from outside. A face that is turned
// away, because the eye is between its plane and the opposite one, is behind the others.
fn face_vertex(vertex: u32, extent: Extent) -> vec3<f32> {
    let axis = vertex >> 2u;
    let toward = select(vec3<f32>(-1.0), vec3<f32>(1.0), globals.eye.xyz >= extent.center);
    let corner = point(axis, toward[axis], sign_of(vertex, 0u), sign_of(vertex, 1u));
    return extent.center + extent.half_sides * corner;
}

// A direction of the scene, in view space.
fn in_view(direction: vec3<f32>) -> vec3<f32> {
    return (globals.view * vec4<f32>(direction, 0.0)).xyz;
}

@vertex
fn vs_shaded(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varyings {
    let extent = extent_of(instance);
    let axis = vertex >> 2u;
    let toward = select(-1.0, 1.0, globals.eye[axis] >= extent.center[axis]);
    let n = in_view(point(axis, toward, 0.0, 0.0));
    var out: Varyings;
    out.position = globals.view_projection * vec4<f32>(face_vertex(vertex, extent), 1.0);
    out.color = faded(matt(n, instance.color.rgb), extent.clip);
    return out;
}

@vertex
fn vs_plain(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varyings {
    let extent = extent_of(instance);
    var out: Varyings;
    out.position = globals.view_projection * vec4<f32>(face_vertex(vertex, extent), 1.0);
    out.color = faded(instance.color.rgb, extent.clip);
    return out;
}

// The two ends of each edge.
@vertex
fn vs_edge(@builtin(vertex_index) vertex: u32, instance: Instance) -> Varyings {
    let extent = extent_of(instance);
    let corner = point(vertex >> 3u, sign_of(vertex, 0u), sign_of(vertex, 1u), sign_of(vertex, 2u));
    let world = extent.center + extent.half_sides * corner;
    var out: Varyings;
    out.position = globals.view_projection * vec4<f32>(world, 1.0);
    out.color = faded(instance.color.rgb, out.position);
    return out;
}

@fragment
fn fs_main(in: Varyings) -> @location(0) vec4<f32> {
    return vec4<f32>(in.color, 1.0);
}

struct Small {
    @builtin(position) position: vec4<f32>,
    // From the centre to the point, and from the eye to the centre, in half sides.
    @location(0) point: vec3<f32>,
    @location(1) @interpolate(flat) sight: vec3<f32>,
    // The colours of the three faces on the side of the eye, by their normals' axes.
    @location(2) @interpolate(flat) x_face: vec3<f32>,
    @location(3) @interpolate(flat) y_face: vec3<f32>,
    @location(4) @interpolate(flat) z_face: vec3<f32>,
};

fn small(vertex: u32, extent: Extent, instance: Instance) -> Small {
    let place = corner_around_circle(vertex) * length(extent.half_sides);
    let offset = in_plane_facing_eye(extent.center, place);
    var out: Small;
    out.position = globals.view_projection * vec4<f32>(extent.center + offset, 1.0);
    out.point = offset / extent.half_sides;
    out.sight = (extent.center - globals.eye.xyz) / extent.half_sides;
    out.x_face = faded(instance.color.rgb, extent.clip);
    out.y_face = out.x_face;
    out.z_face = out.x_face;
    return out;
}

@vertex
fn vs_small_plain(@builtin(vertex_index) vertex: u32, instance: Instance) -> Small {
    return small(vertex, extent_of(instance), instance);
}

@vertex
fn vs_small_shaded(@builtin(vertex_index) vertex: u32, instance: Instance) -> Small {
    let extent = extent_of(instance);
    let toward = select(vec3<f32>(-1.0), vec3<f32>(1.0), globals.eye.xyz >= extent.center);
    var out = small(vertex, extent, instance);
    out.x_face = faded(matt(in_view(vec3<f32>(toward.x, 0.0, 0.0)), instance.color.rgb), extent.clip);
    out.y_face = faded(matt(in_view(vec3<f32>(0.0, toward.y, 0.0)), instance.color.rgb), extent.clip);
    out.z_face = faded(matt(in_view(vec3<f32>(0.0, 0.0, toward.z)), instance.color.rgb), extent.clip);
    return out;
}

// The ray from the eye meets the box if it passes the last of the three near planes before the first far one.
@fragment
fn fs_small(in: Small) -> @location(0) vec4<f32> {
    let inverse = 1.0 / (in.sight + in.point);
    let middle = -in.point * inverse;
    let near = middle - abs(inverse);
    let far = middle + abs(inverse);
    let entry = max(near.x, max(near.y, near.z));
    if entry > min(far.x, min(far.y, far.z)) {
        discard;
    }
    let color = select(select(in.z_face, in.y_face, near.y == entry), in.x_face, near.x == entry);
    return vec4<f32>(color, 1.0);
}

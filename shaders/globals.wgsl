// Shared by the scene's pipelines. Prepended to each of their shaders, since WGSL has no include.
//
// Colours are display-encoded (sRGB) wherever they leave a shader: blending and anti-aliasing
// happen on encoded values, so that the picture is the same on every target (see image.wgsl).

struct Globals {
    view_projection: mat4x4<f32>,
    // World to view space: x right, y up, the view along -z.
    view: mat4x4<f32>,
    eye: vec4<f32>,
    // Width and height of the picture in pixels.
    size: vec4<f32>,
    background_top: vec4<f32>,
    background_bottom: vec4<f32>,
    // Where depth begins to fade colours, 1 / length of the fade, its greatest share; and pixels
    // per point.
    haze: vec4<f32>,
    // Shares of: ambient, key, fill and rim light.
    lights: vec4<f32>,
};

@group(0) @binding(0) var<uniform> globals: Globals;

// The background's colour at a height, -1 at the bottom of the picture to 1 at its top.
fn gradient(bottom: vec3<f32>, top: vec3<f32>, height: f32) -> vec3<f32> {
    return mix(bottom, top, smoothstep(-1.0, 1.0, height));
}

// The background's colour behind a point in clip space.
fn background_behind(clip: vec4<f32>) -> vec3<f32> {
    let height = clamp(clip.y / max(clip.w, 1e-6), -1.0, 1.0);
    return gradient(globals.background_bottom.rgb, globals.background_top.rgb, height);
}

// The share by which haze fades a colour at a depth: the w of a point in clip space.
fn haze_at(depth: f32) -> f32 {
    return clamp((depth - globals.haze.x) * globals.haze.y, 0.0, 1.0) * globals.haze.z;
}

// Directions and colours of the lights: x right, y up, z towards the eye. They rotate with the camera, so that every
// view is lit.
const KEY_LIGHT: vec3<f32> = vec3<f32>(-0.4364, 0.7274, 0.5294);
const FILL_LIGHT: vec3<f32> = vec3<f32>(0.8538, -0.2668, 0.4472);
const KEY_COLOR: vec3<f32> = vec3<f32>(1.0, 0.97, 0.92);
const FILL_COLOR: vec3<f32> = vec3<f32>(0.62, 0.76, 1.0);

// The light on boxes and bodies.

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

// Small objects are one triangle each, in the plane through the centre that faces the eye. The fragment shader cuts
// their shape out of it.

// The corners of a triangle around the unit circle.
fn corner_around_circle(vertex: u32) -> vec2<f32> {
    let corner = vertex % 3u;
    return vec2<f32>((f32(corner) - 1.0) * 1.7320508, select(-1.0, 2.0, corner == 1u));
}

// A place in the plane through a centre that faces the eye, x right and y up, as a vector from the centre.
fn in_plane_facing_eye(center: vec3<f32>, place: vec2<f32>) -> vec3<f32> {
    let camera_up = vec3<f32>(globals.view[0].y, globals.view[1].y, globals.view[2].y);
    let to_eye = normalize(globals.eye.xyz - center);
    let right = normalize(cross(camera_up, to_eye));
    return place.x * right + place.y * cross(to_eye, right);
}

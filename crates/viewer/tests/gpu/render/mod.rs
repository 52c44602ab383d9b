//! Pictures of small scenes, checked by their pixels.

mod bodies;
mod boxes;
mod frames;
mod overlays;
mod small;
mod stage;

use crate::GpuTest;

pub(crate) const TESTS: &[GpuTest] = &[
    ("planes_blend_from_back_to_front_in_any_input_order", overlays::plane_order),
    ("glass_and_haze_stand_out_in_the_light_theme", overlays::light),
    ("width_of_a_line_is_given_in_points", overlays::width),
    ("line_from_behind_the_eye_is_clipped_not_mirrored", overlays::line_behind_eye),
    ("plain_box_has_its_own_colour_and_sides", boxes::plain_box),
    ("outlined_box_hides_nothing", boxes::outline),
    ("boxes_without_thickness_are_seen", boxes::thin),
    ("bodies_that_are_all_balls_have_no_mesh", bodies::balls),
    ("faces_of_boxes_and_bodies_are_even_and_lit_differently", bodies::faces),
    ("nearer_object_hides_those_behind_it", bodies::depth),
    ("meshes_are_uploaded_once_for_each_scene", bodies::steady),
    ("small_spheres_cover_as_much_as_their_meshes", small::like_meshes),
    ("small_boxes_look_like_their_faces", small::like_faces),
    ("larger_and_smooth_spheres_keep_their_meshes", small::meshes_kept),
    ("image_on_an_srgb_target_is_the_same", frames::srgb),
    ("steady_frame_allocates_nothing_on_the_gpu", frames::steady),
    ("invalid_boxes_are_not_drawn", overlays::bad_boxes),
    ("impossible_sizes_are_refused", frames::sizes),
    ("device_fault_is_recorded_without_a_panic", frames::fault),
];

use crate::render::stage::{
    HEIGHT, ORANGE, SIZE, THEME, WIDTH, at, brightness, changed, difference, draw, draw_with,
    front, middle, pane, plane, sphere, view,
};
use broadphase::{Aabb, Axis};
use glam::{DVec3, Quat, Vec2, Vec3};
use sim::scene::{CameraPose, Triangles};
use viewer::gpu::Gpu;
use viewer::offscreen::{Offscreen, OffscreenError, Picture};
use viewer::scene_renderer::{
    Antialiasing, BodiesView, BodyInstance, BoxInstance, Haze, Image, Rectangle, SceneRenderer,
    SceneView, Segment, ShapeMesh, SphereInstance, Theme, WireBox,
};

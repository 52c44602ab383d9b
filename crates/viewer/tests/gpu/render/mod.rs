//! Pictures of small scenes, checked by their pixels.

mod bodies;
mod boxes;
mod frames;
mod overlays;
mod small;
mod spheres;
mod stage;

use crate::GpuTest;

pub(crate) const TESTS: &[GpuTest] = &[
    ("plain_sphere_has_its_own_colour", spheres::plain_sphere),
    ("background_is_a_gradient_between_its_two_colours", overlays::gradient),
    ("shading_lights_a_sphere_from_the_upper_left", spheres::shading),
    ("eighty_triangles_cover_more_of_a_disc_than_twenty", spheres::triangles),
    ("antialiasing_softens_edges_only", spheres::antialiasing),
    ("plane_tints_only_the_objects_behind_it", overlays::plane_blend),
    ("planes_blend_from_back_to_front_in_any_input_order", overlays::plane_order),
    ("glass_is_translucent_and_has_edges", overlays::glass),
    ("selected_pane_is_lighter", overlays::selection),
    ("boxes_and_segments_are_drawn_where_they_project", overlays::lines),
    ("line_from_behind_the_eye_is_clipped_not_mirrored", overlays::line_behind_eye),
    ("plain_box_has_its_own_colour_and_sides", boxes::plain_box),
    ("outlined_box_hides_nothing", boxes::outline),
    ("boxes_without_thickness_are_seen", boxes::thin),
    ("body_is_drawn_in_its_pose_and_size", bodies::pose),
    ("body_is_rotated_the_right_way", bodies::rotation),
    ("faces_of_boxes_and_bodies_are_even_and_lit_differently", bodies::faces),
    ("light_on_a_round_body_is_smooth", bodies::round),
    ("nearer_object_hides_those_behind_it", bodies::depth),
    ("line_over_objects_is_not_hidden_by_a_body", bodies::lines_over),
    ("meshes_are_uploaded_once_for_each_scene", bodies::steady),
    ("small_spheres_cover_as_much_as_their_meshes", small::like_meshes),
    ("small_boxes_look_like_their_faces", small::like_faces),
    ("larger_and_smooth_spheres_keep_their_meshes", small::meshes_kept),
    ("haze_fades_distant_spheres", spheres::haze),
    ("srgb_target_shows_the_same_picture", frames::srgb),
    ("nothing_is_drawn_outside_the_viewport", frames::viewport),
    ("steady_frame_allocates_nothing_on_the_gpu", frames::steady),
    ("invalid_boxes_are_not_drawn", overlays::bad_boxes),
    ("impossible_sizes_are_refused", frames::sizes),
    ("device_fault_is_recorded_without_a_panic", frames::fault),
];

use crate::render::stage::{
    HEIGHT, ORANGE, SIZE, THEME, WIDTH, assert_near, at, brightness, changed, difference, draw,
    draw_with, front, middle, pane, plane, sphere, view,
};
use broadphase::{Aabb, Axis};
use glam::{DVec3, Quat, Vec2, Vec3};
use sim::scene::{CameraPose, Triangles};
use viewer::gpu::Gpu;
use viewer::offscreen::{Offscreen, OffscreenError, Picture};
use viewer::scene_renderer::{
    Antialiasing, BodiesView, BodyInstance, BoxInstance, Haze, Pane, Plane, SceneRenderer,
    SceneView, Segment, ShapeMesh, SphereInstance, Target, Theme, Viewport, WireBox,
};

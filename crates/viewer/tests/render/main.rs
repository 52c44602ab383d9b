//! Pictures of small scenes, judged by their pixels. Needs an adapter; software will do.

#![allow(clippy::unwrap_used, reason = "this is a test, though not one of libtest's")]

mod frames;
mod overlays;
mod spheres;
mod stage;
#[path = "../support/mod.rs"]
mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(&[
        ("a_plain_sphere_has_its_own_colour_before_the_background", spheres::plain_sphere),
        ("the_background_goes_from_its_lower_to_its_upper_colour", overlays::gradient),
        ("shading_lights_a_sphere_from_the_upper_left", spheres::shading),
        ("eighty_triangles_cover_more_of_a_disc_than_twenty", spheres::triangles),
        ("antialiasing_softens_edges_only", spheres::antialiasing),
        ("a_nearer_sphere_hides_one_behind_it", spheres::depth),
        ("a_plane_tints_what_is_behind_it_but_not_what_is_before_it", overlays::plane_blend),
        ("planes_blend_from_back_to_front_in_whatever_order_they_come", overlays::plane_order),
        ("glass_shows_what_is_behind_it_and_has_edges", overlays::glass),
        ("a_selected_pane_is_lighter", overlays::selection),
        ("boxes_and_segments_are_seen_where_they_project", overlays::lines),
        ("a_line_that_begins_behind_the_eye_is_cut_off_not_mirrored", overlays::line_behind_eye),
        ("haze_fades_what_is_far", spheres::haze),
        ("an_srgb_target_shows_the_same_picture", frames::srgb),
        ("nothing_is_drawn_outside_the_viewport", frames::viewport),
        ("a_steady_frame_allocates_nothing_on_the_gpu", frames::steady),
        ("bad_boxes_are_left_out_quietly", overlays::bad_boxes),
        ("a_repeated_frame_is_the_same_to_the_bit", frames::repeatable),
        ("impossible_sizes_are_refused_by_name", frames::sizes),
        ("a_fault_is_recorded_rather_than_panicking", frames::fault),
    ])
}

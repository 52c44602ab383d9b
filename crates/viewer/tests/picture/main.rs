//! Pictures of whole sessions, and of the panel. Needs an adapter; software will do.

#![allow(clippy::unwrap_used, reason = "this is a test, though not one of libtest's")]

#[path = "../common/mod.rs"]
mod common;
mod panel;
mod pixels;
mod program;
mod sessions;
#[path = "../support/mod.rs"]
mod support;

use std::process::ExitCode;

fn main() -> ExitCode {
    support::run(&[
        ("the_program_draws_the_last_frame_in_the_size_asked_for", program::screenshot),
        ("the_program_draws_planes_down_to_the_depth_asked_for", program::planes),
        ("the_program_draws_the_parts_of_the_structure_that_are_asked_for", program::parts),
        ("the_program_draws_a_picture_where_it_finds_no_display", program::no_display),
        ("every_switch_changes_the_picture_of_the_letters", sessions::switches),
        ("every_part_of_the_structure_is_drawn_where_it_is_shown", sessions::structure),
        ("algorithms_without_planes_draw_the_same_picture", sessions::same_picture),
        ("a_small_scene_looks_as_it_did", sessions::snapshot),
        ("the_panel_looks_as_it_did", panel::snapshot),
        ("all_panels_look_as_they_did_on_a_light_ground", panel::everything_open),
    ])
}

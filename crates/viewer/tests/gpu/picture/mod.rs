//! Pictures of whole sessions and of the panels.

mod panel;
mod pixels;
mod program;
mod sessions;

use crate::GpuTest;

pub(crate) const TESTS: &[GpuTest] = &[
    ("program_draws_the_last_frame_in_the_requested_size", program::screenshot),
    ("program_draws_the_requested_parts_of_the_structure", program::parts),
    ("program_marks_what_changed_in_the_last_steps", program::marks),
    ("program_draws_a_sequence_of_pictures", program::sequence),
    ("program_paints_the_legend_into_a_picture", program::legend),
    ("program_draws_a_picture_without_a_display", program::no_display),
    ("small_scene_matches_its_snapshot", sessions::snapshot),
    ("small_bodies_match_their_snapshot", sessions::bodies),
    ("panel_matches_its_snapshot", panel::snapshot),
    ("light_panels_match_their_snapshot", panel::everything_open),
];

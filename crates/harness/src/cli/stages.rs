//! The stages after the broad phase, by id.

use crate::registry::narrow_phases;
use clap::Args;
use narrowphase::narrow::NarrowPhaseKind;
use narrowphase::registry::find;
use narrowphase::volume::{VOLUMES, VolumeKind};

/// What `run` times on the pairs of bodies.
#[derive(Debug, Args)]
pub(crate) struct StageOptions {
    /// Scenes with bodies: the bounding volume that is timed on the pairs (`harness list` has all)
    #[arg(long, value_name = "ID", default_value = "obb", value_parser = parse_volume)]
    pub(crate) volume: &'static VolumeKind,

    /// Scenes with bodies: the narrow phase that is timed on what passes the volume (`harness list` has all)
    #[arg(long, value_name = "ID", default_value = "gjk+cached", value_parser = parse_narrow)]
    pub(crate) narrow: &'static NarrowPhaseKind,
}

/// The bounding volume with this id.
fn parse_volume(id: &str) -> Result<&'static VolumeKind, String> {
    find(VOLUMES, id).ok_or_else(|| one_of(VOLUMES.iter().map(|kind| kind.id)))
}

/// The narrow phase with this id.
pub(super) fn parse_narrow(id: &str) -> Result<&'static NarrowPhaseKind, String> {
    // Known where it is built in.
    let hint = if id == "parry" { "; parry needs a build with the feature `peers`" } else { "" };
    let known = narrow_phases().iter().map(|kind| kind.id);
    find(narrow_phases(), id).ok_or_else(|| one_of(known) + hint)
}

fn one_of<'a>(ids: impl Iterator<Item = &'a str>) -> String {
    format!("expected one of {}", ids.collect::<Vec<_>>().join(", "))
}

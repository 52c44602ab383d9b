//! The way of the picked object through a structure: the nodes that its search reached, and its sweeps.

use super::marks::{dashes, line, part, swatch, title};
use crate::panel::format::counted;
use crate::panel::structure::{keeps_straddlers, regions_of};
use crate::scene_renderer::Theme;
use crate::simulation::Snapshot;
use broadphase::inspect::{Outcome, Overlay};
use broadphase::registry::Kind;
use egui::Ui;

/// The bars beside the scene.
pub(super) fn sweeps(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(picked) = &snapshot.picked else { return };
    let sweeps = &picked.sweeps;
    let axes = ["x", "y", "z"].into_iter().zip(sweeps.spans);
    let axes: Vec<&str> = axes.filter(|(_, span)| span.is_some()).map(|(axis, _)| axis).collect();
    let number = sweeps.own;
    let lists = match (keeps_straddlers(snapshot.algorithm), picked.regions.is_empty()) {
        (true, _) => "list".to_owned(),
        (_, true) => "order".to_owned(),
        (_, false) if number == 1 => regions_of(snapshot.algorithm, 1).to_owned(),
        _ => format!("{number} {}", regions_of(snapshot.algorithm, number)),
    };
    title(
        ui,
        &format!("Sweep of its {lists} on {}", axes.join(", ")),
        "Bars beside the scene: the intervals of the objects there.",
    );
    let kept = &sweeps.intervals.kept;
    let own = || kept.iter().filter(|interval| interval.object == picked.object);
    let is_near = |object: u32| {
        let mut of_object = kept.iter().filter(|interval| interval.object == object);
        picked.is_tested_with(object) || of_object.any(|i| own().any(|own| own.overlaps(i)))
    };
    let mut others: Vec<u32> = kept.iter().map(|interval| interval.object).collect();
    others.sort_unstable();
    others.dedup();
    others.retain(|object| *object != picked.object);
    let (near, far): (Vec<u32>, Vec<u32>) = others.iter().partition(|object| is_near(**object));
    let known = near.iter().filter(|o| picked.is_known_with(**o) && !picked.concerns(**o)).count();
    let pairs = near.iter().filter(|object| picked.concerns(**object)).count();
    let count = |number: usize| counted(number, "bar");
    swatch(ui, theme.picked, &format!("{} {}", snapshot.kind(), picked.object));
    let tested = near.len() - known - pairs;
    swatch(ui, theme.overlap, &format!("{} tested, apart on an axis", count(tested)));
    swatch(ui, theme.candidate, &format!("{} overlap it on all axes: candidates", count(pairs)));
    if known > 0 {
        let text = format!("{} overlap it here, resting as it is: not tested", count(known));
        swatch(ui, theme.cached[0], &text);
    }
    swatch(ui, theme.rail, &format!("{} not tested: beyond its reach", count(far.len())));
    if !sweeps.carried.is_empty() {
        let carried = counted(sweeps.carried.len(), "object");
        line(
            ui,
            format!("Dashed: {carried} of other lists, compared since a plane cuts one of both."),
        );
    }
    part(ui, kept.len() / axes.len().max(1), others.len() + 1, "bars");
}

/// The nodes or cells that the search of the picked object reached.
pub(super) fn visited(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(picked) = &snapshot.picked else { return };
    let number = |outcome| picked.visited.iter().filter(|node| node.outcome == outcome).count();
    let [holds, searched, rejected] =
        [Outcome::Holds, Outcome::Searched, Outcome::Rejected].map(number);
    let algorithm = snapshot.algorithm;
    let is_tree_of_boxes = algorithm.kind == Kind::BoxTree;
    let (name, meaning) = match (is_tree_of_boxes, algorithm.shows(Overlay::Planes)) {
        (true, _) => (
            "Its way down the tree",
            "The boxes around it, and those that the search compared with one of these or its own.",
        ),
        (_, true) => (
            "Its way down the tree",
            "At each plane it goes to the side that it touches; the other side is left out.",
        ),
        _ => (
            "Its search",
            "It is compared in the cells of its level, and in the coarser cells that it touches.",
        ),
    };
    title(ui, name, meaning);
    let thing = if is_tree_of_boxes { "box" } else { "cell" };
    let things = |number: usize| match (number, thing) {
        (1, _) => format!("1 {thing}"),
        (_, "box") => format!("{number} boxes"),
        _ => format!("{number} {thing}s"),
    };
    let held = if holds == 1 { "holds it" } else { "hold it" };
    swatch(ui, theme.picked, &format!("{} {held}", things(holds)));
    if searched > 0 {
        let text = match is_tree_of_boxes {
            true => format!("{} overlapped: searched below", things(searched)),
            false => format!("{} coarser: searched", things(searched)),
        };
        swatch(ui, theme.overlap, &text);
    }
    if rejected > 0 {
        let text = match (is_tree_of_boxes, algorithm.shows(Overlay::Planes)) {
            (true, _) => format!("{} rejected: nothing below is compared", things(rejected)),
            (_, true) => format!("{} left out: nothing in it is compared", things(rejected)),
            _ => format!("{} empty: nothing to compare", things(rejected)),
        };
        dashes(ui, theme.rail, &text);
    }
}

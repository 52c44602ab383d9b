//! The way of the picked object through a structure: the nodes that its search reached, and its sweeps.

use super::marks::{dashes, line, part, swatch, title};
use super::{axis, diagram};
use crate::panel::format::{compact, counted};
use crate::scene_renderer::Theme;
use crate::simulation::{ListSwept, Snapshot, SweepOutcomes};
use broadphase::Axis;
use broadphase::inspect::{Outcome, Overlay};
use egui::Ui;

/// The bars beside the scene.
pub(super) fn sweeps(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(picked) = &snapshot.picked else { return };
    let sweeps = &picked.sweeps;
    let axes = Axis::ALL.map(Axis::name).into_iter().zip(sweeps.spans);
    let axes: Vec<&str> = axes.filter(|(_, span)| span.is_some()).map(|(axis, _)| axis).collect();
    let number = sweeps.own;
    let caption = snapshot.algorithm.regions();
    let lists = match (caption.keeps_straddlers, picked.regions.is_empty()) {
        (true, _) => "list".to_owned(),
        (_, true) => "order".to_owned(),
        (_, false) if number == 1 => caption.noun(1).to_owned(),
        _ => format!("{number} {}", caption.noun(number)),
    };
    title(
        ui,
        &format!("Sweep of its {lists} on {}", axes.join(", ")),
        "Bars: intervals on it, in the colours of the objects. It is tested against those that its own bar overlaps.",
    );
    if caption.keeps_straddlers {
        // Its own list comes first.
        let mut lists = sweeps.lists.iter().map(in_words);
        let own = lists.next().unwrap_or_default();
        let others: Vec<String> = lists.collect();
        let others = match others.is_empty() {
            true => "nothing".to_owned(),
            false => others.join(", "),
        };
        line(ui, format!("1. Its own list: {own}. 2. Of other lists, what reaches it: {others}."));
    }
    axis::sweep(ui, snapshot, theme);
    let SweepOutcomes { known, beyond, .. } = sweeps.outcomes;
    let count = |number: usize| counted(number, "bar");
    if known > 0 {
        let text = format!("{} overlap it here, resting as it is: not tested", count(known));
        swatch(ui, theme.cached[0], &text);
    }
    swatch(ui, theme.rail, &format!("{} not tested: beyond its reach", count(beyond)));
    if !sweeps.carried.is_empty() {
        let carried = counted(sweeps.carried.len(), "object");
        line(ui, format!("Dashed bars beside the scene: {carried} of the other lists."));
    }
    let mut drawn: Vec<u32> = sweeps.intervals.kept.iter().map(|bar| bar.object).collect();
    drawn.sort_unstable();
    drawn.dedup();
    part(ui, drawn.len(), sweeps.outcomes.all() + 1, "bars");
}

/// A list in words.
fn in_words(list: &ListSwept) -> String {
    let objects = compact(list.objects as f64);
    match list.plane {
        Some(plane) => format!("{objects} at plane {}", plane.name()),
        None => format!("{objects} in a leaf"),
    }
}

/// The nodes or cells that the search of the picked object reached.
pub(super) fn visited(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let (Some(picked), Some(way)) = (&snapshot.picked, snapshot.algorithm.way) else { return };
    let number = |outcome| picked.visited.iter().filter(|node| node.outcome == outcome).count();
    let [holds, searched, rejected] =
        [Outcome::Holds, Outcome::Searched, Outcome::Rejected].map(number);
    title(ui, way.title, way.meaning);
    let words =
        |words: [&str; 2], number: usize| format!("{number} {}", words[usize::from(number != 1)]);
    let leaves = picked.regions.len();
    // Each plane leads to one or two cells, down to its leaves.
    let is_divided = snapshot.algorithm.shows(Overlay::Planes);
    let counts_leaves = is_divided && !snapshot.algorithm.regions().keeps_straddlers;
    let text = match holds.checked_sub(leaves).filter(|_| counts_leaves) {
        None => words(way.holds, holds),
        Some(number) => {
            let leaf = snapshot.algorithm.regions().noun(leaves);
            let holds = if leaves == 1 { "holds" } else { "hold" };
            let above = words(["cell above", "cells above"], number);
            format!("{leaves} {leaf} {holds} it, and {above}")
        }
    };
    swatch(ui, theme.picked, &text);
    if searched > 0 {
        swatch(ui, theme.overlap, &words(way.searched, searched));
    }
    if rejected > 0 {
        dashes(ui, theme.rail, &words(way.rejected, rejected));
    }
    if diagram::is_beside_the_way(snapshot) {
        diagram::show(ui, snapshot, theme);
    }
}

//! The meaning of each overlay, with the figures of what is drawn.

use super::marks::{dashes, heading, hint, line, note, part, recent, scale, swatch, title};
use super::{axis, diagram};
use crate::composer::{exchanged_boxes, former_fat_boxes};
use crate::panel::format::{compact, counted};
use crate::scene_renderer::Theme;
use crate::simulation::Snapshot;
use broadphase::Axis;
use broadphase::inspect::{Caption, Exchange, Overlay};
use egui::Ui;

/// Why bars before that of the picked object have the colour of those that it is compared with.
const OWN_TURN: &str = "A box that begins earlier makes the comparison itself.";

/// Most exchanges of a step that are described in words.
const MAX_IN_WORDS: usize = 2;

pub(super) fn tree(ui: &mut Ui, caption: &Caption, snapshot: &Snapshot, theme: &Theme) {
    let tree = &snapshot.structure.tree;
    heading(ui, caption, snapshot);
    let last = tree.deepest_kept();
    match tree.from_leaves {
        // Leaves have a colour of their own, and one level needs no scale.
        _ if last == 0 => {}
        true => scale(ui, theme, "height 1", &last.to_string()),
        false => scale(ui, theme, "depth 0", &last.to_string()),
    }
    caption.roles.iter().for_each(|role| swatch(ui, theme.leaf, role));
    let all: u64 = tree.levels.iter().map(|number| u64::from(*number)).sum();
    let wanted = compact(tree.wanted as f64);
    ui.label(format!("{wanted} of {} boxes", compact(all as f64)));
    if tree.kept.iter().any(|tree_box| tree_box.step.is_some()) {
        let whose = if snapshot.picked.is_some() { ", of those on its way" } else { "" };
        line(ui, format!("Numbers: the order in which the boxes were made{whose}."));
    }
    if tree.from_leaves {
        let joins = "Height 1 joins two leaves.";
        line(
            ui,
            match last < tree.deepest() {
                true => format!("{joins} The highest boxes are not drawn: see Height."),
                false => joins.to_owned(),
            },
        );
    }
    if !diagram::is_beside_the_way(snapshot) {
        diagram::show(ui, snapshot, theme);
    }
    if tree.kept.len() < tree.wanted {
        let kept = compact(tree.kept.len() as f64);
        note(ui, format!("{kept} of these {wanted} are drawn: whole upper levels, then a part"));
    }
}

pub(super) fn lists(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let lists = &snapshot.structure.lists;
    let axes: Vec<&str> = Axis::ALL
        .into_iter()
        .zip(lists.lanes)
        .filter(|(_, n)| *n > 0)
        .map(|a| a.0.name())
        .collect();
    title(
        ui,
        &format!("Sorted endpoints: {}", axes.join(", ")),
        "Each object's box is an interval on an axis. Two bars overlap if each begins \
         before the other ends.",
    );
    swatch(ui, theme.ends[0], "lower end: the interval begins");
    swatch(ui, theme.ends[1], "upper end: it ends");
    match &snapshot.picked {
        None => {
            line(ui, "Bars: intervals. Those that overlap are in different lanes.");
            hint(ui, "Click an object: the intervals that overlap its own.");
        }
        Some(picked) => {
            if picked.tested.iter().any(|other| !picked.concerns(*other)) {
                swatch(ui, theme.tested, "overlaps it on this axis, and was tested");
            }
            if axes.len() > 1 {
                swatch(ui, theme.overlap, "overlaps it on this axis");
            }
            swatch(ui, theme.candidate, "on all axes: a candidate");
            if !picked.hits.is_empty() {
                swatch(ui, theme.hit, "touches it");
            }
            // The part on blocks has the same sentence.
            if axes.len() == 1 && snapshot.structure.blocks.number == 0 {
                line(ui, OWN_TURN);
            }
        }
    }
    if changes_of(snapshot, Overlay::Endpoints).is_some() {
        recent(ui, theme.mark, "two ends exchanged", &snapshot.changed.exchanges);
        let exchanges = &snapshot.changed.exchanges;
        if !exchanges.fresh.is_empty() && (snapshot.engine.running || exchanges.now == 0) {
            line(ui, "The last six stay marked.");
        }
        let now = exchanges.fresh.iter().filter(|(_, fresh)| *fresh == 1.0);
        for (place, (exchange, _)) in now.take(MAX_IN_WORDS).enumerate() {
            hint(ui, &in_words(exchange, snapshot));
            if place == 0 {
                axis::exchange(ui, snapshot, exchange, theme);
            }
        }
        if exchanged_boxes(snapshot).next().is_some() {
            swatch(ui, theme.mark, "box: an end of it was exchanged");
        }
    }
    // Every list has an interval of each object that is drawn.
    let first = lists.kept.first().map(|interval| interval.axis);
    let drawn = lists.kept.iter().filter(|interval| Some(interval.axis) == first).count();
    part(ui, drawn, snapshot.objects.present, "objects");
}

/// The number of changes of an overlay in the last step, where its algorithm counts them.
pub(super) fn changes_of(snapshot: &Snapshot, overlay: Overlay) -> Option<u64> {
    let work = snapshot.search.work.iter().find(|work| work.changes == Some(overlay));
    work.map(|work| work.count)
}

/// An exchange in words.
fn in_words(exchange: &Exchange, snapshot: &Snapshot) -> String {
    let Exchange { axis, lower, upper, begun } = exchange;
    let [low, high] = [lower, upper].map(|object| snapshot.bounds_of(*object));
    let at = axis.index();
    // An object may pass another from one side to the other: then two pairs of their ends changed places.
    let overlap = low.zip(high).map(|(a, b)| a.min[at] <= b.max[at] && b.min[at] <= a.max[at]);
    let axis = axis.name();
    let passed =
        format!("{axis}: the lower end of {lower} and the upper end of {upper} changed places.");
    match (begun, overlap) {
        (true, Some(true)) => {
            format!("{passed} {lower} begins before {upper} ends now: they overlap on this axis.")
        }
        (false, Some(false)) => {
            format!("{passed} {upper} ends before {lower} begins now: they do not overlap.")
        }
        _ => passed,
    }
}

/// Boxes of objects, pairs or points, by their roles, and what changed.
pub(super) fn layer(ui: &mut Ui, caption: &Caption, snapshot: &Snapshot, theme: &Theme) {
    let layer = snapshot.structure.layer(caption.overlay);
    title(ui, caption.title, caption.meaning);
    if layer.number == 0 && caption.overlay == Overlay::FatBoxes {
        ui.label("Nothing is cached now: all boxes are searched.");
        return;
    }
    for (place, role) in caption.roles.iter().enumerate().filter(|of| layer.count(of.0) > 0) {
        let text = format!("{} {}", compact(layer.count(place) as f64), role);
        swatch(ui, theme.role(caption.overlay, place).unwrap_or(theme.rail), &text);
    }
    // Of a tree that is drawn they stand beside it.
    if !caption.change.is_empty() && snapshot.structure.tree.levels.is_empty() {
        escapes(ui, snapshot, caption.change, theme);
    }
    let things = if !layer.pairs.is_empty() {
        "pairs"
    } else if !layer.boxes.is_empty() || !caption.roles.is_empty() {
        "objects"
    } else {
        // Points have no roles: their colours are their places.
        scale(ui, theme, "first", "last");
        "points"
    };
    part(ui, layer.kept(), layer.number, things);
}

/// Objects that escaped lately, in words, with the fat AABBs that they left.
pub(super) fn escapes(ui: &mut Ui, snapshot: &Snapshot, what: &str, theme: &Theme) {
    recent(ui, theme.mark, what, &snapshot.changed.escapes);
    if former_fat_boxes(snapshot).next().is_some() {
        dashes(ui, theme.mark, "the fat AABB that it left");
    }
}

pub(super) fn cached_pairs(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let cached = snapshot.structure.layer(Overlay::CachedPairs);
    let (heading, resting) = (counted(cached.number, "cached pair"), cached.count(1));
    if resting == cached.number {
        ui.strong(heading);
        swatch(ui, theme.candidate, "of two resting objects: copied without a test");
        return part(ui, cached.kept(), cached.number, "pairs");
    }
    title(ui, &heading, "Pairs that are known from an earlier step, and not searched for.");
    match &snapshot.picked {
        None => hint(ui, "Click an object: its partners."),
        Some(picked) => {
            let partners = cached.partners_of(picked.object).count();
            let object = picked.object;
            swatch(ui, theme.overlap, &format!("cached partners of {object}: {partners}"));
        }
    }
    if resting < cached.number {
        swatch(ui, theme.rail, "only the fat AABBs overlap");
    }
    swatch(ui, theme.candidate, "the boxes overlap: a candidate");
    if resting > 0 {
        let resting = compact(resting as f64);
        line(ui, format!("{resting} of them of two resting objects: copied without a test."));
    }
    part(ui, cached.kept(), cached.number, "pairs");
}

pub(super) fn blocks(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let blocks = &snapshot.structure.blocks;
    let (number, sweeps) = (counted(blocks.number, "block"), counted(blocks.sweeps, "sweep"));
    let heading = format!("{number} of 16 boxes in {sweeps}");
    let picked = snapshot.picked.as_ref().and_then(|picked| snapshot.bounds_of(picked.object));
    // A resting object may be in none.
    let has_own = blocks.kept.iter().any(|block| block.is_own);
    title(
        ui,
        &heading,
        "Boxes sorted by where they begin. Each is compared with the following ones until one begins after it \
         ends, 16 at a time.",
    );
    scale(ui, theme, "first", &format!("block {}", compact(f64::from(blocks.longest))));
    match picked {
        None => {
            hint(ui, "Click an object: the blocks that it is compared with.");
        }
        Some(_) if !has_own => line(ui, "The picked object is in no block."),
        Some(picked) => {
            let ahead = blocks.run(picked).filter(|block| !block.is_own).count();
            swatch(ui, theme.tested, "its reach on the axis: what begins in it is tested");
            let each = if blocks.sweeps > 1 { " in each of its sweeps" } else { "" };
            swatch(ui, theme.picked, &format!("its own block of 16{each}; below the bars, too"));
            if ahead > 0 {
                let ahead = counted(ahead, "block");
                swatch(ui, theme.overlap, &format!("{ahead} ahead that it is compared with"));
            }
            line(ui, OWN_TURN);
            line(ui, "A few vector instructions compare 16 boxes.");
        }
    }
    if blocks.sweeps > 1 {
        let [one, several] = snapshot.algorithm.regions().noun;
        let whose = if has_own { format!("its {several}") } else { format!("the fullest {one}") };
        line(ui, format!("{} drawn, those of {whose}.", counted(blocks.kept.len(), "block")));
    }
}

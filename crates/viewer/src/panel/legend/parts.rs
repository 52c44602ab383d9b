//! The meaning of each overlay, with the figures of what is drawn.

use super::marks::{dashes, heading, hint, line, note, part, recent, roles, scale, swatch, title};
use super::{axis, diagram, lanes};
use crate::composer::{MAX_TESTS, exchanged_boxes, former_fat_boxes};
use crate::panel::format::{capitalised, compact, counted};
use crate::panel::widgets::MIN_TEXT;
use crate::scene_renderer::{Color, Theme};
use crate::simulation::{Block, MAX_ROWS, Snapshot};
use broadphase::Axis;
use broadphase::inspect::{Caption, Exchange, Overlay, PairMark};
use egui::{Align2, Color32, FontId, Rect, Sense, StrokeKind, Ui, pos2, vec2};

/// Width of the matrix, and most of a cell, in which its count has room, in points.
const WIDTH: f32 = 224.0;
const MAX_SIDE: f32 = 17.0;

/// Why bars before that of the picked object have the colour of those that it is compared with.
const OWN_TURN: &str = "A box that begins earlier makes the comparison itself.";

/// Most exchanges of a step that are described in words.
const MAX_IN_WORDS: usize = 2;

/// All pairs: there is no structure.
pub(super) fn all_pairs(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let Some(picked) = &snapshot.picked else {
        return hint(ui, "Click an object: each line is a test.");
    };
    let others = snapshot.objects.present.saturating_sub(1);
    swatch(
        ui,
        theme.rail,
        &format!(
            "line: {} without an overlap",
            counted(others - picked.candidates.len().min(others), "test")
        ),
    );
    swatch(
        ui,
        theme.candidate,
        &format!("line: {}", counted(picked.candidates.len(), "candidate")),
    );
    part(ui, others.min(MAX_TESTS), others, "tests");
}

fn counted_boxes(number: usize) -> String {
    if number == 1 { "1 box".to_owned() } else { format!("{} boxes", compact(number as f64)) }
}

/// What the algorithm did with a picked object, in the colour of the objects that this concerns.
pub(super) fn tested(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    if let Some(picked) = &snapshot.picked {
        let name = capitalised(snapshot.kind());
        swatch(ui, theme.picked, &format!("{name} {}, which is picked", picked.object));
        let is_tested = |candidate: &&u32| picked.tested.binary_search(candidate).is_ok();
        let candidates = picked.candidates.iter().filter(is_tested).count();
        let overlaps = |other: u32| {
            snapshot.bounds_of(other).is_some_and(|bounds| bounds.overlaps(&picked.bounds))
        };
        let refused = picked.tested.iter().filter(|other| !picked.concerns(**other));
        let refused = refused.filter(|other| overlaps(**other)).count();
        let apart = picked.tested.len() - candidates - refused;
        if apart > 0 {
            let text = format!("{} tested against its box: apart", counted_boxes(apart));
            swatch(ui, theme.tested, &text);
        }
        let hits = picked.hits.iter().filter(is_tested).count();
        if candidates > hits {
            let text = match candidates - hits {
                1 => "1 tested and overlapping: a candidate".to_owned(),
                number => format!("{number} tested and overlapping: candidates"),
            };
            swatch(ui, theme.candidate, &text);
        }
        if refused > 0 {
            let text = format!(
                "{} tested and overlapping: their layers admit no pair",
                counted_boxes(refused)
            );
            swatch(ui, theme.tested, &text);
        }
        let known = picked.candidates.len() - candidates;
        if known > 0 {
            let known = counted(known, "candidate");
            swatch(ui, theme.candidate, &format!("{known} known from earlier steps: not tested"));
        }
        if !picked.hits.is_empty() {
            let number = picked.hits.len();
            let [noun, touch] = match number {
                1 => ["a candidate", "touches"],
                _ => ["candidates", "touch"],
            };
            swatch(ui, theme.hit, &format!("{number} overlapping, {noun}, and {touch} it: hit"));
        }
        let cached = snapshot.structure.layer(Overlay::CachedPairs);
        let of_cached = cached.partners_of(picked.object).filter(|other| is_tested(&other)).count();
        if cached.number > 0 && !picked.tested.is_empty() {
            let of_searches = picked.tested.len() - of_cached;
            line(
                ui,
                format!("Of these tests {of_cached} of cached pairs, {of_searches} of searches."),
            );
        }
        // A pair may be tested in several cells.
        if picked.tests as usize > picked.tested.len() {
            let tests = counted(picked.tests as usize, "test");
            let repeated = if picked.regions.len() > 1 {
                let several = snapshot.algorithm.regions().noun(2);
                format!("an object that shares several {several} with it is tested in each")
            } else {
                "some repeat another".to_owned()
            };
            line(ui, format!("{tests} in all: {repeated}."));
        }
        // A recorded object may be absent from this frame.
        let is_present = snapshot.bounds_of(picked.object).is_some();
        let met = picked.tested.len() + picked.candidates.len() - candidates;
        let others = snapshot.objects.present.saturating_sub(usize::from(is_present) + met);
        if others > 0 {
            line(ui, format!("{} not tested against it.", counted(others, "other object")));
        }
    }
}

pub(super) fn tree(ui: &mut Ui, caption: &Caption, snapshot: &Snapshot, theme: &Theme) {
    let tree = &snapshot.structure.tree;
    heading(ui, caption.title, caption, snapshot);
    let last = tree.deepest_kept();
    match tree.from_leaves {
        // Leaves have a colour of their own, and one level needs no scale.
        _ if last == 0 => {}
        true => scale(ui, theme, "height 1", &last.to_string()),
        false => scale(ui, theme, "depth 0", &last.to_string()),
    }
    roles(ui, caption, theme);
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
    if layer.number == 0 && !caption.none.is_empty() {
        ui.label(caption.none);
        return;
    }
    for (place, role) in caption.roles.iter().enumerate().filter(|of| layer.count(of.0) > 0) {
        let text = format!("{} {}", compact(layer.count(place) as f64), role.meaning);
        swatch(ui, theme.tone(role.tone), &text);
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
    let has_diagram = picked.is_some() && has_own && !blocks.lanes.is_empty();
    match !has_diagram {
        true => title(
            ui,
            &heading,
            "Boxes sorted by where they begin. Each is compared with the following ones until one begins after it \
             ends, 16 at a time.",
        ),
        // A diagram shows it.
        false => drop(ui.strong(heading)),
    }
    if !has_diagram {
        scale(ui, theme, "first", &format!("block {}", compact(f64::from(blocks.longest))));
    }
    match picked {
        None => {
            hint(ui, "Click an object: the blocks that it is compared with.");
        }
        Some(_) if !has_own => line(ui, "The picked object is in no block."),
        Some(picked) => {
            let run: Vec<&Block> = blocks.run(picked).collect();
            let ahead = run.iter().filter(|block| !block.is_own).count();
            swatch(ui, theme.tested, "its reach on the axis: what begins in it is tested");
            let each = if blocks.sweeps > 1 { " in each of its sweeps" } else { "" };
            swatch(ui, theme.picked, &format!("its own block of 16{each}; below the bars, too"));
            if ahead > 0 {
                let ahead = counted(ahead, "block");
                swatch(ui, theme.overlap, &format!("{ahead} ahead that it is compared with"));
            }
            if blocks.lanes.is_empty() {
                line(ui, OWN_TURN);
            } else {
                lanes::show(ui, snapshot, &run, theme);
            }
            line(ui, "A few vector instructions compare 16 boxes.");
        }
    }
    if blocks.sweeps > 1 {
        let [one, several] = snapshot.algorithm.regions().noun;
        let whose = if has_own { format!("its {several}") } else { format!("the fullest {one}") };
        line(ui, format!("{} drawn, those of {whose}.", counted(blocks.kept.len(), "block")));
    }
}

/// The counters themselves, a small square for each pair.
pub(super) fn matrix(ui: &mut Ui, snapshot: &Snapshot, theme: &Theme) {
    let cells = &snapshot.structure.layer(Overlay::Matrix).pairs;
    let n = snapshot.objects.positions.len();
    let all = n * n.saturating_sub(1) / 2;
    title(
        ui,
        &format!("Matrix: {} pairs", compact(all as f64)),
        "A counter for each pair of objects: the axes on which their boxes overlap. Filled again in each step.",
    );
    if n > MAX_ROWS {
        let rows = compact(n as f64);
        return note(ui, format!("{rows} rows and columns: drawn up to {MAX_ROWS} objects"));
    }
    let has_room = (n + 1) as f32 * MAX_SIDE <= WIDTH;
    let side = if has_room { MAX_SIDE } else { WIDTH / n.max(1) as f32 };
    // The numbers of the objects are above their columns and beside their rows.
    let head = if has_room { side } else { 0.0 };
    let size = side * n as f32;
    let (all, _) = ui.allocate_exact_size(vec2(head + size, head + size), Sense::hover());
    let square = Rect::from_min_size(all.min + vec2(head, head), vec2(size, size));
    let painter = ui.painter();
    let font = FontId::proportional(MIN_TEXT);
    let cell = |column: u32, row: u32| {
        let at = square.min + vec2(column as f32, row as f32) * side;
        Rect::from_min_size(at, vec2(side, side))
    };
    painter.rect_filled(square, 0.0, ui.visuals().faint_bg_color);
    for object in (0..n as u32).filter(|_| has_room) {
        let ink = ui.visuals().text_color();
        let at = cell(object, object).center();
        let (above, beside) = (all.top() + 0.5 * side, all.left() + 0.5 * side);
        for place in [pos2(at.x, above), pos2(beside, at.y)] {
            painter.text(place, Align2::CENTER_CENTER, object.to_string(), font.clone(), ink);
        }
    }
    let solid = |[r, g, b, _]: Color| Color32::from_rgb(r, g, b);
    let colors = axes_colors(theme).map(solid);
    for PairMark { pair, role } in cells {
        let color = colors[(*role).min(colors.len() - 1)];
        let place = cell(pair.b, pair.a);
        painter.rect_filled(place.shrink(0.1 * side), 0.0, color);
        if has_room {
            let ink = if *role == 2 { Color32::BLACK } else { Color32::WHITE };
            painter.text(
                place.center(),
                Align2::CENTER_CENTER,
                (role + 1).to_string(),
                font.clone(),
                ink,
            );
        }
    }
    if let Some(picked) = &snapshot.picked {
        let at = picked.object;
        let [row, column] =
            [cell(0, at).union(cell(n as u32 - 1, at)), cell(at, 0).union(cell(at, n as u32 - 1))];
        for line in [row, column] {
            painter.rect_stroke(line, 0.0, (1.0, solid(theme.picked)), StrokeKind::Inside);
        }
    }
    let counts = [0, 1, 2].map(|role| cells.iter().filter(|cell| cell.role == role).count());
    for ((count, color), meaning) in counts.into_iter().zip(axes_colors(theme)).zip([
        "on 1 axis",
        "on 2 axes",
        "on 3 axes: candidates",
    ]) {
        swatch(ui, color, &format!("{} {meaning}", compact(count as f64)));
    }
}

/// The colours of cells that count one, two and three axes.
fn axes_colors(theme: &Theme) -> [Color; 3] {
    let opaque = |[r, g, b]: [u8; 3]| [r, g, b, 255];
    [opaque(theme.on_scale(0.0)), opaque(theme.on_scale(0.5)), theme.candidate]
}

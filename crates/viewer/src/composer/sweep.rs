//! The blocks of sweeps, and the run of the picked object.

use super::faint;
use super::structure::strength;
use crate::scene_renderer::{Theme, WireBox};
use crate::simulation::Snapshot;
use crate::view::View;
use broadphase::Aabb;
use broadphase::inspect::Overlay;

/// Share of its opacity that a block keeps outside of the run of the picked object.
const ASIDE: f32 = 0.25;

/// Each block of a sweep around its boxes, in the colour of its place. Of a picked object the blocks that it is
/// compared with, and the part of the sweep in which other boxes begin before it ends.
pub(super) fn compose_blocks(
    snapshot: &Snapshot,
    options: &View,
    theme: &Theme,
    boxes: &mut Vec<WireBox>,
) {
    if !options.shows(Overlay::Blocks) {
        return;
    }
    let blocks = &snapshot.structure.blocks;
    let last = blocks.longest.saturating_sub(1).max(1) as f32;
    let picked = snapshot.picked.as_ref().and_then(|picked| snapshot.bounds_of(picked.object));
    let strength = strength(blocks.kept.len()) * if picked.is_some() { ASIDE } else { 1.0 };
    boxes.extend(blocks.kept.iter().map(|block| {
        let [r, g, b] = theme.on_scale(block.place as f32 / last);
        WireBox { bounds: block.bounds, color: faint([r, g, b, 230], strength), width: 1.25 }
    }));
    let Some(picked) = picked else { return };
    let mut swept = Aabb::EMPTY;
    for block in blocks.run(picked) {
        let color = if block.is_own { theme.picked } else { theme.overlap };
        boxes.push(WireBox { bounds: block.bounds, color, width: 1.75 });
        swept = swept.union(&block.bounds);
        let axis = block.axis.index();
        (swept.min[axis], swept.max[axis]) = (picked.min[axis], picked.max[axis]);
    }
    if !swept.is_empty() {
        boxes.push(WireBox { bounds: swept, color: theme.tested, width: 2.0 });
    }
}

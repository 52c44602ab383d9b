//! Places of the nodes and texts of a small tree.

use egui::{Galley, Rect, vec2};
use std::cmp::Reverse;
use std::sync::Arc;

/// Gap between two texts of a row, in points: else their digits run together.
pub(super) const GAP: f32 = 3.0;

/// Where a node is: `x` in columns, of which each leaf has one.
#[derive(Debug, PartialEq)]
pub(super) struct Place {
    pub(super) parent: Option<usize>,
    pub(super) x: f32,
}

/// Places the nodes of a tree, given depth first by their depths: each in the middle above those below it.
pub(super) fn places(depths: &[u32]) -> Vec<Place> {
    let mut path: Vec<usize> = Vec::new();
    let mut leaves = 0.0;
    let mut places: Vec<Place> = Vec::with_capacity(depths.len());
    for (node, depth) in depths.iter().enumerate() {
        path.truncate(*depth as usize);
        places.push(Place { parent: path.last().copied(), x: leaves });
        path.push(node);
        if depths.get(node + 1).is_none_or(|next| next <= depth) {
            leaves += 1.0;
        }
    }
    // Parents come before their children, so that these are placed first from the back.
    let mut spans: Vec<Option<[f32; 2]>> = vec![None; depths.len()];
    for node in (0..depths.len()).rev() {
        if let Some([low, high]) = spans[node] {
            places[node].x = 0.5 * (low + high);
        }
        let x = places[node].x;
        if let Some(parent) = places[node].parent {
            let [low, high] = spans[parent].get_or_insert([x, x]);
            (*low, *high) = (low.min(x), high.max(x));
        }
    }
    places
}

/// The larger of two gets its place first: of a changed inner node, of a leaf, and a number to compare equals.
pub(super) type Rank = (bool, bool, u32);

/// A text of a node.
pub(super) struct NodeText {
    pub(super) node: usize,
    pub(super) galley: Arc<Galley>,
    /// Places to try, the best first.
    pub(super) places: Vec<Rect>,
    pub(super) rank: Rank,
    /// `None` if all of them are taken.
    pub(super) place: Option<Rect>,
}

/// Gives each text the first of its places that no node covers, and no text of a higher rank.
pub(super) fn find_places(texts: &mut [NodeText], nodes: &[Rect]) {
    let mut order: Vec<usize> = (0..texts.len()).collect();
    order.sort_by_key(|text| Reverse(texts[*text].rank));
    let mut taken: Vec<Rect> = Vec::new();
    for text in order {
        let is_free = |place: &&Rect| {
            let apart = place.expand2(vec2(GAP, 0.0));
            !nodes.iter().any(|node| node.intersects(**place))
                && !taken.iter().any(|other| other.intersects(apart))
        };
        texts[text].place = texts[text].places.iter().find(is_free).copied();
        taken.extend(texts[text].place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_are_in_the_middle_above_those_below() {
        // A root over a leaf and a node with two leaves.
        let place = |parent, x| Place { parent, x };
        let expected = [
            place(None, 0.75),
            place(Some(0), 0.0),
            place(Some(0), 1.5),
            place(Some(2), 1.0),
            place(Some(2), 2.0),
        ];
        assert_eq!(places(&[0, 1, 1, 2, 2]), expected);
        assert_eq!(places(&[]), []);
    }
}

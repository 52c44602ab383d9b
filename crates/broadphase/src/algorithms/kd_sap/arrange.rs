//! Sorts the objects of every node by their lower bounds.

use super::build::{Item, Spread};
use super::tree::Node;
use crate::Aabb;
use crate::box_set::BoxSliceMut;
use crate::memory::memory;
use crate::parallel::{Aligned, join};
use crate::radix_sort::order_key;
use crate::scratch::renew;
use std::ops::Range;

/// The sources of a node's objects: positions in the last frame's lists, and of arrived items.
#[derive(Clone, Debug, Default)]
pub(super) struct NodeSources {
    pub(super) staying: Range<usize>,
    pub(super) arrived: Range<usize>,
}

/// Keys of one list: the lower bound in the upper half, the index of the node's item in the lower.
#[derive(Clone, Debug, Default)]
pub(super) struct Keys {
    all: Vec<u64>,
    /// Those of the items that arrived.
    tail: Vec<u64>,
}

memory!(Keys: all, tail);

/// The parts of the lists that some consecutive nodes write.
pub(super) struct Lists<'a> {
    /// The first of their positions.
    pub(super) first: usize,
    pub(super) objects: &'a mut [u32],
    pub(super) lowers: &'a mut [f32],
    pub(super) reaches: &'a mut [f32],
    pub(super) boxes: BoxSliceMut<'a>,
}

impl<'a> Lists<'a> {
    /// Divides them at a position, relative to their first.
    fn split_at(self, middle: usize) -> (Lists<'a>, Lists<'a>) {
        let first = self.first;
        let (objects, high_objects) = self.objects.split_at_mut(middle);
        let (lowers, high_lowers) = self.lowers.split_at_mut(middle);
        let (reaches, high_reaches) = self.reaches.split_at_mut(middle);
        let (boxes, high_boxes) = self.boxes.split_at(middle);
        let high = Lists {
            first: first + middle,
            objects: high_objects,
            lowers: high_lowers,
            reaches: high_reaches,
            boxes: high_boxes,
        };
        (Lists { first, objects, lowers, reaches, boxes }, high)
    }
}

/// Arranges the lists of some consecutive nodes, on as many threads as there are lists of keys.
pub(super) fn arrange_lists(
    nodes: &mut [Node],
    sources: &[NodeSources],
    items: (&[Item], &[Item]),
    mut lists: Lists<'_>,
    keys: &mut [Aligned<Keys>],
) {
    if keys.len() <= 1 || nodes.len() < 2 {
        for (node, source) in nodes.iter_mut().zip(sources) {
            let staying = &items.0[source.staying.clone()];
            let arrived = &items.1[source.arrived.clone()];
            arrange_list(node, staying, arrived, &mut lists, &mut keys[0].0);
        }
        return;
    }
    let half = lists.first + lists.objects.len() / 2;
    let at = nodes.partition_point(|node| (node.start as usize) < half).clamp(1, nodes.len() - 1);
    let middle = nodes[at].start as usize - lists.first;
    let (low_nodes, high_nodes) = nodes.split_at_mut(at);
    let (low_sources, high_sources) = sources.split_at(at);
    let (low, high) = lists.split_at(middle);
    let (low_keys, high_keys) = keys.split_at_mut(keys.len() / 2);
    join(
        low_keys.len() + high_keys.len(),
        || arrange_lists(low_nodes, low_sources, items, low, low_keys),
        || arrange_lists(high_nodes, high_sources, items, high, high_keys),
    );
}

/// Sorts one node's objects by their lower bounds on the best sweep axis.
fn arrange_list(
    node: &mut Node,
    staying: &[Item],
    arrived: &[Item],
    lists: &mut Lists<'_>,
    keys: &mut Keys,
) {
    let spread = Spread::of(staying.iter().chain(arrived).map(|item| &item.b));
    node.centers = spread.centers;
    node.sweep = spread.sweep_axis(node.sweep);
    node.own = Aabb::EMPTY;
    let axis = node.sweep.index();
    let Keys { all, tail } = keys;
    renew(all);
    renew(tail);
    let key = |(i, item): (u64, &Item)| u64::from(order_key(item.b.min[axis])) << 32 | i;
    all.extend((0..).zip(staying.iter().chain(arrived)).map(key));
    sort_nearly_sorted(all, staying.len(), tail);
    let mut reach = f32::NEG_INFINITY;
    let first = node.list().start - lists.first;
    for (position, key) in (first..).zip(all.iter()) {
        let i = *key as u32 as usize;
        let item = staying.get(i).unwrap_or_else(|| &arrived[i - staying.len()]);
        lists.objects[position] = item.object;
        lists.boxes.set(position, &item.b);
        reach = reach.max(item.b.max[axis]);
        lists.lowers[position] = item.b.min[axis];
        lists.reaches[position] = reach;
        node.own.min = node.own.min.min(item.b.min);
        node.own.max = node.own.max.max(item.b.max);
    }
}

/// Mean steps of an insertion up to which a list is sorted by insertion, not by comparisons.
const STEPS: usize = 8;

/// Sorts keys of which the first `kept` are nearly sorted: these by insertion while that is cheap, else all
/// together by comparisons. `tail` is scratch.
fn sort_nearly_sorted(keys: &mut [u64], kept: usize, tail: &mut Vec<u64>) {
    let mut steps_left = kept * STEPS;
    for i in 1..kept {
        let moving = keys[i];
        let mut hole = i;
        while hole > 0 && keys[hole - 1] > moving {
            keys[hole] = keys[hole - 1];
            hole -= 1;
        }
        keys[hole] = moving;
        match steps_left.checked_sub(i - hole) {
            Some(left) => steps_left = left,
            None => {
                keys.sort_unstable();
                return;
            }
        }
    }
    // The new keys are merged from the end, so that every old key moves at most once.
    tail.clear();
    tail.extend_from_slice(&keys[kept..]);
    tail.sort_unstable();
    let (mut old, mut to) = (kept, keys.len());
    while let Some(new) = tail.last() {
        to -= 1;
        if old > 0 && keys[old - 1] > *new {
            old -= 1;
            keys[to] = keys[old];
        } else {
            keys[to] = *new;
            tail.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};

    #[test]
    fn list_with_new_keys_at_its_end_is_sorted() {
        let mut rng = rand_chacha::ChaCha8Rng::seed_from_u64(3);
        for n in [0usize, 1, 2, 30, 300] {
            for kept in [0, n / 2, n.saturating_sub(2), n] {
                for disorder in [0, 1, 1000] {
                    let mut keys: Vec<u64> = (0..n as u64).map(|k| k * 3).collect();
                    keys.iter_mut().for_each(|k| *k += rng.random_range(0..=disorder) * 7);
                    keys[kept..].iter_mut().for_each(|k| *k = rng.random_range(0..900));
                    let mut expected = keys.clone();
                    expected.sort_unstable();
                    sort_nearly_sorted(&mut keys, kept, &mut Vec::new());
                    assert_eq!(keys, expected, "{kept} of {n} kept, disorder {disorder}");
                }
            }
        }
    }
}

//! Updates the tree: adjusts planes, moves objects that left their node, divides leaves that are too
//! full, and repairs the order of every list.

use super::arrange::{Keys, Lists, NodeSources, arrange_lists};
use super::build::{Builder, Item};
use super::tree::{EVERYWHERE, Node, descend, is_bad};
use super::{KdSap, NONE};
use crate::Aabb;
use crate::box_set::LANES;
use crate::memory::memory;
use crate::parallel::{Tasks, threads_for};
use crate::scratch::renew;
use std::ops::Range;

/// Time to sort an object into its list, in nanoseconds (measured).
pub(super) const NANOS_PER_OBJECT: usize = 20;

/// An object on its way to another node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    node: u32,
    item: Item,
}

/// Scratch of the update.
#[derive(Clone, Debug, Default)]
pub(super) struct Scratch {
    /// The adjusted nodes, and their sources.
    nodes: Vec<Node>,
    sources: Vec<NodeSources>,
    /// All nodes after the division of full leaves.
    divided: Vec<Node>,
    /// For each of them, its items in `arrived` ...
    parts: Vec<Range<usize>>,
    /// ... and in `staying`.
    kept: Vec<Range<usize>>,
    /// The new place of each node.
    places: Vec<u32>,
    /// The objects that stay, at the first of their node's old positions.
    staying: Vec<Item>,
    movers: Vec<Mover>,
    /// Movers by node; behind them the items of nodes that were too full.
    arrived: Vec<Item>,
    starts: Vec<u32>,
    values: Vec<f32>,
    /// Those of each thread.
    keys: Tasks<Keys>,
}

memory!(Scratch: nodes, sources, divided, parts, kept, places, staying, movers, arrived, starts, values, keys);

impl KdSap {
    /// Writes the adjusted tree into the scratch. Small subtrees are merged, and bad planes shifted, or removed
    /// with their subtrees where a shift has not helped.
    pub(super) fn adjust(&mut self) {
        renew(&mut self.scratch.nodes);
        renew(&mut self.scratch.sources);
        self.rebuilds = 0;
        self.root = match self.nodes.is_empty() {
            true => self.push(Node::leaf(EVERYWHERE, 0), 0..0),
            false => self.adjust_from(self.root as usize, EVERYWHERE),
        };
    }

    fn push(&mut self, node: Node, staying: Range<usize>) -> u32 {
        self.scratch.nodes.push(node);
        self.scratch.sources.push(NodeSources { staying, arrived: 0..0 });
        self.scratch.nodes.len() as u32 - 1
    }

    fn adjust_from(&mut self, at: usize, cell: Aabb) -> u32 {
        let mut node = Node { cell, moved: false, ..self.nodes[at] };
        let Some([low, high]) = node.children else {
            return self.push(node, node.list());
        };
        let [below, above] = [low, high].map(|child| self.nodes[child as usize].population);
        let mut is_removed = (node.population as usize) < self.capacity / 2;
        if !is_removed && is_bad([below as usize, node.len as usize, above as usize]) {
            let axis = node.axis.index();
            let mean = (node.centers[axis] / f64::from(node.population)) as f32;
            is_removed = node.was_shifted || mean == node.position;
            node.was_shifted = true;
            node.moved = true;
            node.position = mean;
            self.rebuilds += 1;
        } else {
            node.was_shifted = false;
        }
        if is_removed {
            self.rebuilds += 1;
            let all = self.positions_of(at);
            return self.push(Node { sweep: node.sweep, ..Node::leaf(cell, node.depth) }, all);
        }
        let [low_cell, high_cell] = node.parts();
        let low = self.adjust_from(low as usize, low_cell);
        let own = self.push(node, node.list());
        let high = self.adjust_from(high as usize, high_cell);
        self.scratch.nodes[own as usize].children = Some([low, high]);
        own
    }

    /// Positions of the lists of a subtree, with the gaps between them.
    fn positions_of(&self, at: usize) -> Range<usize> {
        let (mut first, mut last) = (at, at);
        while let Some([low, _]) = self.nodes[first].children {
            first = low as usize;
        }
        while let Some([_, high]) = self.nodes[last].children {
            last = high as usize;
        }
        self.nodes[first].list().start..self.nodes[last].list().end
    }

    /// Reads every object's box. Objects that still belong to their node stay. Others, new ones included, are
    /// sent down from the root.
    pub(super) fn push_down(&mut self, boxes: &[Aabb]) {
        let Self { scratch, objects, absent, known, root, .. } = self;
        let Scratch { nodes, sources, staying, movers, .. } = scratch;
        let root = *root as usize;
        renew(movers);
        renew(staying);
        staying.resize(objects.len(), Item::NONE);
        let mut send = |object: u32, b: &Aabb| {
            let node = descend(nodes, root, b) as u32;
            movers.push(Mover { node, item: Item { b: *b, object } });
        };
        let mut left_out = 0;
        for i in 0..absent.len() {
            let object = absent[i];
            match boxes.get(object as usize) {
                Some(b) if !b.is_empty() => send(object, b),
                Some(_) => {
                    absent[left_out] = object;
                    left_out += 1;
                }
                None => {}
            }
        }
        absent.truncate(left_out);
        for (node, source) in nodes.iter().zip(sources) {
            let mut next = source.staying.start;
            for position in source.staying.clone() {
                let object = objects[position];
                // A gap, or an object that no longer exists.
                let Some(b) = boxes.get(object as usize) else { continue };
                if b.is_empty() {
                    absent.push(object);
                } else if node.holds(b) {
                    staying[next] = Item { b: *b, object };
                    next += 1;
                } else {
                    send(object, b);
                }
            }
            source.staying.end = next;
        }
        let new = (0..).zip(boxes).skip(*known);
        for (object, b) in new {
            if b.is_empty() {
                absent.push(object);
            } else {
                send(object, b);
            }
        }
        *known = boxes.len();
    }

    /// Groups the movers by their node: a counting sort.
    pub(super) fn group(&mut self) {
        let Scratch { sources, movers, arrived, starts, .. } = &mut self.scratch;
        renew(starts);
        starts.resize(sources.len() + 1, 0);
        for mover in movers.iter() {
            starts[mover.node as usize + 1] += 1;
        }
        for node in 0..sources.len() {
            starts[node + 1] += starts[node];
            sources[node].arrived = starts[node] as usize..starts[node + 1] as usize;
        }
        renew(arrived);
        arrived.resize(movers.len(), Item::NONE);
        for mover in movers.iter() {
            let next = &mut starts[mover.node as usize];
            arrived[*next as usize] = mover.item;
            *next += 1;
        }
    }

    /// Divides leaves that are too full, and writes all nodes in their order.
    pub(super) fn divide(&mut self) {
        let Self { scratch, nodes, capacity, root, rebuilds, .. } = self;
        let Scratch {
            nodes: adjusted,
            sources,
            divided,
            parts,
            kept,
            places,
            staying,
            arrived,
            values,
            ..
        } = scratch;
        renew(divided);
        renew(parts);
        renew(kept);
        let mut fresh = 0;
        // The children of an inner node come before and after it. So their new places are known once all
        // nodes are written.
        renew(nodes);
        renew(places);
        for (node, source) in adjusted.iter().zip(sources.iter()) {
            let count = source.staying.len() + source.arrived.len();
            let is_leaf = node.children.is_none();
            let begin = divided.len();
            if is_leaf && count > *capacity {
                let first = arrived.len();
                arrived.extend_from_slice(&staying[source.staying.clone()]);
                arrived.extend_from_within(source.arrived.clone());
                let range = first..arrived.len();
                let mut builder =
                    Builder { items: arrived, capacity: *capacity, nodes: divided, parts, values };
                places.push(builder.build(*node, range));
                kept.resize(divided.len(), 0..0);
                fresh += (divided.len() - begin) as u64 / 2;
            } else {
                divided.push(Node { rest: node.rest.saturating_sub(1), ..*node });
                parts.push(source.arrived.clone());
                kept.push(source.staying.clone());
                places.push(begin as u32);
            }
        }
        for (place, node) in places.iter().zip(adjusted.iter()) {
            if let Some(children) = node.children {
                divided[*place as usize].children = Some(children.map(|c| places[c as usize]));
            }
        }
        *root = places[*root as usize];
        *rebuilds += fresh;
        std::mem::swap(nodes, divided);
        sources.clear();
        sources.extend(kept.iter().zip(parts.iter()).map(|(staying, arrived)| NodeSources {
            staying: staying.clone(),
            arrived: arrived.clone(),
        }));
    }

    /// Assigns positions to every list, sorts it, and writes the arrays of the search.
    pub(super) fn arrange(&mut self) {
        let Self { nodes, scratch, objects, lowers, reaches, boxes, .. } = self;
        let mut next = 0;
        for (node, source) in nodes.iter_mut().zip(&scratch.sources) {
            node.start = next as u32;
            node.len = (source.staying.len() + source.arrived.len()) as u32;
            // Each block of the box set belongs to one list, so several threads can write the lists.
            next = (next + node.len as usize).next_multiple_of(LANES);
        }
        renew(objects);
        objects.resize(next, NONE);
        renew(lowers);
        lowers.resize(next, f32::INFINITY);
        renew(reaches);
        reaches.resize(next, f32::INFINITY);
        boxes.resize(next);
        scratch.keys.resize(threads_for(next, NANOS_PER_OBJECT));
        let Scratch { sources, staying, arrived, keys, .. } = scratch;
        let lists = Lists { first: 0, objects, lowers, reaches, boxes: boxes.as_mut_slice() };
        arrange_lists(nodes, sources, (staying, arrived), lists, keys.as_mut_slice());
    }

    /// Updates counts, bounds and sums of every subtree.
    pub(super) fn refit(&mut self) {
        refit_from(&mut self.nodes, self.root as usize);
    }
}

fn refit_from(nodes: &mut [Node], at: usize) {
    let mut node = nodes[at];
    (node.population, node.bounds) = (node.len, node.own);
    if let Some(children) = node.children {
        for child in children.map(|child| child as usize) {
            refit_from(nodes, child);
            let child = &nodes[child];
            node.population += child.population;
            node.bounds = node.bounds.union(&child.bounds);
            for axis in 0..3 {
                node.centers[axis] += child.centers[axis];
            }
        }
    }
    nodes[at] = node;
}

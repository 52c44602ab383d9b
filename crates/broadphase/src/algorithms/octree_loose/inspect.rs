//! The nodes: cells as boxes of a tree and as regions, loose bounds for single objects.

use super::LooseOctree;
use super::steps::Steps;
use super::tree::{Node, Tree};
use crate::Aabb;
use crate::inspect::{DebugDraw, Inspect, Outcome, Region, TreeBox, Visited};
use crate::inspect::{add_tests, first_lists, visit_others_within};

impl Tree {
    pub(super) fn debug_draw(&self, steps: Steps, draw: &mut dyn DebugDraw) {
        for (number, node) in self.nodes().iter().enumerate() {
            draw.tree_box(TreeBox {
                bounds: steps.space(node.cell.tight()),
                depth: node.cell.depth,
                is_leaf: node.after as usize == number + 1,
                step: None,
                axis: None,
            });
        }
    }

    /// The nodes that hold objects, with their objects.
    fn occupied(&self) -> impl Iterator<Item = (&Node, &[u32])> {
        let holding = self.nodes().iter().filter(|node| !node.own().is_empty());
        holding.map(|node| (node, &self.objects()[node.own()]))
    }
}

impl LooseOctree {
    fn visit_regions(&self, object: Option<u32>, visit: &mut dyn FnMut(Region)) {
        let Some(steps) = self.steps else {
            return;
        };
        for (index, (node, objects)) in (0..).zip(self.tree.occupied()) {
            if object.is_none_or(|object| objects.contains(&object)) {
                let bounds = steps.space(node.cell.tight());
                let (depth, objects) = (node.cell.depth, objects.len() as u32);
                visit(Region { index, bounds, depth, objects });
            }
        }
    }
}

impl Inspect for LooseOctree {
    fn regions(&self, visit: &mut dyn FnMut(Region)) {
        self.visit_regions(None, visit);
    }

    fn regions_of(&self, object: u32, visit: &mut dyn FnMut(Region)) {
        self.visit_regions(Some(object), visit);
    }

    /// The node of the object, and those with whose objects it was compared.
    fn visited_by(&self, object: u32, visit: &mut dyn FnMut(Visited)) {
        let at = self.tree.objects().iter().position(|listed| *listed == object);
        let (Some(steps), Some(at)) = (self.steps, at) else { return };
        let nodes = self.tree.nodes();
        let mut outcomes = vec![None; nodes.len()];
        // The nodes are in the order of their objects, so that empty ones before a node end where it starts.
        let node_of = |position| nodes.partition_point(|node| node.own().end <= position);
        outcomes[node_of(at)] = Some(Outcome::Holds);
        for number in 0..nodes.len() {
            self.tree.for_each_meeting(number, self.searcher, steps, |rows, columns| {
                if rows.contains(&at) {
                    outcomes[node_of(columns.start)] = Some(Outcome::Searched);
                } else if columns.contains(&at) {
                    outcomes[number] = Some(Outcome::Searched);
                }
            });
        }
        for wanted in [Outcome::Holds, Outcome::Searched] {
            for (node, _) in nodes.iter().zip(&outcomes).filter(|(_, o)| **o == Some(wanted)) {
                let bounds = steps.space(node.cell.tight());
                visit(Visited { bounds, depth: node.cell.depth, outcome: wanted });
            }
        }
    }

    fn loose_bounds_of(&self, object: u32, visit: &mut dyn FnMut(Aabb)) {
        let Some(steps) = self.steps else { return };
        for (node, objects) in self.tree.occupied() {
            if objects.contains(&object) {
                visit(steps.space(node.loose));
            }
        }
    }

    fn region_by_object(&self, regions: &mut [u32]) {
        first_lists(self.tree.occupied().map(|(_, objects)| objects.iter().copied()), regions);
    }

    fn tests_by_object(&self, tests: &mut [u32]) {
        tests.fill(0);
        self.oversized.add_tests(tests);
        let Some(steps) = self.steps else {
            return;
        };
        let mut add = |position: usize, more| {
            add_tests(tests, self.tree.objects()[position], more);
        };
        for (number, node) in self.tree.nodes().iter().enumerate() {
            node.own().for_each(|position| add(position, node.own().len() - 1));
            self.tree.for_each_meeting(number, self.searcher, steps, |rows, columns| {
                rows.clone().for_each(|position| add(position, columns.len()));
                columns.for_each(|position| add(position, rows.len()));
            });
        }
    }

    fn tested_with(&self, object: u32, visit: &mut dyn FnMut(u32)) {
        self.oversized.tested_with(object, visit);
        let objects = self.tree.objects();
        let at = objects.iter().position(|listed| *listed == object);
        let (Some(steps), Some(at)) = (self.steps, at) else {
            return;
        };
        let lists = self.tree.occupied().map(|(_, objects)| objects.iter().copied());
        visit_others_within(lists, object, visit);
        for number in 0..self.tree.nodes().len() {
            self.tree.for_each_meeting(number, self.searcher, steps, |rows, columns| {
                let others = match (rows.contains(&at), columns.contains(&at)) {
                    (true, _) => columns,
                    (_, true) => rows,
                    _ => return,
                };
                objects[others].iter().copied().for_each(&mut *visit);
            });
        }
    }
}

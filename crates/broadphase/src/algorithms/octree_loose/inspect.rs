//! The nodes: cells as boxes of a tree and as regions, loose bounds for single objects.

use super::LooseOctree;
use super::steps::Steps;
use super::tree::{Node, Tree};
use crate::Aabb;
use crate::inspect::{
    Inspect, Mark, Outcome, Overlay, RegionMark, TreeBox, Visited, replay_within,
};

impl Tree {
    fn visit_boxes(&self, steps: Steps, visit: &mut dyn FnMut(Mark<'_>)) {
        for (number, node) in self.nodes().iter().enumerate() {
            visit(Mark::Node(TreeBox {
                bounds: steps.space(node.cell.tight()),
                depth: node.cell.depth,
                is_leaf: node.after as usize == number + 1,
                step: None,
                axis: None,
            }));
        }
    }

    /// The nodes that hold objects, with their objects.
    fn occupied(&self) -> impl Iterator<Item = (&Node, &[u32])> {
        let holding = self.nodes().iter().filter(|node| !node.own().is_empty());
        holding.map(|node| (node, &self.objects()[node.own()]))
    }
}

impl Inspect for LooseOctree {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        let Some(steps) = self.steps else { return };
        match overlay {
            Overlay::TreeBoxes => self.tree.visit_boxes(steps, visit),
            Overlay::Regions => {
                for (index, (node, objects)) in self.tree.occupied().enumerate() {
                    let (bounds, depth) = (steps.space(node.cell.tight()), node.cell.depth);
                    visit(Mark::Region(RegionMark {
                        loose: Some(steps.space(node.loose)),
                        ..RegionMark::new(index, bounds, depth, objects)
                    }));
                }
            }
            _ => {}
        }
    }

    /// The node of the object, and those with whose objects it was compared.
    fn way(&self, object: u32, _: &Aabb, visit: &mut dyn FnMut(Visited)) {
        let at = self.tree.objects().iter().position(|listed| *listed == object);
        let (Some(steps), Some(at)) = (self.steps, at) else { return };
        let nodes = self.tree.nodes();
        let mut outcomes = vec![None; nodes.len()];
        // The nodes are in the order of their objects, so that empty ones before a node end where it starts.
        let node_of = |position| nodes.partition_point(|node| node.own().end <= position);
        outcomes[node_of(at)] = Some(Outcome::Holds);
        for number in 0..nodes.len() {
            self.tree.for_each_meeting(number, steps, |rows, columns| {
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

    fn replay(&self, visit: &mut dyn FnMut(u32, u32)) {
        self.oversized.replay(visit);
        let Some(steps) = self.steps else { return };
        let objects = self.tree.objects();
        for (number, node) in self.tree.nodes().iter().enumerate() {
            replay_within(objects[node.own()].iter().copied(), visit);
            self.tree.for_each_meeting(number, steps, |rows, columns| {
                for a in &objects[rows] {
                    objects[columns.clone()].iter().for_each(|b| visit(*a, *b));
                }
            });
        }
    }
}

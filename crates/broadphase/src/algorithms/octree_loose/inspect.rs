//! The nodes: cells as boxes of a tree and as regions, loose bounds for single objects.

use super::LooseOctree;
use crate::Aabb;
use crate::inspect::{
    Inspect, Mark, NO_REGION, Outcome, Overlay, Region, TreeBox, Visited, for_each_region,
    region_by_object, tested_with,
};
use std::collections::BTreeSet;

impl Inspect for LooseOctree {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        let nodes = &self.tree.nodes;
        match overlay {
            Overlay::TreeBoxes => {
                for (number, node) in nodes.iter().enumerate() {
                    visit(Mark::Node(TreeBox {
                        bounds: self.tree.space(node.cell.tight()),
                        depth: node.cell.depth,
                        is_leaf: node.is_leaf(number),
                        step: None,
                        axis: None,
                    }));
                }
            }
            Overlay::Regions => {
                let place = |number: usize| {
                    let cell = nodes[number].cell;
                    let loose = self.tree.space(cell.loose());
                    (self.tree.space(cell.tight()), cell.depth, Some(loose), None)
                };
                self.regions.visit_occupied(place, visit);
            }
            _ => {}
        }
    }

    /// The cell of the object, and those with whose objects it was compared.
    fn way(&self, object: u32, _: &Aabb, visit: &mut dyn FnMut(Visited)) {
        let objects = self.present.iter().max().map_or(0, |last| *last as usize + 1);
        let (mut cells, mut cell_of) = (Vec::new(), vec![NO_REGION; objects]);
        for_each_region(self, &mut |mark| cells.push(mark.region));
        region_by_object(self, &mut cell_of);
        let own = cell_of.get(object as usize).copied().filter(|cell| *cell != NO_REGION);
        let Some(own) = own else { return };
        let mut searched = BTreeSet::new();
        tested_with(self, object, &mut |other| _ = searched.insert(cell_of[other as usize]));
        searched.remove(&own);
        // An object too large for the tree is in no cell.
        searched.remove(&NO_REGION);
        for cell in std::iter::once(own).chain(searched) {
            let Region { bounds, depth, .. } = cells[cell as usize];
            let outcome = if cell == own { Outcome::Holds } else { Outcome::Searched };
            visit(Visited { bounds, depth, outcome });
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        self.regions.tests(Some(&self.tree), visit);
    }
}

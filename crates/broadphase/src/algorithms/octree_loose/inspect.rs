//! The nodes: cells as boxes of a tree and as regions, loose bounds for single objects.

use super::LooseOctree;
use crate::Aabb;
use crate::inspect::{Inspect, Mark, Outcome, Overlay, RegionMark, TreeBox, Visited};
use crate::regions::Neighbours;

impl Inspect for LooseOctree {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        let nodes = self.tree.nodes();
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
                for (index, (number, _)) in self.regions.occupied().enumerate() {
                    let objects: Vec<u32> = self.regions.objects_of(number..number + 1).collect();
                    let cell = nodes[number].cell;
                    visit(Mark::Region(RegionMark {
                        loose: Some(self.tree.space(cell.loose())),
                        ..RegionMark::new(
                            index,
                            self.tree.space(cell.tight()),
                            cell.depth,
                            &objects,
                        )
                    }));
                }
            }
            _ => {}
        }
    }

    /// The node of the object, and those with whose objects it was compared.
    fn way(&self, object: u32, _: &Aabb, visit: &mut dyn FnMut(Visited)) {
        let run = |number: usize| self.regions.run(number..number + 1);
        let holds =
            |number: &usize| self.regions.objects_of(*number..number + 1).any(|o| o == object);
        let numbers = 0..self.regions.len();
        let Some(own) = numbers.clone().find(holds) else { return };
        let mut visit_node = |number: usize, outcome| {
            let cell = self.tree.nodes()[number].cell;
            visit(Visited { bounds: self.tree.space(cell.tight()), depth: cell.depth, outcome });
        };
        visit_node(own, Outcome::Holds);
        for number in numbers.clone() {
            self.tree.visit(&self.regions, number, run(number), &mut |rows, columns, _| {
                if rows == run(own) {
                    let searched = numbers.clone().find(|number| run(*number) == columns);
                    visit_node(
                        searched.expect("the columns are those of a node"),
                        Outcome::Searched,
                    );
                } else if columns == run(own) {
                    visit_node(number, Outcome::Searched);
                }
            });
        }
    }

    fn tests(&self, visit: &mut dyn FnMut(u32, u32, Option<u32>)) {
        self.regions.tests(Some(&self.tree), visit);
    }
}

//! An algorithm that draws a tree, lists and a curve.

use broadphase::algorithms::BruteForce;
use broadphase::inspect::{Caption, Endpoint, Inspect, Mark, Overlay, TreeBox};
use broadphase::registry::{Algorithm, Kind};
use broadphase::{Aabb, Axis, BroadPhase, Counters, Frame, Pair};

pub(crate) static SHOWN: Algorithm = Algorithm {
    name: "shown",
    summary: "draws every kind of structure",
    source: "this test",
    overlays: const {
        &[Caption::TREE_BOXES, Caption::of(Overlay::Endpoints), Caption::of(Overlay::Curve)]
    },
    ..Algorithm::new("shown", Kind::Other, |_| Box::<Shown>::default())
};

/// Brute force with a tree that halves the list of objects.
#[derive(Default)]
struct Shown {
    pairs: BruteForce,
    boxes: Vec<Aabb>,
}

impl Shown {
    fn tree(&self, objects: &[Aabb], depth: u32, visit: &mut dyn FnMut(Mark<'_>)) {
        let bounds = objects.iter().fold(Aabb::EMPTY, |all, b| all.union(b));
        let is_leaf = objects.len() == 1;
        visit(Mark::Node(TreeBox { bounds, depth, is_leaf, step: None, axis: None }));
        if objects.len() > 1 {
            let (left, right) = objects.split_at(objects.len() / 2);
            self.tree(left, depth + 1, visit);
            self.tree(right, depth + 1, visit);
        }
    }
}

impl BroadPhase for Shown {
    fn update(&mut self, frame: &Frame<'_>) {
        self.pairs.update(frame);
        self.boxes.clear();
        self.boxes.extend_from_slice(frame.boxes);
    }

    fn find_pairs(&mut self, frame: &Frame<'_>, pairs: &mut Vec<Pair>) {
        self.pairs.find_pairs(frame, pairs);
    }

    fn counters(&self) -> Counters {
        self.pairs.counters()
    }

    fn heap_bytes(&self) -> usize {
        self.pairs.heap_bytes()
    }

    fn validate(&self, frame: &Frame<'_>) {
        self.pairs.validate(frame);
    }

    fn inspect(&self) -> &dyn Inspect {
        self
    }
}

impl Inspect for Shown {
    fn marks(&self, overlay: Overlay, visit: &mut dyn FnMut(Mark<'_>)) {
        match overlay {
            Overlay::TreeBoxes if !self.boxes.is_empty() => self.tree(&self.boxes, 0, visit),
            Overlay::Endpoints => {
                for axis in Axis::ALL {
                    for (object, b) in (0..).zip(&self.boxes) {
                        let at = axis.index();
                        for (position, is_lower) in [(b.min[at], true), (b.max[at], false)] {
                            visit(Mark::End(Endpoint { axis, position, object, is_lower }));
                        }
                    }
                }
            }
            Overlay::Curve => self.boxes.iter().for_each(|b| visit(Mark::Point(b.center()))),
            _ => {}
        }
    }
}

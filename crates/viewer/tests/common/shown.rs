//! Algorithms that draw a tree, lists and a curve, and answer queries correctly or wrongly.

use broadphase::algorithms::brute_force::BruteForce;
use broadphase::inspect::{Caption, Endpoint, Inspect, Mark, Overlay, TreeBox};
use broadphase::query::{Hit, Probe};
use broadphase::registry::{Algorithm, Kind, Settings};
use broadphase::{Aabb, Axis, BroadPhase, Counters, Frame, Pair, Query, Scan};

type All = fn(&[Aabb], &dyn Probe, &mut Vec<Hit>);

const fn algorithm(id: &'static str, build: fn(&Settings) -> Box<dyn BroadPhase>) -> Algorithm {
    Algorithm::new(id, Kind::Other, build)
        .name(id)
        .summary("draws every kind of structure")
        .source("this test")
        .overlays(
            const {
                &[Caption::TREE_BOXES, Caption::of(Overlay::Endpoints), Caption::of(Overlay::Curve)]
            },
        )
}

/// Answers by a scan.
pub(crate) static HONEST: Algorithm =
    algorithm("honest", |_| shown(|boxes, probe, hits| Scan.all(boxes, probe, hits)));

/// Finds nothing on any ray.
pub(crate) static BLIND: Algorithm = algorithm("blind", |_| shown(|_, _, _| ()));

/// Reports the right objects in reverse and twice, and one that does not exist.
pub(crate) static CONFUSED: Algorithm = algorithm("confused", |_| {
    shown(|boxes, probe, hits| {
        hits.push(Hit { object: u32::MAX, measure: 0.0 });
        Scan.all(boxes, probe, hits);
        hits.extend_from_within(..);
        hits.reverse();
    })
});

/// Panics at every query.
pub(crate) static TOUCHY: Algorithm =
    algorithm("touchy", |_| shown(|_, _, _| panic!("no questions")));

fn shown(all: All) -> Box<dyn BroadPhase> {
    Box::new(Shown { pairs: BruteForce::default(), boxes: Vec::new(), all })
}

/// Brute force with a tree that halves the list of objects.
struct Shown {
    pairs: BruteForce,
    boxes: Vec<Aabb>,
    all: All,
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

    fn query(&self) -> Option<&dyn Query> {
        Some(self)
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

impl Query for Shown {
    fn search(&self, boxes: &[Aabb], probe: &dyn Probe, visit: &mut dyn FnMut(Hit) -> f64) {
        Scan.search(boxes, probe, visit);
    }

    fn all(&self, boxes: &[Aabb], probe: &dyn Probe, hits: &mut Vec<Hit>) {
        (self.all)(boxes, probe, hits);
    }
}

//! Scenes in motion under an algorithm.

use broadphase::registry::{Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair};
use sim::{Hold, Response, Scene, SceneDocument, World};
use std::path::Path;

pub(crate) fn shipped(name: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    let document = SceneDocument::read(&path.with_extension("scene")).unwrap();
    assert!(document.warnings().is_empty(), "{name} has warnings");
    document.scene().clone()
}

/// A world and the algorithm that finds its pairs.
pub(crate) struct Run {
    pub(crate) world: World,
    algorithm: Box<dyn BroadPhase>,
    boxes: Vec<Aabb>,
    pub(crate) pairs: Vec<Pair>,
}

impl Run {
    pub(crate) fn new(scene: &Scene, entry: &Algorithm) -> Self {
        let settings = Settings::new(scene.total_objects()).world(scene.bounds());
        Self {
            world: World::new(scene),
            algorithm: entry.create(&settings).unwrap(),
            boxes: Vec::new(),
            pairs: Vec::new(),
        }
    }

    pub(crate) fn step(&mut self) -> Response {
        self.world.step(Hold::None);
        self.world.boxes(&mut self.boxes);
        let frame =
            Frame::new(&self.boxes).time_step(self.world.scene().dt).layered(self.world.layers());
        self.pairs.clear();
        self.algorithm.update(&frame);
        self.algorithm.find_pairs(&frame, &mut self.pairs);
        self.pairs.sort_unstable();
        self.world.respond(&self.pairs)
    }

    pub(crate) fn steps(&mut self, steps: usize) -> u64 {
        (0..steps).map(|_| self.step().resolved).sum()
    }
}

pub(crate) fn kd_tree() -> &'static Algorithm {
    broadphase::registry::find("kd-tree").unwrap()
}

pub(crate) fn run_shipped(name: &str, objects: u32, steps: usize) -> Run {
    let mut run = Run::new(&Scene { objects, ..shipped(name) }, kd_tree());
    assert_eq!(run.world.placement_warning(), None, "{name}");
    run.steps(steps);
    run
}

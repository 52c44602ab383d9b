//! Scenes in motion under an algorithm.

use broadphase::registry::{Algorithm, Settings};
use broadphase::{Aabb, BroadPhase, Frame, Pair};
use sim::scene::Continuous;
use sim::{Bodies, BodyState, Hold, Response, Scene, SceneDocument, World};
use std::path::Path;

pub(crate) fn shipped(name: &str) -> Scene {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name);
    let document = SceneDocument::read(&path.with_extension("scene")).unwrap();
    assert!(document.warnings().is_empty(), "{name} has warnings");
    document.scene().clone()
}

/// Bodies of all kinds in a cube.
pub(crate) const MIXED: &str = "\
i -1 -1 -1  2 2 2  100 t
#!objects 1000
#!radius uniform 0.04 0.07
#!speed 1
#!spin 5
#!shape die box 1 1 1
#!shape plank box 1 2 4
#!shape pill capsule 0.5 2
#!shape drum cylinder 1 1
#!shape tip cone 1 2 9
#!shape four tetrahedron 1
#!shape rock hull 16
#!shape rod box 0.2 2 0.2
#!shape bead sphere 0.3
#!shape jack compound
#!part jack rod  0 0 0
#!part jack rod  0 0 0  1 0 0 90
#!part jack bead  0 1 0
#!bodies source 1  die 10 plank 10 pill 10 drum 10 tip 10 four 10 rock 10 rod 5 jack 15
";

pub(crate) fn scene(text: &str) -> Scene {
    match SceneDocument::parse("test.scene", text.as_bytes()) {
        Ok(document) => document.scene().clone(),
        Err(error) => panic!("{error}"),
    }
}

pub(crate) const MODES: [Continuous; 3] = [Continuous::Off, Continuous::Bullets, Continuous::All];

/// The scene of a text whose walls are far away.
pub(crate) fn free(text: &str, continuous: Continuous) -> Scene {
    let walls = "i -900 -900 -900  1800 1800 1800  100 t\n#!objects 0\n";
    Scene { continuous, ..scene(&format!("{walls}{text}")) }
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
        self.step_held(Hold::None)
    }

    pub(crate) fn step_held(&mut self, hold: Hold) -> Response {
        self.world.step(hold);
        self.world.boxes(&mut self.boxes);
        let frame =
            Frame::new(&self.boxes).time_step(self.world.scene().dt).layered(self.world.layers());
        self.pairs.clear();
        self.algorithm.update(&frame);
        self.algorithm.find_pairs(&frame, &mut self.pairs);
        self.pairs.sort_unstable();
        self.world.respond(&self.pairs)
    }

    pub(crate) fn bodies(&self) -> &Bodies {
        self.world.bodies().unwrap()
    }

    pub(crate) fn state(&self, object: usize) -> BodyState {
        self.bodies().states()[object]
    }

    pub(crate) fn steps(&mut self, steps: usize) -> u64 {
        (0..steps).map(|_| self.step().resolved).sum()
    }
}

pub(crate) fn kd_tree() -> &'static Algorithm {
    broadphase::registry::find("kd-tree").unwrap()
}

/// The start of a scene.
pub(crate) fn run(scene: &Scene) -> Run {
    Run::new(scene, kd_tree())
}

pub(crate) fn run_shipped(name: &str, objects: u32, steps: usize) -> Run {
    let mut run = Run::new(&Scene { objects, ..shipped(name) }, kd_tree());
    assert_eq!(run.world.placement_warning(), None, "{name}");
    run.steps(steps);
    run
}
